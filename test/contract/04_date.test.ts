import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFailure, createWorld, objectOf } from "../support/api_under_test.ts";

const USD = "/api/v1/assets/USD_RLS";

test("date: one record with the eight fields of the contract: 200", async () => {
  const world = await createWorld();
  await world.feed(["USD_RLS", 1_040_000, "2026-11-20T09:00:00Z"], ["USD_RLS", 1_050_000, "2026-11-21T09:00:00Z"]);
  const reply = await world.ask(`${USD}/2026-11-20`);
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.json, {
    code: "USD_RLS",
    name: "USD_RLS",
    slug: "usd_rls",
    labelEn: "US Dollar / Iranian Rial",
    labelFa: "دلار آمریکا / ریال ایران",
    quoteUnit: "RLS",
    value: 1_040_000,
    businessTime: "2026-11-20T09:00:00.000Z",
  });
});

test("date: the day's last accepted record, whatever the order of arrival: 200", async () => {
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

test("date: today has the latest record so far: 200", async () => {
  const world = await createWorld();
  await world.feed(["USD_RLS", 1, "2026-11-21T08:00:00Z"], ["USD_RLS", 2, "2026-11-21T09:00:00Z"]);
  assert.equal(objectOf((await world.ask(`${USD}/2026-11-21`)).json)["value"], 2);
});

const malformed: readonly (readonly [rule: string, segment: string])[] = [
  ["one digit for the month", "2026-2-01"],
  ["one digit for the day", "2026-02-1"],
  ["no dashes", "20260201"],
  ["an encoded blank before it", "%202026-02-01"],
  ["an encoded blank behind it", "2026-02-01%20"],
  ["a time behind it", "2026-02-01T00:00:00Z"],
  ["the day first", "01-02-2026"],
  ["a hexadecimal digit", "2026-0x-01"],
  ["Persian digits", "%DB%B2%DB%B0%DB%B2%DB%B6-%DB%B0%DB%B2-%DB%B0%DB%B1"],
  ["a week date", "2026-W05-1"],
  ["a word", "today"],
  ["a name of an object's own", "__proto__"],
  ["month 0", "2026-00-10"],
  ["month 13", "2026-13-10"],
  ["day 0", "2026-01-00"],
  ["January 32nd", "2026-01-32"],
  ["April 31st", "2026-04-31"],
  ["February 30th of a leap year", "2024-02-30"],
  ["February 29th of a common year", "2025-02-29"],
  ["February 29th of 1900, divisible by 100 only", "1900-02-29"],
];
for (const [rule, segment] of malformed) {
  test(`date: malformed: ${rule}: 400`, async () => {
    const world = await createWorld();
    await world.feed(["USD_RLS", 1, "2026-02-01T09:00:00Z"]);
    const message = assertFailure(await world.ask(`${USD}/${segment}`), 400, "INVALID_DATE");
    assert.match(message, /YYYY-MM-DD/);
  });
}

const real: readonly (readonly [rule: string, date: string, businessTime: string])[] = [
  ["February 29th of a leap year", "2024-02-29", "2024-02-29T12:00:00Z"],
  ["February 29th of 2000, divisible by 400", "2000-02-29", "2000-02-29T12:00:00Z"],
  ["the last day of a year", "2025-12-31", "2025-12-31T12:00:00Z"],
  ["a day before the epoch", "1969-12-31", "1969-12-31T12:00:00Z"],
  ["a day of Tehran's old offset of 3:25:44", "1930-06-01", "1930-06-01T12:00:00Z"],
];
for (const [rule, date, businessTime] of real) {
  test(`date: ${rule} is a day like any other: 200`, async () => {
    const world = await createWorld();
    await world.feed(["USD_RLS", 7, businessTime]);
    const reply = await world.ask(`${USD}/${date}`);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(objectOf(reply.json)["value"], 7);
  });
}

const empty: readonly (readonly [rule: string, date: string])[] = [
  ["the day after the only record", "2026-11-21"],
  ["a day to come", "2027-01-01"],
  ["a year of another calendar is a Gregorian year long ago", "1405-08-30"],
  ["the first day there can be", "0000-01-01"],
  ["the last day there can be", "9999-12-31"],
];
for (const [rule, date] of empty) {
  test(`date: a well-formed day without a record: ${rule}: 404`, async () => {
    const world = await createWorld();
    await world.feed(["USD_RLS", 1, "2026-11-20T09:00:00Z"]);
    const message = assertFailure(await world.ask(`${USD}/${date}`), 404, "ASSET_NOT_FOUND");
    assert.ok(message.includes(date) && message.includes("USD_RLS"), message);
    assert.deepEqual(world.errors, []);
  });
}

const links: readonly (readonly [rule: string, date: string, link: string | undefined])[] = [
  ["the day before it", "2026-11-21", '<./2026-11-20>; rel="prev"'],
  ["a day years before it", "2026-11-19", '<./2024-02-29>; rel="prev"'],
  ["not a day after it", "2024-02-28", undefined],
  ["not a day without an accepted record", "2026-11-22", '<./2026-11-20>; rel="prev"'],
  ["the last of all, for the last day there can be", "9999-12-31", '<./2026-11-20>; rel="prev"'],
  ["none before the first day there can be", "0000-01-01", undefined],
];
for (const [rule, date, link] of links) {
  test(`date: a day without a record links to the last earlier one that has one: ${rule}: 404`, async () => {
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
  ["an unknown symbol with a good day", "/api/v1/assets/ABC_RLS/2026-11-20"],
  ["an unknown symbol with a malformed day: the symbol is looked at first", "/api/v1/assets/ABC_RLS/20-11-2026"],
  ["a symbol in the wrong case", "/api/v1/assets/usd_rls/2026-11-20"],
  ["the catalog route has no days", "/api/v1/assets/supported/2026-11-20"],
  ["__proto__ is no symbol", "/api/v1/assets/__proto__/2026-11-20"],
] as const;
for (const [rule, path] of unknown) {
  test(`date: ${rule}: 404`, async () => {
    const world = await createWorld();
    await world.feed(["USD_RLS", 1, "2026-11-20T09:00:00Z"]);
    assertFailure(await world.ask(path), 404, "ASSET_NOT_FOUND");
  });
}

// First and last millisecond of market days. Each row: the zone, the day, its first and its last moment.
const days: readonly (readonly [rule: string, zone: string | undefined, date: string, first: string, last: string])[] =
  [
    [
      "Tehran's last summer time began by skipping a midnight: that day of 23 hours",
      undefined,
      "2022-03-22",
      "2022-03-21T20:30:00.000Z",
      "2022-03-22T19:29:59.999Z",
    ],
    ["UTC by setting", "UTC", "2026-11-20", "2026-11-20T00:00:00.000Z", "2026-11-20T23:59:59.999Z"],
    [
      "a zone behind UTC by setting",
      "America/New_York",
      "2026-01-15",
      "2026-01-15T05:00:00.000Z",
      "2026-01-16T04:59:59.999Z",
    ],
    [
      "a day of 23 hours in a zone by setting",
      "America/New_York",
      "2026-03-08",
      "2026-03-08T05:00:00.000Z",
      "2026-03-09T03:59:59.999Z",
    ],
    [
      "a day of 25 hours in a zone by setting",
      "America/New_York",
      "2026-11-01",
      "2026-11-01T04:00:00.000Z",
      "2026-11-02T04:59:59.999Z",
    ],
    [
      "a zone at +05:45 by setting",
      "Asia/Kathmandu",
      "2026-11-20",
      "2026-11-19T18:15:00.000Z",
      "2026-11-20T18:14:59.999Z",
    ],
    [
      "a zone at +14:00 by setting",
      "Pacific/Kiritimati",
      "2026-11-20",
      "2026-11-19T10:00:00.000Z",
      "2026-11-20T09:59:59.999Z",
    ],
  ];
for (const [rule, zone, date, first, last] of days) {
  const settings = zone === undefined ? {} : { marketTimeZone: zone };
  test(`date: ${rule}: its first and last millisecond belong to it, the ones outside do not: 200 and 404`, async () => {
    for (const [businessTime, inside] of [
      [first, true],
      [last, true],
      [shifted(first, -1), false],
      [shifted(last, 1), false],
    ] as const) {
      const world = await createWorld(settings);
      await world.feed(["USD_RLS", 1, businessTime]);
      const reply = await world.ask(`${USD}/${date}`);
      assert.equal(reply.status, inside ? 200 : 404, businessTime);
      if (inside) assert.equal(objectOf(reply.json)["businessTime"], businessTime);
    }
  });
}

function shifted(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString();
}

test("date: a day of history is the same record, byte for byte: 200", async () => {
  const world = await createWorld();
  await world.feed(
    ["USD_RLS", 1, "2026-11-19T20:30:00Z"],
    ["USD_RLS", 2, "2026-11-20T20:29:59.999Z"],
    ["USD_RLS", 3, "2026-11-20T20:30:00Z"],
  );
  const [day, history] = [
    await world.ask(`${USD}/2026-11-20`),
    await world.ask(`${USD}/history?from=2026-11-20&to=2026-11-20`),
  ];
  assert.equal(objectOf(day.json)["value"], 2);
  assert.equal(history.text, `[${day.text}]`);
});

test("date: a zone that does not exist is refused when the API is made", async () => {
  await assert.rejects(createWorld({ marketTimeZone: "Asia/Nowhere" }), RangeError);
});

test("date: HEAD answers as GET: 200, 400 and 404", async () => {
  const world = await createWorld();
  await world.feed(["USD_RLS", 1, "2026-11-20T09:00:00Z"]);
  for (const [segment, status] of [
    ["2026-11-20", 200],
    ["2026-11-32", 400],
    ["2026-11-19", 404],
  ] as const) {
    assert.equal((await world.ask(`${USD}/${segment}`, { method: "HEAD" })).status, status);
  }
});
