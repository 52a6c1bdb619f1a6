-- BENCH_ITEMS heartbeats a call, of different delegations, random among the first BENCH_ROWS; bodies are made beforehand.
dofile(os.getenv("BENCH_WRK") .. "/common.lua")

local bodies = 64
local items = tonumber(os.getenv("BENCH_ITEMS"))
local requests = {}
local answers = 0

local function body()
  local seen, beats = {}, {}
  while #beats < items do
    local n = math.random(bench.rows)
    if not seen[n] then
      seen[n] = true
      table.insert(beats, string.format('{"id":"%s","epoch":1}', bench.id(n)))
    end
  end
  return '{"items":[' .. table.concat(beats, ",") .. "]}"
end

function init()
  bench.seed()
  for i = 1, bodies do
    requests[i] = bench.request("POST", "/v1/heartbeats", body())
  end
end

function request()
  return requests[math.random(bodies)]
end

-- Looks at every tenth answer.
function response(_, _, answer)
  answers = answers + 1
  if answers % 10 == 0 then
    bench.check(answer)
  end
end
