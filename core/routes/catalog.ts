import { after } from "../async.ts";
import type { UtcMillis } from "../brand.ts";
import type { Failure } from "../http/errors.ts";
import { parseQuery } from "../http/target.ts";
import type { MaybePromise } from "../ports.ts";
import { filterAssets } from "../queries/asset_queries.ts";
import { ok } from "../result.ts";
import type { Result } from "../result.ts";
import { isPageFresh, pageAt, renderCatalogPage } from "./catalog_page.ts";
import type { CatalogPage } from "./catalog_page.ts";
import type { Answer, Context, RouteRequest } from "./handler.ts";

interface AssetFilter {
  readonly category: string | undefined;
  readonly quoteUnit: string | undefined;
}

/** The catalog of assets with coverage and freshness. Source: contract, Endpoints 2. */
export function supported(context: Context, { query: sent, route, now }: RouteRequest): MaybePromise<Result<Answer, Failure>> {
  const query = parseQuery(sent, route.query);
  if (!query.ok) return query;
  const filter = { category: query.value.get("category"), quoteUnit: query.value.get("quoteUnit") };
  // Only pages of known filters are put in, so their number is bounded.
  const name = `${filter.category ?? ""}/${filter.quoteUnit ?? ""}`;
  const last = context.catalogPages.get(name);
  const page = last ? refreshed(context, last, filter, now) : readPage(context, filter, now);
  return after<Result<CatalogPage, Failure>, Result<Answer, Failure>>(page, (read) => {
    if (!read.ok) return read;
    context.catalogPages.set(name, read.value);
    return ok(answerOf(read.value));
  });
}

/** The page as it is now, read anew only where its data has changed or an asset has become stale. */
function refreshed(context: Context, last: CatalogPage, filter: AssetFilter, now: UtcMillis): MaybePromise<Result<CatalogPage, Failure>> {
  return after<string, Result<CatalogPage, Failure>>(context.observations.version(last.codes), (version) =>
    isPageFresh(last, version, now) ? ok(pageAt(last, now)) : readPage(context, filter, now),
  );
}

async function readPage(context: Context, filter: AssetFilter, now: UtcMillis): Promise<Result<CatalogPage, Failure>> {
  const assets = filterAssets(context, filter);
  if (!assets.ok) return assets;
  const { version, value } = await context.observations.coverage(assets.value.map(({ code }) => code));
  return ok(renderCatalogPage({ version, assets: assets.value, coverage: value }, context.staleThresholdMinutes, now));
}

function answerOf({ bytes, version, staleCount, renderedAt }: CatalogPage): Answer {
  // Within one data version, assets only ever become stale, so the number of stale ones identifies the state.
  // `updatedAt` differs in each answer, so the tag names the rendering.
  return { body: bytes, tag: { stem: `${version}.${staleCount}`, rendering: renderedAt.toString(36) } };
}
