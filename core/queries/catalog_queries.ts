// What may be asked of the catalog, and what it says of an asset: the route and the in-process call alike.
import { CATEGORIES, QUOTE_UNITS } from "../market/assets.ts";
import type { Asset, Category, QuoteUnit } from "../market/assets.ts";
import type { AssetCode, UtcMillis } from "../brand.ts";
import { failure, quote } from "../http/errors.ts";
import type { Failure } from "../http/errors.ts";
import type { QualityStatus } from "../market/observation.ts";
import type { Coverage } from "../ports.ts";
import type { Reading } from "./query_settings.ts";
import { err, ok } from "../result.ts";
import type { Result } from "../result.ts";
import { MINUTE_MS } from "../time/durations.ts";
import { formatTimestamp } from "../time/timestamps.ts";

/** An asset of the catalog with its coverage and freshness. Source: contract, Supported asset. */
export interface CatalogEntry<Code extends string = AssetCode> {
  /** E.g. `USD_RLS`. */
  readonly code: Code;
  /** What is priced: the code before its quote suffix. */
  readonly baseCode: string;
  readonly category: Category;
  /** Base and quote name in English. */
  readonly labelEn: string;
  /** Base and quote name in Persian. */
  readonly labelFa: string;
  /** The unit of the asset's values. */
  readonly quoteUnit: QuoteUnit;
  /** Names of the providers of its records, sorted. */
  readonly providers: readonly string[];
  /** Whether any provider is known. */
  readonly providerSupported: boolean;
  readonly latestValueAvailable: boolean;
  /** In the quote unit. This, the quality status and the times are `null` exactly where the asset has no record. */
  readonly latestValue: number | null;
  /** ISO 8601 in UTC. */
  readonly businessTime: string | null;
  /** ISO 8601 in UTC; the provider's time of publication, or the business time where the record names none. */
  readonly sourceTime: string | null;
  /** ISO 8601 in UTC; when the record was taken in. */
  readonly insertTime: string | null;
  readonly qualityStatus: QualityStatus | null;
  /** A remark on the quality; may be empty. */
  readonly qualityMessage: string;
  readonly availabilityStatus: "AVAILABLE" | "UNAVAILABLE";
  /** Whether there is no record, or only one older than the threshold. */
  readonly stale: boolean;
  readonly ohlcAvailable: boolean;
  /** ISO 8601 in UTC; the earliest record, from which on there are candles. */
  readonly ohlcAvailableFrom: string | null;
}

/** The assets that pass the filters, in catalog order; a filter that is absent lets all pass. */
export function filterAssets(
  reading: Reading,
  filter: { readonly category: string | undefined; readonly quoteUnit: string | undefined },
): Result<readonly Asset[], Failure> {
  const { category, quoteUnit } = filter;
  const fault = filterFailure("category", category, CATEGORIES) ?? filterFailure("quoteUnit", quoteUnit, QUOTE_UNITS);
  if (fault) return err(fault);
  return ok([...reading.assets.values()].filter((asset) => matches(asset.category, category) && matches(asset.quoteUnit, quoteUnit)));
}

/** Whether an asset has no accepted observation, or its latest is older than the threshold. */
export function isStale(coverage: Coverage | undefined, now: UtcMillis, thresholdMinutes: number): boolean {
  return coverage === undefined || now - coverage.latest.businessTime > thresholdMinutes * MINUTE_MS;
}

/** What the catalog says of an asset, in the order of the contract's fields. */
export function catalogEntry(asset: Asset, coverage: Coverage | undefined, stale: boolean): CatalogEntry {
  const { code, baseCode, category, labelEn, labelFa, quoteUnit } = asset;
  const latest = coverage?.latest;
  const providers = coverage?.providers ?? [];
  return {
    code,
    baseCode,
    category,
    labelEn,
    labelFa,
    quoteUnit,
    providers,
    providerSupported: providers.length > 0,
    latestValueAvailable: latest !== undefined,
    latestValue: latest?.value ?? null,
    businessTime: timestamp(latest?.businessTime),
    sourceTime: timestamp(latest?.sourceTime ?? latest?.businessTime),
    insertTime: timestamp(latest?.insertTime),
    qualityStatus: latest?.qualityStatus ?? null,
    qualityMessage: latest?.qualityMessage ?? "",
    availabilityStatus: latest ? "AVAILABLE" : "UNAVAILABLE",
    stale,
    ohlcAvailable: latest !== undefined,
    ohlcAvailableFrom: timestamp(coverage?.availableFrom),
  };
}

function timestamp(time: UtcMillis | undefined): string | null {
  return time === undefined ? null : formatTimestamp(time);
}

function filterFailure(name: string, value: string | undefined, known: readonly string[]): Failure | undefined {
  if (value === undefined || known.includes(value)) return undefined;
  return failure("INVALID_FILTER", `${name} is one of ${known.join(", ")}: received ${quote(value)}`);
}

function matches(value: string, filter: string | undefined): boolean {
  return filter === undefined || value === filter;
}
