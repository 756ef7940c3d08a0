// Messages that help with the usual slips: statuses and codes are those of the contract.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPrices } from "../../../core/mod.ts";
import { createWorld } from "../../support/api_under_test.ts";

const world = await createWorld();
await world.feed(["USD_RLS", 1_050_000, "2026-11-01T20:40:00Z"], ["USD_RLS", 1_060_000, "2026-11-21T09:00:00Z"]);
const USD = "/api/v1/assets/USD_RLS";
const RECORDS = "its records run from 2026-11-02 to 2026-11-21";
const GREGORIAN = "dates are Gregorian, and";

const MESSAGES = [
  [
    "a code with toman",
    "/api/v1/assets/USD_TMN",
    404,
    'There is no asset "USD_TMN"; did you mean USD_RLS (rial; 10 rial are 1 toman)?',
  ],
  [
    "a Persian name",
    `/api/v1/assets/${encodeURIComponent("یورو")}`,
    404,
    'There is no asset "یورو"; did you mean EUR_RLS (rial; 10 rial are 1 toman)?',
  ],
  [
    "nothing that is known",
    "/api/v1/assets/XYZ",
    404,
    'There is no asset "XYZ"; GET /api/v1/assets/supported lists all codes',
  ],
  [
    "a day without a record: the days of the records, in the market's time zone",
    `${USD}/2026-11-10`,
    404,
    `There is no record for USD_RLS on 2026-11-10; ${RECORDS}`,
  ],
  [
    "a Jalali day",
    `${USD}/1405-08-30`,
    404,
    `There is no record for USD_RLS on 1405-08-30; ${RECORDS}; ${GREGORIAN} 1405-08-30 of the Jalali calendar is 2026-11-21`,
  ],
  [
    "a Jalali day that is none in the Gregorian calendar",
    `${USD}/1405-02-31`,
    400,
    `date must be a real Gregorian day written YYYY-MM-DD: received "1405-02-31"; ${GREGORIAN} 1405-02-31 of the Jalali calendar is 2026-05-21`,
  ],
  [
    "a Jalali range with slashes",
    `${USD}/history?from=1405/8/1&to=1405/8/30`,
    400,
    `from must be a real Gregorian day written YYYY-MM-DD: received "1405/8/1"; ${GREGORIAN} 1405/8/1 of the Jalali calendar is 2026-10-23`,
  ],
  [
    "a Jalali range that is too long",
    `${USD}/history?from=1405-01-01&to=1405-08-30`,
    417,
    `The two days are 241 days apart; at most 31 are allowed; ${GREGORIAN} 1405-01-01 of the Jalali calendar is 2026-03-21`,
  ],
  [
    "candles of a time without records",
    `${USD}/ohlc?interval=1d&from=2020-01-01T00:00Z&to=2020-01-02T00:00Z`,
    404,
    "There are no candles for USD_RLS in this range; its records run from 2026-11-01T20:40:00.000Z to 2026-11-21T09:00:00.000Z",
  ],
  [
    "candles of Jalali times",
    `${USD}/ohlc?interval=1d&from=1405-08-01T00:00Z&to=1405-08-02T00:00Z`,
    404,
    `There are no candles for USD_RLS in this range; its records run from 2026-11-01T20:40:00.000Z to 2026-11-21T09:00:00.000Z; ${GREGORIAN} 1405-08-01 of the Jalali calendar is 2026-10-23`,
  ],
  [
    "a slash at the end",
    `${USD}/`,
    404,
    `There is no such route, but there is "${USD}", without the slash at the end; if the host adds it, turn that off there, e.g. trailingSlash in Next.js; GET /api/v1/status lists the routes`,
  ],
] as const;
for (const [rule, target, status, message] of MESSAGES) {
  test(`messages: ${rule}: ${status}`, async () => {
    const reply = await world.ask(target);
    assert.deepEqual([reply.status, reply.json["message"]], [status, message]);
  });
}

const NOTICES = [
  [
    "an empty history of Jalali days",
    `${USD}/history?from=1405-08-01&to=1405-08-30`,
    "Dates are Gregorian; 1405-08-01 of the Jalali calendar is 2026-10-23, and 1405-08-30 is 2026-11-21",
  ],
  [
    "an empty history of other days",
    `${USD}/history?from=2020-08-01&to=2020-08-30`,
    `There is no record for USD_RLS on these days, 2020-08-01 to 2020-08-30; ${RECORDS}`,
  ],
  [
    "the history of an asset without records",
    "/api/v1/assets/EUR_RLS/history?from=2026-11-01&to=2026-11-02",
    "There is no record for EUR_RLS yet",
  ],
  ["a history with records", `${USD}/history?from=2026-11-01&to=2026-11-21`, undefined],
  ["the parameter code", "/api/v1/assets?code=BTC_USD", "The parameter code is not read; codes selects assets"],
  ["the parameter code beside codes", "/api/v1/assets?codes=USD_RLS&code=BTC_USD", undefined],
] as const;
for (const [rule, target, notice] of NOTICES) {
  test(`messages: ${rule}: 200, ${notice === undefined ? "without" : "with"} a notice, also from the cache`, async () => {
    for (let request = 0; request < 3; request++) {
      const { status, headers } = await world.ask(target);
      assert.deepEqual([status, headers["X-Notice"]], [200, notice]);
    }
  });
}

test("messages: calls within the process have the same ones", async () => {
  const prices = createPrices<string>({ clock: world.now, observations: world.store.observations });
  await assert.rejects(prices.latest("USD_TMN"), { message: MESSAGES[0][3] });
  await assert.rejects(prices.on("USD_RLS", "1405-08-30"), { code: "ASSET_NOT_FOUND", message: MESSAGES[4][3] });
  await assert.rejects(
    prices.candles("USD_RLS", { interval: "1d", from: "2020-01-01T00:00Z", to: "2020-01-02T00:00Z" }),
    { code: "OHLC_NOT_FOUND", message: MESSAGES[8][3] },
  );
});
