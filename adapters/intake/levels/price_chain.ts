import { DAY_MS, rowFrom } from "../../../core/internal.ts";
import type { AssetCode, UtcMillis } from "../../../core/mod.ts";
import type { PriceModel } from "./expected_prices.ts";

/** Prices of one asset, ascending by business time. */
export type PriceSeries = Readonly<Record<"times" | "values", ArrayLike<number>>>;

/** An asset's new prices, and the accepted prices around them. New values replace stored values of the same time. */
export type PricesToJudge = Readonly<Record<"batch" | "stored", PriceSeries>>;

/** Records that an operator should check. */
export interface SuspiciousLevel {
  readonly code: AssetCode;
  /**
   * - `level`: the records are off by powers of ten.
   * - `jump`: the records jump by another factor, and either jump back or are too few to be believed.
   * - `asset`: the records do not fit the dollar or gold on the same days, or are copies of another asset's values.
   * - `stored`: the records fit the stored prices, but the stored prices seem to be off by powers of ten.
   */
  readonly why: "level" | "jump" | "asset" | "stored";
  /** The power of ten for `level` and `stored`, else 0: -1 if toman was read as rial, -3 if `1.234` meant 1234. */
  readonly level: number;
  /** The business times of the records, ascending; empty for `stored`. */
  readonly times: readonly UtcMillis[];
  /** The number of the asset's new records. */
  readonly of: number;
  /** The first value of the records, and the expected value at the same time; NaN if unknown. */
  readonly value: number;
  readonly expected: number;
}

/** All records of an asset as rows. `of` counts new rows. `isNew` and `isSuspicious` have a 1 for each such row. */
export type Chain = PriceSeries &
  Readonly<{ code: AssetCode; of: number } & Record<"isNew" | "isSuspicious", Uint8Array>>;

/** If neighbours are further apart, a jump between them proves little, so the market model decides. */
export const FAR_MS = 31 * DAY_MS;
/** A median is taken from at most this many rows. */
export const SAMPLE = 200;

/** Merges new and stored prices. */
export function chainOf(code: AssetCode, { batch, stored }: PricesToJudge): Chain {
  const of = batch.times.length;
  const most = of + stored.times.length;
  const [isNew, isSuspicious] = [new Uint8Array(most), new Uint8Array(most)];
  const [times, values] = [new Float64Array(most), new Float64Array(most)];
  let rows = 0;
  for (let row = 0, next = 0; row < of || next < stored.times.length; rows++) {
    const [time, storedTime] = [batch.times[row] ?? Infinity, stored.times[next] ?? Infinity];
    times[rows] = Math.min(time, storedTime);
    values[rows] = time <= storedTime ? batch.values[row]! : stored.values[next]!;
    isNew[rows] = time > storedTime || (time === storedTime && values[rows] === stored.values[next]) ? 0 : 1;
    if (storedTime <= time) next++;
    if (time <= storedTime) row++;
  }
  const [usedTimes, usedValues] = [times.subarray(0, rows), values.subarray(0, rows)];
  return { code, of, times: usedTimes, values: usedValues, isNew: isNew.subarray(0, rows), isSuspicious };
}

/** Returns the value nearest to a time, at most `most` milliseconds away, from the rows for which `counts` is true. */
export function nearestValue(
  { times, values }: Chain,
  time: number,
  most: number,
  counts: (row: number) => boolean,
): number | undefined {
  const distance = (row: number): number => (row >= 0 && row < times.length ? Math.abs(times[row]! - time) : Infinity);
  for (let after = rowFrom(times, time), before = after - 1; ; ) {
    const row = distance(after) < distance(before) ? after++ : before--;
    if (distance(row) === Infinity || distance(row) > most) return undefined;
    if (counts(row)) return values[row];
  }
}

/** Returns the expected value at a row: the nearest value for which `counts` is true, else the model's middle. */
export function expectedAt(chain: Chain, row: number, market: PriceModel, counts: (row: number) => boolean): number {
  const time = chain.times[row]!;
  const { middle } = market(chain.code, time);
  return nearestValue(chain, time, Number.isNaN(middle) ? Infinity : FAR_MS, counts) ?? middle;
}

/** Returns a suspicion with the times and the first value of these rows. */
export function suspicionOf(
  { code, of, times, values }: Chain,
  rows: ArrayLike<number>,
  suspicion: Pick<SuspiciousLevel, "why" | "level" | "expected">,
): SuspiciousLevel {
  const suspicious = Array.from(rows, (row) => times[row] as UtcMillis);
  return { ...suspicion, code, times: suspicious, of, value: values[rows[0]!]! };
}

/** Returns up to 200 evenly spaced rows, from `from` to before `to`. */
export function sampleOf(from: number, to: number): number[] {
  const count = Math.min(SAMPLE, to - from);
  return Array.from({ length: count }, (_, i) => from + Math.floor((i * (to - from)) / count));
}

/** Returns the median of `numberOf` in a sample of rows, without NaN. */
export function medianOf(from: number, to: number, numberOf: (row: number) => number): number {
  const known = sampleOf(from, to)
    .map(numberOf)
    .filter((one) => !Number.isNaN(one))
    .sort((a, b) => a - b);
  return known[known.length >> 1] ?? NaN;
}
