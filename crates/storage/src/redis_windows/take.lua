-- Takes one of each key, or none. A key is a sorted set of takings by time.
-- KEYS: the counters. ARGV: now (ms), a member that nobody else adds, then for each key its count and its span (ms).
-- Returns the longest wait (ms) and the number of its key; 0 and 0 when all were taken.
local now, member = ARGV[1], ARGV[2]
local longest, refuser = 0, 0
for i, key in ipairs(KEYS) do
  local count, span = tonumber(ARGV[1 + 2 * i]), tonumber(ARGV[2 + 2 * i])
  local wait = span
  if count > 0 then
    -- A clock that was set back must not lock a caller out: later times count as now.
    for _, later in ipairs(redis.call('ZRANGEBYSCORE', key, '(' .. now, '+inf')) do
      redis.call('ZADD', key, now, later)
    end
    redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', now - span))
    local held = redis.call('ZCARD', key)
    wait = 0
    if held >= count then
      wait = redis.call('ZRANGE', key, held - count, held - count, 'WITHSCORES')[2] + span - now
    end
  end
  if wait > 0 and wait >= longest then
    longest, refuser = wait, i
  end
end
if refuser == 0 then
  for i, key in ipairs(KEYS) do
    redis.call('ZADD', key, now, member)
    redis.call('PEXPIRE', key, ARGV[2 + 2 * i])
  end
end
return {longest, refuser}
