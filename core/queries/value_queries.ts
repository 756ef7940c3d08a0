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
import { gregorianOf, jalaliHint } from "../time/jalali.ts";
import type { PriceContext } from "./price_settings.ts";

/** A text with the name of the parameter that it came in. */
type Parameter = readonly [name: string, text: string | undefined];

/** Parses a date that must be given. `name` is the name of its parameter, for the failure's message. */
export function parseRequiredDate(name: string, text: string | undefined): Result<CalendarDate, Failure> {
  if (text === undefined) return err(failure("MISSING_PARAMETER", `${name} is missing: a day written YYYY-MM-DD`));
  const date = parseDate(text);
  if (date !== undefined) return ok(date);
  return err(failure("INVALID_DATE", `${name} must be a real Gregorian day written YYYY-MM-DD: received ${quote(text)}${jalaliHint(text)}`));
}

/** Parses the first and the last date of a history, which must be at most 31 days apart. */
export function parseDateRange(first: Parameter, last: Parameter): Result<DateRange, Failure> {
  const from = parseRequiredDate(...first);
  if (!from.ok) return from;
  const to = parseRequiredDate(...last);
  if (!to.ok) return to;
  const range = dateRange(from.value, to.value);
  return range.ok ? range : err({ ...range.error, message: `${range.error.message}${jalaliHint(from.value)}` });
}

/** What to know of an empty history: that its days may be those of another calendar. */
export function emptyRangeNotice({ from }: DateRange): string | undefined {
  const day = gregorianOf(from);
  return day && `Dates are Gregorian; ${from} of the Jalali calendar is ${day}`;
}

/** The records that were found, or the failure that there is none at all. */
export function requireRecords(found: readonly (Observation | undefined)[]): Result<readonly Observation[], Failure> {
  const records = found.filter((observation) => observation !== undefined);
  return records.length > 0 ? ok(records) : err(failure("ASSET_NOT_FOUND", "None of these assets has a record yet"));
}

/** The record that was found, or the failure that the asset has none yet. */
export function requireRecord(code: AssetCode, found: Observation | undefined): Result<Observation, Failure> {
  return found ? ok(found) : err(noRecordYet(code));
}

/** The failure that an asset has no record on a date. Its message names the days of the first and the last record. */
export async function noRecordOn(
  { observations, marketZone }: Pick<PriceContext, "observations" | "marketZone">,
  code: AssetCode,
  date: CalendarDate,
): Promise<Failure> {
  const [known] = (await observations.coverage([code])).value;
  if (!known) return noRecordYet(code);
  const [first, last] = [marketZone.dateAt(known.availableFrom), marketZone.dateAt(known.latest.businessTime)];
  return failure("ASSET_NOT_FOUND", `There is no record for ${code} on ${date}; its records run from ${first} to ${last}${jalaliHint(date)}`);
}

function noRecordYet(code: AssetCode): Failure {
  return failure("ASSET_NOT_FOUND", `There is no record for ${code} yet`);
}
