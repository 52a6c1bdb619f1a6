-- One heartbeat of a random delegation among the first BENCH_ROWS; BENCH_PATH with %s for its id. With
-- BENCH_LEFT_OUT every so-manieth stays silent.
dofile(os.getenv("BENCH_WRK") .. "/common.lua")

local path = os.getenv("BENCH_PATH") or "/v1/delegations/%s/heartbeat"
local left_out = tonumber(os.getenv("BENCH_LEFT_OUT") or "")

function init()
  bench.seed()
end

function request()
  local body = math.random(4) == 1 and string.format('{"epoch":1,"progress":0.%02d}', math.random(0, 99)) or '{"epoch":1}'
  local n = math.random(bench.rows)
  if left_out and n % left_out == 0 then
    n = n - 1
  end
  return bench.request("POST", string.format(path, bench.id(n)), body)
end
