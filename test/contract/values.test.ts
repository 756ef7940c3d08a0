import assert from "node:assert/strict";
import { test } from "node:test";
import { ASSETS, type RawRecord } from "../../core/mod.ts";
import { createWorld, listOf } from "../support/api_under_test.ts";

const SHIB = "/api/v1/assets/SHIB_USD";
const HISTORY = `${SHIB}/history?from=2026-11-21&to=2026-11-21`;
const CANDLES = `${SHIB}/ohlc?interval=1h&from=2026-11-21T09:00Z&to=2026-11-21T10:00Z`;

/** The digits of a member exactly as the answer has them, because parsing would change them. */
function digitsOf(text: string, name: string): string | undefined {
  return new RegExp(`"${name}":([^,}]*)`).exec(text)?.[1];
}

/** The digits of a value on every route. */
async function written(value: number | string): Promise<readonly (string | undefined)[]> {
  const world = await createWorld();
  await world.feed({ code: "SHIB_USD", value, businessTime: "2026-11-21T09:00:00Z" });
  const found: (string | undefined)[] = [];
  for (const path of [SHIB, `${SHIB}/2026-11-21`, HISTORY, "/api/v1/assets"])
    found.push(digitsOf((await world.ask(path)).text, "value"));
  found.push(digitsOf((await world.ask("/api/v1/assets/supported")).text.split('"SHIB_USD"')[1]!, "latestValue"));
  const candles = (await world.ask(CANDLES)).text;
  for (const name of ["open", "high", "low", "close"]) found.push(digitsOf(candles, name));
  return found;
}

const numbers: readonly (readonly [rule: string, given: number | string, digits: string])[] = [
  ["a whole number has no fraction, even if it was written with one", "1050000.00", "1050000"],
  ["trailing zeros are not written", "91250.50", "91250.5"],
  ["a small price has no exponent", 0.000_000_98, "0.00000098"],
  ["a small price with many digits", 0.000_012_345_678_9, "0.0000123456789"],
  ["15 digits with a fraction are exact", "1234567890123.45", "1234567890123.45"],
  ["a number that a double cannot store exactly is not rounded", 0.1 + 0.2, "0.30000000000000004"],
  ["1e21, which JSON.stringify writes with an exponent, has all digits", 1e21, "1000000000000000000000"],
  ["the largest number", Number.MAX_VALUE, `17976931348623157${"0".repeat(292)}`],
  ["the smallest number", Number.MIN_VALUE, `0.${"0".repeat(323)}5`],
];
for (const [rule, given, digits] of numbers) {
  test(`values: ${rule}, on every route: 200`, async () => {
    assert.deepEqual(await written(given), Array(9).fill(digits));
  });
}

test("timestamps: every time in every answer has the contract's form, and nothing else looks like a time: 200 and 404", async () => {
  const world = await createWorld();
  const times = { businessTime: "2026-11-21T09:30Z", sourceTime: "2026-11-21T13:00:00+03:30" };
  await world.feed({ code: "SHIB_USD", value: 1, ...times });
  const others = ["/api/v1/assets", "/api/v1/assets/supported?category=CRYPTO", "/api/v1/status", "/nowhere"];
  for (const target of [SHIB, HISTORY, CANDLES, ...others]) {
    const { text } = await world.ask(target);
    const found = text.match(/"\d{4}-\d\d-\d\d[^"]*"/g) ?? [];
    assert.ok(found.length > 0, target);
    for (const time of found) assert.match(time, /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/, target);
  }
});

test("names: every asset has its code as name and, in lower case, as slug; its labels are base and quote: 200", async () => {
  const world = await createWorld();
  await world.feed(...ASSETS.map(({ code }): RawRecord => ({ code, value: 1, businessTime: "2026-11-21T09:00:00Z" })));
  const records = listOf((await world.ask("/api/v1/assets")).json);
  assert.equal(records.length, ASSETS.length);
  const quotes = { RLS: ["Iranian Rial", "ریال ایران"], USD: ["US Dollar", "دلار آمریکا"] };
  for (const { code, name, slug, labelEn, labelFa, quoteUnit } of records) {
    assert.deepEqual([name, slug], [code, String(code).toLowerCase()]);
    assert.equal(quoteUnit, String(code).endsWith("_USD") ? "USD" : "RLS");
    const [quoteEn, quoteFa] = quotes[quoteUnit === "USD" ? "USD" : "RLS"];
    assert.match(String(labelEn), /^[^/]*\S \/ \S[^/]*$/);
    assert.match(String(labelFa), /^[^/]*\S \/ \S[^/]*$/);
    assert.ok(String(labelEn).endsWith(` / ${quoteEn}`) && String(labelFa).endsWith(` / ${quoteFa}`), String(code));
  }
});
