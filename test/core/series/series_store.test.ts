import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { AssetCode } from "../../../core/branded_types.ts";
import { type Observation, QUALITY_STATUSES } from "../../../core/market/observation.ts";
import { createVersionNames } from "../../../core/series/observations_port.ts";
import { createSeriesStore, type SeriesStore } from "../../../core/series/series_store.ts";
import { at, CODE, DAY, HOUR, observation } from "../../support/generators.ts";
import { slowCandles } from "../../support/slow_candles.ts";
import { runs } from "../../support/suite_size.ts";

const CODES = [CODE, "USD_RLS", "EUR_RLS"] as AssetCode[];
const ALL_TIME = { from: at(-DAY), to: at(50 * DAY) };

const someTime = fc.oneof(
  fc.integer({ min: -12, max: 12 }),
  fc.integer({ min: 0, max: 40 * 24 }).map((hour) => hour * HOUR),
);
const change = fc
  .record({
    code: fc.constantFrom(...CODES),
    businessTime: someTime.map(at),
    value: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
    sourceTime: fc.constantFrom(null, null, at(3)),
    insertTime: fc.oneof(fc.constant(at(99)), someTime.map(at)),
    provider: fc.constantFrom(null, "", "A", "A", "B"),
    qualityStatus: fc.constantFrom("ACCEPTED", ...QUALITY_STATUSES),
    qualityMessage: fc.constantFrom("", "", "thin"),
  })
  .map(observation);
const changeList = fc.array(change, { maxLength: 60, size: "max" });
const times = fc
  .uniqueArray(fc.oneof(fc.integer({ min: -12, max: 40 }), someTime), { maxLength: 30 })
  .map((list) => list.sort((a, b) => a - b).map(at));

/** A batch of changes, some at the same time; unsorted, or sorted by time, with the oldest or the newest first. */
const batch = fc.tuple(changeList, fc.constantFrom("any", "ascending", "descending")).map(([list, order]) => {
  if (order === "any") return list;
  const sorted = [...list].sort((a, b) => a.businessTime - b.businessTime);
  return order === "ascending" ? sorted : sorted.reverse();
});

function keyOf({ code, businessTime }: Observation): string {
  return `${code} ${businessTime}`;
}

/** Compares every query of a store with a plain list of the latest version of each observation. */
function assertHolds(store: SeriesStore, list: ReadonlyMap<string, Observation>, days: readonly number[]): void {
  assert.deepEqual(new Map([...store.all()].map((item) => [keyOf(item), item])), list);
  assert.equal(store.size, list.size);
  const all = [...store.all()];
  assert.equal(all.length, list.size);
  for (const status of QUALITY_STATUSES)
    assert.deepEqual(
      [...store.all(status)],
      all.filter(({ qualityStatus }) => qualityStatus === status),
    );
  for (const item of list.values()) assert.deepEqual(store.find(item.code, item.businessTime), item);
  for (const code of CODES) {
    const accepted = [...list.values()]
      .filter((item) => item.code === code && item.qualityStatus === "ACCEPTED")
      .sort((a, b) => a.businessTime - b.businessTime);
    const [coverage] = store.coverage([code]);
    assert.deepEqual(store.latest([code]), [accepted.at(-1)]);
    assert.deepEqual(coverage?.latest, accepted.at(-1));
    assert.equal(coverage?.availableFrom, accepted[0]?.businessTime);
    assert.deepEqual(
      [...(coverage?.providers ?? [])].sort(),
      [...new Set(accepted.flatMap(({ provider }) => provider ?? []))].sort(),
    );
    const lasts = days
      .slice(1)
      .flatMap((end, i) =>
        accepted.filter(({ businessTime }) => businessTime >= days[i]! && businessTime < end).slice(-1),
      );
    assert.deepEqual(store.lastOfEach(code, days.map(at)), lasts);
    const ticks = accepted.map(({ businessTime, value }) => ({ time: businessTime, value }));
    assert.deepEqual([...store.candles(code, ALL_TIME, DAY).candles], slowCandles(ticks, DAY));
  }
}

test("series store: every query agrees with a plain list, whether changes are stored one by one, at once, or loaded", () => {
  const steps = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: batch.map((put) => ({ put })) },
      { weight: 1, arbitrary: times.map((removed) => ({ removed })) },
    ),
    { maxLength: 6 },
  );
  const edges = fc.array(someTime, { maxLength: 8 }).map((list) => list.sort((a, b) => a - b));
  fc.assert(
    fc.property(steps, edges, fc.nat(6), (acts, days, loadedFrom) => {
      const [one, many, loaded] = [createSeriesStore(), createSeriesStore(), createSeriesStore()];
      const list = new Map<string, Observation>();
      const sequences = new Map<AssetCode, number>();
      let loader = loaded.createLoader();
      let sequence = 0;
      let replaced = 0;
      for (const [step, act] of acts.entries()) {
        if (step === loadedFrom) {
          assert.equal(loader.finish(), replaced);
          assertHolds(loaded, list, days);
          loader = loaded.createLoader();
          replaced = 0;
        }
        if ("removed" in act) {
          const gone = act.removed.filter((time) => list.delete(`${CODE} ${time}`)).length;
          sequences.set(CODE, ++sequence);
          for (const store of [one, many]) assert.equal(store.removeAll(CODE, act.removed, sequence), gone);
          loader.removeAll(CODE, act.removed, sequence);
        } else {
          const before = replaced;
          const first = sequence + 1;
          for (const item of act.put) {
            const isKnown = list.has(keyOf(item));
            assert.equal(one.putAll([item], ++sequence), isKnown ? 1 : 0);
            loader.add(item, sequence);
            if (isKnown) replaced++;
            list.set(keyOf(item), item);
            sequences.set(item.code, sequence);
          }
          assert.equal(many.putAll(act.put, first), replaced - before);
        }
        for (const store of [one, many]) assertHolds(store, list, days);
      }
      assert.equal(loader.finish(), replaced);
      assertHolds(loaded, list, days);
      for (const store of [one, many, loaded])
        assert.deepEqual(
          [store.sequence(), ...CODES.map((code) => store.sequence(code))],
          [sequence, ...CODES.map((code) => sequences.get(code) ?? 0)],
        );
    }),
    { numRuns: runs(30, 60) },
  );
});

test("series store: iteration yields each unchanged observation once, even if others are added, changed or removed meanwhile", () => {
  fc.assert(
    fc.property(changeList, fc.array(fc.tuple(fc.nat(40), changeList, times), { maxLength: 6 }), (before, acts) => {
      const store = createSeriesStore();
      store.putAll(before, 1);
      const untouched = new Map([...store.all()].map((item) => [keyOf(item), item]));
      const given: Observation[] = [];
      let sequence = before.length;
      for (const item of store.all()) {
        given.push(item);
        for (const [, changes, removed] of acts.filter(([position]) => position === given.length)) {
          for (const change of changes) untouched.delete(keyOf(change));
          for (const time of removed) untouched.delete(`${CODE} ${time}`);
          for (const change of changes) store.putAll([change], ++sequence);
          store.removeAll(CODE, removed, ++sequence);
        }
      }
      for (const [key, item] of untouched)
        assert.deepEqual(
          given.filter((one) => keyOf(one) === key),
          [item],
        );
    }),
    { numRuns: runs(30, 60) },
  );
});

test("series store: a loader accepts observations in any order, even if there are more than it stores at a time", () => {
  const count = 66_000;
  const store = createSeriesStore();
  const loader = store.createLoader();
  for (let n = 0; n < count; n++) {
    const time = (n * 77_773) % count;
    loader.add(observation({ businessTime: at(time), value: time + 1 }), n + 1);
  }
  assert.equal(loader.finish(), 0);
  const wrong = [...store.all()].findIndex(({ businessTime, value }, i) => businessTime !== i || value !== i + 1);
  assert.deepEqual([store.size, wrong], [count, -1]);
});

test("series store: the version for some assets changes only when one of these assets changes", () => {
  const store = createSeriesStore();
  const version = createVersionNames(store, (sequence) => `store.${sequence}`);
  const [USD, EUR] = ["USD_RLS", "EUR_RLS"] as const satisfies readonly AssetCode[];
  const names = (): readonly string[] => [[USD], [EUR], [USD, EUR], [], undefined].map((codes) => version(codes));
  const wanted = (...sequences: readonly number[]): readonly string[] => sequences.map((one) => `store.${one}`);
  assert.deepEqual(names(), wanted(0, 0, 0, 0, 0));
  store.putAll([observation({ code: USD, businessTime: at(1) })], 3);
  assert.deepEqual(names(), wanted(3, 0, 3, 0, 3));
  store.putAll([observation({ code: EUR, businessTime: at(1) })], 5);
  for (let again = 0; again < 2; again++) assert.deepEqual(names(), wanted(3, 5, 5, 0, 5));
});
