/** The answer of `GET /docs/market`: each asset's latest value, its day, and its last 36 market days: a full month even if the market was closed on the first ones. */
export interface MarketSummary {
  /** When the server made this answer. */
  readonly updatedAt: string;
  /** The first and last of the 36 market days, `YYYY-MM-DD`; the answer was made on the last one. */
  readonly from: string;
  readonly to: string;
  /** In catalog order. Assets without a record are left out. */
  readonly assets: readonly MarketRow[];
}

/** One asset: its latest value, business time and days, in its quote unit. Times are ISO 8601 in UTC. */
export interface MarketRow {
  readonly code: string;
  /** Changes whenever the asset's stored records change, e.g. when an old value is corrected. */
  readonly version: string;
  readonly value: number;
  readonly businessTime: string;
  /** The last record before the market day of `businessTime`, with its market day; null if there is none within 36 days. */
  readonly before: { readonly date: string; readonly value: number } | null;
  /** The market day `to`; null if it has no record. */
  readonly day: MarketDay | null;
  /** The last value of each market day from `from` to `to`; null for a day without one. */
  readonly days: readonly (number | null)[];
}

/** The records of one market day. */
export interface MarketDay {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly count: number;
  /** Only for the dollar in rial: the last value of each quarter of an hour that has one, with the minute of the day when that quarter ends. */
  readonly line?: readonly (readonly [minute: number, value: number])[];
}

/**
 * The answer of a public market's `GET /docs/market/{day}` for a Gregorian day such as `2026-08-22`: the prices of all
 * assets at the end of that market day, or so far for today. A future or invalid day: 400 `INVALID_DATE`. While too many
 * other days are being read: 503 `UNAVAILABLE`, with `Retry-After`.
 */
export interface PastDaySummary {
  /** The market day, `YYYY-MM-DD`. */
  readonly day: string;
  /** In catalog order. Assets without any record up to the end of the day are left out. */
  readonly assets: readonly PastDayRow[];
}

/** One asset on a past day, in its quote unit. */
export interface PastDayRow {
  readonly code: string;
  /** The last record of the day; null if it has none. */
  readonly last: { readonly value: number; readonly businessTime: string } | null;
  /** The last record before the day, with its market day, which may be an earlier one than the day before; null if there is none. Never null if `last` is. */
  readonly before: { readonly date: string; readonly value: number } | null;
}
