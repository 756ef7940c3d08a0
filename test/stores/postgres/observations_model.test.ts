// Derived data can be seen only in answers. So after each change, the answers are compared with the answers of the
// store in memory.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { systemClock as clock } from "../../../adapters/http/web_system.ts";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import { openPostgres } from "../../../adapters/stores/postgres/mod.ts";
import {
  type AssetCode,
  type Observation,
  type Observations,
  type ObservationWriter,
  QUALITY_STATUSES,
  type TimeWindow,
  type UtcMillis,
} from "../../../core/mod.ts";
import { anyText, FIRST_MILLIS, LAST_MILLIS, MINUTE } from "../../support/generators.ts";
import { databaseWithTables } from "../../support/postgres_clients.ts";
import { postgresMissing, sharedPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { runs } from "../../support/suite_size.ts";

const server = await sharedPostgres();
if (!server) skipAloud("observations on PostgreSQL compared with those in memory", postgresMissing);

const CODES = ["USD_RLS", "EUR_RLS", "BTC_USD"] as AssetCode[];
/** Around 1970, to include business times before it. Only a few buckets, so that changes share buckets. */
const TIMES = fc.integer({ min: -40, max: 40 }).map((minutes) => minutes * MINUTE);
const times = fc.oneof(
  { weight: 8, arbitrary: TIMES },
  { weight: 1, arbitrary: fc.constantFrom(FIRST_MILLIS, LAST_MILLIS, -1, 899_999, 900_000) },
) as fc.Arbitrary<UtcMillis>;
const values = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.double({ min: 5e-324, max: 1.7e308, noNaN: true }));
const observations: fc.Arbitrary<Observation> = fc.record({
  code: fc.constantFrom(...CODES),
  value: values,
  businessTime: times,
  sourceTime: fc.option(times),
  insertTime: times,
  provider: fc.option(fc.oneof(fc.constantFrom("A", "null", "بازار", "\u0000\\0\ud800"), anyText)),
  qualityStatus: fc.oneof(
    { weight: 3, arbitrary: fc.constant("ACCEPTED" as const) },
    { weight: 1, arbitrary: fc.constantFrom(...QUALITY_STATUSES) },
  ),
  qualityMessage: fc.oneof(fc.constant(""), anyText),
});
const batches = fc.array(observations, { maxLength: 30 });

/** All queries. */
async function answersOf(store: Observations & ObservationWriter): Promise<unknown> {
  const asked = [...CODES, "GBP_RLS" as AssetCode];
  const edges = [FIRST_MILLIS, -2_000_000, -900_000, -1, 0, 60_000, 900_000, 1_000_000, LAST_MILLIS] as UtcMillis[];
  const window = { from: -3_600_000 as UtcMillis, to: 3_600_000 as UtcMillis };
  const records: Observation[] = [];
  for await (const record of store.records()) records.push(record);
  const candles = async (code: AssetCode, widthMs: number): Promise<unknown> => {
    const widest = {
      from: Math.floor(window.from / widthMs) * widthMs,
      to: Math.ceil(window.to / widthMs) * widthMs,
    } as TimeWindow;
    const { candles: found, availableFrom } = (await store.candles(code, widest, widthMs)).value;
    return { candles: [...found], availableFrom };
  };
  return {
    latest: (await store.latest(asked)).value,
    coverage: (await store.coverage(asked)).value,
    lastOfEach: await Promise.all(asked.map(async (code) => (await store.lastOfEach(code, edges)).value)),
    candles: await Promise.all(
      asked.flatMap((code) =>
        [60_000, 900_000, 3_600_000, 10_800_000, 14_400_000, 86_400_000].map((width) => candles(code, width)),
      ),
    ),
    // Compared asset by asset, because the store in memory puts assets with only pending records last.
    records: asked.map((code) => records.filter((record) => record.code === code)),
  };
}

test("observations on PostgreSQL: after any appends and corrections, each answer equals that of the store in memory", {
  skip: !server,
}, async () => {
  const { pool } = await databaseWithTables(server!);
  const store = (await openPostgres(pool, { clock, follow: false })).observations;
  await fc.assert(
    fc.asyncProperty(fc.array(batches, { minLength: 1, maxLength: 8 }), async (all) => {
      await pool.query(
        "TRUNCATE mazaneh.assets, mazaneh.observations, mazaneh.pending, mazaneh.rollup, mazaneh.wide_rollup, mazaneh.providers",
      );
      const memory = createMemoryStore().observations;
      for (const batch of all) assert.deepEqual(await store.append(batch), await memory.append(batch));
      assert.deepEqual(await answersOf(store), await answersOf(memory));
    }),
    { numRuns: runs(4, 12) },
  );
});
