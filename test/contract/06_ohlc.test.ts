import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorCode, PriceCandle } from "../../core/mod.ts";
import { assertFailure, createWorld, type Reply, type World } from "../support/api_under_test.ts";

const CODE = "BTC_USD";
const PATH = `/api/v1/assets/${CODE}/ohlc`;
const MINUTE = 60_000;
const DAY = 86_400_000;

type Query = Readonly<Record<"interval" | "from" | "to", string>>;

const TEN_TO_ELEVEN: Query = { interval: "1h", from: "2026-01-05T10:00:00Z", to: "2026-01-05T11:00:00Z" };

function ask(world: World, { interval, from, to }: Query): Promise<Reply> {
  return world.ask(`/api/v1/assets/${CODE}/ohlc?interval=${interval}&from=${from}&to=${to}`);
}

async function candles(world: World, query: Query): Promise<readonly PriceCandle[]> {
  const { status, text } = await ask(world, query);
  assert.equal(status, 200, text);
  return JSON.parse(text).candles;
}

/** A candle in one line: start, open, high, low, close, and the number of observations. */
function brief({ start, open, high, low, close, observationCount }: PriceCandle): string {
  return `${start.slice(0, 16)} ${open} ${high} ${low} ${close} ${observationCount}`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

// One observation at 10:00 and one at 10:20, shared by all tests that only check parameters.
const shared = await createWorld();
await shared.feed([CODE, 100, "2026-01-05T10:00:00Z"], [CODE, 200, "2026-01-05T10:20:00Z"]);

test("ohlc: the answer has exactly the contract's fields: 200", async () => {
  const reply = await ask(shared, TEN_TO_ELEVEN);
  assert.equal(reply.headers["Content-Type"], "application/json; charset=utf-8");
  const { labelEn, labelFa, ...rest } = JSON.parse(reply.text);
  assert.deepEqual(rest, {
    code: "BTC_USD",
    baseCode: "BTC",
    quoteUnit: "USD",
    interval: "1h",
    from: "2026-01-05T10:00:00.000Z",
    to: "2026-01-05T11:00:00.000Z",
    availableFrom: "2026-01-05T10:00:00.000Z",
    candles: [
      {
        start: "2026-01-05T10:00:00.000Z",
        end: "2026-01-05T11:00:00.000Z",
        open: 100,
        high: 200,
        low: 100,
        close: 200,
        observationCount: 2,
        complete: true,
      },
    ],
  });
  assert.match(labelEn, /^[^/]+ \/ US Dollar$/);
  assert.match(labelFa, /^[^/]+ \/ [^/]+$/);
});

const TEN = "2026-01-05T10:00:00";
const RANGE = "from=2026-01-05T10:00:00Z&to=2026-01-05T11:00:00Z";
const LONG = `2026-01-05T10:00:00.${"0".repeat(2_000)}Z`;
const malformed: readonly (readonly [rule: string, query: string, code: ErrorCode, message: RegExp])[] = [
  ...["5m", "1H", "", "1h%20", "__proto__"].map(
    (text) => [`interval "${text}"`, `interval=${text}&${RANGE}`, "INVALID_INTERVAL", /15m, 1h, 4h, 1d/] as const,
  ),
  ["no interval", RANGE, "MISSING_PARAMETER", /^interval /],
  ["no from", "interval=1h&to=2026-01-05T11:00:00Z", "MISSING_PARAMETER", /^from /],
  ["no to", "interval=1h&from=2026-01-05T10:00:00Z", "MISSING_PARAMETER", /^to /],
  ["from after to", `interval=1h&from=2026-01-05T12:00Z&to=2026-01-05T10:00Z`, "INVALID_OHLC_RANGE", /from/],
  ["from equal to to", `interval=1h&from=2026-01-05T10:00Z&to=2026-01-05T10:00Z`, "INVALID_OHLC_RANGE", /from/],
  [
    "`from` a nanosecond after `to`",
    `interval=1h&from=${TEN}.000000002Z&to=${TEN}.000000001Z`,
    "INVALID_OHLC_RANGE",
    /from/,
  ],
  [
    "malformed `to` checked before a backward range",
    `interval=1h&from=${TEN}Z&to=2026-01-05`,
    "INVALID_TIMESTAMP",
    /^to /,
  ],
  [
    "unknown interval checked before a long range",
    `interval=1m&from=1970-01-01T00:00Z&to=${TEN}Z`,
    "INVALID_INTERVAL",
    /1m/,
  ],
];
for (const [rule, query, code, message] of malformed) {
  test(`ohlc: ${rule}: 400`, async () => {
    assert.match(assertFailure(await shared.ask(`${PATH}?${query}`), 400, code), message);
  });
}

const spellings = [
  ["no seconds", "2026-01-05T10:00Z", "2026-01-05T10:00:00.000Z"],
  ["an encoded plus and a zero offset", "2026-01-05T10:00:00%2B00:00", "2026-01-05T10:00:00.000Z"],
  ["microseconds and a raw plus, as in Python", "2026-01-05T09:59:59.123456+00:00", "2026-01-05T09:59:59.123Z"],
  ["9 fraction digits, truncated and not rounded", "2026-01-05T09:59:59.999999999Z", "2026-01-05T09:59:59.999Z"],
] as const;
const spelled = await createWorld();
await spelled.feed([CODE, 1, "2026-01-05T09:00:00Z"], [CODE, 2, "2026-01-05T10:30:00Z"]);
for (const [rule, text, echoed] of spellings) {
  test(`ohlc: from and to may have ${rule}, and are echoed in UTC with three fraction digits: 200`, async () => {
    const before = { interval: "15m", from: "2026-01-05T09:00Z", to: text };
    assert.equal((await ask(spelled, before)).json["to"], echoed);
    assert.equal((await ask(spelled, { interval: "15m", from: text, to: "2026-01-05T11:00Z" })).json["from"], echoed);
  });
}

const refused = [
  ["another offset", "2026-01-05T10:00:00%2B03:30"],
  ["no zone", "2026-01-05T10:00:00"],
  ["a date alone", "2026-01-05"],
  ["seconds since 1970", "1767607200"],
  ["nothing", ""],
  ["a long text", LONG],
] as const;
for (const [rule, text] of refused) {
  test(`ohlc: a timestamp with ${rule}: 400, in both from and to`, async () => {
    for (const [name, reply] of [
      ["from", await ask(shared, { interval: "1h", from: text, to: "2026-01-06T00:00:00Z" })],
      ["to", await ask(shared, { interval: "1h", from: "2020-01-05T10:00:00Z", to: text })],
    ] as const) {
      assert.match(assertFailure(reply, 400, "INVALID_TIMESTAMP"), new RegExp(`^${name} `));
      assert.ok(reply.text.length < 1_000, "a long input is not repeated");
    }
  });
}

const orders = [
  ["unknown symbol before everything", "NONE_USD", "interval=x&interval=y&from=y&to=z", 404, "ASSET_NOT_FOUND"],
  ["backward range before data", "ETH_USD", `interval=1h&from=${TEN}Z&to=2026-01-05T00:00Z`, 400, "INVALID_OHLC_RANGE"],
  [
    "too long a range checked before data",
    "ETH_USD",
    `interval=15m&from=1970-01-01T00:00Z&to=${TEN}Z`,
    400,
    "INVALID_OHLC_RANGE",
  ],
] as const;
for (const [rule, code, query, status, errorCode] of orders) {
  test(`ohlc: checks in order: ${rule}: ${status}`, async () => {
    assertFailure(await shared.ask(`/api/v1/assets/${code}/ohlc?${query}`), status, errorCode);
  });
}

const empty = [
  ["before the data", "2025-01-05T00:00:00Z", "2025-01-06T00:00:00Z"],
  ["between two bucket starts", "2026-01-05T10:00:00.000000001Z", "2026-01-05T10:59:59.999999999Z"],
  ["on the last possible day", "9999-12-31T00:00:00Z", "9999-12-31T23:59:59.999999999Z"],
] as const;
for (const [rule, from, to] of empty) {
  test(`ohlc: no candle starts in a range ${rule}: 404`, async () => {
    assertFailure(await ask(shared, { interval: "1h", from, to }), 404, "OHLC_NOT_FOUND");
  });
}

// Ranges, and which of the hours 09, 10 and 11 each range contains. Each hour has an observation.
const bounds = [
  ["`from` and `to` at bucket starts: `from` is included, `to` is not", "10:00:00Z", "11:00:00Z", ["10"]],
  ["`from` at a bucket start, `to` a nanosecond after the next", "10:00:00Z", "11:00:00.000000001Z", ["10", "11"]],
  ["`to` a nanosecond after `from`", "10:00:00Z", "10:00:00.000000001Z", ["10"]],
  ["`from` a nanosecond before a bucket start", "09:59:59.999999999Z", "11:00:00Z", ["10"]],
  ["`from` a nanosecond after a bucket start", "09:00:00.000000001Z", "11:00:00Z", ["10"]],
  ["`from` a millisecond after a bucket start", "09:00:00.001Z", "11:00:00Z", ["10"]],
  ["`from` and `to` inside buckets, with microseconds", "09:30:00.123456Z", "11:30:00.654321Z", ["10", "11"]],
  ["all three", "09:00:00Z", "11:59:00Z", ["09", "10", "11"]],
] as const;
const hourly = await createWorld();
for (const hour of ["09", "10", "11"]) await hourly.feed([CODE, Number(hour), `2026-01-05T${hour}:30:00Z`]);
for (const [rule, from, to, hours] of bounds) {
  test(`ohlc: a candle is in the answer when from <= start < to: ${rule}: 200`, async () => {
    const found = await candles(hourly, { interval: "1h", from: `2026-01-05T${from}`, to: `2026-01-05T${to}` });
    assert.deepEqual(
      found.map(({ start, open }) => [start.slice(11, 13), open]),
      hours.map((hour) => [hour, Number(hour)]),
    );
  });
}

test("ohlc: an observation at a bucket's start belongs to this bucket, an observation at its end to the next bucket: 200", async () => {
  for (const [interval, width] of [
    ["15m", 15 * MINUTE],
    ["1h", 60 * MINUTE],
    ["4h", 240 * MINUTE],
    ["1d", DAY],
  ] as const) {
    const world = await createWorld();
    const start = Date.parse("2026-01-05T00:00:00Z");
    await world.feed(
      [CODE, 1, iso(start - 1)],
      [CODE, 2, iso(start)],
      [CODE, 3, iso(start + width - 1)],
      [CODE, 4, iso(start + width)],
    );
    assert.deepEqual(
      (await candles(world, { interval, from: iso(start - width), to: iso(start + 2 * width) })).map(brief),
      [
        `${iso(start - width).slice(0, 16)} 1 1 1 1 1`,
        `${iso(start).slice(0, 16)} 2 3 2 3 2`,
        `${iso(start + width).slice(0, 16)} 4 4 4 4 1`,
      ],
      interval,
    );
  }
});

test("ohlc: a candle covers its whole bucket: it has the same bytes in every range that contains its start: 200", async () => {
  const world = await createWorld();
  const start = Date.parse("2026-01-05T00:00:00Z");
  for (let i = 0; i < 400; i++) await world.feed([CODE, 100 + ((i * 37) % 101) / 8, iso(start + i * 11 * MINUTE)]);
  const body = ({ text }: Reply): string => text.slice(text.indexOf('"candles":[') + 11, -2);
  for (const interval of ["15m", "1h", "4h", "1d"]) {
    const whole = body(await ask(world, { interval, from: iso(start), to: iso(start + 4 * DAY) }));
    const each = whole.split(/(?<=\}),/);
    assert.ok(each.length >= 3, `${each.length} candles`);
    for (const candle of each) {
      const at = Date.parse(JSON.parse(candle).start);
      for (const [before, behind] of [
        [0, 1],
        [1, MINUTE],
        [7 * MINUTE, 5 * MINUTE],
      ] as const) {
        const answer = body(await ask(world, { interval, from: iso(at - before), to: iso(at + behind) }));
        assert.equal(answer, candle);
      }
    }
  }
});

test("ohlc: a candle is complete once it ends, not a millisecond earlier: 200", async () => {
  const world = await createWorld({}, "2026-01-05T10:30:00Z");
  await world.feed([CODE, 1, "2026-01-05T10:20:00Z"]);
  for (const [interval, end] of [
    ["15m", "2026-01-05T10:30:00Z"],
    ["1h", "2026-01-05T11:00:00Z"],
    ["4h", "2026-01-05T12:00:00Z"],
    ["1d", "2026-01-06T00:00:00Z"],
  ] as const) {
    for (const [ms, complete] of [
      [-1, false],
      [0, true],
    ] as const) {
      world.setNow(iso(Date.parse(end) + ms));
      const [candle] = await candles(world, { interval, from: "2026-01-05T00:00:00Z", to: "2026-01-06T00:00:00Z" });
      assert.equal(candle?.complete, complete, `${interval} ${ms}`);
    }
  }
});

// Records that arrive one after the other in the same world, each with the resulting candle of 10:00.
const arrivals = [
  ["records that are not accepted make no candle", ["10:20 5 PENDING", "10:21 5 REJECTED"], undefined],
  ["open and close follow business time", ["10:30 50", "10:45 60", "10:15 40"], "40 60 40 60 3"],
  ["open and close ignore the order of arrival", ["10:40 55", "10:00 70", "10:59 30"], "70 70 30 30 6"],
  ["a correction replaces the first value and counts once", ["10:45 65", "10:00 45"], "45 65 30 30 6"],
  ["a retracted record no longer counts", ["10:59 30 REJECTED", "10:45 65 REJECTED"], "45 55 40 55 4"],
  [
    "retracting the last record removes the candle",
    ["10:00", "10:15", "10:30", "10:40"].map((one) => `${one} 1 REJECTED`),
    undefined,
  ],
  ["a new accepted record restores the candle", ["10:20 51"], "51 51 51 51 1"],
] as const;
const changing = await createWorld();
for (const [rule, records, candle] of arrivals) {
  test(`ohlc: ${rule}: ${candle === undefined ? 404 : 200}`, async () => {
    for (const record of records) {
      const [time, value, qualityStatus = "ACCEPTED"] = record.split(" ");
      await changing.feed({ code: CODE, value: value!, businessTime: `2026-01-05T${time}:00Z`, qualityStatus });
    }
    const reply = await ask(changing, TEN_TO_ELEVEN);
    if (candle === undefined) assertFailure(reply, 404, "OHLC_NOT_FOUND");
    else assert.deepEqual(JSON.parse(reply.text).candles.map(brief), [`2026-01-05T10:00 ${candle}`]);
  });
}

const caps = [
  ["15m", 15 * MINUTE, /\b104 days/],
  ["1h", 60 * MINUTE, /\b416 days/],
  ["4h", 240 * MINUTE, /\b1666 days/],
  ["1d", DAY, /\b10000 days/],
] as const;
for (const [interval, width, longest] of caps) {
  test(`ohlc: a range may contain the starts of 10,000 buckets of ${interval}: 200; with one more: 400, and the message states the limit`, async () => {
    const world = await createWorld();
    const start = Date.parse("1990-01-01T00:00:00Z");
    await world.feed([CODE, 1, iso(start)], [CODE, 2, iso(start + width)]);
    const end = start + 10_000 * width;
    assert.equal((await candles(world, { interval, from: iso(start), to: iso(end) })).length, 2);
    // The limit counts the starts of buckets, so a partial bucket at the beginning of the range does not count.
    assert.equal((await candles(world, { interval, from: iso(start + 1), to: iso(end + width) })).length, 1);
    assert.equal((await candles(world, { interval, from: iso(start + 1 - width), to: iso(end) })).length, 2);
    for (const [from, to] of [
      [iso(start), iso(end + 1)],
      [iso(start), iso(end).replace("Z", "000001Z")],
      [iso(start - 1), iso(end + 1)],
      [iso(start - width), iso(end)],
    ] as const) {
      const message = assertFailure(await ask(world, { interval, from, to }), 400, "INVALID_OHLC_RANGE");
      assert.match(message, /\b10,?000\b/);
      assert.match(message, longest);
    }
  });
}

test("ohlc: an answer may have 10,000 candles: 200", async () => {
  const world = await createWorld();
  const start = Date.parse("2026-01-01T00:00:00Z");
  await world.feed(...Array.from({ length: 10_001 }, (_, i) => [CODE, i + 1, iso(start + i * 15 * MINUTE)] as const));
  const found = await candles(world, { interval: "15m", from: iso(start), to: iso(start + 10_000 * 15 * MINUTE) });
  assert.equal(found.length, 10_000);
  for (const [i, { open, start: at }] of found.entries())
    assert.ok(open === i + 1 && at === iso(start + i * 15 * MINUTE), `candle ${i} has its own start and value`);
});

test("ohlc: the maximum number of candles is a setting: 200; one more: 400", async () => {
  const world = await createWorld({ maxCandles: 48 });
  await world.feed([CODE, 1, "2026-01-05T10:00:00Z"]);
  const query = { interval: "1h", from: "2026-01-05T00:00:00Z", to: "2026-01-07T00:00:00Z" };
  assert.equal((await ask(world, query)).status, 200);
  const reply = await ask(world, { ...query, to: "2026-01-07T00:00:01Z" });
  assert.match(assertFailure(reply, 400, "INVALID_OHLC_RANGE"), /\b48\b.*\b2 days/);
});
