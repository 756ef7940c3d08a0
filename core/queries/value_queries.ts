// What may be asked for values, and what no data means: the routes and the in-process calls ask alike.
import type { Asset } from "../market/assets.ts";
import type { AssetCode, CalendarDate } from "../brand.ts";
import { parseDate } from "../time/dates.ts";
import { failure, quote } from "../http/errors.ts";
import type { Failure } from "../http/errors.ts";
import { unknownCode } from "./find_asset.ts";
import type { Observation } from "../market/observation.ts";
import { dateRange } from "../market/range.ts";
import type { DateRange } from "../market/range.ts";
import { err, ok } from "../result.ts";
import type { Result } from "../result.ts";
import type { Reading } from "./query_settings.ts";

/** The assets of these codes, each once and in catalog order; one that is empty or unknown fails them all. */
export function chooseAssets(reading: Reading, codes: readonly string[]): Result<readonly Asset[], Failure> {
  if (codes.length === 0) return err(failure("INVALID_CODES"));
  for (const code of codes) {
    if (code === "") return err(failure("INVALID_CODES"));
    if (!reading.assets.has(code)) return err(failure("INVALID_CODES", unknownCode(reading, code)));
  }
  const wanted = new Set(codes);
  return ok([...reading.assets.values()].filter((asset) => wanted.has(asset.code)));
}

/** A day. `name` is what the failure calls it. */
export function readDate(name: string, text: string | undefined): Result<CalendarDate, Failure> {
  if (text === undefined) return err(failure("MISSING_PARAMETER", `${name} is missing: a day written YYYY-MM-DD`));
  const date = parseDate(text);
  if (date !== undefined) return ok(date);
  return err(failure("INVALID_DATE", `${name} must be a real Gregorian day written YYYY-MM-DD: received ${quote(text)}`));
}

/** A text and the name it was sent with. */
type Named = readonly [name: string, text: string | undefined];

/** The two ends of a history, and the rule for their distance. */
export function readRange(first: Named, last: Named): Result<DateRange, Failure> {
  const from = readDate(...first);
  if (!from.ok) return from;
  const to = readDate(...last);
  return to.ok ? dateRange(from.value, to.value) : to;
}

/** The records there are of some asked for; none at all is a failure. */
export function someRecords(found: readonly (Observation | undefined)[]): Result<readonly Observation[], Failure> {
  const records = found.filter((observation) => observation !== undefined);
  return records.length > 0 ? ok(records) : err(failure("ASSET_NOT_FOUND", "None of these assets has a record yet"));
}

/** The one record asked for, or the failure that says that there is none, on that day where one was named. */
export function oneRecord(code: AssetCode, found: Observation | undefined, date?: CalendarDate): Result<Observation, Failure> {
  if (found) return ok(found);
  const when = date === undefined ? "yet" : `on ${date}`;
  return err(failure("ASSET_NOT_FOUND", `There is no record for ${code} ${when}`));
}
