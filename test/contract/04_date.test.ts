import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFailure, createWorld, objectOf } from "../support/api_under_test.ts";

const USD = "/api/v1/assets/USD_RLS";

const shared = await createWorld();
await shared.feed(["USD_RLS", 1, "2026-11-20T09:00:00Z"]);

test("date: returns the day's last accepted record, whatever the order of arrival: 200", async () => {
  const world = await createWorld();
  await world.feed(
    ["USD_RLS", 3, "2026-11-20T15:00:00Z"],
    ["USD_RLS", 1, "2026-11-20T05:00:00Z"],
    ["USD_RLS", 2, "2026-11-20T10:00:00Z"],
    { code: "USD_RLS", value: 4, businessTime: "2026-11-20T16:00:00Z", qualityStatus: "PENDING" },
    { code: "USD_RLS", value: 5, businessTime: "2026-11-20T17:00:00Z", qualityStatus: "REJECTED" },
  );
  assert.equal(objectOf((await world.ask(`${USD}/2026-11-20`)).json)["value"], 3);
  await world.feed(["USD_RLS", 33, "2026-11-20T15:00:00Z"]);
  assert.equal(objectOf((await world.ask(`${USD}/2026-11-20`)).json)["value"], 33);
});

const malformed = [
  ["one digit for the month", "2026-2-01"],
  ["no dashes", "20260201"],
  ["an encoded blank at the end", "2026-02-01%20"],
  ["a time at the end", "2026-02-01T00:00:00Z"],
  ["Persian digits", "%DB%B2%DB%B0%DB%B2%DB%B6-%DB%B0%DB%B2-%DB%B0%DB%B1"],
  ["a word", "today"],
  ["the name of an object property", "__proto__"],
  ["January 32nd", "2026-01-32"],
  ["February 29th of a common year", "2025-02-29"],
] as const;
for (const [rule, segment] of malformed) {
  test(`date: malformed: ${rule}: 400`, async () => {
    assert.match(assertFailure(await shared.ask(`${USD}/${segment}`), 400, "INVALID_DATE"), /YYYY-MM-DD/);
  });
}

test("date: a leap day, a day before 1970, and a day with Tehran's old offset of 3:25:44 work like any other: 200", async () => {
  for (const date of ["2024-02-29", "1969-12-31", "1930-06-01"]) {
    const world = await createWorld();
    await world.feed(["USD_RLS", 7, `${date}T12:00:00Z`]);
    assert.equal(objectOf((await world.ask(`${USD}/${date}`)).json)["value"], 7, date);
  }
});

const empty: readonly (readonly [rule: string, date: string])[] = [
  ["the day after the only record", "2026-11-21"],
  ["a day to come", "2027-01-01"],
  ["a Jalali year, which is read as a Gregorian year long ago", "1405-08-30"],
  ["the first possible day", "0000-01-01"],
  ["the last possible day", "9999-12-31"],
];
for (const [rule, date] of empty) {
  test(`date: a well-formed day without a record: ${rule}: 404`, async () => {
    const message = assertFailure(await shared.ask(`${USD}/${date}`), 404, "ASSET_NOT_FOUND");
    assert.ok(message.includes(date) && message.includes("USD_RLS"), message);
    assert.deepEqual(shared.errors, []);
  });
}

const links: readonly (readonly [rule: string, date: string, link: string | undefined])[] = [
  ["the day before", "2026-11-21", '<./2026-11-20>; rel="prev"'],
  ["a day years earlier", "2026-11-19", '<./2024-02-29>; rel="prev"'],
  ["no link to a later day", "2024-02-28", undefined],
  ["no link to a day without an accepted record", "2026-11-22", '<./2026-11-20>; rel="prev"'],
  ["even on the last possible day", "9999-12-31", '<./2026-11-20>; rel="prev"'],
  ["no link on the first possible day", "0000-01-01", undefined],
];
for (const [rule, date, link] of links) {
  test(`date: a day without a record links to the last earlier day with a record: ${rule}: 404`, async () => {
    const world = await createWorld();
    await world.feed(
      ["USD_RLS", 1, "2024-02-29T19:00:00Z"],
      ["USD_RLS", 2, "2026-11-20T20:29:00Z"],
      ["EUR_RLS", 3, "2026-11-20T21:00:00Z"],
      { code: "USD_RLS", value: 4, businessTime: "2026-11-21T09:00:00Z", qualityStatus: "REJECTED" },
    );
    for (const again of ["at first", "from the cache"])
      assert.equal((await world.ask(`${USD}/${date}`)).headers["Link"], link, again);
    if (link === undefined) return;
    const target = new URL(/<(.*)>/.exec(link)![1]!, `http://prices.example${USD}/${date}`).pathname;
    assert.equal((await world.ask(target)).status, 200, target);
    assert.equal((await world.ask(`${USD}/${date}`, { key: null })).headers["Link"], undefined, "without a key");
  });
}

const unknown = [
  ["an unknown symbol, which is checked before a malformed day", "/api/v1/assets/ABC_RLS/20-11-2026"],
  ["a symbol in the wrong case", "/api/v1/assets/usd_rls/2026-11-20"],
  ["the catalog route takes no day", "/api/v1/assets/supported/2026-11-20"],
  ["__proto__ is no symbol", "/api/v1/assets/__proto__/2026-11-20"],
] as const;
for (const [rule, path] of unknown) {
  test(`date: ${rule}: 404`, async () => {
    assertFailure(await shared.ask(path), 404, "ASSET_NOT_FOUND");
  });
}

// The zone, the day, and its first and last millisecond.
const days = [
  [undefined, "2026-01-10", "2026-01-09T20:30:00.000Z", "2026-01-10T20:29:59.999Z"],
  [undefined, "2022-03-22", "2022-03-21T20:30:00.000Z", "2022-03-22T19:29:59.999Z"],
  [undefined, "2022-09-21", "2022-09-20T19:30:00.000Z", "2022-09-21T20:29:59.999Z"],
  ["UTC", "2026-11-20", "2026-11-20T00:00:00.000Z", "2026-11-20T23:59:59.999Z"],
  ["America/New_York", "2026-03-08", "2026-03-08T05:00:00.000Z", "2026-03-09T03:59:59.999Z"],
  ["Pacific/Kiritimati", "2026-11-20", "2026-11-19T10:00:00.000Z", "2026-11-20T09:59:59.999Z"],
] as const;
for (const [marketTimeZone, date, first, last] of days) {
  test(`date: ${date} has the records of exactly this day in ${marketTimeZone ?? "Tehran"}, to the millisecond: 200 and 404`, async () => {
    for (const [businessTime, inside] of [
      [first, true],
      [last, true],
      [new Date(Date.parse(first) - 1).toISOString(), false],
      [new Date(Date.parse(last) + 1).toISOString(), false],
    ] as const) {
      const world = await createWorld(marketTimeZone === undefined ? {} : { marketTimeZone });
      await world.feed(["USD_RLS", 1, businessTime]);
      assert.equal((await world.ask(`${USD}/${date}`)).status, inside ? 200 : 404, businessTime);
    }
  });
}
