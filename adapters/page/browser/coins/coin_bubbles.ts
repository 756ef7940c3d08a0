// The bubble of each day of a year, from candles of a day.

import { type GoldPiece, goldWorth, type PriceCandle } from "../../../../core/mod.ts";

/** The bubble of the day that begins at a time in UTC, in milliseconds, as a part of the gold's worth. */
export type BubbleDay = { readonly time: number; readonly ratio: number };

/** A rate that is older than this is no rate of the day: the world's market rests at weekends. */
const LONGEST_REST_MS = 5 * 86_400_000;

/** The bubble on each day on which the piece has a price and ounce and dollar have one of that day, or of the last one within five days. */
export function bubbleDays(
  piece: GoldPiece,
  { piece: prices, ounce, dollar }: Readonly<Record<"piece" | "ounce" | "dollar", readonly PriceCandle[]>>,
): readonly BubbleDay[] {
  return prices.flatMap(({ start, close }) => {
    const rates = { ounce: rateAt(start, ounce), dollar: rateAt(start, dollar) };
    if (rates.ounce === undefined || rates.dollar === undefined) return [];
    return [
      { time: Date.parse(start), ratio: goldWorth(piece, close, { ounce: rates.ounce, dollar: rates.dollar }).ratio },
    ];
  });
}

function rateAt(start: string, candles: readonly PriceCandle[]): number | undefined {
  const last = candles.findLast((candle) => candle.start <= start); // times of one form are in the order of their texts
  return last === undefined || Date.parse(start) - Date.parse(last.start) > LONGEST_REST_MS ? undefined : last.close;
}

/** Round ratios from one to another, at most four: the ticks of an axis. */
export function ticksOf(low: number, high: number): readonly number[] {
  const step =
    [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find((one) => Math.floor(high / one) - Math.ceil(low / one) < 4) ?? 1;
  return [0, 1, 2, 3].map((at) => (Math.ceil(low / step) + at) * step).filter((tick) => tick <= high);
}
