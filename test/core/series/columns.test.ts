import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { AssetCode, UtcMillis } from "../../../core/brand.ts";
import { createCellColumn } from "../../../core/series/cells.ts";
import { createDenseColumn } from "../../../core/series/column.ts";
import { createMarket } from "../../../core/series/series_store.ts";
import type { AssetColumns, Market } from "../../../core/series/series_store.ts";
import { QUALITY_STATUSES } from "../../../core/market/observation.ts";
import type { Observation } from "../../../core/market/observation.ts";
import { createSeries } from "../../../core/series/series.ts";
import { createSideColumn } from "../../../core/series/encoded_column.ts";

const CODE = "BTC_USD" as AssetCode;
const MINUTE = 60_000;
const DAY = 86_400_000;

function at(millis: number): UtcMillis {
  return millis as UtcMillis;
}

function observation(parts: Partial<Observation> & Pick<Observation, "businessTime">): Observation {
  return { code: CODE, value: 1, sourceTime: null, insertTime: at(0), provider: null, qualityStatus: "ACCEPTED", qualityMessage: "", ...parts };
}

/* A column beside the times, against a plain array of pairs */

/** How a feed tells its times: as one import, as a steady feed, with some delay, not at all, or as it pleases. */
const rules: readonly ((time: number, chance: number) => number)[] = [
  () => 1_000_000,
  (time) => time + 1_500,
  (time, chance) => time + (chance % 3),
  () => NaN,
  (time, chance) => (chance % 5 === 0 ? NaN : time),
  (_, chance) => chance * 1e12 - 4e15,
  (_, chance) => (chance % 2 === 0 ? -0 : 0),
  (time, chance) => time - chance * 0.25,
  (time, chance) => (chance % 7 === 0 ? Number.MAX_SAFE_INTEGER : time + 5),
];
const sideChange = fc.record({
  act: fc.constantFrom("append", "append", "append", "insert", "set", "remove"),
  place: fc.double({ min: 0, max: 0.999999, noNaN: true }),
  step: fc.integer({ min: 1, max: 9 }),
  rule: fc.nat(rules.length - 1),
  chance: fc.nat(9_000),
  times: fc.constantFrom(1, 1, 5, 40),
});

test("side column: it holds what a plain array holds after any changes, whatever rule the numbers follow, also packed and unpacked", () => {
  const kinds = { runs: 0, relative: 0, absolute: 0 };
  fc.assert(
    fc.property(fc.array(sideChange, { maxLength: 40, size: "max" }), fc.nat(rules.length - 1), (changes, main) => {
      const times: number[] = [];
      const wanted: number[] = [];
      const rowTimes = { get: (row: number): number => times[row]! };
      let column = createSideColumn(rowTimes);
      let clock = 0;
      const insert = (row: number, time: number, value: number): void => {
        times.splice(row, 0, time);
        wanted.splice(row, 0, value);
        column.insert(row, value);
      };
      for (const { act, place, step, rule, chance, times: repeat } of changes) {
        const row = Math.floor(place * wanted.length);
        const value = rules[chance % 3 === 0 ? rule : main]!(times[row] ?? 0, chance);
        if (act === "append") {
          for (let i = 0; i < repeat; i++) insert(wanted.length, (clock += step), rules[chance % 7 === 0 ? rule : main]!(clock, chance + i));
        } else if (act === "insert") insert(row, (times[row] ?? 0) - 0.5, value);
        else if (wanted.length === 0) continue;
        else if (act === "set") {
          wanted[row] = value;
          column.set(row, value);
        } else {
          times.splice(row, 1);
          wanted.splice(row, 1);
          column.remove(row);
        }
        wanted.forEach((number, i) => assert.ok(Object.is(column.get(i), number), `row ${i}: ${column.get(i)}, not ${number}`));
        if (chance % 4 > 0) continue;
        const packed = structuredClone(column.pack());
        kinds[packed.kind === "runs" ? "runs" : packed.relative ? "relative" : "absolute"]++;
        column = createSideColumn(rowTimes);
        column.unpack(packed, wanted.length);
      }
      wanted.forEach((_, i, { length }) => assert.ok(Object.is(column.get(length - 1 - i), wanted[length - 1 - i])));
    }),
    { numRuns: 400 },
  );
  assert.ok(Math.min(...Object.values(kinds)) > 20, JSON.stringify(kinds));
});

test("cells: rows are as wide as their largest number, and come back as they were", () => {
  const numbers = fc.oneof(fc.nat(255), fc.nat(300), fc.constantFrom(-1, -0, NaN, 0.5, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, Infinity));
  fc.assert(
    fc.property(fc.array(fc.tuple(numbers, fc.nat(9)), { maxLength: 60, size: "max" }), (list) => {
      const column = createCellColumn(new Uint8Array(0));
      const rows: number[] = [];
      for (const [value, place] of list) {
        const row = Math.min(place, rows.length);
        column.insert(row, value);
        rows.splice(row, 0, value);
      }
      assert.deepEqual([...column.cells()], rows);
      const whole = rows.every((row) => Object.is(row | 0, row));
      const small = whole && rows.every((row) => row >= 0 && row <= 255);
      assert.equal(column.cells().BYTES_PER_ELEMENT, small ? 1 : whole ? 4 : 8);
    }),
  );
});

test("column: a dense one that was filled goes on as one that was fed", () => {
  const column = createDenseColumn();
  column.fill(Float64Array.of(1, 2, 3));
  column.insert(1, 9);
  column.remove(3);
  assert.deepEqual([...column.view(0, column.length)], [1, 9, 2]);
});

/* Room: what a million rows by the minute take */

const feeds: readonly (readonly [what: string, parts: (time: number, n: number) => Partial<Observation>, bytes: number])[] = [
  ["of a steady feed", (time) => ({ insertTime: at(time + 1_500), sourceTime: at(time + 200), provider: "A" }), 18],
  ["of one import", () => ({ insertTime: at(1e12), provider: "A" }), 18],
  ["of a feed with delays and two providers", (time, n) => ({ insertTime: at(time + ((n * 7_919) % 3_000)), provider: (n * 7_919) % 5 > 2 ? "A" : "B" }), 23],
];
for (const [what, parts, bytes] of feeds) {
  test(`series: rows ${what} take at most ${bytes} bytes each where they fill their columns`, () => {
    const series = createSeries(CODE, "ACCEPTED");
    const rows = 50_000;
    for (let n = 0; n < rows; n++) series.put(observation({ businessTime: at(n * MINUTE), value: n + 1, ...parts(n * MINUTE, n) }));
    const { times, values, insertTimes, sourceTimes, providers } = series.columns();
    const side = [insertTimes, sourceTimes, providers].map((packed) => (packed.kind === "runs" ? packed.runs : packed.cells).byteLength);
    const total = times.byteLength + values.byteLength + side.reduce((sum, one) => sum + one, 0);
    assert.ok(total / rows <= bytes, `${total / rows} bytes`);
  });
}

/* A market taken out and put back, against the one fed by put */

const someTime = fc.oneof(fc.integer({ min: -12, max: 12 }), fc.integer({ min: 0, max: 40 * 24 }).map((hour) => hour * 60 * MINUTE));
const change = fc.record({
  code: fc.constantFrom("BTC_USD", "USD_RLS", "EUR_RLS").map((code) => code as AssetCode),
  businessTime: someTime.map(at),
  value: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
  sourceTime: fc.constantFrom(null, null, at(3)),
  insertTime: fc.oneof(fc.constant(at(99)), someTime.map(at)),
  provider: fc.constantFrom(null, "A", "A", "B"),
  qualityStatus: fc.constantFrom("ACCEPTED", ...QUALITY_STATUSES),
  qualityMessage: fc.constantFrom("", "", "thin"),
});
const changeList = fc.array(change, { maxLength: 60, size: "max" });

function feed(market: Market, changes: readonly Observation[], first: number): readonly boolean[] {
  return changes.map((item, i) => market.put(item, first + i));
}

function whole(market: Market): unknown {
  const codes = [...new Set([...market.all()].map(({ code }) => code))];
  return {
    all: [...market.all()],
    sequences: [market.sequence(), ...["BTC_USD", "USD_RLS", "EUR_RLS"].map((code) => market.sequence(code as AssetCode))],
    coverage: market.coverage(codes),
    latest: market.latest(codes),
    lasts: codes.map((code) => market.lastOfEach(code, Array.from({ length: 42 }, (_, day) => at(day * DAY)))),
    candles: codes.map((code) => market.candles(code, { from: at(-DAY), to: at(50 * DAY) }, DAY)),
  };
}

/** As a file keeps it: copies of the arrays, the rest through JSON. */
function kept(columns: readonly AssetColumns[]): readonly AssetColumns[] {
  return structuredClone(columns);
}

test("market: filled from another one's columns, it cannot be told from one that was fed, also by what is put in later", () => {
  fc.assert(
    fc.property(changeList, changeList, (before, later) => {
      const [fed, filled] = [createMarket(), createMarket()];
      feed(fed, before, 1);
      filled.fill(kept(fed.columns()));
      assert.deepEqual(whole(filled), whole(fed));
      assert.deepEqual(filled.columns(), fed.columns());
      assert.deepEqual(feed(filled, later, before.length + 1), feed(fed, later, before.length + 1));
      assert.deepEqual(whole(filled), whole(fed));
    }),
    { numRuns: 200 },
  );
});

test("market: one that holds anything, or columns that do not fit together, cannot be filled", () => {
  const market = createMarket();
  market.put(observation({ businessTime: at(1) }), 1);
  const columns = market.columns();
  assert.throws(() => market.fill(columns), RangeError);
  const [asset] = columns;
  const broken = asset!.series.map((series) => ({ ...series, values: new Float64Array(9) }));
  assert.throws(() => createMarket().fill([{ ...asset!, series: broken }]), RangeError);
});

test("market: the last row before each edge is found however the rows change between the questions", () => {
  const edges = fc.array(fc.integer({ min: -2, max: 45 }).map((day) => day * DAY + 12_600_000), { maxLength: 6 }).map((list) => list.sort((a, b) => a - b).map(at));
  const steps = fc.array(fc.tuple(fc.integer({ min: -1, max: 40 * 48 }), fc.constantFrom("ACCEPTED", "ACCEPTED", "PENDING"), edges), { maxLength: 40, size: "max" });
  fc.assert(
    fc.property(steps, (list) => {
      const market = createMarket();
      const plain = new Map<number, Observation>();
      // Enough rows that they are not just searched.
      for (let n = 0; n < 600; n++) list.unshift([n * 3, "ACCEPTED", []]);
      list.forEach(([place, qualityStatus, days], i) => {
        const item = observation({ businessTime: at(place * 30 * MINUTE), value: i + 1, qualityStatus });
        market.put(item, i + 1);
        plain.set(item.businessTime, item);
        if (days.length === 0) return;
        const accepted = [...plain.values()].filter((one) => one.qualityStatus === "ACCEPTED").sort((a, b) => a.businessTime - b.businessTime);
        const wanted = days.slice(1).flatMap((end, k) => accepted.filter(({ businessTime }) => businessTime >= days[k]! && businessTime < end).slice(-1));
        assert.deepEqual(market.lastOfEach(CODE, days), wanted);
      });
    }),
    { numRuns: 40 },
  );
});
