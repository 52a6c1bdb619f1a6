-- GET of BENCH_PATH, again and again.
dofile(os.getenv("BENCH_WRK") .. "/common.lua")

local get = "GET " .. os.getenv("BENCH_PATH") .. " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

function request()
  return get
end
