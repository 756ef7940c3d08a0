import assert from "node:assert/strict";
import { test } from "node:test";
import { createFeedRule } from "../../../adapters/intake/levels/feed_rule.ts";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import { ASSETS, type AssetCode, createIngest, defineAsset, type Observation } from "../../../core/mod.ts";
import { at, DAY, observation } from "../../support/generators.ts";

/** Noon in Tehran, on day 0. */
const NOON = Date.parse("2026-11-22T08:30:00Z");
const NOK = defineAsset({ code: "NOK_USD", category: "FX", nameEn: "Krone", nameFa: "کرون" });

/** A market with a rule. A record arrives at noon of its day, unless another day of arrival is given. */
function createMarket() {
  const { observations } = createMemoryStore();
  const rule = createFeedRule({ store: observations, assets: [...ASSETS, NOK] });
  const noonOf = (day: number) => at(NOON + day * DAY);
  const record = (code: string, [day, value]: readonly [number, number], received: number): Observation =>
    observation({ code: code as AssetCode, value, businessTime: noonOf(day), insertTime: noonOf(received) });

  /** Sends values of one asset as one batch; returns how many values are accepted. */
  async function send(
    code: string,
    values: readonly (readonly [day: number, value: number])[],
    { received = Math.max(...values.map(([day]) => Math.ceil(day))), source = "key:a", judge = rule } = {},
  ): Promise<number> {
    const records = values.map((one) => record(code, one, received));
    const judged = await judge(records, source);
    observations.append(judged, source);
    return judged.filter(({ qualityStatus }) => qualityStatus === "ACCEPTED").length;
  }

  return { observations, rule, send, record };
}

test("feed rule: a value may differ from the last value of the day before by at most the daily factor of its asset", async () => {
  const factors: readonly (readonly [factor: number, codes: string])[] = [
    [1.1, "USDT_USD"],
    [1.25, "GOLD_OUNCE_USD PAXG_USD STOCK_IR"],
    [1.4, "USD_RLS EUR_RLS USDT_RLS NOK_USD"],
    [1.45, "GOLD_18_RLS SEKKEH_RLS"],
    [1.6, "RUB_RLS TRY_RLS"],
    [1.9, "BTC_USD BTC_RLS"],
  ];
  const all = factors.flatMap(([factor, codes]) => codes.split(" ").map((code) => [code, factor] as const));
  for (const [code, factor] of all) {
    const { observations, send, record } = createMarket();
    observations.append([record(code, [-1, 1_000], -1)]);
    const off = [1_001 * factor, 999 / factor, 10_000, 100] as const;
    const near = [999 * factor, 1_001 / factor] as const;
    for (const value of off) assert.equal(await send(code, [[0, value]]), 0, `${code} ${value}`);
    for (const value of near) assert.equal(await send(code, [[0, value]]), 1, `${code} ${value}`);
  }
});

test("feed rule: the daily factor applies once for each day that has passed, but the product never exceeds the largest true move in as many days", async () => {
  for (const [code, days, rise, fall] of [
    ["USD_RLS", 2, 1.96, 1.96],
    ["USD_RLS", 3, 2, 2],
    ["USD_RLS", 20, 2.6, 2.6],
    ["USD_RLS", 5_000, 5.8, 3.3],
    ["BTC_USD", 2, 3.61, 3.61],
    ["USDT_RLS", 8, 2.2, 2.4],
    ["STOCK_IR", 8, 2.2, 2.4],
    ["BTC_USD", 30, 9.6, 4.6],
  ] as const) {
    const { observations, send, record } = createMarket();
    observations.append([record(code, [-days, 1_000], -days)]);
    assert.equal(await send(code, [[1, 1_001 * rise]], { received: 0 }), 0, `${code}: tomorrow has not passed`);
    for (const value of [1_001 * rise, 999 / fall, 999 * rise, 1_001 / fall]) {
      const isNear = value <= 1_000 * rise && value >= 1_000 / fall;
      assert.equal(await send(code, [[0, value]]), isNear ? 1 : 0, `${code} after ${days} days: ${value}`);
    }
  }
});

test("feed rule: during a day, all values are compared with the same earlier values; a past value must fit the values before and after it", async () => {
  const { observations, send, record } = createMarket();
  observations.append([-3, -2, -1].map((day) => record("USD_RLS", [day, 1_000], day)));
  // Today's bound comes from values that arrived before today, even if values that arrive today replace them.
  for (const day of [-3, -2, -1, -3, -2, -1])
    assert.equal(await send("USD_RLS", [[day, 1_390 + day]], { received: 0 }), 1);
  assert.equal(await send("USD_RLS", [[0, 1_410]]), 0);
  assert.equal(await send("USD_RLS", [[0, 1_390]]), 1);
  assert.equal(await send("USD_RLS", [[0.1, 1_410]], { received: 0 }), 0);
  assert.equal(
    await send("USD_RLS", [[1, 1_900]]),
    1,
    "on a new day, the bound is measured from the value of the day before",
  );
  // With 1,390 on the day before and 1,900 on the day after, 1,360 to 1,946 are accepted.
  assert.equal(await send("USD_RLS", [[0.2, 1_350]], { received: 2, source: "key:b" }), 0);
  assert.equal(await send("USD_RLS", [[0.2, 1_940]], { received: 2, source: "key:b" }), 1);
});

test("feed rule: a value that fits the last value of the same source is accepted, so that another source with false values cannot lock this source out", async () => {
  const { send } = createMarket();
  assert.equal(await send("USD_RLS", [[-4, 1_900_000]], { source: "key:honest" }), 1);
  for (const [day, value] of [
    [-3, 2_600_000],
    [-2, 3_600_000],
    [-1, 5_000_000],
  ] as const) {
    assert.equal(await send("USD_RLS", [[day, value]], { source: "key:liar" }), 1, String(value));
    assert.equal(await send("USD_RLS", [[day + 0.1, 1_900_000]], { source: "key:honest" }), 1);
  }
  assert.equal(await send("USD_RLS", [[0, 1_900_000]], { source: "key:another" }), 0);
  assert.equal(await send("USD_RLS", [[0, 2_700_000]], { source: "key:honest" }), 0);
  // A value that a source sends days after its business time does not make the source's next values acceptable.
  assert.equal(await send("EUR_RLS", [[-9, 2_000_000]]), 1);
  assert.equal(await send("EUR_RLS", [[-1, 2_000_000]]), 1);
  assert.equal(await send("EUR_RLS", [[-4, 3_800_000]], { received: -1, source: "key:late" }), 1);
  assert.equal(await send("EUR_RLS", [[0, 3_800_000]], { source: "key:late" }), 0);
});

test("feed rule: the first value must be at the known price level, and is the reference for its day; values of earlier days are compared with the next later day", async () => {
  const { send, observations } = createMarket();
  assert.equal(await send("USD_RLS", [[0, 190_000]]), 0);
  assert.equal(await send("USD_RLS", [[0, 1_900_000]]), 1);
  for (const value of [2_600_000, 1_400_000, 2_000_000]) assert.equal(await send("USD_RLS", [[0, value]]), 1);
  // A body that began on the day before changes nothing.
  await send("EUR_RLS", [[-1, 2_200_000]], { received: -1 });
  for (const value of [2_700_000, 1_300_000]) assert.equal(await send("USD_RLS", [[0, value]]), 0);
  // For a rule that starts later, e.g. after a restart, the reference is the value that it finds first: 2,000,000.
  const judge = createFeedRule({ store: observations });
  for (const value of [2_700_000, 2_900_000, 2_000_000])
    assert.equal(await send("USD_RLS", [[0, value]], { judge }), value > 2_800_000 ? 0 : 1);
  const past = Array.from({ length: 40 }, (_, i) => [i - 40, 720_000 + i * 20_000] as const);
  assert.equal(await send("USD_RLS", [...past, [-41, 190_000]], { received: 0 }), 40);
  const unknown = await send("LINK_USD", [[0, 15]]);
  const all: Observation[] = [];
  for await (const one of observations.records()) if (one.code === "LINK_USD") all.push(one);
  assert.equal(unknown, 1);
  assert.deepEqual(
    all.map(({ value, qualityStatus, qualityMessage }) => [value, qualityStatus, qualityMessage]),
    [
      [15, "ACCEPTED", ""],
      [15, "PENDING", "confirm: the first value, with no price to compare it with"],
    ],
  );
});

test("feed rule: if the only reference is newer than the value, or from a year without known prices, the value must also be at the known price level", async () => {
  const { send } = createMarket();
  assert.equal(await send("USD_RLS", [[-9_500, 190_000_000]], { received: 0 }), 1);
  assert.equal(await send("USD_RLS", [[0, 190_000_000]]), 0);
  const rising = Array.from({ length: 30 }, (_, i) => [-i, 1_900_000 * 1.39 ** i] as const);
  assert.equal(await createMarket().send("USD_RLS", rising), 4);
});

test("feed rule: createIngest accepts it as the option `rule`", async () => {
  const { rule, observations } = createMarket();
  let now = NOON;
  const ingest = createIngest({ clock: () => at(now), observations, rule });
  const push = (value: number) => ingest([{ code: "USD_RLS", value, businessTime: new Date(now) }]);
  await push(1_900_000);
  now += DAY;
  await push(19_000_000);
  const { value } = await observations.latest(["USD_RLS"]);
  assert.deepEqual([value[0]!.value, await observations.countPending("embedder")], [1_900_000, 1]);
});
