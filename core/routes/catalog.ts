import type { Asset } from "../market/assets.ts";
import type { UtcMillis } from "../brand.ts";
import type { Failure } from "../http/errors.ts";
import type { Answer, Context, RouteRequest } from "./handler.ts";
import { formatDecimal } from "../bytes/json.ts";
import { after } from "../async.ts";
import type { Coverage, MaybePromise } from "../ports.ts";
import { filterAssets } from "../queries/asset_queries.ts";
import { catalogEntry, isStale } from "../queries/catalog_entry.ts";
import type { CatalogEntry } from "../queries/catalog_entry.ts";
import { ok } from "../result.ts";
import type { Result } from "../result.ts";
import { parseQuery } from "../http/target.ts";
import { formatTimestamp } from "../time/timestamps.ts";
import { utf8 } from "../bytes/utf8.ts";
import { writeTimestamp } from "../bytes/json_writer.ts";

/** The catalog, or a part of it, as rendered last. */
export interface CatalogPage {
  /** The bytes, with the moment of their rendering in `updatedAt`. */
  readonly bytes: Uint8Array;
  readonly renderedAt: UtcMillis;
  /** The version of all data that it was made from. */
  readonly version: string;
  readonly staleCount: number;
  /** From when on one more asset is stale. */
  readonly staleFrom: number;
}

interface AssetFilter {
  readonly category: string | undefined;
  readonly quoteUnit: string | undefined;
}

const TO_UPDATED_AT = '{"updatedAt":"';

/** The catalog of assets with coverage and freshness. Source: contract, Endpoints 2. */
export function supported(context: Context, { query: sent, route, now }: RouteRequest): MaybePromise<Result<Answer, Failure>> {
  const query = parseQuery(sent, route.query);
  if (!query.ok) return query;
  const filter = { category: query.value.get("category"), quoteUnit: query.value.get("quoteUnit") };
  // Only pages of known filters are put in, so their number is bounded.
  const name = `${filter.category ?? ""}/${filter.quoteUnit ?? ""}`;
  return after(context.observations.version(), (version) => {
    const last = context.catalogPages.get(name);
    const isRight = last?.version === version && now >= last.renderedAt && now < last.staleFrom;
    const page = isRight ? ok(pageAt(last, now)) : readPage(context, filter, version, now);
    return after<Result<CatalogPage, Failure>, Result<Answer, Failure>>(page, (read) => {
      if (!read.ok) return read;
      context.catalogPages.set(name, read.value);
      return ok(answerOf(read.value));
    });
  });
}

async function readPage(context: Context, filter: AssetFilter, version: string, now: UtcMillis): Promise<Result<CatalogPage, Failure>> {
  const assets = filterAssets(context, filter);
  if (!assets.ok) return assets;
  const coverage = await context.observations.coverage(assets.value.map(({ code }) => code));
  return ok(renderPage(context, now, version, assets.value, coverage));
}

/** The same page with another `updatedAt`. */
function pageAt(page: CatalogPage, now: UtcMillis): CatalogPage {
  if (now === page.renderedAt) return page;
  // A copy, as the bytes of an earlier answer may not have been sent yet.
  const bytes = page.bytes.slice();
  writeTimestamp(bytes, TO_UPDATED_AT.length, now);
  return { ...page, bytes, renderedAt: now };
}

function answerOf({ bytes, version, staleCount, renderedAt }: CatalogPage): Answer {
  // With time, the assets of one data version only become stale: their number tells which ones are.
  // `updatedAt` differs in each answer, so the tag names the rendering.
  return { body: bytes, tag: { stem: `${version}.${staleCount}`, rendering: renderedAt.toString(36) } };
}

function renderPage(
  { staleThresholdMinutes }: Context,
  now: UtcMillis,
  version: string,
  assets: readonly Asset[],
  coverage: readonly (Coverage | undefined)[],
): CatalogPage {
  const stale = coverage.map((known) => isStale(known, now, staleThresholdMinutes));
  const entries = assets.map((asset, index) => entryJson(catalogEntry(asset, coverage[index], stale[index]!)));
  const staleAt = coverage.flatMap((known, index) => (known && !stale[index] ? known.latest.businessTime + staleThresholdMinutes * 60_000 + 1 : []));
  const text = `${TO_UPDATED_AT}${formatTimestamp(now)}","staleThresholdMinutes":${staleThresholdMinutes},"assets":[${entries.join(",")}]}`;
  return { bytes: utf8(text), renderedAt: now, version, staleCount: stale.filter(Boolean).length, staleFrom: Math.min(...staleAt) };
}

/** An entry's fields as they are, but for the value, which JSON would write with an exponent where it is tiny. */
function entryJson(entry: CatalogEntry): string {
  const text = JSON.stringify(entry);
  const value = entry.latestValue;
  if (value === null || !String(value).includes("e")) return text;
  return text.replace(`"latestValue":${value}`, `"latestValue":${formatDecimal(value)}`);
}
