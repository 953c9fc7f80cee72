-- Sends the requests of a file once, in order, and checks every answer. For wrk with one thread.
-- A line is method, path, cookie, body and expected text, separated by tabs. The expected text
-- is checked only with one connection: with more, wrk does not say which request was answered.

sent, answered, wrong = -1, 0, 0 -- global: `done` reads them. wrk calls `request` once itself
local requests, expected = {}, {}
local checked = false
local threads = {}

function setup(thread)
   table.insert(threads, thread)
end

function init(args)
   checked = args[2] == "1"
   for line in io.lines(args[1]) do
      local method, path, cookie, body, mark =
         line:match("^(.-)\t(.-)\t(.-)\t(.-)\t(.*)$")
      local headers = { ["Accept"] = "application/json" }
      if cookie ~= "" then headers["Cookie"] = cookie end
      if body == "" then body = nil else headers["Content-Type"] = "application/json" end
      table.insert(requests, wrk.format(method, path, headers, body))
      table.insert(expected, mark)
   end
end

function request()
   if sent == 0 then
      io.stdout:write("begin\n")
      io.stdout:flush()
   end
   sent = sent + 1
   return requests[math.max(sent - 1, 0) % #requests + 1]
end

function response(status, headers, body)
   answered = answered + 1
   local right = status == 200 or status == 201
   if right and checked and expected[answered] then
      right = body:find(expected[answered], 1, true) ~= nil
   end
   if right and expected[1] ~= "" and not checked then
      right = #body > 2
   end
   if not right and answered <= #requests then
      wrong = wrong + 1
      if wrong <= 3 then
         io.stdout:write(string.format("wrong %d %s\n", status, body:sub(1, 300):gsub("%c", " ")))
      end
   end
   if answered == #requests then
      io.stdout:write("finished\n")
      io.stdout:flush()
      wrk.thread:stop()
   end
end

function done(summary, latency, rates)
   local errors = summary.errors
   io.stdout:write(string.format(
      "result p50=%d p99=%d broken=%d wrong=%d answered=%d\n",
      latency:percentile(50), latency:percentile(99),
      errors.connect + errors.read + errors.write + errors.timeout,
      threads[1]:get("wrong"), threads[1]:get("answered")))
   io.stdout:flush()
end
