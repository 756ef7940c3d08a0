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
