import type { AssetCode, Observation } from "../../../core/mod.ts";
import { counter, type Family } from "../../stores/shared/metric_types.ts";

/** Counts the values of feeds for metrics. */
export interface FeedMetrics {
  add(records: readonly Pick<Observation, "code" | "qualityStatus">[]): void;
  families(): readonly Family[];
}

/**
 * Makes counters of the values that feeds bring, by asset and outcome.
 *
 * @param codes The catalog. Values of other assets are not counted.
 */
export function createFeedMetrics(codes: readonly AssetCode[]): FeedMetrics {
  // All begin at zero: `increase` of Prometheus misses the first values of a series that begins later.
  const counts = new Map(codes.map((code) => [code, { accepted: 0, pending: 0 }]));
  return {
    add(records) {
      for (const { code, qualityStatus } of records) {
        const ofAsset = counts.get(code);
        if (ofAsset && qualityStatus !== "REJECTED") ofAsset[qualityStatus === "PENDING" ? "pending" : "accepted"]++;
      }
    },
    families() {
      const samples = [...counts].flatMap(([asset, ofAsset]) =>
        Object.entries(ofAsset).map(([outcome, value]) => ({ labels: { asset, outcome }, value })),
      );
      return [counter("mazaneh_feed_values_total", "Values from feeds, by asset and outcome.", samples)];
    },
  };
}
