import { createZone, dayNumber, gregorianOf, parseDate } from "../../../core/internal.ts";
import type { Asset, AssetValue, CalendarDate, PriceCalls, UtcClock } from "../../../core/mod.ts";
import type { CallOptions } from "../../client/mod.ts";
import { wrongUsage } from "../command_failure.ts";

/** The prices and the settings for an answer, and the limit of the units that it may cost. */
export interface MarketSource {
  readonly prices: Pick<PriceCalls<string, [options?: CallOptions]>, "latestOf" | "history" | "candles">;
  readonly assets: readonly Asset[];
  readonly marketTimeZone: string;
  readonly clock: UtcClock;
  /** Throws if too few units are left for this many requests. */
  readonly demand: (requests: number) => Promise<void>;
  /** Aborted if the assistant cancels the question. */
  readonly signal: AbortSignal;
}

/** The maximum number of days in a question. */
export const MAX_DAYS = 36_525;

/** The day that an assistant writes: Gregorian, Jalali, or `today`. The error message is for the assistant. */
export function dayNamed(text: string, { clock, marketTimeZone }: MarketSource): CalendarDate {
  const day = text === "today" ? createZone(marketTimeZone).dateAt(clock()) : (parseDate(text) ?? gregorianOf(text));
  if (day === undefined)
    throw wrongUsage(`"${text}" is not a day: write 2026-08-21, the Jalali date 1405/05/30, or today`);
  return day;
}

/** The numbers of the first and the last day of a range. */
export function daysNamed(
  { from, to }: Readonly<Record<"from" | "to", string>>,
  source: MarketSource,
): readonly [first: number, last: number] {
  const [first, last] = [dayNumber(dayNamed(from, source)), dayNumber(dayNamed(to, source))];
  if (last < first || last - first > MAX_DAYS)
    throw wrongUsage(`The range must have at most ${MAX_DAYS} days and not end before it begins`);
  return [first, last];
}

/** The latest records of these assets, by code. Costs a unit. */
export async function latestOf(
  asked: readonly Asset[],
  { prices, demand, signal }: MarketSource,
): Promise<ReadonlyMap<string, AssetValue<string>>> {
  await demand(1);
  const codes = asked.map(({ code }) => code);
  return new Map((await prices.latestOf(codes, { signal })).map((record) => [record.code, record]));
}
