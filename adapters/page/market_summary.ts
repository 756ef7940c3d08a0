/** The answer of `GET /docs/market`: the latest value of each asset, its current day, and its last 36 market days. */
export interface MarketSummary {
  /** When the server made this answer. */
  readonly updatedAt: string;
  /** The first and the last of the 36 market days, `YYYY-MM-DD`. The answer was made on the day `to`. */
  readonly from: string;
  readonly to: string;
  /** In catalog order. Assets without a record are left out. */
  readonly assets: readonly MarketRow[];
}

/** One asset: its latest value and its days. Values are in the asset's quote unit, times are ISO 8601 in UTC. */
export interface MarketRow {
  readonly code: string;
  /** Changes when any stored record of the asset changes, e.g. when an old value is corrected. */
  readonly version: string;
  readonly value: number;
  readonly businessTime: string;
  /** The last record in the 36 market days before the day of `businessTime`; null if there is none. */
  readonly before: { readonly date: string; readonly value: number } | null;
  /** The market day `to`; null if there is no record on that day. */
  readonly day: MarketDay | null;
  /** The last value of each market day from `from` to `to`; null for a day without a value. */
  readonly days: readonly (number | null)[];
}

/** The records of one market day. */
export interface MarketDay {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly count: number;
  /** Only for `USD_RLS`: the end of each quarter of an hour, as a minute of the day, and its last value. */
  readonly line?: readonly (readonly [minute: number, value: number])[];
}

/**
 * The answer of a public market's `GET /docs/market/{day}` for a Gregorian day such as `2026-08-22`: the prices of all
 * assets at the end of that market day or, for today, the latest prices. For a future or invalid day, the answer is 400
 * `INVALID_DATE`. While too many other days are being read, it is 503 `UNAVAILABLE` with `Retry-After`.
 */
export interface PastDaySummary {
  /** The market day, `YYYY-MM-DD`. */
  readonly day: string;
  /** In catalog order. Assets whose first record is later than this day are left out. */
  readonly assets: readonly PastDayRow[];
}

/** One asset on a past day. Values are in the asset's quote unit. */
export interface PastDayRow {
  readonly code: string;
  /** The last record of the day; null if there is none. */
  readonly last: { readonly value: number; readonly businessTime: string } | null;
  /** The last record before the day, however old; null if there is none. `last` and `before` are never both null. */
  readonly before: { readonly date: string; readonly value: number } | null;
}
