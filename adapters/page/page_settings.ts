import type { Asset } from "../../core/mod.ts";

/** The settings in the page's HTML, as JSON. Server and page both import this module, which contains only types. */
export interface PageSettings {
  readonly application: string;
  /** Prices are made up. Marked in every view. */
  readonly isSample: boolean;
  /** Whether everybody can see prices and charts without a key. */
  readonly isPublic: boolean;
  /** Whether the store has no price at all. */
  readonly isEmpty: boolean;
  /** A key for all visitors: the sample's demo key. The page uses it until the visitor enters another key. */
  readonly demoKey?: string;
  /** The IANA time zone of the calendar days in requests. */
  readonly marketTimeZone: string;
  /** The IANA time zone of quota days, which begin at midnight. */
  readonly quotaTimeZone: string;
  /** The age above which a latest value counts as stale. */
  readonly staleThresholdMinutes: number;
  readonly maxCandles: number;
  readonly version?: string;
  /** Where the operator says how to get a key: a URL or a path. Absent if this page is the documentation. */
  readonly documentationUrl?: string | undefined;
  /** In catalog order. */
  readonly assets: readonly PageAsset[];
}

/** An asset of the catalog, with the fields that the page uses. */
export type PageAsset = Pick<Asset, "category" | "labelEn" | "labelFa" | "quoteUnit"> & {
  readonly code: string;
};
