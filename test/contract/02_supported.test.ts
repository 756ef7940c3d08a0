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

function quote(minute: string, value: number, qualityStatus = "ACCEPTED"): RawRecord {
  return { code: "USD_RLS", value, businessTime: `2026-11-21T09:${minute}:00Z`, qualityStatus };
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

test("supported: an entry without data has the same fields, but null or empty: 200", async () => {
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

const filters: readonly { readonly category?: string; readonly quoteUnit?: string }[] = [
  { category: "FX" },
  { category: "CRYPTO" },
  { quoteUnit: "RLS" },
  { category: "CRYPTO", quoteUnit: "RLS" },
  { quoteUnit: "RLS", category: "METAL" },
];
for (const filter of filters) {
  const query = String(new URLSearchParams(filter));
  test(`supported: the filter ${query} keeps the matching entries, in catalog order: 200`, async () => {
    const { category, quoteUnit } = filter;
    const wanted = ASSETS.filter(
      (asset) => asset.category === (category ?? asset.category) && asset.quoteUnit === (quoteUnit ?? asset.quoteUnit),
    );
    assert.deepEqual(
      (await entriesOf(await createWorld(), `?${query}`)).map(({ code }) => code),
      wanted.map(({ code }) => code),
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
  ["a record slightly ahead of the clock is fresh", 60, "2026-11-21T10:05:00.000Z", false],
  ["a record that is exactly as old as the threshold is fresh", 60, HOUR_AGO, false],
  ["a record 1 ms older than the threshold is stale", 60, "2026-11-21T08:59:59.999Z", true],
  ["a record 1 ms older than a threshold of 5 minutes is stale", 5, "2026-11-21T09:54:59.999Z", true],
] as const;
for (const [rule, staleThresholdMinutes, businessTime, stale] of edges) {
  test(`supported: ${rule}; two hours later it is stale, until a newer record arrives: 200`, async () => {
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

test("supported: the entry of an asset lists each provider of its accepted records once, sorted by name: 200", async () => {
  const world = await createWorld();
  const none = await entryOf(world, "EUR_RLS");
  for (const [provider, minute, qualityStatus] of [
    ["B", "01"],
    ["A", "02"],
    ["B", "03"],
    ["", "04"],
    ["C", "05", "PENDING"],
  ] as const)
    await world.feed({ ...quote(minute, 1, qualityStatus), provider });
  const entry = await entryOf(world, "USD_RLS");
  assert.deepEqual([entry["providers"], entry["providerSupported"]], [["A", "B"], true]);
  assert.deepEqual(await entryOf(world, "EUR_RLS"), none);
});

test("supported: a correction replaces every field of the record; members that the correction lacks become empty: 200", async () => {
  const world = await createWorld({}, "2026-11-21T09:31:00Z");
  const more = { provider: "A", sourceTime: "2026-11-21T09:30:10Z", qualityMessage: "late" };
  await world.feed({ ...quote("30", 100), ...more });
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

// A record that is not accepted must not be visible on any route.
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
    const history = await world.ask(`${base}/history?from=2026-11-21&to=2026-11-21`);
    assert.deepEqual(
      listOf(history.json).map((record) => record["value"]),
      last === undefined ? [] : [last],
    );
    const candles = await world.ask(`${base}/ohlc?interval=1h&from=2026-11-21T00:00Z&to=2026-11-22T00:00Z`);
    const lists = [await world.ask("/api/v1/assets"), await world.ask("/api/v1/assets?codes=USD_RLS")];
    const singles = [await world.ask(base), await world.ask(`${base}/2026-11-21`)];
    if (last === undefined) {
      for (const reply of [...lists, ...singles]) assertFailure(reply, 404, "ASSET_NOT_FOUND");
      assertFailure(candles, 404, "OHLC_NOT_FOUND");
      return;
    }
    for (const { json } of lists) assert.equal(listOf(json)[0]?.["value"], last);
    for (const { json } of singles) assert.equal(json["value"], last);
    const [candle] = listOf(candles.json["candles"]);
    assert.deepEqual([candle?.["close"], candle?.["observationCount"]], [last, publicValues.length]);
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
