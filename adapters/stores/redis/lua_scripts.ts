/** 2^52. Added to a count if some of an account's used units are unknown, so that no unit is left. */
export const SPENT = 4_503_599_627_370_496;

/** 2^53 - 1. The limit of a plan without a limit. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

/*
 * In the ledger's hash, a day is `counted` or `all-spent`. On an `all-spent` day, accounts without a count have no
 * units left. A `counted` day must have a hash of units. If Redis has lost or evicted the hash, no units may be
 * granted. Days are never removed from the ledger's hash: after a clock is set back, a day must not look new. Each day
 * takes a few bytes.
 */

/**
 * Acts on the counts of a day. KEYS: ledger, units, keys, receipts. ARGV: the day, its expiry, the number of acts,
 * sender (or "") and number of a receipt; then the accounts of the acts, their limits, and their units (positive: take
 * as far as the limit allows, negative: give back, 0: read); then used keys, each followed by its account. All acts
 * share the script's few calls of Redis, because these calls cost more than the acts.
 *
 * Returns the count before each act. If the counts are lost, returns `no-ledger` or `no-counters`. For takes whose
 * receipt is not newer than the sender's last receipt, returns `late`. Repeating a give-back changes nothing.
 */
export const COUNT = `
local ledger, units, keys, receipts = unpack(KEYS)
local day, acts, sender, number = ARGV[1], tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5])
local known = redis.call('HMGET', ledger, 'id', day)
if not known[1] then return 'no-ledger' end
local ttl = redis.call('TTL', units)
if known[2] == 'counted' and ttl == -2 then return 'no-counters' end
local fresh = known[2] == 'all-spent' and ${SPENT} or 0
local last = sender ~= '' and redis.call('HMGET', receipts, sender)[1]
local late = last and tonumber(string.match(last, '^%d+')) >= number
if late and tonumber(ARGV[6 + 2 * acts]) > 0 then return 'late' end
local found = redis.call('HMGET', units, unpack(ARGV, 6, 5 + acts))
local counts, before, changed, granted = {}, {}, {}, {number}
for i = 1, acts do
  local account, limit, n = ARGV[5 + i], tonumber(ARGV[5 + acts + i]), tonumber(ARGV[5 + 2 * acts + i])
  local used = counts[account] or tonumber(found[i] or fresh)
  local change = 0
  if n > 0 then change = math.max(0, math.min(n, limit - used))
  elseif not late then change = -math.min(-n, used % ${SPENT}) end
  before[i], counts[account], granted[i + 1] = used, used + change, change
  if change ~= 0 then
    changed[#changed + 1] = account
    changed[#changed + 1] = used + change
  end
end
local wrote = #changed > 0
if wrote then redis.call('HSET', units, unpack(changed)) end
local function expire(key)
  -- A clock that is set back must not make what it counts expire at once.
  local soonest = tonumber(redis.call('TIME')[1]) + 3 * 86400
  redis.call('EXPIREAT', key, math.max(tonumber(ARGV[2]), soonest))
end
if wrote and ttl < 0 then expire(units) end
if wrote and not known[2] then redis.call('HSET', ledger, day, 'counted') end
if wrote and sender ~= '' then
  redis.call('HSET', receipts, sender, table.concat(granted, ' '))
  if not last then expire(receipts) end
end
local first = 3 * acts + 6
if first < #ARGV then
  redis.call('HSET', keys, unpack(ARGV, first))
  if redis.call('TTL', keys) < 0 then expire(keys) end
end
return before
`;

/**
 * Gives back the units taken by a command whose answer was lost. KEYS: units, receipts. ARGV: the expiry of the day,
 * the sender, the number of this receipt, the number of that command's receipt; then the accounts of that command.
 */
export const SETTLE = `
local units, receipts, sender, number = KEYS[1], KEYS[2], ARGV[2], tonumber(ARGV[3])
local last = {}
for text in string.gmatch(redis.call('HMGET', receipts, sender)[1] or '', '%d+') do last[#last + 1] = tonumber(text) end
if last[1] and last[1] >= number then return end
if last[1] == tonumber(ARGV[4]) then
  for i = 5, #ARGV do
    local used = tonumber(redis.call('HMGET', units, ARGV[i])[1] or 0)
    local change = math.min(last[i - 3], used % ${SPENT})
    if change > 0 then redis.call('HSET', units, ARGV[i], used - change) end
  end
end
redis.call('HSET', receipts, sender, number)
redis.call('EXPIREAT', receipts, math.max(tonumber(ARGV[1]), tonumber(redis.call('TIME')[1]) + 3 * 86400))
`;

/**
 * Checks whether units could be counted now. Uses each command of COUNT, so that a missing permission is found before a unit is taken. KEYS: ledger, and a key for this script alone. Returns `no-ledger` or 1.
 */
export const PROBE = `
local ledger, probe = KEYS[1], KEYS[2]
redis.call('HSET', probe, 'probed', '1')
redis.call('HMGET', probe, 'probed')
redis.call('TTL', probe)
redis.call('EXPIREAT', probe, tonumber(redis.call('TIME')[1]) + 3600)
return redis.call('HEXISTS', ledger, 'id') == 1 and 1 or 'no-ledger'
`;

/**
 * Makes a ledger, or repairs a ledger after a loss. KEYS: ledger; then the units of the current days. ARGV: an id for a
 * new ledger; how units count: `spent`, `all-spent`, `as-backed-up`, or "" for no change; the days. Returns the id of the
 * ledger, or `no-ledger` if there is none and the arguments do not allow making one.
 */
export const BEGIN = `
local ledger, how = KEYS[1], ARGV[2]
local id = redis.call('HGET', ledger, 'id')
if how == '' then return id or 'no-ledger' end
if not id then
  -- Nobody knows who has used units, so all accounts count as users.
  if how == 'spent' then how = 'all-spent' end
  id = ARGV[1]
  redis.call('HSET', ledger, 'id', id)
end
for i = 2, #KEYS do
  local units, day = KEYS[i], ARGV[i + 1]
  local state = redis.call('HGET', ledger, day)
  local there = redis.call('EXISTS', units) == 1
  local lost = state == 'counted' and not there
  if how == 'all-spent' or how == 'spent' and lost then redis.call('HSET', ledger, day, 'all-spent')
  elseif how == 'as-backed-up' and there then redis.call('HSET', ledger, day, 'counted')
  elseif how == 'as-backed-up' then redis.call('HDEL', ledger, day)
  end
  for _, account in ipairs(redis.call('HKEYS', units)) do
    local used = tonumber(redis.call('HGET', units, account))
    local known = used % ${SPENT}
    local now = (how == 'as-backed-up' or used == 0) and known or known + ${SPENT}
    if now ~= used then redis.call('HSET', units, account, now) end
  end
end
return id
`;
