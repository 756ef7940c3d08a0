import { after } from "../async.ts";
import type { Asset } from "../market/assets.ts";
import type { UtcMillis } from "../brand.ts";
import type { Failure } from "../http/errors.ts";
import type { Answer, Call, Context } from "./handler.ts";
import { formatDecimal } from "../bytes/json.ts";
import type { Coverage, MaybePromise } from "../ports.ts";
import { catalogEntry, filterAssets, isStale } from "../queries/catalog_queries.ts";
import type { CatalogEntry } from "../queries/catalog_queries.ts";
import { ok } from "../result.ts";
import type { Result } from "../result.ts";
import { parseQuery } from "../http/target.ts";
import { formatTimestamp } from "../time/timestamps.ts";
import { utf8 } from "../bytes/utf8.ts";
import { writeTimestamp } from "../bytes/json_writer.ts";

/** The catalog, or a part of it, as it was rendered last. */
export interface CatalogPage {
  /** The bytes, with the moment of their rendering in `updatedAt`. */
  readonly bytes: Uint8Array;
  readonly renderedAt: UtcMillis;
  /** The version of all data that it was made of. */
  readonly version: string;
  readonly staleCount: number;
  /** From when on one more asset is stale. */
  readonly staleFrom: number;
}

const TO_UPDATED_AT = '{"updatedAt":"';

/** The catalog of assets with coverage and freshness. Source: contract, Endpoints 2. */
export function supported(context: Context, call: Call): MaybePromise<Result<Answer, Failure>> {
  const query = parseQuery(call.query, call.route.query);
  if (!query.ok) return query;
  const filter = { category: query.value.get("category"), quoteUnit: query.value.get("quoteUnit") };
  const assets = filterAssets(context, filter);
  if (!assets.ok) return assets;
  // The filters have been found to be known ones, so there are only so many pages.
  const name = `${filter.category ?? ""}/${filter.quoteUnit ?? ""}`;
  return after(context.observations.version(), (version) => {
    const kept = context.catalogPages.get(name);
    const isRight = kept?.version === version && call.now >= kept.renderedAt && call.now < kept.staleFrom;
    if (isRight) return ok(answerOf(kept, call.now));
    return after(context.observations.coverage(assets.value.map((asset) => asset.code)), (coverage) => {
      const page = renderPage(context, call.now, version, assets.value, coverage);
      context.catalogPages.set(name, page);
      return ok(answerOf(page, call.now));
    });
  });
}

function answerOf(page: CatalogPage, now: UtcMillis): Answer {
  const { version, staleCount, renderedAt } = page;
  let { bytes } = page;
  if (now !== renderedAt) {
    // A copy: the bytes of an earlier answer may still be on their way.
    bytes = bytes.slice();
    writeTimestamp(bytes, TO_UPDATED_AT.length, now);
  }
  return {
    body: bytes,
    // With time, assets of one data version only go stale: their number tells which ones have.
    // `updatedAt` differs in each answer, so it names the rendering.
    tag: { stem: `${version}.${staleCount}`, rendering: now.toString(36) },
    keep: { version, until: (now + 1) as UtcMillis },
  };
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
