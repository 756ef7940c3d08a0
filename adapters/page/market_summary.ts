/** What `GET /docs/market` answers: the latest value of every asset that has one, its day, and its last 36 market days: a month, also where the market rested on its first days. */
export interface MarketSummary {
  /** When the server made this. */
  readonly updatedAt: string;
  /** The first and last of the 36 market days, `YYYY-MM-DD`; this was made on the last one. */
  readonly from: string;
  readonly to: string;
  /** In catalog order. Assets without a record are left out. */
  readonly assets: readonly MarketRow[];
}

/** One asset: its latest value and business time, and days, in its quote unit. Times are ISO 8601 in UTC. */
export interface MarketRow {
  readonly code: string;
  /** Differs between two states of its records in the store, e.g. after a correction of an old value. */
  readonly version: string;
  readonly value: number;
  readonly businessTime: string;
  /** The last record of the market day before that of `businessTime`, or of the last day before it that has one; null: none within 36 days. */
  readonly before: { readonly date: string; readonly value: number } | null;
  /** The market day `to`; null where it has no record. */
  readonly day: MarketDay | null;
  /** The last value of each market day from `from` to `to`; null where there is none. */
  readonly days: readonly (number | null)[];
}

/** The records of one market day. */
export interface MarketDay {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly count: number;
  /** Of the dollar in rial alone: the last value of each quarter of an hour that has one, and the minutes of the day at which the quarter ends. */
  readonly line?: readonly (readonly [minute: number, value: number])[];
}

/**
 * What `GET /docs/market/{day}` of a public market answers, for a Gregorian day such as `2026-08-22`: the prices of all assets at
 * the end of that market day, or so far for today. A day in the future, or one that is none: 400 `INVALID_DATE`. While too many
 * other days are being read: 503 `UNAVAILABLE`, with `Retry-After`.
 */
export interface PastDaySummary {
  /** The market day, `YYYY-MM-DD`. */
  readonly day: string;
  /** In catalog order. Assets without a record up to the end of the day are left out. */
  readonly assets: readonly PastDayRow[];
}

/** One asset on a past day, in its quote unit. */
export interface PastDayRow {
  readonly code: string;
  /** The last record of the day; null where it has none. */
  readonly last: { readonly value: number; readonly businessTime: string } | null;
  /** The last record before the day, and its market day, which need not be the one before; null where there is none. Never null where `last` is. */
  readonly before: { readonly date: string; readonly value: number } | null;
}
