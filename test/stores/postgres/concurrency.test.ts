// Many concurrent writers and readers, each with its own store, as in several processes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock as clock } from "../../../adapters/http/web_system.ts";
import { connectionOf } from "../../../adapters/stores/postgres/connection.ts";
import { migrate, openPostgres, type PostgresStore } from "../../../adapters/stores/postgres/mod.ts";
import type { AssetCode, Observation } from "../../../core/mod.ts";
import { at, MINUTE, observation } from "../../support/generators.ts";
import { poolOf } from "../../support/postgres_clients.ts";
import { postgresMissing, sharedPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";

const server = await sharedPostgres();
if (!server) skipAloud("concurrent writers on PostgreSQL", postgresMissing);
const pool = server && poolOf(await server.database());
const skip = !pool;
const CODES = ["AED_RLS", "BTC_USD", "CAD_RLS", "EUR_RLS", "GBP_RLS", "USD_RLS"] as AssetCode[];
const WRITERS = 6;

async function stores(schema: string): Promise<readonly PostgresStore["observations"][]> {
  await migrate(pool!, { schema });
  const all = Array.from({ length: WRITERS }, () => openPostgres(pool!, { clock, schema, follow: false }));
  return (await Promise.all(all)).map(({ observations }) => observations);
}

test("concurrency: writers of the same assets in different orders neither deadlock nor lose an update", {
  skip,
}, async () => {
  const all = await stores("writers");
  const rounds = 6;
  // Each batch has all assets, each time in another order; the first round creates them. All writers share a bucket.
  await Promise.all(
    all.map(async (store, writer) => {
      for (let round = 0; round < rounds; round++) {
        const order = CODES.map((_, i) => CODES[(i * (writer % 2 === 0 ? 1 : 5) + writer) % CODES.length]!);
        const businessTime = at(round * WRITERS + writer);
        const batch = order.map(
          (code): Observation => observation({ code, businessTime, value: writer + 1, provider: `P${writer}` }),
        );
        assert.deepEqual(await store.append(batch), { accepted: CODES.length, replaced: 0, unchanged: 0 });
        const rejected = batch.map((one): Observation => ({ ...one, qualityStatus: "REJECTED" })).reverse();
        if (round % 3 === 2) assert.equal((await store.append(rejected)).replaced, CODES.length);
      }
    }),
  );
  const left = WRITERS * (rounds - rounds / 3);
  for (const code of CODES) {
    const { candles } = (await all[0]!.candles(code, { from: at(0), to: at(15 * MINUTE) }, 15 * MINUTE)).value;
    const found = Array.from(candles, ({ observationCount, high, low }) => [observationCount, high, low]);
    assert.deepEqual(found, [[left, WRITERS, 1]]);
  }
  for (const one of (await all[0]!.coverage(CODES)).value) assert.equal(one?.providers.length, WRITERS);
  const [rows] = await connectionOf(pool!).query<{ counts: number; changes: number }>(
    "SELECT (SELECT sum(count)::float8 FROM writers.providers) AS counts, (SELECT sum(version)::float8 FROM writers.assets) AS changes",
    [],
  );
  const changes = CODES.length * WRITERS * (rounds + rounds / 3);
  assert.deepEqual({ ...rows }, { counts: left * CODES.length, changes });
});

test("records: assets come in the requested order, each with all its records; other assets come last or are left out", {
  skip,
}, async () => {
  const [store] = await stores("ordered");
  const codes = ["USD_RLS", "EUR_RLS", "BTC_USD"] as AssetCode[];
  await store!.append(codes.flatMap((code) => [0, 1].map((n) => observation({ code, businessTime: at(n) }))));
  const first = ["BTC_USD", "XAU_USD", "USD_RLS"] as AssetCode[];
  for (const [order, wanted] of [
    [undefined, [0, 1, 2]],
    [{ first, others: true }, [2, 0, 1]],
    [{ first, others: false }, [2, 0]],
  ] as const) {
    const found: AssetCode[] = [];
    for await (const { code } of store!.records(order)) found.push(code);
    const expected = wanted.flatMap((n) => [codes[n], codes[n]]);
    assert.deepEqual(found, expected);
  }
});

test("concurrency: an export has the records of one state, and a reader that stops early leaves nothing open", {
  skip,
}, async () => {
  const [store, other] = await stores("exported");
  await store!.append(Array.from({ length: 12_000 }, (_, n) => observation({ businessTime: at(n) })));
  let count = 0;
  for await (const { value } of store!.records()) {
    if (count++ === 0)
      await other!.append(Array.from({ length: 12_000 }, (_, n) => observation({ businessTime: at(n), value: 2 })));
    assert.equal(value, 1);
  }
  assert.equal(count, 12_000);
  for await (const { value } of store!.records()) if (value === 2) break;
  const { rows } = await pool!.query("SELECT FROM pg_stat_activity WHERE state LIKE 'idle in%'");
  assert.equal(rows.length, 0);
});
