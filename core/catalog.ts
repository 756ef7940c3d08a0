import type { Failure } from "./errors.ts";
import type { Answer, Call, Context } from "./handler.ts";
import { formatDecimal } from "./json.ts";
import { catalogEntry, filterAssets, isStale } from "./read_catalog.ts";
import type { CatalogEntry } from "./read_catalog.ts";
import { ok } from "./result.ts";
import type { Result } from "./result.ts";
import { parseQuery } from "./target.ts";
import { formatTimestamp } from "./timestamps.ts";

/** The catalog of assets with coverage and freshness. Source: contract, Endpoints 2. */
export async function supported(context: Context, call: Call): Promise<Result<Answer, Failure>> {
  const query = parseQuery(call.query, call.route.query);
  if (!query.ok) return query;
  const assets = filterAssets(context, { category: query.value.get("category"), quoteUnit: query.value.get("quoteUnit") });
  if (!assets.ok) return assets;

  const version = await context.observations.version();
  const coverage = await context.observations.coverage(assets.value.map((asset) => asset.code));
  const threshold = context.staleThresholdMinutes;
  const stale = coverage.map((known) => isStale(known, call.now, threshold));
  const entries = assets.value.map((asset, index) => entryJson(catalogEntry(asset, coverage[index], stale[index]!)));
  const updatedAt = formatTimestamp(call.now);
  return ok({
    body: `{"updatedAt":"${updatedAt}","staleThresholdMinutes":${threshold},"assets":[${entries.join(",")}]}`,
    // With time, assets of one data version only go stale: their number tells which ones have.
    // `updatedAt` differs in each answer, so it names the rendering.
    tag: { stem: `${version}.${stale.filter(Boolean).length}`, rendering: call.now.toString(36) },
  });
}

/** An entry's fields as they are, but for the value, which JSON would write with an exponent where it is tiny. */
function entryJson(entry: CatalogEntry): string {
  const text = JSON.stringify(entry);
  const value = entry.latestValue;
  if (value === null || !String(value).includes("e")) return text;
  return text.replace(`"latestValue":${value}`, `"latestValue":${formatDecimal(value)}`);
}
