import type { Asset } from "../../core/mod.ts";

/** The settings that the server passes to the page, as JSON in the HTML. Server and page import this module, so it contains only types. */
export interface PageSettings {
  readonly application: string;
  /** Prices are made up. Marked in every view. */
  readonly isSample: boolean;
  /** Whether everybody can see prices and charts without a key. */
  readonly isPublic: boolean;
  /** Whether the store has no price at all. */
  readonly isEmpty: boolean;
  /** A key for all visitors: the sample's demo key. The page uses it at once and says so; a visitor can replace it. */
  readonly demoKey?: string;
  /** The IANA time zone of the calendar days in requests. */
  readonly marketTimeZone: string;
  /** The IANA time zone at whose midnight a quota day begins. */
  readonly quotaTimeZone: string;
  /** The age above which a latest value counts as stale. */
  readonly staleThresholdMinutes: number;
  readonly maxCandles: number;
  readonly version?: string;
  /** Where the operator explains the service and how to get a key: a URL, or a path on the host. Absent if it is this page. */
  readonly documentationUrl?: string | undefined;
  /** In catalog order. */
  readonly assets: readonly PageAsset[];
}

/** An asset of the catalog, with the fields that the page uses. */
export type PageAsset = Pick<Asset, "category" | "labelEn" | "labelFa" | "quoteUnit"> & {
  readonly code: string;
};
