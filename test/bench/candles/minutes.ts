// Ten years of minute prices of one asset. All contestants compute them alike: as whole numbers divided by 100.
const DAY = 86_400_000;

export const START = Date.UTC(2016, 0, 1);
export const END = Date.UTC(2026, 0, 1);
export const ROWS = (END - START) / 60_000;

/** The value of minute `n`, as an SQL expression; `valueOf` computes the same in JavaScript. */
export const VALUE = "(6000000 + (n % 700001) * 3 + (n * 7919) % 9973) / CAST(100.0 AS DOUBLE)";

/** The value of minute `n`. */
export function valueOf(n: number): number {
  return (6_000_000 + (n % 700_001) * 3 + ((n * 7_919) % 9_973)) / 100;
}

/** Candles of a window. */
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

/** A message to a contestant. A message without a query asks for the memory used per observation. */
export interface Question {
  readonly query?: Query;
  /** Asks for the text of the answer instead of the time that it takes. */
  readonly withText?: boolean;
}

/** The answer of a contestant. */
export interface Answered {
  readonly milliseconds: number;
  readonly text?: string;
  readonly bytesEach?: number;
}
