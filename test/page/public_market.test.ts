// What everybody can see in a public market. Other routes still need a key.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { MarketSummary, PastDaySummary } from "../../adapters/page/market_summary.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import { ASSETS, defineAsset, Unavailable } from "../../core/mod.ts";
import { assertFailure, type Reply } from "../support/api_under_test.ts";
import { type PageWorldSettings, pageWorld } from "./page_world.ts";

const NOW = Date.parse("2026-11-21T10:00:00Z");
const RECORDS = [
  ["USD_RLS", 1_900_000, "2026-11-20T10:00:00Z"],
  ["USD_RLS", 1_905_000, "2026-11-21T09:30:00Z"],
  ["BTC_USD", 83_125.4, "2026-11-21T09:45:00Z"],
] as const;

/** A public market with `RECORDS`, or without records if `settings` has its own catalog. */
async function marketWorld(settings: PageWorldSettings = {}) {
  const { open: ask, ...world } = await pageWorld({ publicMarket: true, ...settings }, new Date(NOW).toISOString());
  if (!settings.assets) await world.feed(...RECORDS);
  const later = (ms: number): void => world.setNow(new Date(NOW + ms).toISOString());
  return { ...world, world, ask, later };
}

async function dollarOf(reply: Reply): Promise<number | undefined> {
  return (reply.json as unknown as MarketSummary).assets.find(({ code }) => code === "USD_RLS")?.value;
}

const CHARTS = [
  "/api/v1/assets/supported?category=FX",
  "/api/v1/assets/USD_RLS/history?from=2026-11-01&to=2026-11-21",
  "/api/v1/assets/USD_RLS/2026-11-20",
  "/api/v1/assets/USD_RLS/ohlc?interval=1d&from=2026-11-01T00:00:00Z&to=2026-11-22T00:00:00Z",
  "/api/v1/assets/BTC_USD",
  // These requests cause the same errors as in the API.
  "/api/v1/assets/USD_RLS/history?from=2026-01-01&to=2026-11-21",
  "/api/v1/assets/USD_RLS/history",
  "/api/v1/assets/NO_SUCH/2026-11-20",
  "/api/v1/assets/EUR_RLS",
  "/api/v1/assets/USD_RLS/ohlc?interval=7d&from=2026-11-01T00:00:00Z&to=2026-11-22T00:00:00Z",
  "/api/v1/assets/USD_RLS/ohlc?interval=15m&from=1900-01-01T00:00:00Z&to=2026-11-22T00:00:00Z",
];
test("public market: requests for charts and days get the same answers as from the API, but need no key", async () => {
  const { world, ask } = await marketWorld();
  for (const path of CHARTS) {
    const [keyed, open] = [await world.ask(path), await ask(`/docs${path}`)];
    const { timestamp: _at, requestId: _id, path: _path, ...stated } = keyed.json;
    assert.equal(open.status, keyed.status, path);
    for (const [name, value] of Object.entries(stated)) assert.deepEqual(open.json[name], value, `${path}: ${name}`);
    assert.equal(open.headers["X-RateLimit-Remaining"], undefined);
    assertFailure(await ask(path), 401, "API_KEY_MISSING");
  }
});

test("public market: its routes are closed unless the public market is switched on: 401, 404", async () => {
  const { ask } = await marketWorld({ publicMarket: false });
  assertFailure(await ask("/docs/market"), 401, "API_KEY_MISSING");
  for (const path of ["/docs/market.csv", ...CHARTS.map((chart) => `/docs${chart}`)])
    assertFailure(await ask(path), 404, "ROUTE_NOT_FOUND");
});

test("public market: a new price appears after half a minute, and until then the store is not asked", async () => {
  const { feed, ask, later } = await marketWorld();
  const seen = async (): Promise<readonly unknown[]> => [
    await dollarOf(await ask("/docs/market")),
    (await ask(`/docs/api/v1/assets/USD_RLS?x=${Math.random()}`)).json["value"], // no route reads `x`
  ];
  assert.deepEqual(await seen(), [1_905_000, 1_905_000]);
  await feed(["USD_RLS", 1_911_500, "2026-11-21T09:59:00Z"]);
  later(29_999);
  assert.deepEqual(await seen(), [1_905_000, 1_905_000]);
  later(30_000);
  assert.deepEqual(await seen(), [1_911_500, 1_911_500]);
  later(-60_000); // the clock was set back
  assert.deepEqual(await seen(), [1_911_500, 1_911_500]);
});

test("public market: charts and days show a correction of an old value as soon as the market's answer includes it", async () => {
  const { feed, ask, later } = await marketWorld();
  const version = async (): Promise<unknown> =>
    ((await ask("/docs/market")).json as unknown as MarketSummary).assets.find(({ code }) => code === "USD_RLS")!
      .version;
  const before = await version();
  later(20_000);
  const day = "/docs/api/v1/assets/USD_RLS/2026-11-20";
  assert.equal((await ask(day)).json["value"], 1_900_000);
  await feed(["USD_RLS", 1_899_000, "2026-11-20T10:00:00Z"]);
  later(31_000); // without a new version, the day's answer would be kept for 19 more seconds
  assert.notEqual(await version(), before);
  assert.equal((await ask(day)).json["value"], 1_899_000);
});

test("public market: an answer takes one call to the store for the latest records, and two for each asset that has changed", async () => {
  const { observations } = createMemoryStore();
  const calls: string[] = [];
  const counted: typeof observations = {
    ...observations,
    latest(codes) {
      calls.push("latest");
      return observations.latest(codes);
    },
    lastOfEach(code, edges) {
      calls.push(`days ${code}`);
      return observations.lastOfEach(code, edges);
    },
    candles(code, window, widthMs) {
      calls.push(`candles ${code}`);
      return observations.candles(code, window, widthMs);
    },
  };
  const { ask, later, feed } = await marketWorld({ observations: counted });
  const callsOf = async (path: string): Promise<readonly string[]> => {
    calls.splice(0);
    await ask(path);
    return calls.toSorted();
  };
  assert.deepEqual(await callsOf("/docs/market"), [
    "candles BTC_USD",
    "candles USD_RLS",
    "days BTC_USD",
    "days USD_RLS",
    "latest",
  ]);
  assert.deepEqual(await callsOf("/docs/market.csv"), []);
  later(30_000);
  await feed(["BTC_USD", 83_200, "2026-11-21T09:59:00Z"]);
  assert.deepEqual(await callsOf("/docs/market"), ["candles BTC_USD", "days BTC_USD", "latest"]);
  later(24 * 3_600_000); // another day
  assert.deepEqual(await callsOf("/docs/market"), ["days BTC_USD", "days USD_RLS", "latest"]);
});

test("public market: while the store hangs, one request waits for it; the others get the last answer at once, for up to five minutes: 200, 503", async () => {
  const { observations } = createMemoryStore();
  let hangs = false;
  const stuck: ((error: Error) => void)[] = [];
  const slow: typeof observations = {
    ...observations,
    latest: (codes) => (hangs ? new Promise((_done, fail) => stuck.push(fail)) : observations.latest(codes)),
  };
  const { ask, later } = await marketWorld({ observations: slow });
  const first = await ask("/docs/market");
  hangs = true;
  later(31_000);
  const waiting = ask("/docs/market");
  const others = await Promise.all([ask("/docs/market"), ask("/docs/market.csv")]);
  assert.deepEqual([others.map(({ status }) => status), others[0].text, stuck.length], [[200, 200], first.text, 1]);
  stuck.pop()!(new Unavailable("the deadline"));
  assert.equal((await waiting).text, first.text, "the last answer, with its time");
  later(301_000);
  const late = ask("/docs/market");
  while (stuck.length === 0) await new Promise(setImmediate);
  stuck.pop()!(new Unavailable("the deadline"));
  assertFailure(await late, 503, "UNAVAILABLE");
});

test("public market: the table for spreadsheets has a row for each price, and no name becomes two cells or a formula: 200", async () => {
  const plain = await marketWorld();
  const { headers, text } = await plain.ask("/docs/market.csv");
  assert.equal(headers["Content-Type"], "text/csv; charset=utf-8");
  assert.equal(
    text,
    [
      "code,name,unit,value,time,change",
      "USD_RLS,US Dollar,RLS,1905000,2026-11-21T09:30:00.000Z,0.002632",
      "BTC_USD,Bitcoin,USD,83125.4,2026-11-21T09:45:00.000Z,",
      "",
    ].join("\n"),
  );
  const assets = [
    defineAsset({ code: "A_USD", category: "FX", nameEn: '=IMPORTXML("http://a.example"),b', nameFa: "ب" }),
  ];
  const { feed, ask } = await marketWorld({ assets });
  await feed(["A_USD", 1e-9, "2026-11-21T09:30:00Z"]);
  assert.equal(
    (await ask("/docs/market.csv")).text.split("\n")[1],
    `A_USD,"'=IMPORTXML(""http://a.example""),b",USD,0.000000001,2026-11-21T09:30:00.000Z,`,
  );
});

test("past day: each asset has its last record on the day, if there is one, and its last record before the day: 200", async () => {
  const { feed, ask } = await marketWorld();
  await feed(
    ["USD_RLS", 1_880_000, "2026-11-18T09:00:00Z"],
    ["USD_RLS", 1_890_000, "2026-11-19T20:29:59.999Z"], // the end of the 19th in Tehran
    ["USD_RLS", 1_899_000, "2026-11-19T20:30:00Z"],
    ["EUR_RLS", 2_200_000, "2019-03-20T21:00:00Z"],
  );
  const dollar = { value: 1_900_000, businessTime: "2026-11-20T10:00:00.000Z" };
  assert.deepEqual((await ask("/docs/market/2026-11-20")).json, {
    day: "2026-11-20",
    assets: [
      { code: "USD_RLS", last: dollar, before: { date: "2026-11-19", value: 1_890_000 } },
      { code: "EUR_RLS", last: null, before: { date: "2019-03-21", value: 2_200_000 } },
    ],
  });
  const today = (await ask("/docs/market/2026-11-21")).json as unknown as PastDaySummary;
  const values = Object.fromEntries(today.assets.map(({ code, last }) => [code, last?.value]));
  assert.deepEqual(values, { USD_RLS: 1_905_000, EUR_RLS: undefined, BTC_USD: 83_125.4 });
  assert.deepEqual((await ask("/docs/market/2019-03-20")).json, { day: "2019-03-20", assets: [] });
});

test("past day: an invalid or future day is refused (400); on a closed market, every day is refused (404)", async () => {
  const [{ ask }, closed] = [await marketWorld(), await marketWorld({ publicMarket: false })];
  for (const [day, message] of [
    ["2026-11-22", /2026-11-22 is in the future/],
    ["2026-02-30", /real Gregorian day written YYYY-MM-DD$/],
    ["1405-02-31", /1405-02-31 of the Jalali calendar is 2026-05-21$/],
    ["market%22", /real Gregorian day/],
  ] as const) {
    const reply = await ask(`/docs/market/${day}`);
    assertFailure(reply, 400, "INVALID_DATE");
    assert.match(String(reply.json["message"]), message);
    assertFailure(await closed.ask(`/docs/market/${day}`), 404, "ROUTE_NOT_FOUND");
  }
});

test("past day: a day takes one store call for each asset and is kept for half a minute; at most four days are read at once, and at most sixty are kept: 200, 503", async () => {
  const { observations } = createMemoryStore();
  let calls = 0;
  const counted: typeof observations = {
    ...observations,
    lastOfEach: async (code, edges) => {
      calls++;
      await new Promise(setImmediate);
      return observations.lastOfEach(code, edges);
    },
  };
  const { ask, later, feed } = await marketWorld({ observations: counted });
  const daysRead = (): number => calls / ASSETS.length;
  const pathOf = (ago: number): string => `/docs/market/${new Date(NOW - ago * 86_400_000).toISOString().slice(0, 10)}`;
  const same = await Promise.all(Array.from({ length: 9 }, () => ask(pathOf(1))));
  assert.deepEqual([new Set(same.map(({ text }) => text)).size, daysRead()], [1, 1]);
  const others = await Promise.all([2, 3, 4, 5, 6].map((ago) => ask(pathOf(ago))));
  assert.deepEqual([others.map(({ status }) => status), daysRead()], [[200, 200, 200, 200, 503], 5]);
  assertFailure(others[4]!, 503, "UNAVAILABLE");
  assert.equal(others[4]!.headers["Retry-After"], "1");
  for (let ago = 6; ago <= 61; ago++) await ask(pathOf(ago));
  await ask(pathOf(2));
  assert.equal(daysRead(), 61, "all days but the first are kept");
  await ask(pathOf(1));
  assert.equal(daysRead(), 62);
  await feed(["USD_RLS", 1_901_000, "2026-11-20T11:00:00Z"]); // a correction
  later(29_999);
  assert.doesNotMatch((await ask(pathOf(1))).text, /1901000/);
  later(30_000);
  assert.match((await ask(pathOf(1))).text, /"value":1901000/);
});

test("link to an asset: the HTML has the asset's name and, on a public market, its price; no name or address ends a tag: 200", async () => {
  const metas = ({ text }: Reply): readonly string[] =>
    [...text.matchAll(/<meta property="og:\w+" content="([^"]*)">/g)].map(([, content]) => content!);
  const { ask } = await marketWorld();
  const dollar = await ask("/docs/asset/USD_RLS");
  assert.deepEqual(metas(dollar), [
    "US Dollar / Iranian Rial (USD_RLS) – mazaneh",
    "1,905,000 rial (190,500 toman), 2026-11-21 09:30 UTC · US Dollar / Iranian Rial · دلار آمریکا / ریال ایران",
  ]);
  for (const [, link] of dollar.text.matchAll(/(?:href|src)="(\.\.[^"]*)"/g))
    assert.equal((await ask(new URL(link!, "http://a.example/docs/asset/USD_RLS").pathname)).status, 200, link);
  const closed = await marketWorld({ publicMarket: false });
  assert.match((await ask("/docs")).text, /as="fetch"/, "prices that need no key are loaded along with the script");
  assert.doesNotMatch((await closed.ask("/docs")).text, /as="fetch"/);
  const [, described] = metas(await closed.ask("/docs/asset/USD_RLS"));
  assert.equal(described, "US Dollar / Iranian Rial · دلار آمریکا / ریال ایران");
  for (const code of ["NO_SUCH", "%3Cscript%3E", "__proto__", "%22%3E"]) {
    const { status, text } = await ask(`/docs/asset/${code}`);
    assert.deepEqual([status, metas({ text } as Reply), /<script>/.test(text)], [200, [], false]);
  }
  const assets = [defineAsset({ code: "A_USD", category: "FX", nameEn: '"><script>', nameFa: "ب" })];
  assert.match(
    (await (await marketWorld({ assets })).ask("/docs/asset/A_USD")).text,
    /content="&#34;&#62;&#60;script&#62; \/ US Dollar \(A_USD\)/,
  );
});

test("page: its HTML says that the store is empty until the first price; after that the store is not asked again: 200", async () => {
  const { observations } = createMemoryStore();
  let asked = 0;
  let isBroken = true;
  const counted: typeof observations = {
    ...observations,
    latest(codes) {
      asked++;
      return isBroken ? Promise.reject(new Unavailable("gone")) : observations.latest(codes);
    },
  };
  const { open, feed } = await pageWorld({ observations: counted });
  const isEmpty = async (): Promise<boolean> => (await open("/docs")).text.includes('"isEmpty":true');
  assert.equal(await isEmpty(), false, "nobody knows");
  isBroken = false;
  assert.equal(await isEmpty(), true);
  await feed(...RECORDS);
  assert.deepEqual([await isEmpty(), await isEmpty(), asked], [false, false, 3]);
});
