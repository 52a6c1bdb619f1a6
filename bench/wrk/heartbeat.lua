-- One heartbeat of a random delegation among the first BENCH_ROWS; BENCH_PATH with %s for its id.
dofile(os.getenv("BENCH_WRK") .. "/common.lua")

local path = os.getenv("BENCH_PATH") or "/v1/delegations/%s/heartbeat"

function init()
  bench.seed()
end

function request()
  local body = math.random(4) == 1 and string.format('{"epoch":1,"progress":0.%02d}', math.random(0, 99)) or '{"epoch":1}'
  return bench.request("POST", string.format(path, bench.id(math.random(bench.rows))), body)
end
