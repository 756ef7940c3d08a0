import { parseBugs } from "./seeded_bugs.ts";

/** Bugs that are planted one at a time, each with the smallest test file that finds it. */
export const BUGS_FOR_TESTS = parseBugs(String.raw`
the market's zone ignored: core/queries/price_settings.ts, found by test/contract/04_date.test.ts
  createZone(settings.marketTimeZone ?? → createZone(
a range of 32 days: core/queries/value_queries.ts, found by test/contract/05_history.test.ts
  distance <= maxDays → distance <= maxDays + 1
a range without its last day: core/market/date_range.ts, found by test/contract/05_history.test.ts
  - first + 2 } → - first + 1 }
a candle with its end: core/market/candles.ts, found by test/contract/06_ohlc.test.ts
  times[i]! < end → times[i]! <= end
a candle before the range: core/queries/candle_queries.ts, found by test/contract/06_ohlc.test.ts
  Math.ceil(ceilMillis(from.value) → Math.floor(ceilMillis(from.value)
a candle complete too late: core/market/candles.ts, found by test/contract/06_ohlc.test.ts
  now >= candle.end → now > candle.end
a body ten times as long: core/http/dates_body.ts, found by test/contract/07_post_history.test.ts
  MAX_BODY_BYTES = 8_192 → MAX_BODY_BYTES = 81_920
a key repeated in an error: core/http/errors.ts, found by test/contract/authentication.test.ts
  maskKeys(path).slice( → path.slice(
a target ten times as long: core/http/request_target.ts, found by test/contract/errors.test.ts
  MAX_TARGET_LENGTH = 4_096 → MAX_TARGET_LENGTH = 40_960
Vary without Authorization: core/http/respond.ts, found by test/contract/http.test.ts
  "X-API-Key, Authorization, Accept, → "X-API-Key, Accept,
304 without Vary: core/http/respond.ts, found by test/contract/http.test.ts
  "ETag", held, "Vary", varyByCaller → "ETag", held
one unit too many reported as left: core/accounts/quota.ts, found by test/contract/quota.test.ts
  dailyUnits - used) → dailyUnits - used + 1)
failures that cost a unit: core/accounts/charge_units.ts, found by test/contract/quota.test.ts
  route?.charge === "success" → route?.charge !== "success"
the quota's zone ignored: core/routes/settings.ts, found by test/contract/quota.test.ts
  createZone(settings.quotaTimeZone ?? → createZone(
an expired key accepted: core/accounts/key_verifier.ts, found by test/core/accounts/key_verifier.test.ts
  now < expiresAt → now <= expiresAt
a revoked key accepted until the minute ends: core/accounts/key_verifier.ts, found by test/core/accounts/key_verifier.test.ts
  ? inForce(holder, now) : → ? ok(holder) :
digests compared with early exit: core/accounts/keys.ts, found by test/core/accounts/keys.test.ts
  difference |= presented → if (difference) break; else difference |= presented
a cached body of 10 MB: core/http/response_cache.ts, found by test/core/http/response_cache.test.ts
  MAX_BODY_BYTES = 1 << 20 → MAX_BODY_BYTES = 10 << 20
a response fresh for too long: core/http/response_cache.ts, found by test/core/http/response_cache.test.ts
  now < expiresAt) → now <= expiresAt)
a wrong Persian name: core/market/asset_names.ts, found by test/core/market/assets.test.ts
  "Danish Krone", "کرون دانمارک" → "Danish Krone", "کرون نروژ"
a dollar ten times too low: adapters/intake/levels/price_levels_by_year.ts, found by test/intake/levels/suspicious_levels.test.ts
  205000 253000 → 20500 253000
a currency ten times too low: adapters/intake/levels/price_levels_by_year.ts, found by test/intake/levels/suspicious_levels.test.ts
  OMR 2.131 3.626 → OMR .2131 .3626
units of less than a day: adapters/feeds/mirror/planner/unit_ledger.ts, found by test/feeds/mirror/planner/unit_ledger.test.ts
  DAY_MS + MINUTE_MS, 2.5 → DAY_MS - MINUTE_MS, 2.5
a clock set back across midnight: core/time/zone.ts, found by test/core/time/zone.test.ts
  ? shown : shown + 1 → ? shown : shown
each IPv6 address counted on its own: adapters/http/node/client_addresses.ts, found by test/http/node/client_addresses.test.ts
  .slice(0, 4) → .slice(0, 8)
five minutes for an answer: adapters/http/node/connection_limits.ts, found by test/http/node/client_addresses.test.ts
  answerMs: 30_000 → answerMs: 300_000
the leftmost X-Forwarded-For: adapters/http/node/forwarded_headers.ts, found by test/http/node/forwarded_headers.test.ts
  .toReversed() →
a peer that is not a proxy, trusted: adapters/http/node/forwarded_headers.ts, found by test/http/node/forwarded_headers.test.ts
  if (!includes(peer)) return → if (peer === undefined) return
nginx adds to a client's list: fixtures/deploy/nginx/mazaneh.conf, found by test/http/node/forwarded_headers.test.ts
  For $remote_addr; → For $proxy_add_x_forwarded_for;
Caddy trusts its clients: fixtures/deploy/caddy/Caddyfile, found by test/http/node/forwarded_headers.test.ts
  max_header_size 8KB → trusted_proxies static 0.0.0.0/0
ten times as many header lines: adapters/http/node/request_framing.ts, found by test/http/node/request_framing.test.ts
  MAX_HEADER_LINES = 64 → MAX_HEADER_LINES = 640
a bound outside of its bucket: adapters/server/monitoring/exchange_metrics.ts, found by test/server/monitoring/exchange_metrics.test.ts
  seconds <= bound → seconds < bound
rejected prices in a snapshot: adapters/stores/snapshot/snapshot_lines.ts, found by test/stores/snapshot/snapshot.test.ts
  if (record.qualityStatus === "ACCEPTED") lines → lines
a decision that removes its source's other pending values: adapters/stores/price_state/decide_selection.ts, found by test/stores/json_files/imports.test.ts
  entriesByOrigin("decision", → entriesByOrigin("observations",
undo leaves a record: adapters/stores/price_state/undo_import.ts, found by test/stores/json_files/imports.test.ts
  else gone.push({ code, businessTime, source }); → else if (back.length > 0) gone.push({ code, businessTime, source });
references lost by a compaction: adapters/stores/json_files/maintenance/compact.ts, found by test/stores/json_files/compact.test.ts
  superseded: state.superseded(), →
one queue for all clients: adapters/http/node/request_admission.ts, found by test/http/node/server_load.test.ts
  client: isLong ? networkOf(address) : "" → client: ""
a torn line reported as damage: adapters/stores/json_files/log/scan_file.ts, found by test/stores/json_files/open.test.ts
  const unwritten = cutShort || → const unwritten =
a unit beyond the reservation: adapters/stores/json_files/quota/unit_counter.ts, found by test/stores/json_files/quota.test.ts
  if (counter.used < counter.reserved) return → if (counter.used <= counter.reserved) return
a unit beyond the limit: adapters/stores/memory_store.ts, found by test/stores/memory_store.test.ts
  used >= limit → used > limit
a lost take kept: adapters/stores/shared/quota_receipts.ts, found by test/stores/shared/quota_receipts.test.ts
  of: number }; → of: number - 1 };
a late unit kept: adapters/stores/shared/with_deadline.ts, found by test/stores/shared/with_deadline.test.ts
  if (granted) → if (!granted)
toman as rial: adapters/intake/tables/detect_price_unit.ts, found by test/cli/odd_files/odd_files.test.ts
  quote: "RLS", places: 1 → quote: "RLS", places: 0
doubled quotes left double: adapters/intake/tables/split_fields.ts, found by test/intake/tables/record_reader.test.ts
  .replaceAll('""', '"') →
Excel dates off by a day: adapters/intake/tables/epoch_and_serial_times.ts, found by test/intake/tables/parse_times.test.ts
  EXCEL_DAYS = 25_569 → EXCEL_DAYS = 25_568
noon read as 24: adapters/intake/tables/written_time.ts, found by test/intake/tables/parse_times.test.ts
  (+hour % 12) + 12 → +hour + 12
ten times as many records: adapters/feeds/push/read_body.ts, found by test/feeds/push/hostile.test.ts
  MAX_RECORDS = 10_000 → MAX_RECORDS = 100_000
a key that writes other assets: adapters/feeds/push/push_route.ts, found by test/feeds/push/ingest.test.ts
  codes && !codes.includes( → codes && codes.includes(
a price beyond the daily bound accepted: adapters/intake/levels/feed_rule.ts, found by test/intake/levels/feed_rule.test.ts
  if (factor <= rise && 1 / factor <= fall) return undefined → if (factor <= rise || 1 / factor <= fall) return undefined
a reference of today: adapters/stores/price_state/references.ts, found by test/stores/json_files/imports.test.ts
  (insertTime < since || isByPerson(origin.import)) && → (insertTime < since + 1 || isByPerson(origin.import)) &&
a rejection of another's record: adapters/feeds/push/push_store.ts, found by test/feeds/push/ingest.test.ts
  ?.by !== key) added.delete( → ?.by === undefined) added.delete(
a price in another unit: adapters/feeds/mirror/check_records.ts, found by test/feeds/mirror/mirror.test.ts
  quoteUnit !== asset?.quoteUnit → quoteUnit === ""
unescaped HTML: adapters/page/html_markup.ts, found by test/page/docs_html.test.ts
  /[&<>"']/g → /[&>"']/g
a text that ends the script element: adapters/page/page_html.ts, found by test/page/page_routes.test.ts
  .replaceAll("<", "\\u003c") →
a request of 33 days: adapters/page/browser/data/ranges.ts, found by test/page/browser/ranges.test.ts
  DAYS_OF_REQUEST = 32 → DAYS_OF_REQUEST = 33
a toman of one rial: adapters/page/browser/data/conversion.ts, found by test/page/browser/conversion.test.ts
  TOMAN: 10 → TOMAN: 1
a link that runs a script: adapters/page/browser/data/addresses.ts, found by test/page/browser/addresses.test.ts
  !/^https?:$/.test(url.protocol) → url.protocol === ""
ten times too many toman: adapters/page/browser/data/format.ts, found by test/page/browser/format.test.ts
  ? value / 10 : value → ? value : value
a day in the wrong time zone: adapters/page/browser/data/format.ts, found by test/page/browser/format.test.ts
  ? "UTC" : marketTimeZone → ? marketTimeZone : "UTC"
`);
