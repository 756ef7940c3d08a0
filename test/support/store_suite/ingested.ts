import assert from "node:assert/strict";
import { createIngestUnknown, type RawRecord } from "../../../core/market/ingest.ts";
import { runs } from "../suite_size.ts";
import type { SuiteObservations } from "./expected_observations.ts";
import { at, EUR, START, USD } from "./records.ts";
import type { Case } from "./suite.ts";

/** More records than a database stores in one transaction. */
const MANY = 50_001 + runs(10_000);

/** The largest record that ingestion accepts. Each code unit of its texts is written as six bytes. */
const LARGEST: RawRecord = {
  ...{
    code: USD,
    businessTime: "2026-11-20T00:00:00.000Z",
    sourceTime: "0000-01-01T00:00:00.000Z",
    value: "1.1125369292536007e-308",
  },
  ...{ provider: `p${"\u0001".repeat(62)}p`, qualityStatus: "REJECTED", qualityMessage: `m${"\u0001".repeat(498)}m` },
};

const INGEST: readonly (readonly [rule: string, count: number, valueOf: (n: number) => number, more: RawRecord])[] = [
  [`${MANY} records`, MANY, (n) => n + 1, { code: EUR }],
  ["5,000 records of the largest size", 5_000, () => Number(LARGEST.value), LARGEST],
];

export const INGESTED: readonly Case<SuiteObservations>[] = INGEST.map(([rule, count, valueOf, more]) => ({
  rule: `one call of ingestion stores ${rule}`,
  large: true,
  async write(observations) {
    const ingest = createIngestUnknown({ clock: () => at(10_000), observations });
    const records: RawRecord[] = Array.from({ length: count }, (_, n) => ({
      value: valueOf(n),
      ...more,
      businessTime: new Date(START + n).toISOString(),
    }));
    const middle = Math.floor(count / 2);
    records.splice(middle, 0, {});
    assert.deepEqual(await ingest(records), {
      accepted: count,
      replaced: 0,
      unchanged: 0,
      refused: [{ index: middle, reason: "code is missing" }],
    });
  },
  async check(observations) {
    let found = 0;
    for await (const { businessTime, value } of observations.records())
      if (value === valueOf(businessTime - START)) found++;
    assert.equal(found, count);
  },
}));
