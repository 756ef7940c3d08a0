import type { AssetCode, UtcMillis } from "../brand.ts";
import { formatDecimal } from "../bytes/json.ts";
import { writeTimestamp } from "../bytes/json_writer.ts";
import { utf8 } from "../bytes/utf8.ts";
import type { Asset } from "../market/assets.ts";
import type { Coverage } from "../ports.ts";
import { catalogEntry, isStale } from "../queries/catalog_entry.ts";
import type { CatalogEntry } from "../queries/catalog_entry.ts";
import { MINUTE_MS } from "../time/durations.ts";
import { formatTimestamp } from "../time/timestamps.ts";

/** The catalog, or a part of it, as rendered. */
export interface CatalogPage {
  /** The bytes, with the moment of their rendering in `updatedAt`. */
  readonly bytes: Uint8Array;
  readonly renderedAt: UtcMillis;
  /** The assets on it. */
  readonly codes: readonly AssetCode[];
  /** The version of their data that it was made from. */
  readonly version: string;
  readonly staleCount: number;
  /** The moment from which one more asset is stale. */
  readonly staleFrom: number;
}

/** What a page is rendered from. */
export interface CatalogData {
  readonly version: string;
  readonly assets: readonly Asset[];
  /** Of each asset; `undefined` for one without an accepted observation. */
  readonly coverage: readonly (Coverage | undefined)[];
}

const TO_UPDATED_AT = '{"updatedAt":"';

/** Renders a page. Source: contract, Supported-asset catalog. */
export function renderCatalogPage({ version, assets, coverage }: CatalogData, thresholdMinutes: number, now: UtcMillis): CatalogPage {
  const stale = coverage.map((known) => isStale(known, now, thresholdMinutes));
  const entries = assets.map((asset, index) => entryJson(catalogEntry(asset, coverage[index], stale[index]!)));
  const staleAt = coverage.flatMap((known, index) => (known && !stale[index] ? known.latest.businessTime + thresholdMinutes * MINUTE_MS + 1 : []));
  const text = `${TO_UPDATED_AT}${formatTimestamp(now)}","staleThresholdMinutes":${thresholdMinutes},"assets":[${entries.join(",")}]}`;
  return { bytes: utf8(text), renderedAt: now, codes: assets.map(({ code }) => code), version, staleCount: stale.filter(Boolean).length, staleFrom: Math.min(...staleAt) };
}

/** Whether only `updatedAt` of a page differs at another moment. The clock can run backwards, so it must not be before the rendering. */
export function isPageFresh(page: CatalogPage, version: string, now: UtcMillis): boolean {
  return page.version === version && now >= page.renderedAt && now < page.staleFrom;
}

/** The same page with another `updatedAt`. */
export function pageAt(page: CatalogPage, now: UtcMillis): CatalogPage {
  if (now === page.renderedAt) return page;
  // A copy, as the bytes of an earlier answer may not have been sent yet.
  const bytes = page.bytes.slice();
  writeTimestamp(bytes, TO_UPDATED_AT.length, now);
  return { ...page, bytes, renderedAt: now };
}

/** An entry as JSON, its value without the exponent that `JSON.stringify` writes for a tiny one. */
function entryJson(entry: CatalogEntry): string {
  const text = JSON.stringify(entry);
  const value = entry.latestValue;
  if (value === null || !String(value).includes("e")) return text;
  return text.replace(`"latestValue":${value}`, `"latestValue":${formatDecimal(value)}`);
}
