-- Registers BENCH_ITEMS delegations a call, one by one where that is 1; bodies are made beforehand.
dofile(os.getenv("BENCH_WRK") .. "/common.lua")

local bodies = 16
local items = tonumber(os.getenv("BENCH_ITEMS"))
local requests = {}

local function delegation()
  local n = math.random(1e6)
  return string.format(
    '{"caller":"caller-%d","queue":"registered","task":"Build the image of commit %06x and run its tests",'
      .. '"labels":{"team":"team-%d","repository":"repository-%d"},'
      .. '"payload":{"repository":"https://git.example.org/team-%d/repository-%d","commit":"%040x","branch":"change/%d",'
      .. '"steps":["compile","test","package"]}}',
    n % 50, n, n % 40, n % 500, n % 40, n % 500, n, n)
end

function init()
  bench.seed()
  for i = 1, bodies do
    if items == 1 then
      requests[i] = bench.request("POST", "/v1/delegations", delegation())
    else
      local all = {}
      for j = 1, items do
        all[j] = delegation()
      end
      requests[i] = bench.request("POST", "/v1/delegations/batch", '{"items":[' .. table.concat(all, ",") .. "]}")
    end
  end
end

function request()
  return requests[math.random(bodies)]
end
