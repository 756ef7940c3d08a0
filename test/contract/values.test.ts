import assert from "node:assert/strict";
import { test } from "node:test";
import { ASSETS, type RawRecord } from "../../core/mod.ts";
import { createWorld, listOf, objectOf, type World } from "../support/api_under_test.ts";

const SHIB = "/api/v1/assets/SHIB_USD";
const HISTORY = `${SHIB}/history?from=2026-11-21&to=2026-11-21`;
const CANDLES = `${SHIB}/ohlc?interval=1h&from=2026-11-21T09:00Z&to=2026-11-21T10:00Z`;

/** The digits of a member exactly as the answer has them, because parsing would change them. */
function digitsOf(text: string, name: string): string | undefined {
  return new RegExp(`"${name}":([^,}]*)`).exec(text)?.[1];
}

async function written(world: World, value: number | string): Promise<readonly (string | undefined)[]> {
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
  ["the first number that JSON writes with an exponent has none", 1e21, "1000000000000000000000"],
  ["the largest number", Number.MAX_VALUE, `17976931348623157${"0".repeat(292)}`],
  ["the smallest number", Number.MIN_VALUE, `0.${"0".repeat(323)}5`],
];
for (const [rule, given, digits] of numbers) {
  test(`values: ${rule}, on every route: 200`, async () => {
    assert.deepEqual(
      await written(await createWorld(), given),
      Array.from({ length: 9 }, () => digits),
    );
  });
}

test("values: all are JSON numbers, never strings: 200", async () => {
  const world = await createWorld();
  await world.feed({ code: "SHIB_USD", value: "0.00000098", businessTime: "2026-11-21T09:00:00Z" });
  assert.equal(objectOf((await world.ask(SHIB)).json)["value"], 0.000_000_98);
  const [candle] = listOf(objectOf((await world.ask(CANDLES)).json)["candles"]);
  for (const name of ["open", "high", "low", "close", "observationCount"])
    assert.equal(typeof candle?.[name], "number");
});

const times: readonly (readonly [rule: string, given: string, written: string])[] = [
  ["a time without seconds gets seconds and three fraction digits", "2026-11-21T09:00Z", "2026-11-21T09:00:00.000Z"],
  ["digits after the milliseconds are cut, not rounded", "2026-11-21T09:00:00.999999999Z", "2026-11-21T09:00:00.999Z"],
  ["Tehran's offset becomes UTC, here on the day before", "2026-11-21T02:00:00+03:30", "2026-11-20T22:30:00.000Z"],
  ["an offset behind UTC becomes UTC, here on the day after", "2026-11-20T22:30:00-05:00", "2026-11-21T03:30:00.000Z"],
  ["a time before 1970", "1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"],
];
for (const [rule, given, written] of times) {
  test(`timestamps: ISO 8601 in UTC with three digits: ${rule}: 200`, async () => {
    const world = await createWorld();
    await world.feed({ code: "SHIB_USD", value: 1, businessTime: given, sourceTime: given });
    assert.equal(objectOf((await world.ask(SHIB)).json)["businessTime"], written);
    const assets = listOf(objectOf((await world.ask("/api/v1/assets/supported")).json)["assets"]);
    const entry = assets.find((candidate) => candidate["code"] === "SHIB_USD");
    assert.deepEqual(
      [entry?.["businessTime"], entry?.["sourceTime"], entry?.["ohlcAvailableFrom"]],
      [written, written, written],
    );
  });
}

test("timestamps: every time in every answer has this form, and nothing else looks like a time: 200 and 404", async () => {
  const world = await createWorld();
  await world.feed({
    code: "SHIB_USD",
    value: 1,
    businessTime: "2026-11-21T09:30Z",
    sourceTime: "2026-11-21T13:00:00+03:30",
  });
  const targets = [
    SHIB,
    HISTORY,
    CANDLES,
    "/api/v1/assets",
    "/api/v1/assets/supported?category=CRYPTO",
    "/api/v1/status",
    "/nowhere",
  ];
  for (const target of targets) {
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
  assert.deepEqual(
    records.map(({ code }) => code),
    ASSETS.map(({ code }) => code),
    "in the catalog's order",
  );
  const quotes = { RLS: ["Iranian Rial", "ریال ایران"], USD: ["US Dollar", "دلار آمریکا"] };
  for (const record of records) {
    const { code, name, slug, labelEn, labelFa, quoteUnit } = record;
    assert.deepEqual(Object.keys(record), [
      "code",
      "name",
      "slug",
      "labelEn",
      "labelFa",
      "quoteUnit",
      "value",
      "businessTime",
    ]);
    assert.deepEqual([name, slug], [code, String(code).toLowerCase()]);
    assert.equal(quoteUnit, String(code).endsWith("_USD") ? "USD" : "RLS");
    const [quoteEn, quoteFa] = quotes[quoteUnit === "USD" ? "USD" : "RLS"];
    assert.match(String(labelEn), /^[^/]*\S \/ \S[^/]*$/);
    assert.match(String(labelFa), /^[^/]*\S \/ \S[^/]*$/);
    assert.ok(String(labelEn).endsWith(` / ${quoteEn}`) && String(labelFa).endsWith(` / ${quoteFa}`), String(code));
  }
});
