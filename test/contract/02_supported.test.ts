import assert from "node:assert/strict";
import { test } from "node:test";
import { ASSETS, type RawRecord } from "../../core/mod.ts";
import { assertFailure, createWorld, listOf, type Members, objectOf, type World } from "../support/api_under_test.ts";

const PATH = "/api/v1/assets/supported";
const NOW = "2026-11-21T10:00:00.000Z";

async function entriesOf(world: World, query = ""): Promise<readonly Members[]> {
  const reply = await world.ask(PATH + query);
  assert.equal(reply.status, 200, reply.text);
  return listOf(objectOf(reply.json)["assets"]);
}

async function entryOf(world: World, code: string): Promise<Members> {
  const entry = (await entriesOf(world)).find((candidate) => candidate["code"] === code);
  assert.ok(entry, code);
  return entry;
}

test("supported: the answer has the time, the threshold, and every asset once in catalog order: 200", async () => {
  const world = await createWorld();
  const reply = await world.ask(PATH);
  assert.equal(reply.status, 200);
  const { updatedAt, staleThresholdMinutes, assets, ...more } = objectOf(reply.json);
  assert.deepEqual([updatedAt, staleThresholdMinutes, more], [NOW, 60, {}]);
  assert.deepEqual(
    listOf(assets).map((entry) => entry["code"]),
    ASSETS.map(({ code }) => code),
  );
});

test("supported: an entry with data has exactly the contract's fields: 200", async () => {
  const world = await createWorld();
  await world.feed(["BTC_USD", 90_000, "2026-11-01T00:00:00Z"]);
  world.setNow("2026-11-21T09:59:00.125Z");
  await world.feed({
    code: "BTC_USD",
    value: 91_250.5,
    businessTime: "2026-11-21T09:58:00Z",
    sourceTime: "2026-11-21T09:58:30.5Z",
    provider: "EXCHANGE_A",
    qualityMessage: "checked by hand",
  });
  world.setNow(NOW);
  assert.deepEqual(await entryOf(world, "BTC_USD"), {
    code: "BTC_USD",
    baseCode: "BTC",
    category: "CRYPTO",
    labelEn: "Bitcoin / US Dollar",
    labelFa: "بیت\u200cکوین / دلار آمریکا",
    quoteUnit: "USD",
    providers: ["EXCHANGE_A"],
    providerSupported: true,
    latestValueAvailable: true,
    latestValue: 91_250.5,
    businessTime: "2026-11-21T09:58:00.000Z",
    sourceTime: "2026-11-21T09:58:30.500Z",
    insertTime: "2026-11-21T09:59:00.125Z",
    qualityStatus: "ACCEPTED",
    qualityMessage: "checked by hand",
    availabilityStatus: "AVAILABLE",
    stale: false,
    ohlcAvailable: true,
    ohlcAvailableFrom: "2026-11-01T00:00:00.000Z",
  });
});

const WITHOUT_DATA = {
  providers: [],
  providerSupported: false,
  latestValueAvailable: false,
  latestValue: null,
  businessTime: null,
  sourceTime: null,
  insertTime: null,
  qualityStatus: null,
  qualityMessage: "",
  availabilityStatus: "UNAVAILABLE",
  stale: true,
  ohlcAvailable: false,
  ohlcAvailableFrom: null,
};

test("supported: an entry without data has the same fields, as null or empty: 200", async () => {
  const world = await createWorld();
  assert.deepEqual(await entryOf(world, "STOCK_IR"), {
    code: "STOCK_IR",
    baseCode: "STOCK_IR",
    category: "INDEX",
    labelEn: "Tehran Stock Exchange Overall Index / Iranian Rial",
    labelFa: "شاخص کل بورس تهران / ریال ایران",
    quoteUnit: "RLS",
    ...WITHOUT_DATA,
  });
});

const filters: readonly (readonly [query: string, fits: (entry: Members) => boolean])[] = [
  ["", () => true],
  ["?category=FX", (entry) => entry["category"] === "FX"],
  ["?category=CRYPTO", (entry) => entry["category"] === "CRYPTO"],
  ["?quoteUnit=RLS", (entry) => entry["quoteUnit"] === "RLS"],
  ["?category=CRYPTO&quoteUnit=RLS", (entry) => entry["category"] === "CRYPTO" && entry["quoteUnit"] === "RLS"],
  ["?quoteUnit=RLS&category=METAL", () => false],
];
for (const [query, fits] of filters) {
  test(`supported: the filter "${query}" keeps the matching entries, in catalog order: 200`, async () => {
    const world = await createWorld();
    const entries = await entriesOf(world, query);
    assert.ok(entries.every(fits), query);
    assert.deepEqual(
      entries.map((entry) => entry["code"]),
      ASSETS.filter((asset) => fits({ ...asset })).map(({ code }) => code),
    );
  });
}

const refusals = [
  ["an unknown category", "?category=STOCKS", /^category .*FX, CRYPTO, COIN, GOLD, METAL, INDEX.*"STOCKS"/],
  ["an empty category", "?category=", /^category .*CRYPTO/],
  ["an unknown quote unit beside a known category", "?category=FX&quoteUnit=IRR", /^quoteUnit .*RLS, USD.*"IRR"/],
] as const;
for (const [rule, query, message] of refusals) {
  test(`supported: ${rule} is refused, and the message lists the known values: 400`, async () => {
    assert.match(assertFailure(await (await createWorld()).ask(PATH + query), 400, "INVALID_FILTER"), message);
  });
}

const HOUR_AGO = "2026-11-21T09:00:00.000Z";
const edges = [
  ["slightly ahead of the clock is fresh", 60, "2026-11-21T10:05:00.000Z", false],
  ["exactly as old as the threshold is fresh", 60, HOUR_AGO, false],
  ["1 ms older than the threshold is stale", 60, "2026-11-21T08:59:59.999Z", true],
  ["1 ms older than a threshold of 5 minutes is stale", 5, "2026-11-21T09:54:59.999Z", true],
] as const;
for (const [rule, staleThresholdMinutes, businessTime, stale] of edges) {
  test(`supported: a record ${rule}, until a newer one arrives: 200`, async () => {
    const world = await createWorld({ staleThresholdMinutes });
    await world.feed(["USD_RLS", 1, businessTime]);
    assert.equal((await entryOf(world, "USD_RLS"))["stale"], stale);
    assert.equal(objectOf((await world.ask(PATH)).json)["staleThresholdMinutes"], staleThresholdMinutes);
    world.setNow("2026-11-21T12:00:00Z");
    assert.equal((await entryOf(world, "USD_RLS"))["stale"], true);
    await world.feed(["USD_RLS", 2, "2026-11-21T12:00:00Z"]);
    assert.equal((await entryOf(world, "USD_RLS"))["stale"], false);
  });
}

function from(provider: string, minute: string, more: RawRecord = {}): RawRecord {
  return { code: "USD_RLS", value: 1, businessTime: `2026-11-21T09:${minute}:00Z`, provider, ...more };
}
const coverages: readonly (readonly [rule: string, records: readonly RawRecord[], providers: readonly string[]])[] = [
  ["each provider is listed once, sorted by name", [from("B", "01"), from("A", "02"), from("B", "03")], ["A", "B"]],
  ["a record without a provider adds none", [from("A", "01"), from("", "02")], ["A"]],
  ["pending records list no provider", [from("A", "01"), from("B", "02", { qualityStatus: "PENDING" })], ["A"]],
  ["a provider is removed when another one corrects its only record", [from("A", "01"), from("B", "01")], ["B"]],
  [
    "retracting a provider's only record removes it",
    [from("A", "01"), from("B", "02"), from("B", "02", { qualityStatus: "REJECTED" })],
    ["A"],
  ],
  ["a provider with another record stays", [from("A", "01"), from("A", "02"), from("B", "02")], ["A", "B"]],
];
for (const [rule, records, providers] of coverages) {
  test(`supported: ${rule}: 200`, async () => {
    const world = await createWorld();
    for (const record of records) await world.feed(record);
    const entry = await entryOf(world, "USD_RLS");
    assert.deepEqual([entry["providers"], entry["providerSupported"]], [providers, true]);
    const other = await entryOf(world, "EUR_RLS");
    assert.deepEqual([other["providers"], other["providerSupported"]], [[], false]);
  });
}

test("supported: a correction replaces every field of the record; members that it lacks become empty: 200", async () => {
  const world = await createWorld({}, "2026-11-21T09:31:00Z");
  await world.feed(from("A", "30", { value: 100, sourceTime: "2026-11-21T09:30:10Z", qualityMessage: "late" }));
  world.setNow(NOW);
  await world.feed(["USD_RLS", 90, "2026-11-21T09:30:00Z"]);
  const wanted = {
    latestValue: 90,
    businessTime: "2026-11-21T09:30:00.000Z",
    sourceTime: "2026-11-21T09:30:00.000Z",
    insertTime: NOW,
    providers: [],
    providerSupported: false,
    qualityMessage: "",
  };
  const entry = await entryOf(world, "USD_RLS");
  assert.deepEqual(entry, { ...entry, ...wanted });
});

test("supported: candles are available from the earliest accepted record, even if it arrived late: 200", async () => {
  const world = await createWorld();
  const availableFrom = async (): Promise<unknown> => {
    const time = (await entryOf(world, "USD_RLS"))["ohlcAvailableFrom"];
    const range = "interval=1d&from=2026-11-21T00:00Z&to=2026-11-22T00:00Z";
    assert.equal((await world.ask(`/api/v1/assets/USD_RLS/ohlc?${range}`)).json["availableFrom"], time);
    return time;
  };
  await world.feed(["USD_RLS", 1, "2026-11-21T09:00:00Z"]);
  assert.equal(await availableFrom(), "2026-11-21T09:00:00.000Z");
  await world.feed(["USD_RLS", 2, "2020-01-01T00:00:00Z"]);
  assert.equal(await availableFrom(), "2020-01-01T00:00:00.000Z");
  await world.feed({ code: "USD_RLS", value: 2, businessTime: "2020-01-01T00:00:00Z", qualityStatus: "REJECTED" });
  assert.equal(await availableFrom(), "2026-11-21T09:00:00.000Z");
  await world.feed({ code: "USD_RLS", value: 2, businessTime: "2019-01-01T00:00:00Z", qualityStatus: "PENDING" });
  assert.equal(await availableFrom(), "2026-11-21T09:00:00.000Z");
});

// USD_RLS on all routes. A record that is not accepted must not be visible on any of them.
function quote(minute: string, value: number, qualityStatus = "ACCEPTED"): RawRecord {
  return { code: "USD_RLS", value, businessTime: `2026-11-21T09:${minute}:00Z`, qualityStatus };
}
const lives: readonly (readonly [rule: string, records: readonly RawRecord[], publicValues: readonly number[]])[] = [
  ["a pending record is not public", [quote("10", 100, "PENDING")], []],
  ["a later pending record does not hide the accepted one", [quote("10", 100), quote("20", 200, "PENDING")], [100]],
  ["a pending record becomes public when it is accepted", [quote("10", 100, "PENDING"), quote("10", 110)], [110]],
  [
    "retracting the latest makes the previous one the latest again",
    [quote("10", 100), quote("20", 200), quote("20", 200, "REJECTED")],
    [100],
  ],
  ["retracting the only record leaves none", [quote("10", 100), quote("10", 100, "REJECTED")], []],
  ["accepting a retracted record restores it", [quote("10", 9), quote("10", 9, "REJECTED"), quote("10", 105)], [105]],
  ["retracting a record that never existed changes nothing", [quote("10", 100), quote("15", 1, "REJECTED")], [100]],
];
for (const [rule, records, publicValues] of lives) {
  test(`accepted records only: ${rule}: ${publicValues.length > 0 ? 200 : 404}`, async () => {
    const world = await createWorld();
    for (const record of records) await world.feed(record);
    const last = publicValues.at(-1);
    const entry = await entryOf(world, "USD_RLS");
    const withData = {
      availabilityStatus: "AVAILABLE",
      qualityStatus: "ACCEPTED",
      latestValue: last,
      latestValueAvailable: true,
      stale: false,
      ohlcAvailable: true,
    };
    assert.deepEqual(entry, { ...entry, ...(last === undefined ? WITHOUT_DATA : withData) });

    const base = "/api/v1/assets/USD_RLS";
    const candles = `${base}/ohlc?interval=1h&from=2026-11-21T00:00Z&to=2026-11-22T00:00Z`;
    const history = await world.ask(`${base}/history?from=2026-11-21&to=2026-11-21`);
    assert.deepEqual(
      listOf(history.json).map((record) => record["value"]),
      last === undefined ? [] : [last],
    );
    for (const path of ["/api/v1/assets", "/api/v1/assets?codes=USD_RLS", base, `${base}/2026-11-21`, candles]) {
      const reply = await world.ask(path);
      if (last === undefined) {
        assertFailure(reply, 404, path === candles ? "OHLC_NOT_FOUND" : "ASSET_NOT_FOUND");
        continue;
      }
      const answer: unknown = reply.json;
      const records = path === candles ? objectOf(answer)["candles"] : answer;
      const record = Array.isArray(records) ? listOf(records)[0] : objectOf(records);
      assert.equal(record?.[path === candles ? "close" : "value"], last, path);
      if (path === candles) assert.equal(record["observationCount"], publicValues.length);
    }
  });
}

test("assets and supported: an operator's own catalog determines the codes and their order: 200", async () => {
  const [usd, eur] = ASSETS;
  const world = await createWorld({ assets: [eur!, usd!] });
  await world.feed(["USD_RLS", 1, HOUR_AGO], ["EUR_RLS", 2, HOUR_AGO]);
  for (const entries of [await entriesOf(world), listOf((await world.ask("/api/v1/assets")).json)])
    assert.deepEqual(
      entries.map((entry) => entry["code"]),
      ["EUR_RLS", "USD_RLS"],
    );
  assert.deepEqual(await entriesOf(world, "?category=CRYPTO"), []);
  assertFailure(await world.ask("/api/v1/assets?codes=BTC_USD"), 400, "INVALID_CODES");
});
