// Which days a request for values asks for, and what it means that there is no record: for the routes and the calls of
// createPrices.
import type { AssetCode, CalendarDate } from "../brand.ts";
import { failure, quote } from "../http/errors.ts";
import type { Failure } from "../http/errors.ts";
import type { Observation } from "../market/observation.ts";
import { dateRange } from "../market/range.ts";
import type { DateRange } from "../market/range.ts";
import { err, ok } from "../result.ts";
import type { Result } from "../result.ts";
import { parseDate } from "../time/dates.ts";

/** A text with the name of the parameter that it came in. */
type Parameter = readonly [name: string, text: string | undefined];

/** Parses a date that must be given. `name` is the name of its parameter, for the failure's message. */
export function parseRequiredDate(name: string, text: string | undefined): Result<CalendarDate, Failure> {
  if (text === undefined) return err(failure("MISSING_PARAMETER", `${name} is missing: a day written YYYY-MM-DD`));
  const date = parseDate(text);
  if (date !== undefined) return ok(date);
  return err(failure("INVALID_DATE", `${name} must be a real Gregorian day written YYYY-MM-DD: received ${quote(text)}`));
}

/** Parses the first and the last date of a history, which must be at most 31 days apart. */
export function parseDateRange(first: Parameter, last: Parameter): Result<DateRange, Failure> {
  const from = parseRequiredDate(...first);
  if (!from.ok) return from;
  const to = parseRequiredDate(...last);
  return to.ok ? dateRange(from.value, to.value) : to;
}

/** The records that were found, or the failure that there is none at all. */
export function requireRecords(found: readonly (Observation | undefined)[]): Result<readonly Observation[], Failure> {
  const records = found.filter((observation) => observation !== undefined);
  return records.length > 0 ? ok(records) : err(failure("ASSET_NOT_FOUND", "None of these assets has a record yet"));
}

/** The record that was found, or the failure that the asset has none, or none on a date. */
export function requireRecord(code: AssetCode, found: Observation | undefined, date?: CalendarDate): Result<Observation, Failure> {
  if (found) return ok(found);
  const when = date === undefined ? "yet" : `on ${date}`;
  return err(failure("ASSET_NOT_FOUND", `There is no record for ${code} ${when}`));
}
