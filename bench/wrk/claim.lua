-- Claims of 10 by 16 agents.
dofile(os.getenv("BENCH_WRK") .. "/common.lua")

local requests = {}

function init()
  bench.seed()
  for agent = 1, 16 do
    requests[agent] =
      bench.request("POST", "/v1/queues/backlog/claim", string.format('{"agent":"agent-%d","max":10}', agent))
  end
end

function request()
  return requests[math.random(16)]
end
