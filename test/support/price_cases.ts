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

const [USD, EUR] = ["/api/v1/assets/USD_RLS", "/api/v1/assets/EUR_RLS"];
const LIST = "/api/v1/assets?codes=";
const CATALOG = "/api/v1/assets/supported";

function history(code: "USD_RLS" | "EUR_RLS", from: string, to: string): PriceCase {
  const target = `/api/v1/assets/${code}/history?from=${from}&to=${to}`;
  return [`history of ${code} from ${from} to ${to}`, ({ prices }) => prices.history(code, from, to), target];
}

function candles(interval: string, from: string | Date, to: string | Date): PriceCase {
  const target = `${USD}/ohlc?interval=${interval}&from=${textOf(from)}&to=${textOf(to)}`;
  const made: PriceCase[1] = ({ untyped }) => untyped.candles("USD_RLS", { interval, from, to });
  return [`candles of ${interval} from ${String(from)} to ${String(to)}`, made, target, "candles"];
}

function textOf(time: string | Date): string {
  if (typeof time === "string") return time;
  return Number.isNaN(time.getTime()) ? "Invalid%20Date" : time.toISOString();
}

/** A name, a call, the HTTP request that does the same, and the part of its answer that the call returns. */
export const PRICE_CASES: readonly PriceCase[] = [
  ["latest", ({ prices }) => prices.latest("USD_RLS"), USD],
  ["latest of a tiny value", ({ prices }) => prices.latest("SHIB_USD"), "/api/v1/assets/SHIB_USD"],
  ["latest of an asset without a record", ({ prices }) => prices.latest("EUR_RLS"), EUR],
  ["latest of an unknown code", ({ untyped }) => untyped.latest("USD_RLX"), "/api/v1/assets/USD_RLX"],
  ["latestOf all", ({ prices }) => prices.latestOf(), "/api/v1/assets"],
  [
    "latestOf some",
    ({ prices }) => prices.latestOf(["BTC_USD", "USD_RLS", "BTC_USD"]),
    `${LIST}BTC_USD,USD_RLS,BTC_USD`,
  ],
  ["latestOf, one without a record", ({ prices }) => prices.latestOf(["EUR_RLS", "BTC_USD"]), `${LIST}EUR_RLS,BTC_USD`],
  ["latestOf nothing", ({ prices }) => prices.latestOf([]), LIST],
  ["latestOf an empty code", ({ untyped }) => untyped.latestOf(["USD_RLS", ""]), `${LIST}USD_RLS,`],
  ["latestOf an unknown code", ({ untyped }) => untyped.latestOf(["USD_RLX"]), `${LIST}USD_RLX`],
  ["on", ({ prices }) => prices.on("USD_RLS", "2026-11-19"), `${USD}/2026-11-19`],
  ["on a day without a record", ({ prices }) => prices.on("USD_RLS", "2026-11-18"), `${USD}/2026-11-18`],
  ["on no day", ({ prices }) => prices.on("USD_RLS", "2026-02-30"), `${USD}/2026-02-30`],
  history("USD_RLS", "2026-11-01", "2026-11-30"),
  history("EUR_RLS", "2026-11-01", "2026-11-30"),
  history("USD_RLS", "2026-11-02", "2026-11-01"),
  candles("4h", "2026-11-19T00:00Z", "2026-11-22T00:00:00Z"),
  candles("1d", new Date(Date.UTC(2026, 10, 19)), new Date(Date.UTC(2026, 10, 22))),
  candles("2h", "2026-11-19T00:00Z", "2026-11-22T00:00Z"),
  candles("1h", new Date(NaN), "2026-11-22T00:00Z"),
  // The candle ends right now.
  candles("1h", "2026-11-21T09:00Z", "2026-11-21T10:00Z"),
  candles("1h", "2026-11-22T00:00Z", "2026-11-22T00:00Z"),
  ["catalog", ({ prices }) => prices.catalog(), CATALOG, "assets"],
  [
    "catalog with a category and a unit",
    ({ prices }) => prices.catalog({ category: "CRYPTO", quoteUnit: "USD" }),
    `${CATALOG}?category=CRYPTO&quoteUnit=USD`,
    "assets",
  ],
  ["catalog with an unknown unit", ({ untyped }) => untyped.catalog({ quoteUnit: "EUR" }), `${CATALOG}?quoteUnit=EUR`],
];

/** Ranges that the routes and createPrices refuse. createClient reads them in pieces. */
export const LONG_CASES: readonly PriceCase[] = [
  history("USD_RLS", "2026-10-01", "2026-11-02"),
  candles("15m", "2020-11-22T00:00Z", "2026-11-22T00:00Z"),
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
