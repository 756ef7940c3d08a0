import type { AssetCode, UtcMillis } from "../branded_types.ts";
import type { Asset } from "../market/assets.ts";
import type { QualityStatus } from "../market/observation.ts";
import type { Coverage } from "../ports.ts";
import { MINUTE_MS } from "../time/durations.ts";
import { formatTimestamp } from "../time/timestamps.ts";

/** An asset of the catalog with its coverage and freshness. Source: contract, Supported-asset catalog. */
export interface CatalogEntry<Code extends string = AssetCode> extends Omit<Asset, "code"> {
  /** E.g. `USD_RLS`. */
  readonly code: Code;
  /** Sorted names of the providers of the asset's records. */
  readonly providers: readonly string[];
  /** Whether any provider is known. */
  readonly providerSupported: boolean;
  readonly latestValueAvailable: boolean;
  /** In the quote unit. If the asset has no record, this value, the quality status and the times are `null`. */
  readonly latestValue: number | null;
  /** ISO 8601 in UTC. */
  readonly businessTime: string | null;
  /** ISO 8601 in UTC: when the provider published the record, if known, else the business time. */
  readonly sourceTime: string | null;
  /** ISO 8601 in UTC: when the record was stored. */
  readonly insertTime: string | null;
  readonly qualityStatus: QualityStatus | null;
  /** A remark on the quality; may be empty. */
  readonly qualityMessage: string;
  readonly availabilityStatus: "AVAILABLE" | "UNAVAILABLE";
  /** `true` if there is no record, or if the latest one is older than the threshold. */
  readonly stale: boolean;
  readonly ohlcAvailable: boolean;
  /** ISO 8601 in UTC: the business time of the earliest record. */
  readonly ohlcAvailableFrom: string | null;
}

/** Returns `true` if an asset has no accepted observation, or if its latest one is older than the threshold. */
export function isStale(coverage: Coverage | undefined, now: UtcMillis, thresholdMinutes: number): boolean {
  return coverage === undefined || now - coverage.latest.businessTime > thresholdMinutes * MINUTE_MS;
}

/** The catalog entry of an asset, with the fields in the order of the contract. */
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
