import type { AssetCode } from "../branded_types.ts";
import { MAX_RANGE_DAYS, REQUEST_DAYS } from "../market/date_range.ts";
import { dateOfDayNumber, FIRST_DAY } from "../time/dates.ts";
import { DAY_MS } from "../time/durations.ts";
import { PriceError } from "./price_error.ts";
import type { AssetValue } from "./price_values.ts";

/** A record, and the change since the last earlier day with a record. */
export interface ValueWithChange<Code extends string = AssetCode> extends AssetValue<Code> {
  /** The record before this one, or `undefined` if the 32 days that were read have no earlier record. */
  readonly previous: AssetValue<Code> | undefined;
  /** The value minus the previous value, in the quote unit. */
  readonly change: number | undefined;
  /** The change in percent of the previous value. */
  readonly changePercent: number | undefined;
}

/** Reads a history with one request. */
type ReadHistory<Code extends string> = (from: string, to: string) => Promise<readonly AssetValue<Code>[]>;

/** The last record of a day and the 31 days before it, or `undefined` if these days have no record. */
export async function lastUpTo<Code extends string>(
  date: string,
  history: ReadHistory<Code>,
): Promise<ValueWithChange<Code> | undefined> {
  const day = Date.parse(date) / DAY_MS;
  // An invalid day is passed on, so that `history` refuses it.
  const from = Number.isNaN(day) ? date : dateOfDayNumber(Math.max(FIRST_DAY, day - MAX_RANGE_DAYS));
  const [previous, record] = [undefined, ...(await history(from, date))].slice(-2);
  if (!record) return undefined;
  const change = previous && exact(record.value - previous.value);
  return { ...record, previous, change, changePercent: previous && exact((change! / previous.value) * 100) };
}

/** Like `lastUpTo`, but throws a `PriceError` if there is no record. */
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

/** Removes the rounding error of binary fractions, e.g. turns 0.30000000000000004 into 0.3. */
function exact(value: number): number {
  return Number(value.toPrecision(12));
}
