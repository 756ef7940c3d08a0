/** What the server tells the page, as JSON in its HTML. Both sides import this module, so it holds nothing but types. */
export interface PageSettings {
  /** The name of the service. */
  readonly application: string;
  /** Prices are made up. Marked in every view. */
  readonly isSample: boolean;
  /** Whether prices and charts are there for everybody, without a key. */
  readonly isPublic: boolean;
  /** Whether the store has no price at all. */
  readonly isEmpty: boolean;
  /** A key that visitors may use: the sample's demo key. The page uses it at once and says so; a visitor may put another in its place. */
  readonly demoKey?: string;
  /** IANA time zone whose calendar days the dates of requests are. */
  readonly marketTimeZone: string;
  /** IANA time zone at whose midnights a quota day begins. */
  readonly quotaTimeZone: string;
  /** Age above which a latest value counts as stale. */
  readonly staleThresholdMinutes: number;
  /** Most candles in one answer. */
  readonly maxCandles: number;
  /** The version of the program that serves the page. */
  readonly version?: string;
  /** Where the operator tells about the service, and how to get a key: a URL, or a path of the host. Absent where it is this page. */
  readonly documentationUrl?: string | undefined;
  /** In catalog order. */
  readonly assets: readonly PageAsset[];
}

/** An asset of the catalog, as far as the page shows it. */
export interface PageAsset {
  /** E.g. `USD_RLS`. */
  readonly code: string;
  /** What is priced: the code before its quote suffix. */
  readonly baseCode: string;
  readonly category: string;
  /** Base and quote name in English. */
  readonly labelEn: string;
  /** Base and quote name in Persian. */
  readonly labelFa: string;
  /** `RLS` or `USD`. */
  readonly quoteUnit: string;
}
