// The calls of createPrices return the same values and failures as the routes.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ASSETS,
  type AssetCode,
  createPrices,
  defineAsset,
  type Observations,
  PriceError,
  Unavailable,
} from "../../../core/mod.ts";
import { createWorld, listOf } from "../../support/api_under_test.ts";
import { assertAsRoute, callerOf, LONG_CASES, PRICE_CASES, PRICE_RECORDS } from "../../support/price_cases.ts";

const world = await createWorld();
await world.feed(...PRICE_RECORDS);
const prices = createPrices({ clock: world.now, observations: world.store.observations });
const caller = callerOf(prices, createPrices<string>({ clock: world.now, observations: world.store.observations }));

for (const [call, made, target, part] of [...PRICE_CASES, ...LONG_CASES]) {
  test(`prices: ${call} returns the same as GET ${target}`, async () => {
    assertAsRoute(await made(caller).catch((error: unknown) => error), await world.ask(target), part);
  });
}

test("prices: onOrBefore returns the last record up to a day, and its change since the previous day with a record", async () => {
  const [before, last] = [await prices.on("USD_RLS", "2026-11-19"), await prices.on("USD_RLS", "2026-11-21")];
  const change = { previous: before, change: -1_518, changePercent: -0.0796850393701 };
  for (const date of ["2026-11-21", "2026-11-30", "2026-12-20"])
    assert.deepEqual(await prices.onOrBefore("USD_RLS", date), { ...last, ...change }, date);
  const alone = { previous: undefined, change: undefined, changePercent: undefined };
  assert.deepEqual(await prices.onOrBefore("USD_RLS", "2026-11-20"), { ...before, ...alone });
  assert.deepEqual(await prices.onOrBefore("USD_RLS", "2026-12-22"), { ...last, ...alone }, "in 32 days");
});

test("prices: fields are in the route's order, so their JSON is the same", async () => {
  const bodies = [
    [await prices.latest("USD_RLS"), "/api/v1/assets/USD_RLS"],
    [await prices.latestOf(["BTC_USD", "USD_RLS"]), "/api/v1/assets?codes=BTC_USD,USD_RLS"],
  ] as const;
  for (const [values, target] of bodies) assert.equal(JSON.stringify(values), (await world.ask(target)).text);
  const { json } = await world.ask("/api/v1/assets/supported?category=INDEX");
  const [entry] = listOf(json["assets"]);
  assert.deepEqual(Object.keys((await prices.catalog({ category: "INDEX" }))[0]!), Object.keys(entry!));
});

test("prices: isCode accepts exactly the codes of the catalog", () => {
  const known = ["USD_RLS", "usd_rls", "ZZZ_USD", ""].map((text) => prices.isCode(text));
  assert.deepEqual(known, [true, false, false, false]);
});

test("prices: settings work like those of the API", async () => {
  const krone = defineAsset({ code: "ZZZ_USD", category: "FX", nameEn: "Norwegian Krone", nameFa: "کرون نروژ" });
  const settings = { assets: [...ASSETS, krone], marketTimeZone: "UTC", staleThresholdMinutes: 5, maxCandles: 3 };
  const other = await createWorld(settings);
  await other.feed(["ZZZ_USD", 0.1, "2026-11-20T22:00:00Z"], ["USD_RLS", 1, "2026-11-21T09:54:59Z"]);
  const { now: clock, store } = other;
  const own = createPrices<AssetCode | "ZZZ_USD">({ ...settings, clock, observations: store.observations });
  assert.equal((await own.on("ZZZ_USD", "2026-11-20")).labelEn, "Norwegian Krone / US Dollar");
  for (const { code, stale } of await own.catalog()) assert.ok(stale, code);
  const range = { interval: "1h", from: "2026-11-20T00:00Z", to: "2026-11-20T04:00Z" } as const;
  await assert.rejects(own.candles("ZZZ_USD", range), { code: "INVALID_OHLC_RANGE", status: 400 });
});

test("prices: calls do not read the store's version, which may cost a round trip", async () => {
  const observations: Observations = { ...world.store.observations, version: () => assert.fail("asked for a version") };
  const calls = createPrices({ clock: world.now, observations });
  await Promise.all([calls.latest("USD_RLS"), calls.latestOf(), calls.on("USD_RLS", "2026-11-19"), calls.catalog()]);
});

test("prices: an unavailable store fails as in the API, with retryAfterSeconds and the cause", async () => {
  const outage = new Unavailable("no database", 7);
  const down = (): Promise<never> => Promise.reject(outage);
  const { version } = world.store.observations;
  const observations = { latest: down, coverage: down, lastOfEach: down, candles: down, version };
  const prices = createPrices({ clock: world.now, observations });
  const range = { interval: "1h", from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" } as const;
  const calls = [
    prices.latest("BTC_USD"),
    prices.latestOf(),
    prices.on("BTC_USD", "2026-01-01"),
    prices.history("BTC_USD", "2026-01-01", "2026-01-02"),
    prices.candles("BTC_USD", range),
    prices.catalog(),
  ];
  for (const error of await Promise.all(calls.map((call) => call.catch((thrown: unknown) => thrown)))) {
    assert.ok(error instanceof PriceError, String(error));
    const { code, status, retryAfterSeconds, cause } = error;
    assert.deepEqual([code, status, retryAfterSeconds, cause], ["UNAVAILABLE", 503, 7, outage]);
  }
});
