import type { Asset } from "../../core/mod.ts";

/** What the server tells the page, as JSON in its HTML. Both sides import this module, so it holds nothing but types. */
export interface PageSettings {
  readonly application: string;
  /** Prices are made up. Marked in every view. */
  readonly isSample: boolean;
  /** Whether prices and charts are there for everybody, without a key. */
  readonly isPublic: boolean;
  /** The store has no price at all. */
  readonly isEmpty: boolean;
  /** A key that visitors may use: the sample's demo key. The page uses it at once and says so; a visitor may put another in its place. */
  readonly demoKey?: string;
  /** IANA time zone whose calendar days the dates of requests are. */
  readonly marketTimeZone: string;
  /** IANA time zone at whose midnights a quota day begins. */
  readonly quotaTimeZone: string;
  /** Age above which a latest value counts as stale. */
  readonly staleThresholdMinutes: number;
  readonly maxCandles: number;
  readonly version?: string;
  /** Where the operator tells about the service, and how to get a key: a URL, or a path of the host. Absent where it is this page. */
  readonly documentationUrl?: string | undefined;
  /** In catalog order. */
  readonly assets: readonly PageAsset[];
}

/** An asset of the catalog, as far as the page shows it. */
export type PageAsset = Pick<Asset, "category" | "labelEn" | "labelFa" | "quoteUnit"> & {
  readonly code: string;
};
