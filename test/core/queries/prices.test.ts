// The calls of createPrices give the same values and the same failures as the routes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ASSETS, createPrices, defineAsset, PriceError, Unavailable } from "../../../core/mod.ts";
import type { AssetCode, Observations, Prices } from "../../../core/mod.ts";
import { createMemoryStore } from "../../../adapters/memory_store.ts";
import { assertFailure, createWorld, listOf, objectOf } from "../../support/world.ts";

const world = await createWorld();
await world.feed(
  ["USD_RLS", 1_900_000, "2026-11-19T08:00:00Z"],
  ["USD_RLS", 1_905_000, "2026-11-19T20:00:00Z"],
  ["USD_RLS", 1_903_482, "2026-11-21T09:50:00Z"],
  ["BTC_USD", 83_125.4, "2026-11-20T09:45:00Z"],
  { code: "SHIB_USD", value: 9.8e-7, businessTime: "2026-11-21T09:59:59.123Z", sourceTime: "2026-11-21T09:59:58Z", provider: "desk", qualityMessage: '"latestValue":1' },
);
const prices = createPrices({ clock: world.now, observations: world.store.observations });
// A program without types can ask for anything, so these tests do.
const untyped = createPrices<string>({ clock: world.now, observations: world.store.observations }) as {
  readonly [Name in keyof Omit<Prices, "isCode">]: (...given: readonly unknown[]) => Promise<unknown>;
};

const asked: readonly (readonly [call: string, made: () => Promise<unknown>, target: string, part?: string])[] = [
  ["latest", () => prices.latest("USD_RLS"), "/api/v1/assets/USD_RLS"],
  ["latest of a tiny value", () => prices.latest("SHIB_USD"), "/api/v1/assets/SHIB_USD"],
  ["latest of an asset without a record", () => prices.latest("EUR_RLS"), "/api/v1/assets/EUR_RLS"],
  ["latest of an unknown code", () => untyped.latest("USD_RLX"), "/api/v1/assets/USD_RLX"],
  ["latest of a code in another case", () => untyped.latest("usd_rls"), "/api/v1/assets/usd_rls"],
  ["latestOf all", () => prices.latestOf(), "/api/v1/assets"],
  ["latestOf some, in another order and one twice", () => prices.latestOf(["BTC_USD", "USD_RLS", "BTC_USD"]), "/api/v1/assets?codes=BTC_USD,USD_RLS,BTC_USD"],
  ["latestOf some without a record", () => prices.latestOf(["EUR_RLS", "BTC_USD"]), "/api/v1/assets?codes=EUR_RLS,BTC_USD"],
  ["latestOf none with a record", () => prices.latestOf(["EUR_RLS"]), "/api/v1/assets?codes=EUR_RLS"],
  ["latestOf nothing", () => prices.latestOf([]), "/api/v1/assets?codes="],
  ["latestOf an empty code", () => untyped.latestOf(["USD_RLS", ""]), "/api/v1/assets?codes=USD_RLS,"],
  ["latestOf an unknown code", () => untyped.latestOf(["USD_RLX"]), "/api/v1/assets?codes=USD_RLX"],
  ["on", () => prices.on("USD_RLS", "2026-11-19"), "/api/v1/assets/USD_RLS/2026-11-19"],
  ["on a day without a record", () => prices.on("USD_RLS", "2026-11-18"), "/api/v1/assets/USD_RLS/2026-11-18"],
  ["on no day", () => prices.on("USD_RLS", "2026-02-30"), "/api/v1/assets/USD_RLS/2026-02-30"],
  ["history", () => prices.history("USD_RLS", "2026-11-01", "2026-11-30"), "/api/v1/assets/USD_RLS/history?from=2026-11-01&to=2026-11-30"],
  ["history without a record", () => prices.history("EUR_RLS", "2026-11-01", "2026-11-30"), "/api/v1/assets/EUR_RLS/history?from=2026-11-01&to=2026-11-30"],
  ["history of 32 days", () => prices.history("USD_RLS", "2026-10-01", "2026-11-02"), "/api/v1/assets/USD_RLS/history?from=2026-10-01&to=2026-11-02"],
  ["history that runs backwards", () => prices.history("USD_RLS", "2026-11-02", "2026-11-01"), "/api/v1/assets/USD_RLS/history?from=2026-11-02&to=2026-11-01"],
  ["history without an end", () => untyped.history("USD_RLS", "2026-11-02"), "/api/v1/assets/USD_RLS/history?from=2026-11-02"],
  [
    "candles", () => prices.candles("USD_RLS", { interval: "4h", from: "2026-11-19T00:00Z", to: "2026-11-22T00:00:00Z" }),
    "/api/v1/assets/USD_RLS/ohlc?interval=4h&from=2026-11-19T00:00Z&to=2026-11-22T00:00:00Z", "candles",
  ],
  [
    "candles between two Dates", () => prices.candles("USD_RLS", { interval: "1d", from: new Date(Date.UTC(2026, 10, 19)), to: new Date(Date.UTC(2026, 10, 22)) }),
    "/api/v1/assets/USD_RLS/ohlc?interval=1d&from=2026-11-19T00:00Z&to=2026-11-22T00:00:00Z", "candles",
  ],
  [
    "candles where there are none", () => prices.candles("EUR_RLS", { interval: "1h", from: "2026-11-19T00:00Z", to: "2026-11-22T00:00:00Z" }),
    "/api/v1/assets/EUR_RLS/ohlc?interval=1h&from=2026-11-19T00:00Z&to=2026-11-22T00:00:00Z",
  ],
  [
    "candles of an unknown interval", () => untyped.candles("USD_RLS", { interval: "2h", from: "2026-11-19T00:00Z", to: "2026-11-22T00:00Z" }),
    "/api/v1/assets/USD_RLS/ohlc?interval=2h&from=2026-11-19T00:00Z&to=2026-11-22T00:00Z",
  ],
  [
    "candles from no moment", () => prices.candles("USD_RLS", { interval: "1h", from: new Date(NaN), to: "2026-11-22T00:00Z" }),
    "/api/v1/assets/USD_RLS/ohlc?interval=1h&from=Invalid%20Date&to=2026-11-22T00:00Z",
  ],
  [
    "a candle that ends at this very moment", () => prices.candles("USD_RLS", { interval: "1h", from: "2026-11-21T09:00Z", to: "2026-11-21T10:00Z" }),
    "/api/v1/assets/USD_RLS/ohlc?interval=1h&from=2026-11-21T09:00Z&to=2026-11-21T10:00Z", "candles",
  ],
  ["candles without times", () => untyped.candles("USD_RLS", { interval: "1h" }), "/api/v1/assets/USD_RLS/ohlc?interval=1h"],
  [
    "candles of an empty range", () => prices.candles("USD_RLS", { interval: "1h", from: "2026-11-22T00:00Z", to: "2026-11-22T00:00Z" }),
    "/api/v1/assets/USD_RLS/ohlc?interval=1h&from=2026-11-22T00:00Z&to=2026-11-22T00:00Z",
  ],
  [
    "more candles than allowed", () => prices.candles("USD_RLS", { interval: "15m", from: "2020-11-22T00:00Z", to: "2026-11-22T00:00Z" }),
    "/api/v1/assets/USD_RLS/ohlc?interval=15m&from=2020-11-22T00:00Z&to=2026-11-22T00:00Z",
  ],
  ["catalog", () => prices.catalog(), "/api/v1/assets/supported", "assets"],
  ["catalog of a category in a unit", () => prices.catalog({ category: "CRYPTO", quoteUnit: "USD" }), "/api/v1/assets/supported?category=CRYPTO&quoteUnit=USD", "assets"],
  ["catalog of an unknown category", () => untyped.catalog({ category: "BOND" }), "/api/v1/assets/supported?category=BOND"],
  ["catalog of an unknown unit", () => untyped.catalog({ quoteUnit: "EUR" }), "/api/v1/assets/supported?quoteUnit=EUR"],
];
for (const [call, made, target, part] of asked) {
  test(`prices: ${call}: as GET ${target}`, async () => {
    const reply = await world.ask(target);
    const outcome = await made().catch((error: unknown) => error);
    if (reply.status === 200) {
      const body: unknown = JSON.parse(reply.text);
      assert.deepEqual(outcome, part === undefined ? body : objectOf(body)[part]);
      return;
    }
    assert.ok(outcome instanceof PriceError, String(outcome));
    assert.equal(outcome.name, "PriceError");
    assert.equal(outcome.message, assertFailure(reply, outcome.status, outcome.code));
  });
}

test("prices: fields have the order of the route's, so that JSON made of them is the same", async () => {
  const bodies = [
    [await prices.latest("USD_RLS"), "/api/v1/assets/USD_RLS"],
    [await prices.latestOf(["BTC_USD", "USD_RLS"]), "/api/v1/assets?codes=BTC_USD,USD_RLS"],
  ] as const;
  for (const [values, target] of bodies) assert.equal(JSON.stringify(values), (await world.ask(target)).text);
  const [entry] = listOf(objectOf(JSON.parse((await world.ask("/api/v1/assets/supported?category=INDEX")).text))["assets"]);
  assert.deepEqual(Object.keys((await prices.catalog({ category: "INDEX" }))[0]!), Object.keys(entry!));
});

test("prices: the catalog gives the business time as source time where a record names none", async () => {
  const entries = new Map((await prices.catalog()).map((entry) => [entry.code, entry.sourceTime]));
  assert.deepEqual(
    [entries.get("USD_RLS"), entries.get("SHIB_USD"), entries.get("EUR_RLS")],
    ["2026-11-21T09:50:00.000Z", "2026-11-21T09:59:58.000Z", null],
  );
});

test("prices: isCode is true for the codes of the catalog", () => {
  assert.deepEqual(["USD_RLS", "usd_rls", "NOK_USD", ""].map((text) => prices.isCode(text)), [true, false, false, false]);
});

test("prices: settings mean what they mean for the API", async () => {
  const krone = defineAsset({ code: "NOK_USD", category: "FX", nameEn: "Norwegian Krone", nameFa: "کرون نروژ" });
  const settings = { assets: [...ASSETS, krone], marketTimeZone: "UTC", staleThresholdMinutes: 5, maxCandles: 3 };
  const other = await createWorld(settings);
  await other.feed(["NOK_USD", 0.1, "2026-11-20T22:00:00Z"], ["USD_RLS", 1, "2026-11-21T09:54:59Z"]);
  const own = createPrices<AssetCode | "NOK_USD">({ ...settings, clock: other.now, observations: other.store.observations });
  assert.equal((await own.on("NOK_USD", "2026-11-20")).labelEn, "Norwegian Krone / US Dollar");
  assert.deepEqual((await own.catalog()).filter(({ stale }) => !stale), []);
  await assert.rejects(own.candles("NOK_USD", { interval: "1h", from: "2026-11-20T00:00Z", to: "2026-11-20T04:00Z" }), { code: "INVALID_OHLC_RANGE", status: 400 });
});

test("prices: a setting that is not possible throws at once", () => {
  assert.throws(() => createPrices({ clock: world.now, observations: world.store.observations, maxCandles: 0 }), RangeError);
});

test("prices: errors of the store are passed on", async () => {
  const failing: Observations = {
    ...createMemoryStore().observations,
    latest: () => Promise.reject(new Unavailable("the disk takes no more")),
  };
  await assert.rejects(createPrices({ clock: world.now, observations: failing }).latest("USD_RLS"), Unavailable);
});

test("prices: calls do not ask the store for a version, which may cost a round trip", async () => {
  const observations: Observations = { ...world.store.observations, version: () => assert.fail("asked for a version") };
  const calls = createPrices({ clock: world.now, observations });
  await Promise.all([calls.latest("USD_RLS"), calls.latestOf(), calls.on("USD_RLS", "2026-11-19"), calls.catalog()]);
});
