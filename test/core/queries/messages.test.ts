// Messages that help with common mistakes. Statuses and codes are defined by the contract.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPrices } from "../../../core/mod.ts";
import { createWorld } from "../../support/api_under_test.ts";

const world = await createWorld();
await world.feed(["USD_RLS", 1_050_000, "2026-11-01T20:40:00Z"], ["USD_RLS", 1_060_000, "2026-11-21T09:00:00Z"]);
const USD = "/api/v1/assets/USD_RLS";
const RECORDS = "its records run from 2026-11-02 to 2026-11-21";
const GREGORIAN = "dates are Gregorian, and";

const CANDLES = `${USD}/ohlc?interval=1d`;
const UNTIL = "from 2026-11-01T20:40:00.000Z to 2026-11-21T09:00:00.000Z";

/** Requests that fail, each with its status and a part of its message. */
const MESSAGES = [
  ["a code with toman", "/api/v1/assets/USD_TMN", 404, "USD_RLS (rial; 10 rial are 1 toman)"],
  ["a Persian name", `/api/v1/assets/${encodeURIComponent("یورو")}`, 404, "EUR_RLS (rial"],
  ["nothing that is known", "/api/v1/assets/XYZ", 404, "GET /api/v1/assets/supported"],
  ["a day without a record: the range of the records, in the market's time zone", `${USD}/2026-11-10`, 404, RECORDS],
  ["a Jalali day", `${USD}/1405-08-30`, 404, `${RECORDS}; ${GREGORIAN} 1405-08-30`],
  ["a Jalali day that is not a Gregorian day", `${USD}/1405-02-31`, 400, "is 2026-05-21"],
  ["a Jalali range with slashes", `${USD}/history?from=1405/8/1&to=1405/8/30`, 400, "is 2026-10-23"],
  ["a Jalali range that is too long", `${USD}/history?from=1405-01-01&to=1405-08-30`, 417, "is 2026-03-21"],
  ["candles for a time without records", `${CANDLES}&from=2020-01-01T00:00Z&to=2020-01-02T00:00Z`, 404, UNTIL],
  ["candles of Jalali times", `${CANDLES}&from=1405-08-01T00:00Z&to=1405-08-02T00:00Z`, 404, `${UNTIL}; ${GREGORIAN}`],
  ["a trailing slash", `${USD}/`, 404, `"${USD}", without the trailing slash`],
] as const;
for (const [rule, target, status, part] of MESSAGES) {
  test(`messages: ${rule}: ${status}`, async () => {
    const reply = await world.ask(target);
    assert.equal(reply.status, status);
    assert.ok(String(reply.json["message"]).includes(part), reply.text);
  });
}

const HISTORY = `${USD}/history`;
const NOTICES = [
  ["an empty history for Jalali days", `${HISTORY}?from=1405-08-01&to=1405-08-30`, /2026-10-23.*2026-11-21/],
  ["an empty history for other days", `${HISTORY}?from=2020-08-01&to=2020-08-30`, new RegExp(RECORDS)],
  ["an asset without records", "/api/v1/assets/EUR_RLS/history?from=2026-11-01&to=2026-11-02", /EUR_RLS yet$/],
  ["a history with records", `${HISTORY}?from=2026-11-01&to=2026-11-21`, /^$/],
  ["the parameter `code` alone", "/api/v1/assets?code=BTC_USD", /To select assets, use `codes`/],
  ["the parameter `code` beside `codes`", "/api/v1/assets?codes=USD_RLS&code=BTC_USD", /^$/],
] as const;
for (const [rule, target, notice] of NOTICES) {
  test(`messages: ${rule}: 200 with a notice that matches ${notice}, even from the cache`, async () => {
    for (let request = 0; request < 3; request++) {
      const { status, headers } = await world.ask(target);
      assert.equal(status, 200);
      assert.match(headers["X-Notice"] ?? "", notice);
    }
  });
}

test("messages: a call within the process fails with the same message as an HTTP request", async () => {
  const prices = createPrices<string>({ clock: world.now, observations: world.store.observations });
  const messageOf = async (target: string) => ({ message: String((await world.ask(target)).json["message"]) });
  await assert.rejects(prices.latest("USD_TMN"), await messageOf("/api/v1/assets/USD_TMN"));
  await assert.rejects(prices.on("USD_RLS", "1405-08-30"), await messageOf(`${USD}/1405-08-30`));
  const [from, to] = ["2020-01-01T00:00Z", "2020-01-02T00:00Z"];
  const empty = prices.candles("USD_RLS", { interval: "1d", from, to });
  await assert.rejects(empty, await messageOf(`${CANDLES}&from=${from}&to=${to}`));
});
