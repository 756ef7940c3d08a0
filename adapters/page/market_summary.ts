/** What `GET /docs/market` answers: the latest value of every asset that has one, and its last 30 market days. */
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
  /** Whether the latest value is older than the threshold. */
  readonly stale: boolean;
  /** The last record of the market day before that of `businessTime`, or of the last day before it that has one; null: none within 30 days. */
  readonly before: { readonly date: string; readonly value: number } | null;
  /** The last value of each market day from `from` to `to`; null where there is none. */
  readonly days: readonly (number | null)[];
}
