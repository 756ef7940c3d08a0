// Calls of createPrices and createClient, with the routes that give the same answers.
import assert from "node:assert/strict";
import { type PriceCalls, PriceError, type RawRecord } from "../../core/mod.ts";
import { objectOf, type Reply } from "./api_under_test.ts";

/** The calls under test. Programs without types can pass any argument, so some cases do. */
export interface Caller {
  readonly prices: PriceCalls;
  readonly untyped: { readonly [Name in keyof PriceCalls]: (...given: readonly unknown[]) => Promise<unknown> };
}

type PriceCase = readonly [call: string, made: (caller: Caller) => Promise<unknown>, target: string, part?: string];

/** The store's records in all cases. */
export const PRICE_RECORDS: readonly (RawRecord | readonly [code: string, value: number, businessTime: string])[] = [
  ["USD_RLS", 1_900_000, "2026-11-19T08:00:00Z"],
  ["USD_RLS", 1_905_000, "2026-11-19T20:00:00Z"],
  ["USD_RLS", 1_903_482, "2026-11-21T09:50:00Z"],
  ["BTC_USD", 83_125.4, "2026-11-20T09:45:00Z"],
  {
    code: "SHIB_USD",
    value: 9.8e-7,
    businessTime: "2026-11-21T09:59:59.123Z",
    sourceTime: "2026-11-21T09:59:58Z",
    provider: "desk",
    qualityMessage: '"latestValue":1',
  },
];

/** Calls, each with the target of the route, and the part of the route's answer that the call returns. */
export const PRICE_CASES: readonly PriceCase[] = [
  ["latest", ({ prices }) => prices.latest("USD_RLS"), "/api/v1/assets/USD_RLS"],
  ["latest of a tiny value", ({ prices }) => prices.latest("SHIB_USD"), "/api/v1/assets/SHIB_USD"],
  ["latest of an asset without a record", ({ prices }) => prices.latest("EUR_RLS"), "/api/v1/assets/EUR_RLS"],
  ["latest of an unknown code", ({ untyped }) => untyped.latest("USD_RLX"), "/api/v1/assets/USD_RLX"],
  ["latestOf all", ({ prices }) => prices.latestOf(), "/api/v1/assets"],
  [
    "latestOf some, out of order and with a duplicate",
    ({ prices }) => prices.latestOf(["BTC_USD", "USD_RLS", "BTC_USD"]),
    "/api/v1/assets?codes=BTC_USD,USD_RLS,BTC_USD",
  ],
  [
    "latestOf some without a record",
    ({ prices }) => prices.latestOf(["EUR_RLS", "BTC_USD"]),
    "/api/v1/assets?codes=EUR_RLS,BTC_USD",
  ],
  ["latestOf nothing", ({ prices }) => prices.latestOf([]), "/api/v1/assets?codes="],
  ["latestOf an empty code", ({ untyped }) => untyped.latestOf(["USD_RLS", ""]), "/api/v1/assets?codes=USD_RLS,"],
  ["latestOf an unknown code", ({ untyped }) => untyped.latestOf(["USD_RLX"]), "/api/v1/assets?codes=USD_RLX"],
  ["on", ({ prices }) => prices.on("USD_RLS", "2026-11-19"), "/api/v1/assets/USD_RLS/2026-11-19"],
  [
    "the value on a day without a record",
    ({ prices }) => prices.on("USD_RLS", "2026-11-18"),
    "/api/v1/assets/USD_RLS/2026-11-18",
  ],
  ["on no day", ({ prices }) => prices.on("USD_RLS", "2026-02-30"), "/api/v1/assets/USD_RLS/2026-02-30"],
  [
    "history",
    ({ prices }) => prices.history("USD_RLS", "2026-11-01", "2026-11-30"),
    "/api/v1/assets/USD_RLS/history?from=2026-11-01&to=2026-11-30",
  ],
  [
    "history without a record",
    ({ prices }) => prices.history("EUR_RLS", "2026-11-01", "2026-11-30"),
    "/api/v1/assets/EUR_RLS/history?from=2026-11-01&to=2026-11-30",
  ],
  [
    "history that runs backwards",
    ({ prices }) => prices.history("USD_RLS", "2026-11-02", "2026-11-01"),
    "/api/v1/assets/USD_RLS/history?from=2026-11-02&to=2026-11-01",
  ],
  [
    "candles",
    ({ prices }) =>
      prices.candles("USD_RLS", { interval: "4h", from: "2026-11-19T00:00Z", to: "2026-11-22T00:00:00Z" }),
    "/api/v1/assets/USD_RLS/ohlc?interval=4h&from=2026-11-19T00:00Z&to=2026-11-22T00:00:00Z",
    "candles",
  ],
  [
    "candles between two Dates",
    ({ prices }) =>
      prices.candles("USD_RLS", {
        interval: "1d",
        from: new Date(Date.UTC(2026, 10, 19)),
        to: new Date(Date.UTC(2026, 10, 22)),
      }),
    "/api/v1/assets/USD_RLS/ohlc?interval=1d&from=2026-11-19T00:00Z&to=2026-11-22T00:00:00Z",
    "candles",
  ],
  [
    "candles with an unknown interval",
    ({ untyped }) => untyped.candles("USD_RLS", { interval: "2h", from: "2026-11-19T00:00Z", to: "2026-11-22T00:00Z" }),
    "/api/v1/assets/USD_RLS/ohlc?interval=2h&from=2026-11-19T00:00Z&to=2026-11-22T00:00Z",
  ],
  [
    "candles from no moment",
    ({ prices }) => prices.candles("USD_RLS", { interval: "1h", from: new Date(NaN), to: "2026-11-22T00:00Z" }),
    "/api/v1/assets/USD_RLS/ohlc?interval=1h&from=Invalid%20Date&to=2026-11-22T00:00Z",
  ],
  [
    "a candle that ends right now",
    ({ prices }) => prices.candles("USD_RLS", { interval: "1h", from: "2026-11-21T09:00Z", to: "2026-11-21T10:00Z" }),
    "/api/v1/assets/USD_RLS/ohlc?interval=1h&from=2026-11-21T09:00Z&to=2026-11-21T10:00Z",
    "candles",
  ],
  [
    "candles in an empty range",
    ({ prices }) => prices.candles("USD_RLS", { interval: "1h", from: "2026-11-22T00:00Z", to: "2026-11-22T00:00Z" }),
    "/api/v1/assets/USD_RLS/ohlc?interval=1h&from=2026-11-22T00:00Z&to=2026-11-22T00:00Z",
  ],
  ["catalog", ({ prices }) => prices.catalog(), "/api/v1/assets/supported", "assets"],
  [
    "catalog with a category and a unit",
    ({ prices }) => prices.catalog({ category: "CRYPTO", quoteUnit: "USD" }),
    "/api/v1/assets/supported?category=CRYPTO&quoteUnit=USD",
    "assets",
  ],
  [
    "catalog with an unknown unit",
    ({ untyped }) => untyped.catalog({ quoteUnit: "EUR" }),
    "/api/v1/assets/supported?quoteUnit=EUR",
  ],
];

/** Ranges that the routes and createPrices refuse. createClient reads them in pieces. */
export const LONG_CASES: readonly PriceCase[] = [
  [
    "history of 32 days",
    ({ prices }) => prices.history("USD_RLS", "2026-10-01", "2026-11-02"),
    "/api/v1/assets/USD_RLS/history?from=2026-10-01&to=2026-11-02",
  ],
  [
    "more candles than allowed",
    ({ prices }) => prices.candles("USD_RLS", { interval: "15m", from: "2020-11-22T00:00Z", to: "2026-11-22T00:00Z" }),
    "/api/v1/assets/USD_RLS/ohlc?interval=15m&from=2020-11-22T00:00Z&to=2026-11-22T00:00Z",
  ],
];

/** The same object with types and without types. */
export function callerOf(prices: PriceCalls, untyped: PriceCalls<string>): Caller {
  return { prices, untyped: untyped as Caller["untyped"] };
}

/** Compares the result or error of a call with the answer of the route. */
export function assertAsRoute(outcome: unknown, reply: Reply, part: string | undefined): void {
  if (reply.status === 200) {
    const body: unknown = JSON.parse(reply.text);
    assert.deepEqual(outcome, part === undefined ? body : objectOf(body)[part]);
    return;
  }
  assert.ok(outcome instanceof PriceError, String(outcome));
  assert.equal(outcome.name, "PriceError");
  const { status, code, message } = objectOf(JSON.parse(reply.text));
  assert.deepEqual([reply.status, outcome.status, outcome.code, outcome.message], [status, status, code, message]);
}
