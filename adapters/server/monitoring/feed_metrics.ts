import type { AssetCode, Observation } from "../../../core/mod.ts";
import { counter, type Family } from "../../stores/shared/metric_types.ts";

/** Makes counters of the values from feeds, by asset and outcome. Assets that are not in the catalog are left out. */
export function createFeedMetrics(codes: readonly AssetCode[]) {
  // All counters exist from the start with zero, or else `increase` of Prometheus would miss their first values.
  const counts = new Map(codes.map((code) => [code, { ACCEPTED: 0, PENDING: 0, REJECTED: 0 }]));
  const samplesOf = (status: "ACCEPTED" | "PENDING"): Family["samples"] =>
    [...counts].map(([asset, of]) => ({ labels: { asset, outcome: status.toLowerCase() }, value: of[status] }));
  return {
    add(records: readonly Pick<Observation, "code" | "qualityStatus">[]): void {
      for (const { code, qualityStatus } of records) {
        const ofAsset = counts.get(code);
        if (ofAsset) ofAsset[qualityStatus]++;
      }
    },
    family: () =>
      counter("mazaneh_feed_values_total", "Values from feeds.", [...samplesOf("ACCEPTED"), ...samplesOf("PENDING")]),
  };
}
