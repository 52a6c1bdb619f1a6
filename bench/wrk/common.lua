-- What all scripts of wrk share. Settings come from the environment: wrk hands its arguments to init() alone.
local ffi = require("ffi")
ffi.cdef [[
  typedef struct { long s; long ns; } bench_time;
  int clock_gettime(int clock, bench_time *at);
]]

bench = { rows = tonumber(os.getenv("BENCH_ROWS")), threads = tonumber(os.getenv("BENCH_THREADS")) }

local threads = {}

function setup(thread)
  thread:set("thread_index", #threads)
  table.insert(threads, thread)
end

-- The id of the n-th delegation, as bench.id() in bench/sql/schema.sql.
function bench.id(n)
  return string.format("00000000-0000-4000-8000-%012x", n)
end

function bench.request(method, path, body)
  return method .. " " .. path .. " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: "
    .. #body .. "\r\n\r\n" .. body
end

function bench.seed()
  math.randomseed(os.time() * 64 + thread_index)
  for _ = 1, 10 do math.random() end
end

local clock = ffi.new("bench_time")
local function now_ms()
  ffi.C.clock_gettime(1, clock)
  return tonumber(clock.s) * 1000 + tonumber(clock.ns) / 1e6
end

-- A rate instead of as fast as possible: each thread deals out moments in time to its connections. One that falls behind
-- catches up for a second at most.
local rate = bench_rate or tonumber(os.getenv("BENCH_RATE") or "")
if rate then
  local period_ms = 1000 * bench.threads / rate
  local at
  function delay()
    local now = now_ms()
    at = math.max((at or now + thread_index * period_ms / bench.threads) + period_ms, now - 1000)
    return math.max(0, at - now)
  end
end

bad = 0

-- A bulk call is answered 200 whatever became of its items.
function bench.check(answer)
  for _, word in ipairs({ "unavailable", "lease_lost", "not_found", "invalid" }) do
    if answer:find(word, 1, true) then
      bad = bad + 1
      return
    end
  end
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  for _, thread in ipairs(threads) do
    failed = failed + thread:get("bad")
  end
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"errors":%d,"bytes":%d,"p50_ms":%.3f,"p99_ms":%.3f,"max_ms":%.3f}\n',
    summary.requests, summary.duration / 1e6, failed, summary.bytes,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency.max / 1000))
end
