import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { AssetCode } from "../../../core/brand.ts";
import { QUALITY_STATUSES } from "../../../core/market/observation.ts";
import type { Observation } from "../../../core/market/observation.ts";
import { createMarket } from "../../../core/series/series_store.ts";
import type { AssetColumns, Market } from "../../../core/series/series_store.ts";
import { CODE, DAY, MINUTE, at, observation } from "../../support/generators.ts";

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
