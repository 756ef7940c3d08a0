import assert from "node:assert/strict";
import { test } from "node:test";
import type { MarketRow, MarketSummary } from "../../adapters/page/market_summary.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import { ASSETS, defineAsset, type UtcMillis } from "../../core/mod.ts";
import { sampleObservations } from "../../fixtures/sample.ts";
import { assertFailure } from "../support/api_under_test.ts";
import { type PageWorld, type PageWorldSettings, type PriceRow, pageWorld } from "./page_world.ts";

const PATH = "/docs/market";
/** 13:30 in Tehran. */
const NOW = "2026-11-21T10:00:00Z";

/** A test world with the page and some prices. */
async function marketWorld(settings: PageWorldSettings = {}, rows: readonly PriceRow[] = []): Promise<PageWorld> {
  const world = await pageWorld(settings, NOW);
  await world.feed(...rows);
  return world;
}

async function summaryOf(world: PageWorld): Promise<MarketSummary> {
  const reply = await world.ask(PATH);
  assert.equal(reply.status, 200, reply.text);
  return reply.json as unknown as MarketSummary;
}

/** The values of a row, by the number of days before the last day. */
function filled({ days }: MarketRow): Readonly<Record<number, number>> {
  assert.equal(days.length, 36);
  return Object.fromEntries(days.flatMap((value, at) => (value === null ? [] : [[at - 35, value]])));
}

test("market: a day ends at midnight in Tehran, not in UTC; the last record of each day counts", async () => {
  const world = await marketWorld({}, [
    ["USD_RLS", 1, "2026-11-19T20:29:59.999Z"], // 23:59:59 on the 19th in Tehran
    ["USD_RLS", 2, "2026-11-19T20:30:00Z"], // midnight on the 20th
    ["USD_RLS", 3, "2026-11-20T20:00:00Z"],
    ["USD_RLS", 4, "2026-11-20T20:30:00Z"],
    ["USD_RLS", 5, "2026-11-21T09:30:00Z"],
  ]);
  const [row] = (await summaryOf(world)).assets;
  assert.deepEqual(
    { ...row, days: filled(row!) },
    {
      code: "USD_RLS",
      version: row!.version,
      value: 5,
      businessTime: "2026-11-21T09:30:00.000Z",
      before: { date: "2026-11-20", value: 3 },
      day: {
        open: 4,
        high: 5,
        low: 4,
        count: 2,
        line: [
          [15, 4],
          [795, 5],
        ],
      },
      days: { [-2]: 1, [-1]: 3, [0]: 5 },
    },
  );
});

/** Values by a time in 2026 or by a number of days before now. */
type Values = Readonly<Record<string, number>>;
const befores: readonly (readonly [rule: string, Values, before: MarketRow["before"], days: Values])[] = [
  [
    "a value from 36 days before is recent enough",
    { "10-16T06:00": 6, "11-21T06:00": 7 },
    { date: "2026-10-16", value: 6 },
    { [0]: 7 },
  ],
  ["a value from 37 days before is too old", { "10-15T06:00": 6, "11-21T06:00": 7 }, null, { [0]: 7 }],
  [
    "if the latest value is some days old, the previous value is from before its day",
    { "11-17T06:00": 6, "11-18T06:00": 7 },
    { date: "2026-11-17", value: 6 },
    { [-4]: 6, [-3]: 7 },
  ],
  [
    "a value that is months old has a previous value",
    { "06-28T06:00": 6, "06-30T06:00": 7 },
    { date: "2026-06-28", value: 6 },
    {},
  ],
  [
    "a value in the first minutes of tomorrow belongs to tomorrow",
    { "11-21T06:00": 6, "11-21T20:31": 7 },
    { date: "2026-11-21", value: 6 },
    { [0]: 6 },
  ],
];
for (const [rule, values, before, days] of befores) {
  test(`market: previous value: ${rule}`, async () => {
    const rows = Object.entries(values).map(([time, value]): PriceRow => ["USD_RLS", value, `2026-${time}:00Z`]);
    const world = await marketWorld({}, rows);
    if (rule.includes("tomorrow")) world.setNow("2026-11-21T20:29:00Z");
    const [row] = (await summaryOf(world)).assets;
    assert.deepEqual([row!.value, row!.before, filled(row!)], [7, before, days]);
  });
}

test("market: rows are in catalog order; custom assets have rows, assets without a record have none", async () => {
  const assets = [defineAsset({ code: "ZZZ_USD", category: "FX", nameEn: "Krone", nameFa: "کرون" }), ...ASSETS];
  const world = await marketWorld({ assets }, [
    ["ZZZ_USD", 0.1, NOW],
    ["BTC_USD", 2, NOW],
    ["USD_RLS", 3, NOW],
  ]);
  const codes = (await summaryOf(world)).assets.map(({ code }) => code);
  assert.deepEqual(codes, ["ZZZ_USD", "USD_RLS", "BTC_USD"]);
});

test("market: a day has open, high, low and the number of records; an asset without a record today has no day", async () => {
  const world = await marketWorld({}, [
    ["USD_RLS", 9, "2026-11-20T20:29:00Z"],
    ...[4, 8, 2, 5].map((value, at): PriceRow => ["EUR_RLS", value, `2026-11-21T0${at}:00:00Z`]),
    ["BTC_USD", 7, "2026-11-20T10:00:00Z"],
  ]);
  const days = (await summaryOf(world)).assets.map(({ code, day }) => [code, day]);
  assert.deepEqual(days, [
    ["USD_RLS", null],
    ["EUR_RLS", { open: 4, high: 8, low: 2, count: 4 }],
    ["BTC_USD", null],
  ]);
});

test("market: answers 304 until a record arrives or the day ends", async () => {
  const world = await marketWorld({}, [["USD_RLS", 7, "2026-11-21T09:30:00Z"]]);
  const first = await world.ask(PATH);
  world.setNow("2026-11-21T20:29:59.999Z");
  assert.equal((await world.ask(PATH, { headers: ["If-None-Match", first.headers["ETag"]!] })).status, 304);
  world.setNow("2026-11-21T20:30:00Z");
  const next = await world.ask(PATH, { headers: ["If-None-Match", first.headers["ETag"]!] });
  assert.deepEqual([next.status, (next.json as unknown as MarketSummary).to], [200, "2026-11-22"]);
});

test("market: simultaneous requests share one read of the store, and a failed read is not cached: 200, 500", async () => {
  const { observations } = createMemoryStore();
  let readings = 0;
  let isBroken = false;
  const slow: typeof observations = {
    ...observations,
    async latest(codes) {
      readings++;
      await new Promise(setImmediate);
      if (isBroken) throw new Error("not now");
      return observations.latest(codes);
    },
  };
  const world = await marketWorld({ observations: slow });
  const statuses = async (): Promise<readonly number[]> =>
    (await Promise.all(Array.from({ length: 10 }, () => world.ask(PATH)))).map(({ status }) => status);
  await world.feed(["USD_RLS", 7, "2026-11-21T09:30:00Z"]);
  assert.deepEqual([await statuses(), readings], [Array(10).fill(200), 1]);
  await world.feed(["USD_RLS", 8, "2026-11-21T09:31:00Z"]);
  isBroken = true;
  assert.deepEqual([await statuses(), readings], [Array(10).fill(500), 2]);
  isBroken = false;
  assert.equal((await summaryOf(world)).assets[0]!.value, 8);
});

test("market: needs a key, and costs one unit, which is given back if the request fails: 200, 401, 500", async () => {
  const world = await marketWorld();
  assertFailure(await world.ask(PATH, { key: null }), 401, "API_KEY_MISSING");
  assert.equal((await world.ask(PATH)).headers["X-RateLimit-Remaining"], "999999");
  const latest = () => Promise.reject(new Error("not now"));
  const failing = await marketWorld({ observations: { ...createMemoryStore().observations, latest } });
  assertFailure(await failing.ask(PATH), 500, "INTERNAL_ERROR");
  assert.equal((await failing.ask("/api/v1/access")).headers["X-RateLimit-Remaining"], "1000000");
});

// These days include 2026-10-25, when Berlin's clocks were set back.
for (const marketTimeZone of ["Asia/Tehran", "Europe/Berlin"]) {
  test(`market: with the sample, each row agrees with the routes of its asset, in ${marketTimeZone}`, async () => {
    const now = Date.parse(NOW) as UtcMillis;
    const { observations } = createMemoryStore();
    const assets = ASSETS.filter(({ code }) => ["USD_RLS", "BTC_USD", "SEKKEH_RLS", "GOLD_24_RLS"].includes(code));
    observations.append([...sampleObservations(now, { assets, after: now - 40 * 86_400_000 })]);
    const world = await marketWorld({ observations, marketTimeZone });
    const { assets: rows, from, to } = await summaryOf(world);
    assert.equal(rows.length, assets.length);
    for (const { code, value, before, days } of rows) {
      assert.equal(value, (await world.ask(`/api/v1/assets/${code}`)).json["value"]);
      const historyOf = async (first: string, last: string): Promise<readonly number[]> => {
        const { json } = await world.ask(`/api/v1/assets/${code}/history?from=${first}&to=${last}`);
        return (json as unknown as readonly { readonly value: number }[]).map((record) => record.value);
      };
      // More days than one API request can cover.
      assert.deepEqual(
        days.filter((day) => day !== null),
        [...(await historyOf(from, "2026-11-01")), ...(await historyOf("2026-11-02", to))],
      );
      assert.equal(before?.value, (await world.ask(`/api/v1/assets/${code}/${before?.date}`)).json["value"]);
    }
  });
}
