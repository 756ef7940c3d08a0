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
/** What tells from when to when an asset has records. */
type RecordContext = Pick<PriceContext, "observations" | "marketZone">;

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

/** What to know of an empty history: that its days may be those of another calendar, or else which days have records. Printable ASCII. */
export async function emptyRangeNotice(context: RecordContext, code: AssetCode, { from, to }: DateRange): Promise<string> {
  const [first, last] = [gregorianOf(from), gregorianOf(to)];
  if (first === undefined) return noRecordText(context, code, from === to ? from : `these days, ${from} to ${to}`);
  return `Dates are Gregorian; ${from} of the Jalali calendar is ${first}${last === undefined || to === from ? "" : `, and ${to} is ${last}`}`;
}

/** The records that were found, or the failure that there is none at all. */
export function requireRecords(found: readonly (Observation | undefined)[]): Result<readonly Observation[], Failure> {
  const records = found.filter((observation) => observation !== undefined);
  return records.length > 0 ? ok(records) : err(failure("ASSET_NOT_FOUND", "None of these assets has a record yet"));
}

/** The record that was found, or the failure that the asset has none yet. */
export function requireRecord(code: AssetCode, found: Observation | undefined): Result<Observation, Failure> {
  return found ? ok(found) : err(failure("ASSET_NOT_FOUND", noRecordYet(code)));
}

/** The failure that an asset has no record on a date. Its message names the days of the first and the last record. */
export async function noRecordOn(context: RecordContext, code: AssetCode, date: CalendarDate): Promise<Failure> {
  return failure("ASSET_NOT_FOUND", `${await noRecordText(context, code, date)}${jalaliHint(date)}`);
}

async function noRecordText({ observations, marketZone }: RecordContext, code: AssetCode, days: string): Promise<string> {
  const [known] = (await observations.coverage([code])).value;
  if (!known) return noRecordYet(code);
  const [first, last] = [marketZone.dateAt(known.availableFrom), marketZone.dateAt(known.latest.businessTime)];
  return `There is no record for ${code} on ${days}; its records run from ${first} to ${last}`;
}

function noRecordYet(code: AssetCode): string {
  return `There is no record for ${code} yet`;
}
