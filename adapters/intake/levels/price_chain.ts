import { DAY_MS, rowFrom } from "../../../core/internal.ts";
import type { AssetCode, UtcMillis } from "../../../core/mod.ts";
import type { PriceModel } from "./expected_prices.ts";

/** Prices of one asset, ascending by business time. */
export type PriceSeries = Readonly<Record<"times" | "values", ArrayLike<number>>>;

/** An asset's new prices, and accepted ones stored around them. A new value replaces the stored value of its time. */
export type PricesToJudge = Readonly<Record<"batch" | "stored", PriceSeries>>;

/** Records that an operator should check. */
export interface SuspiciousLevel {
  readonly code: AssetCode;
  /**
   * - `level`: they are off by powers of ten. - `jump`: they jump by another factor, and are too few to be believed or
   *   jump back.
   * - `asset`: they do not fit the dollar or the gold of their days, or are copies of another asset's values.
   * - `stored`: they fit the stored prices, but these seem to be off by powers of ten.
   */
  readonly why: "level" | "jump" | "asset" | "stored";
  /** The power of ten for `level` and `stored`, else 0: -1 for toman as rial, -3 for points read as decimal marks. */
  readonly level: number;
  /** Their business times, ascending; none for `stored`. */
  readonly times: readonly UtcMillis[];
  /** The number of the asset's new records. */
  readonly of: number;
  /** Their first value, and the expected value at its time; NaN if unknown. */
  readonly value: number;
  readonly expected: number;
}

/** All records of an asset as rows. `of` counts the new ones. `isNew` and `isSuspicious` have a 1 for such rows. */
export type Chain = PriceSeries &
  Readonly<{ code: AssetCode; of: number } & Record<"isNew" | "isSuspicious", Uint8Array>>;

/** If neighbours are further apart, a jump between them proves little, so the market model decides. */
export const FAR_MS = 31 * DAY_MS;
/** The most rows from which a median is taken. */
export const SAMPLE = 200;

/** Merges new and stored prices. */
export function chainOf(code: AssetCode, { batch, stored }: PricesToJudge): Chain {
  const of = batch.times.length;
  const most = of + stored.times.length;
  const [isNew, isSuspicious] = [new Uint8Array(most), new Uint8Array(most)];
  if (of === most) return { code, of, ...batch, isNew: isNew.fill(1), isSuspicious };
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

/** Of the rows that count, the value nearest to a time, within `most` milliseconds. */
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

/** The expected value at a row: the nearest value of the rows that count, else the market's middle. */
export function expectedAt(chain: Chain, row: number, market: PriceModel, counts: (row: number) => boolean): number {
  const time = chain.times[row]!;
  const { middle } = market(chain.code, time);
  return nearestValue(chain, time, Number.isNaN(middle) ? Infinity : FAR_MS, counts) ?? middle;
}

/** The suspicion about these rows. */
export function suspicionOf(
  { code, of, times, values }: Chain,
  rows: ArrayLike<number>,
  suspicion: Pick<SuspiciousLevel, "why" | "level" | "expected">,
): SuspiciousLevel {
  const suspicious = Array.from(rows, (row) => times[row] as UtcMillis);
  return { ...suspicion, code, times: suspicious, of, value: values[rows[0]!]! };
}

/** Up to 200 evenly chosen rows from `from` to before `to`. */
export function sampleOf(from: number, to: number): number[] {
  const count = Math.min(SAMPLE, to - from);
  return Array.from({ length: count }, (_, i) => from + Math.floor((i * (to - from)) / count));
}

/** The median of the numbers of some rows, without NaN. */
export function medianOf(from: number, to: number, numberOf: (row: number) => number): number {
  const known = sampleOf(from, to)
    .map(numberOf)
    .filter((one) => !Number.isNaN(one))
    .sort((a, b) => a - b);
  return known[known.length >> 1] ?? NaN;
}
