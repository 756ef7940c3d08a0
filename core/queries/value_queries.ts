// Parses requests for records and reads the records, for the routes and for createPrices.

import type { AssetCode, CalendarDate } from "../branded_types.ts";
import { type Failure, failure, quote } from "../http/errors.ts";
import type { Freshness } from "../http/route.ts";
import { type DateRange, dayEdges, MAX_RANGE_DAYS } from "../market/date_range.ts";
import type { Observation } from "../market/observation.ts";
import { after } from "../maybe_promise.ts";
import type { MaybePromise } from "../ports.ts";
import { err, ok, type Result } from "../result.ts";
import { dayNumber, FIRST_DAY, parseDate } from "../time/dates.ts";
import { gregorianOf, jalaliHint } from "../time/jalali.ts";
import type { PriceContext } from "./price_settings.ts";

/** The name and the text of a parameter. */
type Parameter = readonly [name: string, text: string | undefined];

/** Records, and how long they are valid. */
export interface Records {
  readonly freshness: Freshness;
  readonly records: readonly Observation[];
}

type Found = Result<Records, Failure>;

/** Parses a required date. `name` is the name of its parameter, for the error message. */
export function parseRequiredDate(name: string, text: string | undefined): Result<CalendarDate, Failure> {
  if (text === undefined) return err(failure("MISSING_PARAMETER", `${name} is missing: a day written YYYY-MM-DD`));
  const date = parseDate(text);
  if (date !== undefined) return ok(date);
  const rule = `${name} must be a real Gregorian day written YYYY-MM-DD`;
  return err(failure("INVALID_DATE", `${rule}: received ${quote(text)}${jalaliHint(text)}`));
}

/** Parses the first and the last date of a history. The dates must be in order and at most `maxDays` apart. */
export function parseDateRange(
  first: Parameter,
  last: Parameter,
  maxDays = MAX_RANGE_DAYS,
): Result<DateRange, Failure> {
  const from = parseRequiredDate(...first);
  if (!from.ok) return from;
  const to = parseRequiredDate(...last);
  if (!to.ok) return to;
  const distance = dayNumber(to.value) - dayNumber(from.value);
  if (distance >= 0 && distance <= maxDays) return ok({ from: from.value, to: to.value });
  const fault =
    distance < 0
      ? `The range runs backwards: ${to.value} is before ${from.value}`
      : `The two days are ${distance} days apart; at most ${maxDays} are allowed`;
  return err(failure("INVALID_DATE_RANGE", `${fault}${jalaliHint(from.value)}`));
}

/** The latest records of some assets. Assets without a record are left out. Fails if no asset has a record. */
export async function readLatest({ observations }: PriceContext, codes: readonly AssetCode[]): Promise<Found> {
  const { version, value } = await observations.latest(codes);
  const records = value.filter((observation) => observation !== undefined);
  const freshness = { codes, version };
  if (records.length > 0) return ok({ freshness, records });
  const message = codes.length === 1 ? noRecordYet(codes[0]!) : "None of these assets has a record yet";
  return err({ ...failure("ASSET_NOT_FOUND", message), freshness });
}

/** The last record of an asset on a day. A failure names the first and the last day, and links to an earlier day. */
export async function readDay(context: PriceContext, code: AssetCode, date: CalendarDate): Promise<Found> {
  const found = await readHistory(context, code, { from: date, to: date });
  if (found.records.length > 0) return ok(found);
  const message = `${await noRecordText(context, code, date)}${jalaliHint(date)}`;
  const missing = failure("ASSET_NOT_FOUND", message, await linkToDayBefore(context, code, date));
  return err({ ...missing, freshness: found.freshness });
}

/** The link is relative to the path of the request, so that it works under any mount. */
async function linkToDayBefore({ observations, marketZone }: PriceContext, code: AssetCode, date: CalendarDate) {
  const edges = [FIRST_DAY, dayNumber(date)].map((day) => marketZone.startOfDay(day));
  const [before] = (await observations.lastOfEach(code, edges)).value;
  return before && ["Link", `<./${marketZone.dateAt(before.businessTime)}>; rel="prev"`];
}

/** The last record of each day in a range. Days without a record are left out. */
export function readHistory(
  { observations, marketZone }: PriceContext,
  code: AssetCode,
  range: DateRange,
): MaybePromise<Records> {
  return after(observations.lastOfEach(code, dayEdges(range, marketZone)), ({ version, value: records }) => {
    return { freshness: { codes: [code], version }, records };
  });
}

/** Explains an empty history: the dates may be Jalali, or only other days have records. Printable ASCII. */
export async function emptyRangeNotice(context: PriceContext, code: AssetCode, range: DateRange): Promise<string> {
  const { from, to } = range;
  const [first, last] = [gregorianOf(from), gregorianOf(to)];
  if (first === undefined) return noRecordText(context, code, from === to ? from : `these days, ${from} to ${to}`);
  const end = last === undefined || to === from ? "" : `, and ${to} is ${last}`;
  return `Dates are Gregorian; ${from} of the Jalali calendar is ${first}${end}`;
}

async function noRecordText(context: PriceContext, code: AssetCode, days: string): Promise<string> {
  const { observations, marketZone } = context;
  const [known] = (await observations.coverage([code])).value;
  if (!known) return noRecordYet(code);
  const [first, last] = [marketZone.dateAt(known.availableFrom), marketZone.dateAt(known.latest.businessTime)];
  return `There is no record for ${code} on ${days}; its records run from ${first} to ${last}`;
}

function noRecordYet(code: AssetCode): string {
  return `There is no record for ${code} yet`;
}
