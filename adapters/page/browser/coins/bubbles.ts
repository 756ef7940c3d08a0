// The bubble of each day of a year, from candles of a day.
import { goldWorth } from "../../../../core/mod.ts";
import type { GoldPiece, PriceCandle } from "../../../../core/mod.ts";

/** The bubble of one day. */
export interface BubbleDay {
  /** The beginning of the day in UTC, in milliseconds. */
  readonly time: number;
  /** As a part of the gold's worth. */
  readonly ratio: number;
}

/** A rate that is older than this is no rate of the day: the world's market rests at weekends. */
const LONGEST_REST_MS = 5 * 86_400_000;

/** The bubble on each day on which the piece has a price and ounce and dollar have one of that day, or of the last one within five days. */
export function bubbleDays(piece: GoldPiece, { piece: prices, ounce, dollar }: Readonly<Record<"piece" | "ounce" | "dollar", readonly PriceCandle[]>>): readonly BubbleDay[] {
  const [ounceAt, dollarAt] = [lastOf(ounce), lastOf(dollar)];
  return prices.flatMap(({ start, close }) => {
    const time = Date.parse(start);
    const rates = { ounce: ounceAt(time), dollar: dollarAt(time) };
    if (rates.ounce === undefined || rates.dollar === undefined) return [];
    return [{ time, ratio: goldWorth(piece, close, { ounce: rates.ounce, dollar: rates.dollar }).ratio }];
  });
}

/** Gives the last close up to a time; asked for ascending times. */
function lastOf(candles: readonly PriceCandle[]): (time: number) => number | undefined {
  const closes = candles.map(({ start, close }) => ({ time: Date.parse(start), close }));
  let at = -1;
  return (time) => {
    while (at + 1 < closes.length && closes[at + 1]!.time <= time) at++;
    const found = closes[at];
    return found === undefined || time - found.time > LONGEST_REST_MS ? undefined : found.close;
  };
}
