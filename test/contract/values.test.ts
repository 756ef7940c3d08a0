import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ASSETS, type RawRecord } from "../../core/mod.ts";
import { createWorld, listOf, objectOf, type World } from "../support/api_under_test.ts";
import { runs } from "../support/suite_size.ts";

const SHIB = "/api/v1/assets/SHIB_USD";
const HISTORY = `${SHIB}/history?from=2026-11-21&to=2026-11-21`;
const CANDLES = `${SHIB}/ohlc?interval=1h&from=2026-11-21T09:00Z&to=2026-11-21T10:00Z`;

/** The digits of a member of an answer as they stand in its text: parsing them would hide how they are written. */
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
  ["a whole number has no fraction", 1_050_000, "1050000"],
  ["a whole number written with a fraction has none either", "1050000.00", "1050000"],
  ["a fraction keeps its digits", 91_250.5, "91250.5"],
  ["zeros behind the last digit are not written", "91250.50", "91250.5"],
  ["a small price has no exponent", 0.000_000_98, "0.00000098"],
  ["a small price given with an exponent has none", "9.8e-7", "0.00000098"],
  ["a small price of one digit", 1e-7, "0.0000001"],
  ["a small price of many digits", 0.000_012_345_678_9, "0.0000123456789"],
  ["a price at the edge of the exponent", 0.000_001, "0.000001"],
  ["15 digits are exact", 123_456_789_012_345, "123456789012345"],
  ["15 digits with a fraction are exact", "1234567890123.45", "1234567890123.45"],
  ["15 digits behind the point are exact", "0.123456789012345", "0.123456789012345"],
  ["the largest number up to which all whole ones are exact", Number.MAX_SAFE_INTEGER, "9007199254740991"],
  ["what cannot be stored exactly is served as it is stored, not rounded", 0.1 + 0.2, "0.30000000000000004"],
  ["a price just below another one", 0.999_999_999_999_999_9, "0.9999999999999999"],
  ["the last number without an exponent", 123_456_789_012_345_680_000, "123456789012345680000"],
  ["the first number with an exponent has none", 1e21, "1000000000000000000000"],
  ["a large number of many digits", 1.234_567_890_123e25, "12345678901230000000000000"],
  ["the largest number", Number.MAX_VALUE, `17976931348623157${"0".repeat(292)}`],
  ["the smallest number", Number.MIN_VALUE, `0.${"0".repeat(323)}5`],
  ["the smallest number of full precision", 2.2250738585072014e-308, `0.${"0".repeat(307)}22250738585072014`],
];
for (const [rule, given, digits] of numbers) {
  test(`values: ${rule}, on every route alike: 200`, async () => {
    assert.deepEqual(
      await written(await createWorld(), given),
      Array.from({ length: 9 }, () => digits),
    );
  });
}

test("values: any positive number is written in plain decimals, with the fewest digits that give it back: 200", async () => {
  const world = await createWorld();
  await fc.assert(
    fc.asyncProperty(fc.double({ min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true }), async (value) => {
      await world.feed(["SHIB_USD", value, "2026-11-21T09:00:00Z"]);
      const digits = digitsOf((await world.ask(SHIB)).text, "value") ?? "";
      assert.match(digits, /^(0|[1-9]\d*)(\.\d*[1-9])?$/);
      assert.equal(Number(digits), value);
      // The language itself writes the fewest digits; an exponent aside it must be the same ones.
      const significant = (text: string): string =>
        text
          .replace(/e.*/, "")
          .replace(".", "")
          .replace(/^0+|0+$/g, "");
      assert.equal(significant(digits), significant(String(value)));
    }),
    { numRuns: runs(62) },
  );
});

test("values: are JSON numbers, never strings: 200", async () => {
  const world = await createWorld();
  await world.feed({ code: "SHIB_USD", value: "0.00000098", businessTime: "2026-11-21T09:00:00Z" });
  assert.equal(objectOf((await world.ask(SHIB)).json)["value"], 0.000_000_98);
  const [candle] = listOf(objectOf((await world.ask(CANDLES)).json)["candles"]);
  for (const name of ["open", "high", "low", "close", "observationCount"])
    assert.equal(typeof candle?.[name], "number");
});

const times: readonly (readonly [rule: string, given: string, written: string])[] = [
  ["a time without a fraction gets three zeros", "2026-11-21T09:00:00Z", "2026-11-21T09:00:00.000Z"],
  ["a time without seconds gets them", "2026-11-21T09:00Z", "2026-11-21T09:00:00.000Z"],
  ["a tenth of a second gets two zeros", "2026-11-21T09:00:00.5Z", "2026-11-21T09:00:00.500Z"],
  ["milliseconds stay", "2026-11-21T09:00:00.007Z", "2026-11-21T09:00:00.007Z"],
  ["finer digits are cut, not rounded", "2026-11-21T09:00:00.999999999Z", "2026-11-21T09:00:00.999Z"],
  ["Tehran's offset becomes UTC", "2026-11-21T12:30:00+03:30", "2026-11-21T09:00:00.000Z"],
  ["an offset of zero becomes Z", "2026-11-21T09:00:00+00:00", "2026-11-21T09:00:00.000Z"],
  ["an offset can lead into the day before", "2026-11-21T02:00:00+03:30", "2026-11-20T22:30:00.000Z"],
  ["an offset behind UTC can lead into the next day", "2026-11-20T22:30:00-05:00", "2026-11-21T03:30:00.000Z"],
  ["a leap day", "2024-02-29T23:59:59.999Z", "2024-02-29T23:59:59.999Z"],
  ["the epoch", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"],
  ["a moment before the epoch", "1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"],
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

test("timestamps: every time in every answer has this one form, and nothing else looks like a time: 200 and 404", async () => {
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

const limits = [
  ["at the clock's time is taken", "2026-11-21T10:00:00.000Z", true],
  ["5 minutes ahead of the clock is taken", "2026-11-21T10:05:00.000Z", true],
  ["1 ms more ahead is refused", "2026-11-21T10:05:00.001Z", false],
  ["a day ahead is refused", "2026-11-22T10:00:00.000Z", false],
] as const;
for (const [rule, businessTime, taken] of limits) {
  test(`timestamps: a record ${rule}: ${taken ? 200 : 404}`, async () => {
    const world = await createWorld();
    const fed = world.feed(["SHIB_USD", 1, businessTime]);
    await (taken ? fed : assert.rejects(fed, /future/));
    assert.equal((await world.ask(SHIB)).status, taken ? 200 : 404);
  });
}

test("names: of every asset, name is the code, slug the code in lower case, and labels are base and quote: 200", async () => {
  const world = await createWorld();
  await world.feed(...ASSETS.map(({ code }): RawRecord => ({ code, value: 1, businessTime: "2026-11-21T09:00:00Z" })));
  const records = listOf((await world.ask("/api/v1/assets")).json);
  assert.equal(records.length, ASSETS.length);
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

test("names: the two quotes of one base share its names and differ in the quote: 200", async () => {
  const world = await createWorld();
  await world.feed(["PEPE_USD", 1, "2026-11-21T09:00:00Z"], ["PEPE_RLS", 1, "2026-11-21T09:00:00Z"]);
  const [usd, rls] = [
    objectOf((await world.ask("/api/v1/assets/PEPE_USD")).json),
    objectOf((await world.ask("/api/v1/assets/PEPE_RLS")).json),
  ];
  assert.deepEqual([usd["labelEn"], rls["labelEn"]], ["Pepe / US Dollar", "Pepe / Iranian Rial"]);
  assert.deepEqual([usd["labelFa"], rls["labelFa"]], ["پپه / دلار آمریکا", "پپه / ریال ایران"]);
});
