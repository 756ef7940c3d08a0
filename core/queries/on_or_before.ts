import type { AssetCode } from "../branded_types.ts";
import { MAX_RANGE_DAYS, REQUEST_DAYS } from "../market/date_range.ts";
import { dateOfDayNumber, FIRST_DAY } from "../time/dates.ts";
import { DAY_MS } from "../time/durations.ts";
import { PriceError } from "./price_error.ts";
import type { AssetValue } from "./price_values.ts";

/** A record, and how the value has changed since the last day before it that has one, where one history holds both. */
export interface ValueWithChange<Code extends string = AssetCode> extends AssetValue<Code> {
  readonly previous: AssetValue<Code> | undefined;
  /** The value minus the previous one, in the quote unit. */
  readonly change: number | undefined;
  /** The same in percent of the previous value. */
  readonly changePercent: number | undefined;
}

/** Reads a history of one request, which costs one unit. */
type ReadHistory<Code extends string> = (from: string, to: string) => Promise<readonly AssetValue<Code>[]>;

/** The last record of a day, or of the last day before it that has one; `undefined` where the longest history up to that day has none. */
export async function lastUpTo<Code extends string>(
  date: string,
  history: ReadHistory<Code>,
): Promise<ValueWithChange<Code> | undefined> {
  const day = Date.parse(date) / DAY_MS;
  // What is no day is passed on, so that it is refused by name.
  const from = Number.isNaN(day) ? date : dateOfDayNumber(Math.max(FIRST_DAY, day - MAX_RANGE_DAYS));
  const [previous, record] = [undefined, ...(await history(from, date))].slice(-2);
  if (!record) return undefined;
  const change = previous && exact(record.value - previous.value);
  return { ...record, previous, change, changePercent: previous && exact((change! / previous.value) * 100) };
}

/** The same. Throws a `PriceError` where there is none. */
export async function onOrBefore<Code extends string>(
  code: Code,
  date: string,
  history: ReadHistory<Code>,
): Promise<ValueWithChange<Code>> {
  const found = await lastUpTo(date, history);
  if (found) return found;
  const message = `There is no record for ${code} in the ${REQUEST_DAYS} days up to ${date}`;
  throw new PriceError({ code: "ASSET_NOT_FOUND", status: 404, message });
}

/** Without what binary fractions add, e.g. 0.3 for 0.30000000000000004. */
function exact(value: number): number {
  return Number(value.toPrecision(12));
}
