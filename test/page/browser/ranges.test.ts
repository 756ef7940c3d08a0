import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import {
  chosenWindow,
  firstDayOf,
  latestDays,
  parseChoice,
  parseDays,
  RANGE_NAMES,
  type RangeName,
  rangeFor,
  recordsCsv,
  requestsOf,
} from "../../../adapters/page/browser/data/ranges.ts";
import { readJsonFiles } from "../../../adapters/stores/json_files/mod.ts";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import { parseDate } from "../../../core/internal.ts";
import { type CalendarDate, createPrices, type Interval } from "../../../core/mod.ts";
import { makeStore, mazaneh, temporaryDirectory } from "../../support/cli.ts";
import { at, observation } from "../../support/generators.ts";
import { withoutShown } from "../../support/run_import.ts";

const FIRST = { interval: "1d", range: "3m", kind: undefined, compare: undefined };
const cases: readonly (readonly [rule: string, query: string, change: object])[] = [
  ["an address without choices gets the defaults", "", {}],
  ["interval and range", "interval=15m&range=1w", { interval: "15m", range: "1w" }],
  ["an unknown interval or range is replaced by the default", "interval=2h&range=constructor", {}],
  ["kind and comparison", "kind=line&compare=SEKKEH_RLS", { kind: "line", compare: "SEKKEH_RLS" }],
  ["an unknown kind counts as no kind", "kind=pie", {}],
];
test("choice: interval, range, kind and comparison are read from the address; unknown values are replaced by the defaults", () => {
  for (const [rule, query, change] of cases)
    assert.deepEqual(parseChoice(new URLSearchParams(query)), { ...FIRST, ...change }, rule);
});

const DAY = 86_400_000;
const LAST = Date.parse("2026-11-20T16:30:00Z");

type Shown = readonly [Interval, RangeName];
const shown: readonly (readonly [rule: string, wanted: Shown, maxCandles: number, shown: Shown])[] = [
  ["a range that fits is shown at the interval that was chosen", ["4h", "1y"], 10_000, ["4h", "1y"]],
  ["one day at 1d does not make a chart: it is shown at the finest interval", ["1d", "1d"], 10_000, ["15m", "1d"]],
  [
    "a range with too many candles for an answer is shown at the coarsest interval",
    ["15m", "1y"],
    10_000,
    ["1d", "1y"],
  ],
  ["25 years of 1h candles do not fit into an answer", ["1h", "all"], 10_000, ["1d", "all"]],
  ["the finest interval means the finest whose candles fit into an answer", ["1d", "1d"], 10, ["4h", "1d"]],
  ["with a low limit, the longest possible range is shown", ["1d", "1y"], 100, ["1d", "3m"]],
  ["if no choice makes a chart, nothing changes", ["15m", "1d"], 5, ["15m", "1d"]],
];
test("ranges: a range or interval that makes no chart is replaced by the nearest that does", () => {
  for (const [rule, [interval, range], maxCandles, wanted] of shown) {
    const window = chosenWindow({ interval, range }, LAST, maxCandles);
    assert.deepEqual([window.interval, window.range], wanted, rule);
  }
});

test("ranges: if the range does not fit the chosen interval, the next shorter range that fits is shown, or else the shortest that fits", () => {
  for (const [interval, range, wanted] of [
    ["1d", "1y", "1y"],
    ["15m", "1y", "3m"],
    ["1d", "1d", "1w"],
  ] as const)
    assert.equal(rangeFor(interval, range, 10_000), wanted, `${interval} ${range}`);
});

test("ranges: the server answers every window that ends at the latest record, whatever its limit of candles is", async () => {
  const intervals = fc.constantFrom<Interval>("15m", "1h", "4h", "1d");
  const ranges = fc.constantFrom(...RANGE_NAMES);
  await fc.assert(
    fc.asyncProperty(
      intervals,
      ranges,
      fc.integer({ min: 0, max: 800 * DAY }),
      fc.integer({ min: 1, max: 12_000 }),
      async (interval, range, span, maxCandles) => {
        const { observations } = createMemoryStore();
        observations.append(
          [LAST - span, ...(span > 0 ? [LAST] : [])].map((time) => observation({ businessTime: at(time) })),
        );
        const prices = createPrices({ clock: () => at(LAST), observations, maxCandles });
        const window = chosenWindow({ interval, range }, LAST, maxCandles);
        const candles = await prices.candles("BTC_USD", window);
        assert.equal(candles.at(-1)!.end, new Date(window.to).toISOString());
      },
    ),
    { numRuns: 60 },
  );
});

const firstDays: readonly (readonly [rule: string, range: RangeName, day: string, first: string])[] = [
  ["a week is seven days", "1w", "2026-03-03", "2026-02-24"],
  ["months are calendar months", "3m", "2026-11-22", "2026-08-22"],
  ["in a shorter month, its last day is used", "1m", "2026-03-31", "2026-02-28"],
  ["one year before 29 February is 28 February", "1y", "2024-02-29", "2023-02-28"],
  ["the range since Nowruz starts on 29 Esfand", "nowruz", "2026-11-22", "2026-03-20"],
  ["after a leap year, the range since Nowruz starts on 30 Esfand", "nowruz", "2025-04-01", "2025-03-20"],
  ["on Nowruz, the range starts on the day before", "nowruz", "2026-03-21", "2026-03-20"],
  ["before Nowruz, the range starts before last year's Nowruz", "nowruz", "2026-03-20", "2025-03-20"],
];
test("ranges: the first day of a range", () => {
  for (const [rule, range, day, first] of firstDays) assert.equal(firstDayOf(range, day as CalendarDate), first, rule);
});

const LAST_DAY = parseDate("2026-11-20")!;

test("days: a range is split into as few requests as possible; together they cover each day once, and the API answers each request", async () => {
  const { observations } = createMemoryStore();
  const prices = createPrices({ clock: () => at(0), observations });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 200 }), async (start, length) => {
      const date = (day: number) => parseDate(new Date(day * 86_400_000).toISOString().slice(0, 10))!;
      const range = { from: date(start), to: date(start + length) };
      const requests = requestsOf(range);
      assert.equal(requests.length, Math.ceil((length + 1) / 32));
      assert.equal(requests[0]?.from, range.from);
      assert.equal(requests.at(-1)?.to, range.to);
      const next = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
      assert.deepEqual(
        requests.slice(1).map((request) => request.from),
        requests.slice(0, -1).map((request) => next(request.to)),
      );
      for (const { from, to } of requests) await prices.history("USD_RLS", from, to); // throws if a range is too long
    }),
    { numRuns: 60 },
  );
});

const refused = [
  ["an empty field", "", "2026-01-01"],
  ["a missing one", null, "2026-01-01"],
  ["an invalid day", "2026-02-30", "2026-03-01"],
  ["a range that runs backwards", "2026-03-02", "2026-03-01"],
  ["days after the latest record", "2026-11-21", "2026-12-01"],
] as const;
test("days: an invalid range is refused before it costs a unit; a range beyond the latest record ends on the day of that record", () => {
  for (const [rule, from, to] of refused) assert.equal(parseDays(from, to, LAST_DAY), undefined, rule);
  assert.deepEqual(parseDays("2000-01-01", "2099-12-31", LAST_DAY), { from: "2000-01-01", to: LAST_DAY });
  assert.deepEqual(parseDays(LAST_DAY, LAST_DAY, LAST_DAY), { from: LAST_DAY, to: LAST_DAY });
  assert.deepEqual(parseDays("2026-01-01", "2026-01-01", LAST_DAY), { from: "2026-01-01", to: "2026-01-01" });
});

test("days: the default range ends on the last day, and has as many days as one request covers", () => {
  assert.deepEqual(latestDays(LAST_DAY), { from: "2026-10-20", to: "2026-11-20" });
});

const REST = { quoteUnit: "USD", labelEn: "Pepe / US Dollar", labelFa: "پپه / دلار آمریکا" } as const;

test("csv: has all fields of a record, quoted where necessary, and small values as plain decimals", () => {
  const [businessTime, quoteUnit] = ["2026-08-21T16:30:00.000Z", "USD"] as const;
  assert.equal(
    recordsCsv([{ code: "A", value: 6.125e-7, businessTime, quoteUnit, labelEn: 'A "B", C', labelFa: "الف" }]),
    'code,value,businessTime,quoteUnit,labelEn,labelFa\r\nA,0.0000006125,2026-08-21T16:30:00.000Z,USD,"A ""B"", C",الف\r\n',
  );
});

test("csv: mazaneh import reads the file unchanged, to the last digit", async (t) => {
  const records = [
    { code: "PEPE_USD", value: 6.125e-7, businessTime: "2026-08-21T16:30:00.000Z", ...REST },
    { code: "PEPE_USD", value: 7.000000000000001e-7, businessTime: "2026-08-22T16:30:00.000Z", ...REST },
  ];
  const directory = await temporaryDirectory(t);
  const [data, file] = [await makeStore(join(directory, "data")), join(directory, "PEPE_USD.csv")];
  await writeFile(file, recordsCsv(records));
  const { code, err } = await mazaneh(["import", "--yes", "--data", data, file]);
  assert.deepEqual(
    [code, withoutShown(err).replaceAll(file, "FILE")],
    [0, 'FILE: read as: CSV, values in the unit from column "quoteUnit"\nFILE: ignored columns: labelEn, labelFa\n'],
  );
  const { observations } = await readJsonFiles(data);
  assert.deepEqual(
    [...observations.records()].map(({ value, businessTime }) => [value, new Date(businessTime).toISOString()]),
    records.map(({ value, businessTime }) => [value, businessTime]),
  );
});
