/** What `GET /docs/market` answers: the latest value of every asset that has one, its day, and its last 30 market days. */
export interface MarketSummary {
  /** The moment at which the server made this, ISO 8601 in UTC. */
  readonly updatedAt: string;
  /** The first of the 30 market days, `YYYY-MM-DD`. */
  readonly from: string;
  /** The last of them: the day on which this was made. */
  readonly to: string;
  /** In catalog order. Assets without a record are left out. */
  readonly assets: readonly MarketRow[];
}

/** One asset, with values in its quote unit. */
export interface MarketRow {
  readonly code: string;
  /** The latest value. */
  readonly value: number;
  /** The business time of the latest value, ISO 8601 in UTC. */
  readonly businessTime: string;
  /** The last record of the market day before that of `businessTime`, or of the last day before it that has one; null: none within 30 days. */
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
  /** How many there are. */
  readonly count: number;
  /** Of the dollar in rial alone: the last value of each quarter of an hour that has one, and the minutes of the day at which the quarter ends. */
  readonly line?: readonly (readonly [minute: number, value: number])[];
}
