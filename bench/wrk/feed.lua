-- Keeps many leases alive: each of the first BENCH_ROWS delegations beats once every BENCH_BEAT_EVERY_S, BENCH_ITEMS to a
-- call, in an order that has nothing to do with where they lie; the first BENCH_SILENT of that order never do. Several wrk
-- divide them: this is part BENCH_PART of BENCH_PARTS.
local parts = tonumber(os.getenv("BENCH_PARTS") or "1")
local part = tonumber(os.getenv("BENCH_PART") or "0")
local items = tonumber(os.getenv("BENCH_ITEMS"))
local rows = tonumber(os.getenv("BENCH_ROWS"))
local silent = tonumber(os.getenv("BENCH_SILENT") or "0")
bench_rate = rows / parts / items / tonumber(os.getenv("BENCH_BEAT_EVERY_S"))
dofile(os.getenv("BENCH_WRK") .. "/common.lua")

local stride = 618033 -- has no factor in common with a power of ten
local first, last, at

function init()
  local share = rows / parts / bench.threads
  local mine = part * bench.threads + thread_index
  first, last = math.floor(mine * share), math.floor((mine + 1) * share) - 1
  first = math.max(first, silent)
  at = first
end

function request()
  local beats = {}
  for i = 1, items do
    beats[i] = string.format('{"id":"%s","epoch":1}', bench.id(at * stride % rows + 1))
    at = at < last and at + 1 or first
  end
  return bench.request("POST", "/v1/heartbeats", '{"items":[' .. table.concat(beats, ",") .. "]}")
end

function response(_, _, answer)
  bench.check(answer)
end
