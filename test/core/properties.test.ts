import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 as zlibCrc32 } from "node:zlib";
import fc from "fast-check";
import { base62 } from "../../core/accounts/base62.ts";
import type { AssetCode, CalendarDate, UtcMillis } from "../../core/brand.ts";
import { INTERVALS, foldCandles } from "../../core/market/candles.ts";
import type { Candle } from "../../core/market/candles.ts";
import { createDenseColumn, lowerBound } from "../../core/series/column.ts";
import { createSideColumn } from "../../core/series/encoded_column.ts";
import type { Column } from "../../core/series/column.ts";
import { crc32, crc32Hex } from "../../core/bytes/crc32.ts";
import { dateOfDayNumber, dayNumber, daysInMonth, parseDate } from "../../core/time/dates.ts";
import { formatDecimal } from "../../core/bytes/json.ts";
import { KEY_RANDOM_BYTES, makeKey, parseKey } from "../../core/accounts/keys.ts";
import { createMarket } from "../../core/series/series_store.ts";
import { QUALITY_STATUSES } from "../../core/market/observation.ts";
import type { Observation } from "../../core/market/observation.ts";
import { dateRange, dayEdges } from "../../core/market/range.ts";
import { createSeries } from "../../core/series/series.ts";
import type { Series } from "../../core/series/series.ts";
import { parseQuery, parseTarget, pathOf } from "../../core/http/target.ts";
import { ceilMillis, formatTimestamp, isBefore, parseTimestamp } from "../../core/time/timestamps.ts";
import type { Instant } from "../../core/time/timestamps.ts";
import { createZone } from "../../core/time/zone.ts";
import { createWorld } from "../support/world.ts";

const CODE = "BTC_USD" as AssetCode;
const DAY = 86_400_000;
const FIRST_MILLIS = Date.parse("0000-01-01T00:00:00.000Z");
const LAST_MILLIS = Date.parse("9999-12-31T23:59:59.999Z");

function at(millis: number): UtcMillis {
  return millis as UtcMillis;
}

function observation(parts: Partial<Observation> & Pick<Observation, "businessTime">): Observation {
  return {
    code: CODE, value: 1, sourceTime: null, insertTime: at(0), provider: null, qualityStatus: "ACCEPTED", qualityMessage: "", ...parts,
  };
}

/** Any text of JavaScript, halves of surrogate pairs included. */
const anyText = fc.uint16Array({ maxLength: 40 }).map((units) => String.fromCharCode(...units));
/** Text that Unicode allows. */
const properText = fc.string({ unit: "binary", maxLength: 12 });

/* Request targets */

const targetParts = fc.constantFrom(
  "/", "//", "/.", "/..", ".", "..", "/./", "/../", "%2e", "%2E%2e", "/.%2e", "%2f", "%2F", "%5c", "\\", "%00", "\0", "%", "%2", "%zz", "%25",
  "%252e", "%252f", "?", "#", ";", "a", "B", "~", "é", "%C3%A9", "%c3", "%ff", "%ED%A0%80", "\ud800", " ", "%20", "%0a", "\n", "+", "http://h",
  "HTTPS://u:p@h:1", "http:", "*", "assets", "/api/v1/assets",
);
const anyTarget = fc.oneof(
  anyText,
  properText,
  fc.array(fc.oneof({ weight: 5, arbitrary: targetParts }, anyText), { maxLength: 12 }).map((parts) => parts.join("")),
  fc.array(targetParts, { maxLength: 12 }).map((parts) => `/${parts.join("")}`),
);

test("target: no text makes the parser throw, and no accepted one holds a segment that a proxy or a file system could misread", () => {
  let accepted = 0;
  fc.assert(
    fc.property(anyTarget, (raw) => {
      const target = parseTarget(raw);
      assert.equal(typeof pathOf(raw), "string");
      if (!target.ok) return;
      accepted++;
      const { path, segments, query } = target.value;
      segments.forEach((segment, index) => {
        assert.ok(segment !== "." && segment !== ".." && !/[/\\\0]/.test(segment), JSON.stringify(segment));
        assert.ok(segment !== "" || index === segments.length - 1, "an empty segment");
      });
      assert.match(path, /^\/[\x21-\x7e]*$/);
      assert.equal(`/${segments.join("/")}`, decodeURIComponent(path));
      if (raw.startsWith("/")) assert.ok(raw === path || raw === `${path}?${query}`);
    }),
    { numRuns: 3_000 },
  );
  assert.ok(accepted > 100, `${accepted} accepted`);
});

const safeSegment = properText.filter((text) => text !== "" && text !== "." && text !== ".." && !/[/\\\0]/.test(text));

test("target: segments written with encodeURIComponent come back as they were, in both forms of a target", () => {
  const path = fc.array(safeSegment, { minLength: 1, maxLength: 6 });
  const origins = fc.constantFrom("", "http://h", "HTTPS://h.example:8443");
  fc.assert(
    fc.property(path, fc.webQueryParameters(), origins, (segments, query, origin) => {
      const path = `/${segments.map(encodeURIComponent).join("/")}`;
      const target = parseTarget(`${origin}${path}?${query}`);
      assert.deepEqual(target, { ok: true, value: { path, segments, query } });
    }),
  );
});

test("target: one unsafe part anywhere in the path refuses the whole", () => {
  const unsafe = fc.constantFrom(
    ".", "..", "%2e", "%2E%2E", ".%2e", "%2e.", "a%2fb", "a%2Fb", "a%5cb", "a%5Cb", "a\\b", "%00", "a%00", "%", "a%2", "%zz", "%ff", "%c3",
    "%ED%A0%80", "é", " ", "a b", "\t", "\n", "\x7f", "#", "a#b", "\0", "\ud800",
  );
  const safe = fc.array(safeSegment.map(encodeURIComponent), { maxLength: 3 });
  fc.assert(
    fc.property(safe, unsafe, safe, (before, part, after) => {
      assert.equal(parseTarget(`/${[...before, part, ...after].join("/")}`).ok, false);
      assert.equal(parseTarget(`/${[...before, "", ...after, "x"].join("/")}`).ok, false);
    }),
  );
});

test("target: 4,096 characters are the most", () => {
  fc.assert(
    fc.property(fc.integer({ min: 4_000, max: 5_000 }), fc.boolean(), (length, inQuery) => {
      const target = parseTarget((inQuery ? "/?" : "/").padEnd(length, "x"));
      assert.equal(target.ok, length <= 4_096);
      if (!target.ok) assert.equal(target.error.code, "URI_TOO_LONG");
    }),
    { examples: [[4_096, false], [4_097, false], [4_096, true], [4_097, true]] },
  );
});

/* Queries */

const KNOWN = ["from", "to", "codes"] as const;

test("query: no text makes the parser throw, and only known names come out of it", () => {
  const parts = fc.constantFrom("from", "to", "=", "&", "%", "%66rom", "%zz", "+", "%2B", "%ff", "é", "\ud800", "__proto__", "x");
  const anyQuery = fc.oneof(anyText, fc.array(parts, { maxLength: 30 }).map((texts) => texts.join("")));
  fc.assert(
    fc.property(anyQuery, (text) => {
      const query = parseQuery(text, KNOWN);
      if (query.ok) for (const name of query.value.keys()) assert.ok(KNOWN.some((known) => known === name), name);
      else assert.ok(query.error.code === "DUPLICATE_PARAMETER" || query.error.code === "INVALID_REQUEST");
    }),
    { numRuns: 2_000 },
  );
});

test("query: reads what URLSearchParams writes; a known name twice or more than 32 pairs are refused", () => {
  const name = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...KNOWN, "x", "__proto__") }, properText);
  const special = fc.array(fc.constantFrom(" ", "+", "&", "=", "%", "%20", "_", "a", "ی"), { maxLength: 6 });
  const value = fc.oneof(properText, special.map((parts) => parts.join("")));
  const pairs = fc.oneof(
    { weight: 4, arbitrary: fc.array(fc.tuple(name, value), { maxLength: 5 }) },
    fc.array(fc.tuple(fc.constant("x"), properText), { minLength: 30, maxLength: 35 }),
  );
  fc.assert(
    fc.property(pairs, (list) => {
      const params = new URLSearchParams(list.map(([key, value]): [string, string] => [key, value]));
      const query = parseQuery(params.toString(), KNOWN);
      if (list.length > 32) return assert.equal(!query.ok && query.error.code, "INVALID_REQUEST");
      if (KNOWN.some((known) => params.getAll(known).length > 1)) return assert.equal(!query.ok && query.error.code, "DUPLICATE_PARAMETER");
      const wanted = KNOWN.filter((known) => params.has(known)).map((known) => [known, params.get(known)]);
      assert.ok(query.ok);
      assert.deepEqual(new Map(query.value), new Map(list.filter(([key]) => wanted.some(([known]) => known === key))));
    }),
    { numRuns: 1_000 },
  );
});

/* Dates and times */

const anyMillis = fc.oneof(
  fc.integer({ min: FIRST_MILLIS, max: LAST_MILLIS }),
  fc.integer({ min: Date.parse("2000-01-01"), max: Date.parse("2030-01-01") }),
  fc.integer({ min: -1_000, max: 1_000 }),
  fc.constantFrom(FIRST_MILLIS, LAST_MILLIS),
);

test("timestamp: what is written is read back, every millisecond of the years 0 to 9999", () => {
  fc.assert(
    fc.property(anyMillis, (millis) => {
      const text = formatTimestamp(at(millis));
      assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.deepEqual(parseTimestamp(text), { millis, nanos: 0 });
    }),
    { numRuns: 2_000 },
  );
});

test("timestamp: an offset moves the moment by its hours and minutes, digits behind the milliseconds are kept apart", () => {
  const offset = fc.tuple(fc.constantFrom(1, -1), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }));
  fc.assert(
    fc.property(anyMillis, offset, fc.nat(999_999), fc.integer({ min: 0, max: 6 }), (millis, [sign, hours, minutes], nanos, digits) => {
      const wall = millis + sign * (hours * 60 + minutes) * 60_000;
      fc.pre(wall >= FIRST_MILLIS && wall <= LAST_MILLIS);
      const finer = String(nanos).padStart(6, "0").slice(0, digits);
      const zone = `${sign < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
      const text = `${new Date(wall).toISOString().slice(0, -1)}${finer}${zone}`;
      assert.deepEqual(parseTimestamp(text), { millis, nanos: Number(finer.padEnd(6, "0")) });
    }),
    { numRuns: 2_000 },
  );
});

test("timestamp: of texts in the right shape exactly those are read that name a real moment", () => {
  const parts = fc.tuple(
    fc.integer({ min: 0, max: 9_999 }), fc.nat(14), fc.nat(33), fc.nat(26), fc.nat(62), fc.nat(62), fc.nat(999),
  );
  let real = 0;
  fc.assert(
    fc.property(parts, ([year, month, day, hour, minute, second, milli]) => {
      const two = (value: number): string => String(value).padStart(2, "0");
      const date = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
      const text = `${date}T${two(hour)}:${two(minute)}:${two(second)}.${String(milli).padStart(3, "0")}Z`;
      const reference = new Date(text);
      const isReal = !Number.isNaN(reference.getTime()) && reference.toISOString() === text;
      if (isReal) real++;
      assert.deepEqual(parseTimestamp(text), isReal ? { millis: reference.getTime(), nanos: 0 } : undefined);
    }),
    { numRuns: 4_000 },
  );
  assert.ok(real > 500, `${real} real`);
});

test("timestamp: no text makes the parser throw, and what it reads begins like the moment written out", () => {
  const parts = fc.constantFrom("2026-01-05", "T", "t", " ", "10:00", ":00", ":60", ".5", ".123456789", "Z", "z", "+00:00", "-03:30", "+24:00", "24:00", "\n");
  const anyTime = fc.oneof(anyText, fc.array(parts, { maxLength: 8 }).map((texts) => texts.join("")));
  fc.assert(
    fc.property(anyTime, (text) => {
      const instant = parseTimestamp(text);
      if (instant === undefined) return;
      assert.equal(Date.parse(text.replace(/(\.\d{1,3})\d*/, "$1")), instant.millis);
    }),
    { numRuns: 5_000 },
  );
});

test("timestamp: moments are compared, and rounded up to a millisecond, as whole nanoseconds would be", () => {
  const instant: fc.Arbitrary<Instant> = fc.record({ millis: fc.integer({ min: -3, max: 3 }).map(at), nanos: fc.oneof(fc.nat(2), fc.nat(999_999)) });
  const nanosOf = ({ millis, nanos }: Instant): bigint => BigInt(millis) * 1_000_000n + BigInt(nanos);
  fc.assert(
    fc.property(instant, instant, (a, b) => {
      assert.equal(isBefore(a, b), nanosOf(a) < nanosOf(b));
      const ceiling = BigInt(ceilMillis(a)) * 1_000_000n;
      assert.ok(ceiling >= nanosOf(a) && ceiling - nanosOf(a) < 1_000_000n);
    }),
    { numRuns: 1_000 },
  );
});

test("date: of texts in the right shape exactly the real days are read", () => {
  let accepted = 0;
  for (let year = 1_895; year <= 2_105; year++) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
        const reference = new Date(`${text}T00:00:00Z`);
        const isReal = !Number.isNaN(reference.getTime()) && reference.toISOString().startsWith(text);
        assert.equal(parseDate(text), isReal ? text : undefined, text);
        if (isReal) accepted++;
      }
    }
  }
  assert.equal(accepted, (Date.UTC(2106, 0, 1) - Date.UTC(1895, 0, 1)) / DAY);
});

test("date: a day and its number belong together, all days of the years 0 to 9999", () => {
  /** Days of the same month that follow. */
  function daysLeft(number: number): number {
    const month = new Date(number * DAY).getUTCMonth();
    let left = 0;
    while (new Date((number + left + 1) * DAY).getUTCMonth() === month) left++;
    return left;
  }

  fc.assert(
    fc.property(fc.integer({ min: FIRST_MILLIS / DAY, max: Math.floor(LAST_MILLIS / DAY) }), (number) => {
      const date = dateOfDayNumber(number);
      assert.equal(date, new Date(number * DAY).toISOString().slice(0, 10));
      assert.equal(parseDate(date), date);
      assert.equal(dayNumber(date), number);
      assert.equal(daysInMonth(+date.slice(0, 4), +date.slice(5, 7)) - +date.slice(8), daysLeft(number));
    }),
    { numRuns: 2_000 },
  );
});

test("date: no text makes the parser throw, and what it reads is the text itself, a day of ten characters", () => {
  const parts = fc.constantFrom("2024", "-", "02", "29", "30", "/", "T", "\n", " ", "+", "۰", "0");
  fc.assert(
    fc.property(fc.oneof(anyText, fc.array(parts, { maxLength: 7 }).map((texts) => texts.join(""))), (text) => {
      const date = parseDate(text);
      if (date === undefined) return;
      assert.equal(date, text);
      assert.equal(new Date(`${text}T00:00:00Z`).toISOString().slice(0, 10), text);
    }),
    { numRuns: 3_000 },
  );
});

const someDay = fc.integer({ min: dayNumber("1970-01-01" as CalendarDate), max: dayNumber("2037-12-31" as CalendarDate) });

test("range: two days make one exactly when they run forward and lie at most 31 days apart", () => {
  fc.assert(
    fc.property(someDay, fc.oneof(fc.integer({ min: -3, max: 35 }), fc.integer({ min: -20_000, max: 20_000 })), (day, distance) => {
      const [from, to] = [dateOfDayNumber(day), dateOfDayNumber(day + distance)];
      const range = dateRange(from, to);
      if (distance >= 0 && distance <= 31) assert.deepEqual(range, { ok: true, value: { from, to } });
      else assert.equal(!range.ok && range.error.code, "INVALID_DATE_RANGE");
    }),
    { numRuns: 1_000 },
  );
});

/* Numbers */

const positiveDouble = fc.oneof(
  fc.double({ min: 5e-324, max: Number.MAX_VALUE, noNaN: true }),
  fc.double({ min: 5e-324, max: 2.3e-308, noNaN: true }),
  fc.double({ min: 1e-9, max: 1e12, noNaN: true }),
  fc.tuple(fc.nat(999_999_999), fc.integer({ min: -330, max: 300 })).map(([digits, exponent]) => Number(`${digits + 1}e${exponent}`)),
  fc.bigInt({ min: 1n, max: 0x7fef_ffff_ffff_ffffn }).map((bits) => new Float64Array(BigUint64Array.of(bits).buffer)[0]!),
  fc.constantFrom(
    Number.MIN_VALUE, Number.MAX_VALUE, 2.2250738585072014e-308, 1e21, 1e-6, 1e-7, 9.8e-7, 999_999_999_999_999_900_000, 1e20, 0.1, 0.30000000000000004,
    123e-20, 1.5e300, 1, 10, Number.MAX_SAFE_INTEGER, Number.EPSILON,
  ),
).filter((value) => value > 0 && value < Infinity);

/** A number's digits without sign, point, exponent and outer zeros. */
function significantDigits(text: string): string {
  return text.replace(/e.*$/, "").replace(".", "").replace(/^0+|0+$/g, "");
}

test("decimal: every positive double is written without an exponent, in its shortest digits, and is read back the same", () => {
  fc.assert(
    fc.property(positiveDouble, (value) => {
      const text = formatDecimal(value);
      assert.match(text, /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
      assert.equal(JSON.parse(text), value);
      assert.equal(significantDigits(text), significantDigits(String(value)));
    }),
    { numRuns: 5_000 },
  );
});

test("decimal: a number below zero is that above zero with a minus sign", () => {
  fc.assert(fc.property(positiveDouble, (value) => assert.equal(formatDecimal(-value), `-${formatDecimal(value)}`)));
});

/* Candles */

interface Tick {
  readonly time: number;
  readonly value: number;
}

/** Ticks at many times, each once, over some days around 1970, several on the edges of a bucket. */
const someTicks = fc.uniqueArray(
  fc.record({
    time: fc.oneof(
      fc.integer({ min: -3 * DAY, max: 3 * DAY }),
      fc.tuple(fc.integer({ min: -300, max: 300 }), fc.integer({ min: -1, max: 1 })).map(([quarter, near]) => quarter * 900_000 + near),
    ),
    value: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.double({ min: 1e-9, max: 1e9, noNaN: true })),
  }),
  { selector: ({ time }) => time, maxLength: 120 },
);

/** The candles of ticks, worked out the slow way: bucket by bucket, each from a list of its own. */
function slowCandles(ticks: readonly Tick[], width: number): Candle[] {
  const sorted = [...ticks].sort((a, b) => a.time - b.time);
  const startOf = (time: number): number => time - (((time % width) + width) % width);
  return [...new Set(sorted.map(({ time }) => startOf(time)))].map((start) => {
    const values = sorted.filter(({ time }) => time >= start && time < start + width).map(({ value }) => value);
    return {
      start: at(start), end: at(start + width),
      open: values[0]!, high: Math.max(...values), low: Math.min(...values), close: values.at(-1)!,
      observationCount: values.length,
    };
  });
}

const ALL_TIME = { from: at(-10 * DAY), to: at(10 * DAY) };

test("candles: any order of arrival in any batches gives those of the sorted list", () => {
  const arrivals = someTicks.chain((ticks) =>
    fc.record({
      ticks: fc.constant(ticks),
      shuffled: fc.shuffledSubarray(ticks, { minLength: ticks.length, maxLength: ticks.length }),
      cuts: fc.array(fc.nat(ticks.length), { maxLength: 5 }),
    }),
  );
  fc.assert(
    fc.property(arrivals, ({ ticks, shuffled, cuts }) => {
      const market = createMarket();
      const edges = [0, ...cuts.sort((a, b) => a - b), shuffled.length];
      edges.slice(1).forEach((end, batch) => {
        for (const { time, value } of shuffled.slice(edges[batch], end)) {
          assert.equal(market.put(observation({ businessTime: at(time), value }), batch + 1), false);
        }
        // Read between the batches too: nothing may be kept that a later batch changes.
        market.candles(CODE, ALL_TIME, 3_600_000);
      });
      for (const width of INTERVALS.values()) assert.deepEqual(market.candles(CODE, ALL_TIME, width), slowCandles(ticks, width));
    }),
    { numRuns: 200 },
  );
});

test("candles: corrections and retractions leave what the list of the last word on each time gives", () => {
  const changes = fc.array(
    fc.record({
      time: fc.integer({ min: -40, max: 40 }).map((step) => step * 450_000),
      value: fc.integer({ min: 1, max: 9 }),
      qualityStatus: fc.constantFrom("ACCEPTED", "ACCEPTED", ...QUALITY_STATUSES),
    }),
    { maxLength: 150 },
  );
  fc.assert(
    fc.property(changes, (list) => {
      const market = createMarket();
      const last = new Map<number, (typeof list)[number]>();
      list.forEach((change, index) => {
        const { time, value, qualityStatus } = change;
        assert.equal(market.put(observation({ businessTime: at(time), value, qualityStatus }), index + 1), last.has(time));
        last.set(time, change);
      });
      const accepted = [...last.values()].filter(({ qualityStatus }) => qualityStatus === "ACCEPTED");
      for (const width of INTERVALS.values()) assert.deepEqual(market.candles(CODE, ALL_TIME, width), slowCandles(accepted, width));
    }),
    { numRuns: 200 },
  );
});

test("candles: a window holds exactly the candles that start in it", () => {
  const window = fc.tuple(fc.integer({ min: -20, max: 20 }), fc.nat(20));
  fc.assert(
    fc.property(someTicks, window, fc.constantFrom(...INTERVALS.values()), (ticks, [first, length], width) => {
      const market = createMarket();
      ticks.forEach(({ time, value }, index) => market.put(observation({ businessTime: at(time), value }), index + 1));
      const [from, to] = [at(first * width), at((first + length) * width)];
      const wanted = slowCandles(ticks, width).filter(({ start }) => start >= from && start < to);
      assert.deepEqual(market.candles(CODE, { from, to }, width), wanted);
    }),
    { numRuns: 300 },
  );
});

test("candles: every interval counts the same observations, and a wide candle is its narrow ones put together", () => {
  const widths = [...INTERVALS.values()];
  fc.assert(
    fc.property(someTicks, (ticks) => {
      const sorted = [...ticks].sort((a, b) => a.time - b.time);
      const times = Float64Array.from(sorted, ({ time }) => time);
      const values = Float64Array.from(sorted, ({ value }) => value);
      const byWidth = widths.map((width) => foldCandles(times, values, width));
      for (const candles of byWidth) {
        assert.equal(candles.reduce((sum, { observationCount }) => sum + observationCount, 0), ticks.length);
      }
      for (const [index, wide] of byWidth.slice(1).entries()) {
        const narrow = byWidth[index]!;
        for (const candle of wide) {
          const parts = narrow.filter(({ start }) => start >= candle.start && start < candle.end);
          assert.deepEqual(candle, {
            start: candle.start, end: candle.end,
            open: parts[0]?.open, high: Math.max(...parts.map(({ high }) => high)),
            low: Math.min(...parts.map(({ low }) => low)), close: parts.at(-1)?.close,
            observationCount: parts.reduce((sum, { observationCount }) => sum + observationCount, 0),
          });
        }
      }
    }),
    { numRuns: 200 },
  );
});

/* History */

test("history: a range is its days put together, through the API", async () => {
  const minute = fc.integer({ min: 0, max: 45 * 24 * 60 });
  const start = fc.constantFrom("2022-03-05T00:00:00Z", "2022-09-05T00:00:00Z", "2024-02-10T00:00:00Z", "2025-12-15T00:00:00Z", "1969-12-10T00:00:00Z");
  const range = fc.tuple(fc.integer({ min: -2, max: 40 }), fc.integer({ min: 0, max: 31 }));
  await fc.assert(
    fc.asyncProperty(start, fc.array(minute, { maxLength: 60 }), range, async (origin, minutes, [first, length]) => {
      const world = await createWorld();
      await world.feed(...minutes.map((step, i) => [CODE, i + 1, formatTimestamp(at(Date.parse(origin) + step * 60_000))] as const));
      const dates = Array.from({ length: length + 1 }, (_, i) => dateOfDayNumber(Date.parse(origin) / DAY + first + i));
      const one = async (from: string, to: string): Promise<string> => {
        const reply = await world.ask(`/api/v1/assets/${CODE}/history?from=${from}&to=${to}`);
        assert.equal(reply.status, 200);
        return reply.text.slice(1, -1);
      };
      const each: string[] = [];
      for (const date of dates) each.push(await one(date, date));
      assert.equal(await one(dates[0]!, dates.at(-1)!), each.filter((text) => text !== "").join(","));
    }),
    { numRuns: 40 },
  );
});

/* Columns and series */

/** Changes of a column: what is done, where (a share of the length), and with which number of a few or of one. */
const columnChanges = fc.constantFrom([NaN], [7, NaN], [0, -0], [7, NaN, 0, -0, -1, Infinity, 1e300]).chain((numbers) =>
  fc.array(
    fc.record({
      act: fc.constantFrom("insert", "insert", "insert", "set", "remove"),
      place: fc.double({ min: 0, max: 1, noNaN: true }),
      value: fc.constantFrom(...numbers),
    }),
    { maxLength: 120 },
  ),
);

for (const [name, create] of [["dense", createDenseColumn], ["side", createSideColumn]] as const) {
  test(`column: a ${name} one holds what a plain array holds after any changes`, () => {
    fc.assert(
      fc.property(columnChanges, (changes) => {
        const column: Column = create();
        const rows: number[] = [];
        for (const { act, place, value } of changes) {
          const row = Math.min(Math.floor(place * (act === "insert" ? rows.length + 1 : rows.length)), rows.length - (act === "insert" ? 0 : 1));
          if (act === "insert") {
            column.insert(row, value);
            rows.splice(row, 0, value);
          } else if (rows.length === 0) {
            continue;
          } else if (act === "set") {
            column.set(row, value);
            rows[row] = value;
          } else {
            column.remove(row);
            rows.splice(row, 1);
          }
          rows.forEach((wanted, index) => assert.ok(Object.is(column.get(index), wanted), `row ${index}`));
        }
      }),
      { numRuns: 300 },
    );
  });
}

test("column: a dense one knows its length, shows any of its rows, and finds bounds as a plain search does", () => {
  const bounds = fc.tuple(fc.nat(100), fc.nat(100), fc.integer({ min: -60, max: 60 }));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 100 }), bounds, (list, [a, b, bound]) => {
      const sorted = [...list].sort((x, y) => x - y);
      const column = createDenseColumn();
      for (const value of sorted) column.insert(column.length, value);
      assert.equal(column.length, sorted.length);
      const [from, to] = [Math.min(a, b, sorted.length), Math.min(Math.max(a, b), sorted.length)];
      assert.deepEqual([...column.view(from, to)], sorted.slice(from, to));
      assert.equal(lowerBound(column, bound), sorted.filter((value) => value < bound).length);
    }),
    { numRuns: 500 },
  );
});

/** What a series must hold: the last word on each time, and providers sorted by name. */
interface Shelf {
  readonly byTime: Map<number, Observation>;
  readonly seen: Set<string>;
}

type SeriesCommand = fc.Command<Shelf, Series>;

class Put implements SeriesCommand {
  readonly item: Observation;
  constructor(item: Observation) {
    this.item = item;
  }
  check(): boolean {
    return true;
  }
  run(shelf: Shelf, series: Series): void {
    const { businessTime, provider } = this.item;
    assert.equal(series.put(this.item), shelf.byTime.has(businessTime));
    shelf.byTime.set(businessTime, this.item);
    if (provider !== null) shelf.seen.add(provider);
    compare(shelf, series);
  }
  toString(): string {
    return `put(${JSON.stringify(this.item)})`;
  }
}

class Remove implements SeriesCommand {
  readonly time: number;
  constructor(time: number) {
    this.time = time;
  }
  check(): boolean {
    return true;
  }
  run(shelf: Shelf, series: Series): void {
    assert.equal(series.remove(at(this.time)), shelf.byTime.delete(this.time));
    compare(shelf, series);
  }
  toString(): string {
    return `remove(${this.time})`;
  }
}

class Find implements SeriesCommand {
  readonly time: number;
  readonly length: number;
  constructor(time: number, length: number) {
    this.time = time;
    this.length = length;
  }
  check(): boolean {
    return true;
  }
  run({ byTime }: Shelf, series: Series): void {
    const sorted = [...byTime.values()].sort((a, b) => a.businessTime - b.businessTime);
    const [from, to] = [this.time, this.time + this.length];
    const wanted = sorted.filter(({ businessTime }) => businessTime >= from && businessTime < to);
    const [first, end] = [series.rowAt(at(from)), series.rowAt(at(to))];
    assert.deepEqual([...series.times(first, end)], wanted.map(({ businessTime }) => businessTime));
    assert.deepEqual([...series.values(first, end)], wanted.map(({ value }) => value));
  }
  toString(): string {
    return `find(${this.time}, ${this.length})`;
  }
}

function compare({ byTime, seen }: Shelf, series: Series): void {
  const sorted = [...byTime.values()].sort((a, b) => a.businessTime - b.businessTime);
  assert.equal(series.length, sorted.length);
  assert.deepEqual(sorted.map((_, row) => series.at(row)), sorted);
  assert.deepEqual(series.providers(), [...seen].filter((name) => sorted.some(({ provider }) => provider === name)).sort());
}

test("series: after any puts and removals it holds the last word on each time, sorted, with all that came with it", () => {
  const time = fc.oneof(fc.integer({ min: -8, max: 8 }), fc.integer({ min: -DAY, max: DAY }));
  const item = fc.record({
    businessTime: time.map(at),
    value: fc.oneof(fc.constantFrom(1, 2), fc.double({ min: 1e-9, max: 1e9, noNaN: true })),
    sourceTime: fc.constantFrom(null, at(0), at(5)),
    insertTime: fc.constantFrom(at(7), at(7), at(9)),
    provider: fc.constantFrom(null, "A", "A", "B", "C"),
    qualityMessage: fc.constantFrom("", "", "thin market"),
  });
  const commands = fc.commands([
    item.map((parts) => new Put(observation(parts))),
    item.map((parts) => new Put(observation(parts))),
    time.map((moment) => new Remove(moment)),
    fc.tuple(time, fc.nat(2 * DAY)).map(([moment, length]) => new Find(moment, length)),
  ], { maxCommands: 80 });
  fc.assert(
    fc.property(commands, (list) => {
      fc.modelRun(() => ({ model: { byTime: new Map<number, Observation>(), seen: new Set<string>() }, real: createSeries(CODE, "ACCEPTED") }), list);
    }),
    { numRuns: 200 },
  );
});

test("series: one in order of time, as archives come, holds the same as one in any other order", () => {
  fc.assert(
    fc.property(someTicks, (ticks) => {
      const sorted = [...ticks].sort((a, b) => a.time - b.time);
      const orders = [ticks, sorted, [...sorted].reverse()].map((list) => {
        const series = createSeries(CODE, "ACCEPTED");
        for (const { time, value } of list) series.put(observation({ businessTime: at(time), value }));
        return [[...series.times(0, series.length)], [...series.values(0, series.length)]];
      });
      const wanted = [sorted.map(({ time }) => time), sorted.map(({ value }) => value)];
      assert.deepEqual(orders, [wanted, wanted, wanted]);
    }),
    { numRuns: 100 },
  );
});

test("market: every question is answered as a plain list of the last word on each code and time would", () => {
  const codes = ["BTC_USD", "USD_RLS"] as const;
  const change = fc.record({
    code: fc.constantFrom(...codes).map((code) => code as AssetCode),
    businessTime: fc.integer({ min: -12, max: 12 }).map(at),
    value: fc.integer({ min: 1, max: 9 }),
    provider: fc.constantFrom(null, "A", "B"),
    qualityStatus: fc.constantFrom("ACCEPTED", ...QUALITY_STATUSES),
  });
  const edges = fc.array(fc.integer({ min: -15, max: 15 }), { maxLength: 8 }).map((list) => list.sort((a, b) => a - b).map(at));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), edges, (changes, days) => {
      const market = createMarket();
      const list = new Map<string, Observation>();
      const sequences = new Map<string, number>();
      changes.forEach((parts, index) => {
        const item = observation(parts);
        const key = `${item.code} ${item.businessTime}`;
        assert.equal(market.put(item, index + 1), list.has(key));
        list.set(key, item);
        sequences.set(item.code, index + 1);
      });
      assert.equal(market.sequence(), changes.length);
      const all = [...market.all()];
      assert.equal(all.length, list.size);
      for (const item of all) assert.deepEqual(item, list.get(`${item.code} ${item.businessTime}`));
      for (const name of [...codes, "EUR_RLS"]) {
        const code = name as AssetCode;
        const accepted = [...list.values()]
          .filter((item) => item.code === code && item.qualityStatus === "ACCEPTED")
          .sort((a, b) => a.businessTime - b.businessTime);
        const [coverage] = market.coverage([code]);
        assert.equal(market.sequence(code), sequences.get(code) ?? 0);
        assert.deepEqual(market.latest([code]), [accepted.at(-1)]);
        assert.deepEqual(coverage?.latest, accepted.at(-1));
        assert.equal(coverage?.availableFrom, accepted[0]?.businessTime);
        assert.deepEqual([...(coverage?.providers ?? [])].sort(), [...new Set(accepted.flatMap(({ provider }) => provider ?? []))].sort());
        for (let time = -13; time <= 13; time++) assert.deepEqual(market.find(code, at(time)), list.get(`${code} ${time}`));
        const lasts = days.slice(1).flatMap((end, i) => accepted.filter(({ businessTime }) => businessTime >= days[i]! && businessTime < end).slice(-1));
        assert.deepEqual(market.lastOfEach(code, days), lasts);
      }
    }),
    { numRuns: 150 },
  );
});

/* Time zones */

const MINUTE = 60_000;
const wallClocks = new Map<string, Intl.DateTimeFormat>();

/** What a clock of the zone shows, e.g. `2024-03-01 00:00:00`. */
function wall(zone: string, time: number): string {
  let clock = wallClocks.get(zone);
  if (!clock) wallClocks.set(zone, (clock = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" })));
  return clock.format(time);
}

/** The first moment at which a zone's clocks show midnight of a day or later: looked for minute by minute, then second by second. */
function slowStart(zone: string, day: number): number {
  const midnight = `${dateOfDayNumber(day)} 00:00:00`;
  let time = day * DAY - 17 * 60 * MINUTE;
  while (wall(zone, time) < midnight) time += MINUTE;
  time -= MINUTE;
  while (wall(zone, time) < midnight) time += 1_000;
  return time;
}

/** The last day that has begun by then. */
function slowDay(zone: string, time: number): number {
  let day = dayNumber(wall(zone, time).slice(0, 10) as CalendarDate);
  while (slowStart(zone, day + 1) <= time) day++;
  return day;
}

/** Days on or near which clocks were changed at or over midnight, by an odd step, or by a whole day. */
const oddDays = [
  ["Asia/Tehran", "1977-10-20"], ["Asia/Tehran", "1979-09-18"], ["Asia/Tehran", "2008-03-21"], ["Asia/Tehran", "2022-03-22"], ["Asia/Tehran", "2022-09-21"],
  ["Asia/Tehran", "2022-09-22"], ["Asia/Tehran", "1935-06-13"], ["America/St_Johns", "1988-10-30"], ["America/St_Johns", "2006-10-28"],
  ["America/St_Johns", "2006-10-29"], ["America/Goose_Bay", "2010-11-07"], ["America/Phoenix", "1944-01-01"], ["America/Toronto", "1919-03-31"],
  ["Antarctica/Casey", "2010-03-04"],
  ["Antarctica/Casey", "2010-03-05"], ["Pacific/Guam", "1969-01-26"], ["Pacific/Apia", "2011-12-29"], ["Pacific/Apia", "2011-12-30"],
  ["Pacific/Apia", "2011-12-31"], ["Pacific/Kwajalein", "1993-08-21"], ["Pacific/Kiritimati", "1994-12-31"], ["Asia/Pyongyang", "2015-08-15"],
  ["Asia/Pyongyang", "2018-05-05"], ["America/Caracas", "2007-12-09"], ["America/Sao_Paulo", "2018-11-04"], ["America/Sao_Paulo", "2018-02-18"],
  ["America/Asuncion", "2023-10-01"], ["America/Havana", "2023-11-05"], ["Asia/Beirut", "2022-03-27"], ["Africa/Cairo", "2023-04-28"],
  ["Asia/Gaza", "2014-10-25"],
  ["Australia/Lord_Howe", "2023-10-01"], ["Atlantic/Azores", "2023-10-29"], ["Africa/Monrovia", "1972-01-07"], ["Europe/Amsterdam", "1937-07-01"],
  ["Asia/Kathmandu", "1986-01-01"], ["Europe/London", "2024-03-31"], ["America/New_York", "2024-11-03"], ["UTC", "1970-01-01"], ["UTC", "1969-12-31"],
] as const;
const zoneNames = Intl.supportedValuesOf("timeZone");
const zonedDay = fc.tuple(
  fc.oneof(fc.constant("Asia/Tehran"), fc.constantFrom(...zoneNames)),
  fc.integer({ min: dayNumber("1900-01-01" as CalendarDate), max: dayNumber("2037-12-31" as CalendarDate) }),
);
const knownDays = oddDays.map(([zone, date]): [[string, number]] => [[zone, dayNumber(date as CalendarDate)]]);

test("zone: a day begins when its clocks first show midnight or later, as a search through its minutes finds", () => {
  fc.assert(
    fc.property(zonedDay, ([name, day]) => {
      const zone = createZone(name);
      for (const number of [day, day + 1]) {
        assert.equal(formatTimestamp(zone.startOfDay(number)), formatTimestamp(at(slowStart(name, number))), name);
      }
    }),
    { numRuns: 120, examples: knownDays },
  );
});

test("zone: every moment lies in the last day that has begun, also where a date shows twice", () => {
  const moment = fc.integer({ min: -DAY, max: 2 * DAY });
  fc.assert(
    fc.property(zonedDay, fc.array(moment, { minLength: 3, maxLength: 3 }), ([name, day], offsets) => {
      const zone = createZone(name);
      const start = zone.startOfDay(day);
      const near = [-1, 0, 1, 30 * MINUTE, 60 * MINUTE, 90 * MINUTE, DAY - 30 * MINUTE, ...offsets];
      for (const time of near.map((offset) => start + offset)) {
        assert.equal(zone.dateAt(at(time)), dateOfDayNumber(slowDay(name, time)), `${name} ${formatTimestamp(at(time))}`);
      }
    }),
    { numRuns: 100, examples: knownDays.map(([known]): [[string, number], number[]] => [known, [0, 0, 0]]) },
  );
});

test("zone: the edges of a range ascend, and each day's moments lie between its two", () => {
  const names = fc.constantFrom("Asia/Tehran", "UTC", "America/New_York", "Asia/Kathmandu");
  const shares = fc.double({ min: 0, max: 0.999, noNaN: true });
  fc.assert(
    fc.property(names, someDay, fc.nat(31), shares, (name, day, length, share) => {
      const zone = createZone(name);
      const edges = dayEdges({ from: dateOfDayNumber(day), to: dateOfDayNumber(day + length) }, zone);
      assert.equal(edges.length, length + 2);
      for (const [i, edge] of edges.slice(0, -1).entries()) {
        const next = edges[i + 1]!;
        const hours = (next - edge) / (60 * MINUTE);
        assert.ok(hours >= 23 && hours <= 25, `${hours} hours`);
        for (const time of [edge, Math.floor(edge + share * (next - edge)), next - 1]) {
          assert.equal(zone.dateAt(at(time)), dateOfDayNumber(day + i));
        }
      }
    }),
    { numRuns: 100 },
  );
});

for (const name of ["", "Tehran", "Asia/Nowhere", "+25:00", "UTC+3:30", "Asia/Tehran "]) {
  test(`zone: the name "${name}" throws`, () => {
    assert.throws(() => createZone(name), RangeError);
  });
}

/* Keys, checksums, base 62 */

const keyBytes = fc.uint8Array({ minLength: KEY_RANDOM_BYTES, maxLength: KEY_RANDOM_BYTES });
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PRINTABLE = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).concat("\n", "\0", "é", "Ａ", "۰");

test("key: what is made is read back, in the shape that leak scanners know", () => {
  fc.assert(
    fc.property(keyBytes, (bytes) => {
      const before = [...bytes];
      const made = makeKey(bytes);
      assert.match(made.key, /^mz_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/);
      assert.equal(made.id, made.key.slice(8, 16));
      assert.deepEqual(parseKey(made.key), made);
      assert.deepEqual([...bytes], before, "the bytes are not changed");
    }),
    { numRuns: 300, examples: [[new Uint8Array(38)], [new Uint8Array(38).fill(255)]] },
  );
});

test("key: other random bytes make another id and another secret", () => {
  fc.assert(
    fc.property(keyBytes, fc.nat(KEY_RANDOM_BYTES - 1), fc.integer({ min: 1, max: 255 }), (bytes, place, change) => {
      const other = bytes.slice();
      other[place] = bytes[place]! ^ change;
      const [one, two] = [makeKey(bytes), makeKey(other)];
      const secret = ({ key }: { readonly key: string }): string => key.slice(17, 60);
      if (place >= 6) assert.ok(one.id === two.id && secret(one) !== secret(two));
      // The first bit of the id's 48 has no room in eight digits.
      else if (place > 0 || change !== 128) assert.ok(one.id !== two.id && secret(one) === secret(two));
    }),
    { numRuns: 500 },
  );
});

test("key: any one character changed, left out, doubled or added is refused", () => {
  fc.assert(
    fc.property(keyBytes, (bytes) => {
      const { key } = makeKey(bytes);
      for (let i = 0; i < key.length; i++) {
        const [before, behind] = [key.slice(0, i), key.slice(i + 1)];
        for (const other of PRINTABLE) {
          if (other !== key[i]) assert.equal(parseKey(before + other + behind), undefined, `${i} ${other}`);
        }
        assert.equal(parseKey(before + behind), undefined);
        assert.equal(parseKey(before + key[i] + key[i] + behind), undefined);
      }
      for (const text of [` ${key}`, `${key} `, `${key}\n`, `${key}0`, key.toLowerCase(), key.toUpperCase()]) assert.equal(parseKey(text), undefined);
    }),
    { numRuns: 5 },
  );
});

test("key: no text makes the parser throw", () => {
  fc.assert(fc.property(fc.oneof(anyText, fc.array(fc.constantFrom(...BASE62), { maxLength: 70 }).map((digits) => `mz_live_${digits.join("")}`)), (text) => {
    assert.equal(parseKey(text), undefined);
  }));
});

for (const count of [0, 37, 39]) {
  test(`key: ${count} random bytes throw`, () => {
    assert.throws(() => makeKey(new Uint8Array(count)), {
      name: "RangeError",
      message: `Cannot make a key as 38 random bytes are wanted: received "${count}"`,
    });
  });
}

test("crc32: is that of zlib, for bytes and for ASCII texts, in one go and in parts", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(300), (bytes, cut) => {
      const whole = zlibCrc32(bytes);
      assert.equal(crc32(bytes), whole);
      assert.equal(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut))), whole);
      assert.equal(crc32Hex(bytes), whole.toString(16).padStart(8, "0"));
      const ascii = Buffer.from(bytes.map((byte) => byte & 0x7f)).toString("latin1");
      assert.equal(crc32(ascii), zlibCrc32(ascii));
    }),
    { numRuns: 500 },
  );
  assert.equal(crc32("123456789"), 0xcbf43926);
  assert.equal(crc32Hex(""), "00000000");
});

const widths = [[4, 6], [6, 9], [16, 22], [32, 43]] as const;
for (const [bytes, width] of widths) {
  test(`base62: ${bytes} bytes are ${width} digits, all of one length, that read as the same number and sort as it`, () => {
    const numberOf = (text: string): bigint => [...text].reduce((sum, digit) => sum * 62n + BigInt(BASE62.indexOf(digit)), 0n);
    const some = fc.uint8Array({ minLength: bytes, maxLength: bytes });
    fc.assert(
      fc.property(some, some, (a, b) => {
        const [one, two] = [base62(a, width), base62(b, width)];
        assert.match(one, new RegExp(`^[0-9A-Za-z]{${width}}$`));
        assert.equal(numberOf(one), BigInt(`0x${Buffer.from(a).toString("hex")}`));
        assert.equal(Math.sign(Buffer.compare(Buffer.from(one), Buffer.from(two))), Buffer.compare(a, b));
      }),
      { examples: [[new Uint8Array(bytes), new Uint8Array(bytes).fill(255)], [new Uint8Array(bytes).fill(255), new Uint8Array(bytes)]] },
    );
  });
}
