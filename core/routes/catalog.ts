import type { UtcMillis } from "../branded_types.ts";
import { formatDecimal } from "../bytes/json.ts";
import { writeTimestamp } from "../bytes/json_writer.ts";
import { utf8 } from "../bytes/utf8.ts";
import type { Failure } from "../http/errors.ts";
import { parseQuery } from "../http/request_target.ts";
import type { Answer } from "../http/respond.ts";
import { ASSETS } from "../market/assets.ts";
import { filterAssets } from "../queries/asset_queries.ts";
import { type CatalogEntry, catalogEntry, isStale } from "../queries/catalog_entry.ts";
import { ok, type Result } from "../result.ts";
import { MINUTE_MS } from "../time/durations.ts";
import { formatTimestamp } from "../time/timestamps.ts";
import { csvTable } from "./csv_answer.ts";
import type { Context, RouteRequest } from "./handler.ts";

const TO_UPDATED_AT = '{"updatedAt":"';

/** The catalog of assets with coverage and freshness, as of the time of the request. Source: contract, Endpoints 2. */
export async function supported(context: Context, request: RouteRequest): Promise<Result<Answer, Failure>> {
  const query = parseQuery(request.query, request.route.query);
  if (!query.ok) return query;
  const [category, quoteUnit] = [query.value.get("category"), query.value.get("quoteUnit")];
  const found = filterAssets(context, { category, quoteUnit });
  if (!found.ok) return found;
  const { now } = request;
  const { staleThresholdMinutes: thresholdMinutes } = context;
  const assets = found.value;
  const codes = assets.map(({ code }) => code);
  const { version, value: coverage } = await context.observations.coverage(codes);
  const stale = coverage.map((known) => isStale(known, now, thresholdMinutes));
  const entries = assets.map((asset, index) => catalogEntry(asset, coverage[index], stale[index]!));
  let updatedAt = now;
  let body = utf8(
    `${TO_UPDATED_AT}${formatTimestamp(now)}","staleThresholdMinutes":${thresholdMinutes},"assets":[${entries.map(entryJson).join(",")}]}`,
  );
  // While the data version is the same, assets can only become stale, so the number of stale ones identifies the state.
  const stem = `${version}.${stale.filter(Boolean).length}`;
  const staleAt = coverage.flatMap((known, index) =>
    known && !stale[index] ? known.latest.businessTime + thresholdMinutes * MINUTE_MS + 1 : [],
  );
  const freshness = { codes, version, expiresAt: Math.min(...staleAt) as UtcMillis };

  function at(moment: UtcMillis): Answer {
    if (moment !== updatedAt) {
      // A copy, because the bytes of an earlier answer may still be waiting to be sent.
      body = body.slice();
      writeTimestamp(body, TO_UPDATED_AT.length, moment);
      updatedAt = moment;
    }
    return { body, tag: `${stem}-${moment.toString(36)}`, freshness, at, csv };
  }

  function csv(): string {
    // The columns are the fields of an entry, even if the catalog is empty.
    const columns = Object.keys(catalogEntry(ASSETS[0]!, undefined, true)) as (keyof CatalogEntry)[];
    return csvTable(columns, entries);
  }

  return ok(at(now));
}

/** An entry as JSON. `JSON.stringify` would write a tiny value with an exponent. */
function entryJson(entry: CatalogEntry): string {
  const text = JSON.stringify(entry);
  const value = entry.latestValue;
  if (value === null || !String(value).includes("e")) return text;
  return text.replace(`"latestValue":${value}`, `"latestValue":${formatDecimal(value)}`);
}
