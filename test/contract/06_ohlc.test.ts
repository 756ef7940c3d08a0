import assert from "node:assert/strict";
import { test } from "node:test";
import type { PriceCandle } from "../../core/mod.ts";
import { createWorld, type Reply, type World } from "../support/api_under_test.ts";

const CODE = "BTC_USD";
const PATH = `/api/v1/assets/${CODE}/ohlc`;
const MINUTE = 60_000;
const DAY = 86_400_000;

interface Ohlc {
  readonly interval: string;
  readonly from: string;
  readonly to: string;
  readonly availableFrom: string;
  readonly candles: readonly PriceCandle[];
}

function ohlcOf(reply: Reply): Ohlc {
  assert.equal(reply.status, 200, reply.text);
  return JSON.parse(reply.text);
}

type Query = Readonly<Record<"interval" | "from" | "to", string>>;

const TEN_TO_ELEVEN: Query = { interval: "1h", from: "2026-01-05T10:00:00Z", to: "2026-01-05T11:00:00Z" };

function ask(world: World, { interval, from, to }: Query): Promise<Reply> {
  return world.ask(`/api/v1/assets/${CODE}/ohlc?interval=${interval}&from=${from}&to=${to}`);
}

async function candles(world: World, query: Query): Promise<readonly PriceCandle[]> {
  return ohlcOf(await ask(world, query)).candles;
}

/** A candle in one line: start, then open, high, low, close, and the number of observations. */
function brief({ start, open, high, low, close, observationCount }: PriceCandle): string {
  return `${start.slice(0, 16)} ${open} ${high} ${low} ${close} ${observationCount}`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

// One observation at 10:00 and one at 10:20; requests that only look at parameters share them.
const shared = await createWorld();
await shared.feed([CODE, 100, "2026-01-05T10:00:00Z"], [CODE, 200, "2026-01-05T10:20:00Z"]);

test("ohlc: the answer has the contract's fields and no other: 200", async () => {
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

test("ohlc: prices are plain decimals, never with an exponent: 200", async () => {
  const world = await createWorld();
  await world.feed(
    ["PEPE_USD", 9.8e-7, "2026-01-05T10:00:00Z"],
    ["PEPE_USD", 2.5e-8, "2026-01-05T10:01:00Z"],
    ["PEPE_USD", 1e21, "2026-01-05T10:02:00Z"],
  );
  const { text } = await world.ask(
    "/api/v1/assets/PEPE_USD/ohlc?interval=15m&from=2026-01-05T10:00:00Z&to=2026-01-05T10:15:00Z",
  );
  assert.ok(
    text.includes('"open":0.00000098,"high":1000000000000000000000,"low":0.000000025,"close":1000000000000000000000,'),
    text,
  );
});

const intervals = [
  ["15m", "2026-01-05T10:15:00.000Z", "2026-01-05T10:30:00.000Z"],
  ["1h", "2026-01-05T10:00:00.000Z", "2026-01-05T11:00:00.000Z"],
  ["4h", "2026-01-05T08:00:00.000Z", "2026-01-05T12:00:00.000Z"],
  ["1d", "2026-01-05T00:00:00.000Z", "2026-01-06T00:00:00.000Z"],
] as const;
for (const [interval, start, end] of intervals) {
  test(`ohlc: ${interval} candles are aligned to UTC, and end one interval after their start: 200`, async () => {
    const found = ohlcOf(await ask(shared, { interval, from: "2026-01-05T00:00:00Z", to: "2026-01-06T00:00:00Z" }));
    assert.equal(found.interval, interval);
    const last = found.candles.at(-1);
    assert.deepEqual([last?.start, last?.end], [start, end]);
  });
}

for (const interval of ["5m", "1H", "", "1h%20", "__proto__"]) {
  test(`ohlc: the interval "${interval}" is unknown: 400`, async () => {
    const reply = await ask(shared, { interval, from: "2026-01-05T10:00:00Z", to: "2026-01-05T11:00:00Z" });
    assert.equal(reply.status, 400);
    assert.equal(reply.json["code"], "INVALID_INTERVAL");
    assert.match(String(reply.json["message"]), /15m, 1h, 4h, 1d/);
  });
}

const missing = [
  ["interval", "from=2026-01-05T10:00:00Z&to=2026-01-05T11:00:00Z"],
  ["from", "interval=1h&to=2026-01-05T11:00:00Z"],
  ["to", "interval=1h&from=2026-01-05T10:00:00Z"],
] as const;
for (const [name, query] of missing) {
  test(`ohlc: ${name} missing: 400`, async () => {
    const reply = await shared.ask(`${PATH}?${query}`);
    assert.equal(reply.status, 400);
    assert.equal(reply.json["code"], "MISSING_PARAMETER");
    assert.match(String(reply.json["message"]), new RegExp(`^${name} `));
  });
}

for (const name of ["interval", "from", "to"]) {
  test(`ohlc: ${name} twice, though with one value: 400`, async () => {
    const query = new URLSearchParams({ interval: "1h", from: "2026-01-05T10:00:00Z", to: "2026-01-05T11:00:00Z" });
    query.append(name, query.get(name) ?? "");
    const reply = await shared.ask(`${PATH}?${query}`);
    assert.equal(reply.status, 400);
    assert.equal(reply.json["code"], "DUPLICATE_PARAMETER");
  });
}

const spellings = [
  ["seconds and Z", "2026-01-05T10:00:00Z", "2026-01-05T10:00:00.000Z"],
  ["no seconds and Z", "2026-01-05T10:00Z", "2026-01-05T10:00:00.000Z"],
  [
    "9 fraction digits, truncated and not rounded into the next second",
    "2026-01-05T09:59:59.999999999Z",
    "2026-01-05T09:59:59.999Z",
  ],
  ["an encoded plus and zeros", "2026-01-05T10:00:00%2B00:00", "2026-01-05T10:00:00.000Z"],
  ["a raw plus and zeros", "2026-01-05T10:00:00+00:00", "2026-01-05T10:00:00.000Z"],
  ["microseconds and a raw plus, as Python writes it", "2026-01-05T09:59:59.123456+00:00", "2026-01-05T09:59:59.123Z"],
] as const;
for (const [rule, text, echoed] of spellings) {
  test(`ohlc: from and to may be written with ${rule}, and are echoed in UTC with three fraction digits: 200`, async () => {
    const world = await createWorld();
    const day = Date.parse(echoed.slice(0, 10));
    await world.feed([CODE, 1, iso(day - DAY)], [CODE, 2, iso(day + DAY)]);
    assert.equal(ohlcOf(await ask(world, { interval: "1d", from: text, to: iso(day + 2 * DAY) })).from, echoed);
    assert.equal(ohlcOf(await ask(world, { interval: "1d", from: iso(day - DAY), to: text })).to, echoed);
  });
}

const refused = [
  ["another offset", "2026-01-05T10:00:00%2B03:30"],
  ["no zone", "2026-01-05T10:00:00"],
  ["a date alone", "2026-01-05"],
  ["a leap second", "2025-12-31T23:59:60Z"],
  ["29 February of a common year", "2026-02-29T10:00:00Z"],
  ["seconds since 1970", "1767607200"],
  ["Persian digits", encodeURIComponent("۲۰۲۶-۰۱-۰۵T10:00:00Z")],
  ["nothing", ""],
  ["a long text", `2026-01-05T10:00:00.${"0".repeat(2_000)}Z`],
] as const;
for (const [rule, text] of refused) {
  test(`ohlc: a timestamp with ${rule}: 400, in from as in to`, async () => {
    for (const [name, reply] of [
      ["from", await ask(shared, { interval: "1h", from: text, to: "2026-01-06T00:00:00Z" })],
      ["to", await ask(shared, { interval: "1h", from: "2020-01-05T10:00:00Z", to: text })],
    ] as const) {
      assert.equal(reply.status, 400, name);
      assert.equal(reply.json["code"], "INVALID_TIMESTAMP", name);
      assert.match(String(reply.json["message"]), new RegExp(`^${name} `));
      assert.ok(reply.text.length < 1_000, "a long input is not repeated");
    }
  });
}

const backward = [
  ["from after to", "2026-01-05T11:00:00Z", "2026-01-05T10:00:00Z"],
  ["from equal to to", "2026-01-05T10:00:00Z", "2026-01-05T10:00:00Z"],
  [
    "from a nanosecond after to, in one millisecond",
    "2026-01-05T10:00:00.000000002Z",
    "2026-01-05T10:00:00.000000001Z",
  ],
] as const;
for (const [rule, from, to] of backward) {
  test(`ohlc: ${rule}: 400`, async () => {
    const reply = await ask(shared, { interval: "1h", from, to });
    assert.equal(reply.status, 400);
    assert.equal(reply.json["code"], "INVALID_OHLC_RANGE");
  });
}

const orders = [
  ["unknown symbol before everything", "NONE_USD", "interval=x&from=y&to=z", 404, "ASSET_NOT_FOUND"],
  ["unknown symbol before a parameter given twice", "NONE_USD", "interval=1h&interval=1h", 404, "ASSET_NOT_FOUND"],
  [
    "malformed to before a backward range",
    CODE,
    "interval=1h&from=2026-01-06T00:00Z&to=2026-01-05",
    400,
    "INVALID_TIMESTAMP",
  ],
  [
    "unknown interval before a range too long",
    CODE,
    "interval=1m&from=1970-01-01T00:00Z&to=2026-01-05T00:00Z",
    400,
    "INVALID_INTERVAL",
  ],
  [
    "backward range before data",
    "ETH_USD",
    "interval=1h&from=2026-01-06T00:00Z&to=2026-01-05T00:00Z",
    400,
    "INVALID_OHLC_RANGE",
  ],
  [
    "range too long before data",
    "ETH_USD",
    "interval=15m&from=1970-01-01T00:00Z&to=2026-01-05T00:00Z",
    400,
    "INVALID_OHLC_RANGE",
  ],
] as const;
for (const [rule, code, query, status, errorCode] of orders) {
  test(`ohlc: checks in order: ${rule}: ${status}`, async () => {
    const reply = await shared.ask(`/api/v1/assets/${code}/ohlc?${query}`);
    assert.equal(reply.status, status);
    assert.equal(reply.json["code"], errorCode);
  });
}

const empty = [
  ["before the data", "2025-01-05T00:00:00Z", "2025-01-06T00:00:00Z"],
  ["between two starts of a bucket", "2026-01-05T10:00:00.000000001Z", "2026-01-05T10:59:59.999999999Z"],
  ["of the last hours that can be written", "9999-12-31T00:00:00Z", "9999-12-31T23:59:59.999999999Z"],
] as const;
for (const [rule, from, to] of empty) {
  test(`ohlc: no candle starts in the range ${rule}: 404 OHLC_NOT_FOUND`, async () => {
    const reply = await ask(shared, { interval: "1h", from, to });
    assert.equal(reply.status, 404);
    assert.equal(reply.json["code"], "OHLC_NOT_FOUND");
  });
}

// Which of the hours 09, 10 and 11, each with an observation, are in a range.
const bounds = [
  ["from and to on starts: from is in, to is not", "10:00:00Z", "11:00:00Z", ["10"]],
  ["from at a start, to a nanosecond behind the next", "10:00:00Z", "11:00:00.000000001Z", ["10", "11"]],
  ["to a nanosecond behind from", "10:00:00Z", "10:00:00.000000001Z", ["10"]],
  ["from a nanosecond before a start", "09:59:59.999999999Z", "11:00:00Z", ["10"]],
  ["from a nanosecond behind a start", "09:00:00.000000001Z", "11:00:00Z", ["10"]],
  ["from a millisecond behind a start", "09:00:00.001Z", "11:00:00Z", ["10"]],
  ["from and to in the middle of a bucket, with microseconds", "09:30:00.123456Z", "11:30:00.654321Z", ["10", "11"]],
  ["all three", "09:00:00Z", "11:59:00Z", ["09", "10", "11"]],
] as const;
for (const [rule, from, to, hours] of bounds) {
  test(`ohlc: a candle is in the answer when from <= start < to: ${rule}: 200`, async () => {
    const world = await createWorld();
    for (const hour of ["09", "10", "11"]) await world.feed([CODE, Number(hour), `2026-01-05T${hour}:30:00Z`]);
    const found = await candles(world, { interval: "1h", from: `2026-01-05T${from}`, to: `2026-01-05T${to}` });
    assert.deepEqual(
      found.map(({ start }) => start.slice(11, 13)),
      hours,
    );
    assert.deepEqual(
      found.map(({ open }) => open),
      hours.map(Number),
    );
  });
}

test("ohlc: observations at a bucket's start are in it, those at its end are in the next: 200", async () => {
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

test("ohlc: a candle is computed from its whole bucket, also from what lies outside the range: 200", async () => {
  const world = await createWorld();
  await world.feed(
    [CODE, 10, "2026-01-05T10:00:00Z"],
    [CODE, 90, "2026-01-05T10:10:00Z"],
    [CODE, 5, "2026-01-05T10:50:00Z"],
    [CODE, 20, "2026-01-05T10:59:59.999Z"],
  );
  const [candle, ...more] = await candles(world, {
    interval: "1h",
    from: "2026-01-05T09:40:00Z",
    to: "2026-01-05T10:05:00Z",
  });
  assert.equal(brief(candle!), "2026-01-05T10:00 10 90 5 20 4");
  assert.equal(more.length, 0);
});

test("ohlc: the same bucket has the same bytes in every range that holds its start: 200", async () => {
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

test("ohlc: candles ascend, buckets without an observation are left out: 200", async () => {
  const world = await createWorld();
  await world.feed(
    [CODE, 3, "2026-01-05T20:00:00Z"],
    [CODE, 1, "2026-01-05T01:00:00Z"],
    [CODE, 2, "2026-01-05T13:59:00Z"],
  );
  assert.deepEqual(
    (await candles(world, { interval: "4h", from: "2026-01-05T00:00:00Z", to: "2026-01-06T00:00:00Z" })).map(brief),
    ["2026-01-05T00:00 1 1 1 1 1", "2026-01-05T12:00 2 2 2 2 1", "2026-01-05T20:00 3 3 3 3 1"],
  );
});

test("ohlc: a candle is complete from its end on, and not a millisecond earlier: 200", async () => {
  const world = await createWorld({}, "2026-01-05T10:30:00Z");
  await world.feed([CODE, 1, "2026-01-05T10:20:00Z"]);
  const ends = [
    ["15m", "10:30:00.000"],
    ["1h", "11:00:00.000"],
    ["4h", "12:00:00.000"],
    ["1d", "24:00:00.000"],
  ] as const;
  for (const [interval, time] of ends) {
    const end =
      Date.parse("2026-01-05T00:00:00Z") + Number(time.slice(0, 2)) * 60 * MINUTE + Number(time.slice(3, 5)) * MINUTE;
    for (const [now, complete] of [
      [end - 1, false],
      [end, true],
      [end + 1, true],
    ] as const) {
      world.setNow(iso(now));
      const [candle] = await candles(world, { interval, from: "2026-01-05T00:00:00Z", to: "2026-01-06T00:00:00Z" });
      assert.equal(candle?.complete, complete, `${interval} ${iso(now)}`);
    }
  }
});

test("ohlc: an answer in which a candle became complete is a new one: 200, not 304", async () => {
  const world = await createWorld({}, "2026-01-05T10:59:59.999Z");
  await world.feed([CODE, 5, "2026-01-05T10:30:00Z"]);
  const target = `${PATH}?interval=1h&from=2026-01-05T10:00:00Z&to=2026-01-05T11:00:00Z`;
  const tag = (await world.ask(target)).headers["ETag"];
  assert.ok(tag, "the answer has a tag");
  assert.equal((await world.ask(target, { headers: ["If-None-Match", tag] })).status, 304);
  world.setNow("2026-01-05T11:00:00Z");
  const later = await world.ask(target, { headers: ["If-None-Match", tag] });
  assert.equal(ohlcOf(later).candles[0]?.complete, true);
});

test("ohlc: open and close are the first and the last by business time, whatever arrived last: 200", async () => {
  const world = await createWorld();
  await world.feed([CODE, 50, "2026-01-05T10:30:00Z"]);
  await world.feed([CODE, 60, "2026-01-05T10:45:00Z"]);
  await world.feed([CODE, 40, "2026-01-05T10:15:00Z"]);
  assert.deepEqual((await candles(world, TEN_TO_ELEVEN)).map(brief), ["2026-01-05T10:00 40 60 40 60 3"]);
  await world.feed(
    [CODE, 55, "2026-01-05T10:40:00Z"],
    [CODE, 70, "2026-01-05T10:00:00Z"],
    [CODE, 30, "2026-01-05T10:59:59.999Z"],
  );
  assert.deepEqual((await candles(world, TEN_TO_ELEVEN)).map(brief), ["2026-01-05T10:00 70 70 30 30 6"]);
});

test("ohlc: a correction takes the place of the first value and is counted once: 200", async () => {
  const world = await createWorld();
  await world.feed(
    [CODE, 50, "2026-01-05T10:10:00Z"],
    [CODE, 500, "2026-01-05T10:20:00Z"],
    [CODE, 51, "2026-01-05T10:30:00Z"],
  );
  await world.feed([CODE, 52, "2026-01-05T10:20:00Z"]);
  assert.deepEqual((await candles(world, TEN_TO_ELEVEN)).map(brief), ["2026-01-05T10:00 50 52 50 51 3"]);
  await world.feed([CODE, 60, "2026-01-05T10:10:00Z"], [CODE, 40, "2026-01-05T10:30:00Z"]);
  assert.deepEqual((await candles(world, TEN_TO_ELEVEN)).map(brief), ["2026-01-05T10:00 60 60 40 40 3"]);
});

test("ohlc: a retracted observation leaves its candle; with the last one the candle goes too: 200, then 404", async () => {
  const world = await createWorld();
  const retract = (value: number, businessTime: string): Promise<void> =>
    world.feed({ code: CODE, value, businessTime, qualityStatus: "REJECTED", qualityMessage: "wrong feed" });
  await world.feed([CODE, 50, "2026-01-05T10:10:00Z"], [CODE, 500, "2026-01-05T10:20:00Z"]);
  await retract(500, "2026-01-05T10:20:00Z");
  assert.deepEqual((await candles(world, TEN_TO_ELEVEN)).map(brief), ["2026-01-05T10:00 50 50 50 50 1"]);
  await retract(50, "2026-01-05T10:10:00Z");
  const gone = await ask(world, TEN_TO_ELEVEN);
  assert.equal(gone.status, 404);
  assert.equal(gone.json["code"], "OHLC_NOT_FOUND");
  await world.feed([CODE, 51, "2026-01-05T10:20:00Z"]);
  assert.deepEqual((await candles(world, TEN_TO_ELEVEN)).map(brief), ["2026-01-05T10:00 51 51 51 51 1"]);
});

test("ohlc: observations not accepted make no candle: 404", async () => {
  const world = await createWorld();
  for (const [qualityStatus, minute] of [
    ["PENDING", "10"],
    ["REJECTED", "20"],
  ] as const) {
    await world.feed({ code: CODE, value: 5, businessTime: `2026-01-05T10:${minute}:00Z`, qualityStatus });
  }
  assert.equal((await ask(world, TEN_TO_ELEVEN)).status, 404);
});

test("ohlc: availableFrom is the earliest accepted observation of the asset, whatever the range: 200", async () => {
  const world = await createWorld();
  const availableFrom = async (): Promise<string> => ohlcOf(await ask(world, TEN_TO_ELEVEN)).availableFrom;
  await world.feed([CODE, 1, "2026-01-05T10:10:00.123Z"]);
  assert.equal(await availableFrom(), "2026-01-05T10:10:00.123Z");
  await world.feed([CODE, 2, "2025-07-01T00:00:00Z"], ["ETH_USD", 2, "2020-07-01T00:00:00Z"]);
  assert.equal(await availableFrom(), "2025-07-01T00:00:00.000Z");
  await world.feed({ code: CODE, value: 3, businessTime: "2024-07-01T00:00:00Z", qualityStatus: "PENDING" });
  assert.equal(await availableFrom(), "2025-07-01T00:00:00.000Z");
  await world.feed({ code: CODE, value: 2, businessTime: "2025-07-01T00:00:00Z", qualityStatus: "REJECTED" });
  assert.equal(await availableFrom(), "2026-01-05T10:10:00.123Z");
});

const caps = [
  ["15m", 15 * MINUTE, /\b104 days/],
  ["1h", 60 * MINUTE, /\b416 days/],
  ["4h", 240 * MINUTE, /\b1666 days/],
  ["1d", DAY, /\b10000 days/],
] as const;
for (const [interval, width, longest] of caps) {
  test(`ohlc: a range of 10,000 starts of ${interval} is the longest: 200, one more: 400 and the message names the longest`, async () => {
    const world = await createWorld();
    const start = Date.parse("1990-01-01T00:00:00Z");
    await world.feed([CODE, 1, iso(start)], [CODE, 2, iso(start + width)]);
    const end = start + 10_000 * width;
    assert.equal((await candles(world, { interval, from: iso(start), to: iso(end) })).length, 2);
    // Starts are counted, not the length of the range: none lies before the first or behind the last whole bucket.
    assert.equal((await candles(world, { interval, from: iso(start + 1), to: iso(end + width) })).length, 1);
    assert.equal((await candles(world, { interval, from: iso(start + 1 - width), to: iso(end) })).length, 2);
    for (const [from, to] of [
      [iso(start), iso(end + 1)],
      [iso(start), iso(end).replace("Z", "000001Z")],
      [iso(start - 1), iso(end + 1)],
      [iso(start - width), iso(end)],
    ] as const) {
      const reply = await ask(world, { interval, from, to });
      assert.equal(reply.status, 400);
      assert.equal(reply.json["code"], "INVALID_OHLC_RANGE");
      assert.match(String(reply.json["message"]), /\b10,?000\b/);
      assert.match(String(reply.json["message"]), longest);
    }
  });
}

test("ohlc: an answer holds up to 10,000 candles: 200", async () => {
  const world = await createWorld();
  const start = Date.parse("2026-01-01T00:00:00Z");
  await world.feed(...Array.from({ length: 10_001 }, (_, i) => [CODE, i + 1, iso(start + i * 15 * MINUTE)] as const));
  const found = await candles(world, { interval: "15m", from: iso(start), to: iso(start + 10_000 * 15 * MINUTE) });
  assert.equal(found.length, 10_000);
  assert.ok(
    found.every(({ open, start: at }, i) => open === i + 1 && at === iso(start + i * 15 * MINUTE)),
    "each has its own start and value",
  );
});

test("ohlc: the most candles of an answer are a setting: 200, one more: 400", async () => {
  const world = await createWorld({ maxCandles: 48 });
  await world.feed([CODE, 1, "2026-01-05T10:00:00Z"]);
  assert.equal(
    (await ask(world, { interval: "1h", from: "2026-01-05T00:00:00Z", to: "2026-01-07T00:00:00Z" })).status,
    200,
  );
  const reply = await ask(world, { interval: "1h", from: "2026-01-05T00:00:00Z", to: "2026-01-07T00:00:01Z" });
  assert.equal(reply.status, 400);
  assert.match(String(reply.json["message"]), /\b48\b.*\b2 days/);
});
