import { KEPT_DAYS } from "../shared/store.ts";

/** Used as the limit of a plan without a limit: the highest integer that a number represents exactly. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** How long a statement waits for a locked counter: longer than a commit that a remote standby has to confirm. */
const LOCK_MS = 500;

const list =
  "ROWS FROM (json_to_recordset($1::text::json) AS (day text, account text, count bigint, cap bigint, keys json)) WITH ORDINALITY AS list (day, account, count, cap, keys, n)";
const limited = `(SELECT set_config('lock_timeout', '${LOCK_MS}', true)) IS NOT NULL`;
const asked = `WITH asked AS MATERIALIZED (
  SELECT n, day, account, count, cap, keys FROM ${list} WHERE EXISTS (SELECT FROM mazaneh.meta WHERE ledger IS NULL) AND ${limited}
)`;
// Counters that have reached their limit are not written. All other counters are locked before they are checked.
// The order of the locks is fixed, so two statements never wait for each other.
const taken = `known AS MATERIALIZED (
  SELECT n, quota.used FROM asked JOIN mazaneh.quota ON quota.day = asked.day AND quota.account = asked.account
), taken AS (
  INSERT INTO mazaneh.quota AS held (day, account, used, granted, cap, plan)
  SELECT day, account, least(count, cap), least(count, cap), cap, (SELECT plan FROM mazaneh.accounts WHERE id = asked.account) FROM asked LEFT JOIN known USING (n)
  WHERE coalesce(known.used, 0) < cap ORDER BY day COLLATE "C", account COLLATE "C"
  ON CONFLICT (day, account) DO UPDATE SET
    used = held.used + greatest(0, least(excluded.granted, excluded.cap - held.used)),
    granted = greatest(0, least(excluded.granted, excluded.cap - held.used)),
    cap = excluded.cap,
    plan = excluded.plan
  RETURNING day, account, used, granted
)`;
const noted = `noted AS (
  INSERT INTO mazaneh.quota_keys (day, account, key)
  SELECT DISTINCT day, account, key FROM asked, json_array_elements_text(asked.keys) AS key ORDER BY day, account, key
  ON CONFLICT DO NOTHING
)`;
const answered = `answered AS MATERIALIZED (
  SELECT n, asked.day, taken.granted, coalesce(taken.used, known.used, 0) AS used
  FROM asked LEFT JOIN taken ON taken.day = asked.day AND taken.account = asked.account LEFT JOIN known USING (n) ORDER BY n
)`;
// Writes no receipt if the sender has already used this or a higher number, or if no counter was written.
const receipt = `receipt AS (
  INSERT INTO mazaneh.quota_receipts AS held (sender, day, number, granted)
  SELECT $2::text, min(day), $3::float8::bigint, array_agg(coalesce(granted, 0)::int) FROM answered HAVING count(granted) > 0
  ON CONFLICT (sender) DO UPDATE SET day = excluded.day, number = excluded.number, granted = excluded.granted WHERE held.number < excluded.number
  RETURNING sender
)`;
// For a grant without a receipt, this divides by zero, which cancels the whole statement.
const answers =
  "SELECT coalesce(granted / (SELECT count(*) FROM receipt), 0) AS granted, used FROM answered ORDER BY n";
// The receipt is locked first: if the statement that took the units is still running, this statement waits for it.
// Counters are changed with ON CONFLICT, because UPDATE does not find a counter newer than this statement's snapshot.
const settle = `WITH last AS MATERIALIZED (
  SELECT number, granted FROM mazaneh.quota_receipts WHERE sender = $2::text AND number < $3::float8::bigint FOR UPDATE
), returned AS (
  INSERT INTO mazaneh.quota AS held (day, account, used, granted, cap)
  SELECT day, account, 0, lost.units, cap FROM last CROSS JOIN unnest(last.granted) WITH ORDINALITY AS lost (units, n) JOIN ${list} USING (n)
  WHERE last.number = $4::float8::bigint AND lost.units > 0 ORDER BY day COLLATE "C", account COLLATE "C"
  ON CONFLICT (day, account) DO UPDATE SET used = greatest(held.withheld, held.used - excluded.granted)
)
UPDATE mazaneh.quota_receipts SET number = $3::float8::bigint WHERE sender = $2::text AND (SELECT count(*) FROM last) = 1`;
// The receipt is written first, so that a late copy of this statement waits until the statement has ended.
// This statement locks counters in the same order as `take`.
const giveBack = `WITH receipt AS (
  INSERT INTO mazaneh.quota_receipts AS held (sender, day, number, granted)
  SELECT $2::text, min(day), $3::float8::bigint, '{}'::int[] FROM ${list} WHERE ${limited}
  ON CONFLICT (sender) DO UPDATE SET day = excluded.day, number = excluded.number WHERE held.number < excluded.number
  RETURNING sender
), locked AS MATERIALIZED (
  SELECT quota.day, quota.account, count FROM receipt CROSS JOIN ${list} JOIN mazaneh.quota ON quota.day = list.day AND quota.account = list.account
  ORDER BY quota.day COLLATE "C", quota.account COLLATE "C" FOR UPDATE OF quota
), returned AS (
  UPDATE mazaneh.quota AS held SET used = greatest(held.withheld, held.used - count) FROM locked
  WHERE held.day = locked.day AND held.account = locked.account RETURNING held.account, held.used
)
SELECT coalesce(returned.used, quota.used, 0) AS used FROM ${list}
LEFT JOIN returned ON returned.account = list.account LEFT JOIN mazaneh.quota ON quota.day = list.day AND quota.account = list.account ORDER BY n`;
// Finds each day with one step in the index, because reading the days of all rows would take long.
const days = `WITH RECURSIVE days (day) AS (
  (SELECT day FROM mazaneh.quota ORDER BY day DESC LIMIT 1)
  UNION ALL
  SELECT (SELECT max(quota.day) FROM mazaneh.quota WHERE quota.day < days.day) FROM days WHERE days.day IS NOT NULL
), newest AS (SELECT day FROM days WHERE day IS NOT NULL LIMIT ${KEPT_DAYS})`;
const isOld = "day < (SELECT min(day) FROM newest) AND day <> $1::text";

/** The statements of the ledger. All parameters are texts, except for numbers of receipts. */
export const QUOTA = {
  // Takes units for several accounts. Returns `granted` and `used` in the order of the list.
  // Returns no row if units are counted outside the database, or if `meta` is empty, as during a restore.
  // Parameters: a JSON list of `{ day, account, count, cap, keys }`, the receipt's sender, and the receipt's number.
  take: `${asked}, ${taken}, ${answered}, ${receipt}\n${answers}`,
  // Like `take`, but also notes the keys.
  takeWithKeys: `${asked}, ${taken}, ${noted}, ${answered}, ${receipt}\n${answers}`,
  // Ensures that the sender has a receipt, because `settle` can lock and change only an existing receipt.
  begin:
    "INSERT INTO mazaneh.quota_receipts (sender, day, number, granted) VALUES ($1::text, $2::text, 0, '{}') ON CONFLICT DO NOTHING",
  // Parameters: the list that `take` got, the receipt's sender, the number of this statement's receipt, and the
  // number of the receipt that `take` has written.
  settle,
  // Parameters: a JSON list of `{ day, account, count }`, the receipt's sender, and the receipt's number.
  // Returns `used` in the order of the list.
  giveBack,
  // Reads counts. Parameter: a JSON list of `{ day, account }`. Returns `granted`, which is 0, and `used` in the order
  // of the list.
  used: `SELECT 0 AS granted, coalesce(used, 0) AS used FROM ${list}
LEFT JOIN mazaneh.quota ON quota.day = list.day AND quota.account = list.account ORDER BY n`,
  days: `${days} SELECT day FROM newest`,
  // Returns an `AccountUsage` as JSON for each account; `withheld` and `plan` may be null.
  usage: `SELECT json_build_object('account', account, 'units', used - withheld, 'withheld', nullif(withheld, 0),
  'keys', (SELECT coalesce(json_agg(key ORDER BY key), '[]') FROM mazaneh.quota_keys WHERE quota_keys.day = quota.day AND quota_keys.account = quota.account),
  'plan', CASE WHEN plan IS NOT NULL THEN json_build_object('name', plan, 'dailyUnits', nullif(cap, ${NO_LIMIT})) END)::text AS usage
FROM mazaneh.quota WHERE day = $1::text ORDER BY account`,
  // Removes expired days, but never the given day, so that a clock that is ahead for a moment cannot remove today's
  // counters.
  dropOld: `${days}, keys AS (DELETE FROM mazaneh.quota_keys WHERE ${isOld}), receipts AS (DELETE FROM mazaneh.quota_receipts WHERE ${isOld}) DELETE FROM mazaneh.quota WHERE ${isOld}`,
};
