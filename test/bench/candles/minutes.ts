import type { AssetCode, Candle, Observation, UtcMillis } from "../../../core/mod.ts";

// Ten years of minutes of one asset, the same for all contestants. Each computes them itself, from whole numbers only.

const MINUTE = 60_000;
const DAY = 86_400_000;

export const CODE: AssetCode = "BTC_USD";
export const START = Date.UTC(2016, 0, 1);
export const END = Date.UTC(2026, 0, 1);
export const ROWS = (END - START) / MINUTE;

/** The value of minute `n` in hundredths, as an expression that is both JavaScript and SQL. */
export const HUNDREDTHS = "6000000 + (n % 700001) * 3 + (n * 7919) % 9973";

/** The observation of minute `n`. */
export function observation(n: number): Observation {
  const businessTime = (START + n * MINUTE) as UtcMillis;
  const value = (6_000_000 + (n % 700_001) * 3 + ((n * 7_919) % 9_973)) / 100;
  const plain = { sourceTime: null, provider: "manual", qualityStatus: "ACCEPTED", qualityMessage: "" } as const;
  return { code: CODE, value, businessTime, insertTime: (businessTime + 1_500) as UtcMillis, ...plain };
}

/** The queries. */
export interface Query {
  readonly name: string;
  readonly widthMs: number;
  readonly from: number;
  readonly to: number;
}

export const QUERIES: readonly Query[] = [
  { name: "1 h over 31 days", widthMs: 3_600_000, from: Date.UTC(2023, 4, 1), to: Date.UTC(2023, 4, 1) + 31 * DAY },
  { name: "1 d over ten years", widthMs: DAY, from: START, to: END },
  { name: "15 min over a year", widthMs: 900_000, from: Date.UTC(2023, 0, 1), to: Date.UTC(2024, 0, 1) },
];

/** The fields of the answer before the list of candles. */
export const HEAD = `{"code":"${CODE}","candles":[`;

/** The bytes of the answer, written in the simplest way. */
export function plainBytes(candles: readonly Candle[]): Uint8Array {
  const list = candles.map(({ start, end, ...rest }) => ({ start: new Date(start).toISOString(), end: new Date(end).toISOString(), ...rest, complete: true }));
  return Buffer.from(`${HEAD}${JSON.stringify(list).slice(1)}}`);
}

/** Candles from rows of numbers: start, open, high, low, close, count. */
export function candlesOf(rows: readonly (readonly number[])[], widthMs: number): Candle[] {
  return rows.map(([start, open, high, low, close, observationCount]) => ({
    start: start as UtcMillis, end: (start! + widthMs) as UtcMillis, open: open!, high: high!, low: low!, close: close!, observationCount: observationCount!,
  }));
}

/** Answers a query with the finished bytes. */
export type Answerer = (query: Query) => Uint8Array | Promise<Uint8Array>;
