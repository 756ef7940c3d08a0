import { CATEGORIES, QUOTE_UNITS } from "./assets.ts";
import type { Asset } from "./assets.ts";
import type { UtcMillis } from "./brand.ts";
import { failure, quote } from "./errors.ts";
import type { Failure } from "./errors.ts";
import type { Answer, Call, Context } from "./handler.ts";
import { decimalJson, timestampJson } from "./json.ts";
import type { Coverage } from "./ports.ts";
import { err, ok } from "./result.ts";
import type { Result } from "./result.ts";
import { parseQuery } from "./target.ts";
import type { Query } from "./target.ts";
import { formatTimestamp } from "./timestamps.ts";

/** The catalog of assets with coverage and freshness. Source: contract, Endpoints 2. */
export async function supported(context: Context, call: Call): Promise<Result<Answer, Failure>> {
  const query = parseQuery(call.query, call.route.query);
  if (!query.ok) return query;
  const category = readFilter(query.value, "category", CATEGORIES);
  if (!category.ok) return category;
  const quoteUnit = readFilter(query.value, "quoteUnit", QUOTE_UNITS);
  if (!quoteUnit.ok) return quoteUnit;
  const assets = [...context.assets.values()].filter(
    (asset) => matches(asset.category, category.value) && matches(asset.quoteUnit, quoteUnit.value),
  );

  const version = await context.observations.version();
  const coverage = await context.observations.coverage(assets.map((asset) => asset.code));
  const threshold = context.staleThresholdMinutes;
  const stale = coverage.map((known) => isStale(known, call.now, threshold));
  const entries = assets.map((asset, index) => entryJson(asset, coverage[index], stale[index]!));
  const updatedAt = formatTimestamp(call.now);
  return ok({
    body: `{"updatedAt":"${updatedAt}","staleThresholdMinutes":${threshold},"assets":[${entries.join(",")}]}`,
    // With time, assets of one data version only go stale: their number tells which ones have.
    // `updatedAt` differs in each answer, so it names the rendering.
    tag: { stem: `${version}.${stale.filter(Boolean).length}`, rendering: call.now.toString(36) },
  });
}

/** Whether an asset has no accepted observation, or its latest is older than the threshold. */
export function isStale(coverage: Coverage | undefined, now: UtcMillis, thresholdMinutes: number): boolean {
  return coverage === undefined || now - coverage.latest.businessTime > thresholdMinutes * 60_000;
}

function entryJson(asset: Asset, coverage: Coverage | undefined, stale: boolean): string {
  const { code, baseCode, category, labelEn, labelFa, quoteUnit } = asset;
  const latest = coverage?.latest;
  const providers = coverage?.providers ?? [];
  const head = { code, baseCode, category, labelEn, labelFa, quoteUnit, providers, providerSupported: providers.length > 0 };
  const tail = {
    qualityStatus: latest?.qualityStatus ?? null,
    qualityMessage: latest?.qualityMessage ?? "",
    availabilityStatus: latest ? "AVAILABLE" : "UNAVAILABLE",
    stale,
    ohlcAvailable: latest !== undefined,
  };
  return (
    JSON.stringify(head).slice(0, -1) +
    `,"latestValueAvailable":${latest !== undefined},"latestValue":${decimalJson(latest?.value)}` +
    `,"businessTime":${timestampJson(latest?.businessTime)},"sourceTime":${timestampJson(latest?.sourceTime)}` +
    `,"insertTime":${timestampJson(latest?.insertTime)},` +
    JSON.stringify(tail).slice(1, -1) +
    `,"ohlcAvailableFrom":${timestampJson(coverage?.availableFrom)}}`
  );
}

function readFilter(query: Query, name: string, known: readonly string[]): Result<string | undefined, Failure> {
  const value = query.get(name);
  if (value === undefined || known.includes(value)) return ok(value);
  return err(failure("INVALID_FILTER", `${name} is one of ${known.join(", ")}: received ${quote(value)}`));
}

function matches(value: string, filter: string | undefined): boolean {
  return filter === undefined || value === filter;
}
