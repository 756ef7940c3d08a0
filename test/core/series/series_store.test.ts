import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { AssetCode } from "../../../core/branded_types.ts";
import { type Observation, QUALITY_STATUSES } from "../../../core/market/observation.ts";
import { createVersionNames } from "../../../core/series/observations_port.ts";
import { createSeriesStore, type SeriesStore } from "../../../core/series/series_store.ts";
import { at, CODE, DAY, MINUTE, observation } from "../../support/generators.ts";
import { runs } from "../../support/suite_size.ts";

test("series store: every query agrees with a plain list of the latest version of each observation", () => {
  const codes = ["BTC_USD", "USD_RLS"] as const;
  const change = fc.record({
    code: fc.constantFrom(...codes).map((code) => code as AssetCode),
    businessTime: fc.integer({ min: -12, max: 12 }).map(at),
    value: fc.integer({ min: 1, max: 9 }),
    provider: fc.constantFrom(null, "", "A"),
    qualityStatus: fc.constantFrom("ACCEPTED", ...QUALITY_STATUSES),
  });
  const edges = fc
    .array(fc.integer({ min: -15, max: 15 }), { maxLength: 8 })
    .map((list) => list.sort((a, b) => a - b).map(at));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), edges, (changes, days) => {
      const store = createSeriesStore();
      const list = new Map<string, Observation>();
      const sequences = new Map<string, number>();
      changes.forEach((parts, index) => {
        const item = observation(parts);
        const key = `${item.code} ${item.businessTime}`;
        assert.equal(store.putAll([item], index + 1), list.has(key) ? 1 : 0);
        list.set(key, item);
        sequences.set(item.code, index + 1);
      });
      assert.equal(store.sequence(), changes.length);
      const all = [...store.all()];
      assert.equal(all.length, list.size);
      for (const status of QUALITY_STATUSES)
        assert.deepEqual(
          [...store.all(status)],
          all.filter(({ qualityStatus }) => qualityStatus === status),
        );
      for (const item of all) assert.deepEqual(item, list.get(`${item.code} ${item.businessTime}`));
      for (const name of [...codes, "EUR_RLS"]) {
        const code = name as AssetCode;
        const accepted = [...list.values()]
          .filter((item) => item.code === code && item.qualityStatus === "ACCEPTED")
          .sort((a, b) => a.businessTime - b.businessTime);
        const [coverage] = store.coverage([code]);
        assert.equal(store.sequence(code), sequences.get(code) ?? 0);
        assert.deepEqual(store.latest([code]), [accepted.at(-1)]);
        assert.deepEqual(coverage?.latest, accepted.at(-1));
        assert.equal(coverage?.availableFrom, accepted[0]?.businessTime);
        assert.deepEqual(
          [...(coverage?.providers ?? [])].sort(),
          [...new Set(accepted.flatMap(({ provider }) => provider ?? []))].sort(),
        );
        for (let time = -13; time <= 13; time++)
          assert.deepEqual(store.find(code, at(time)), list.get(`${code} ${time}`));
        const lasts = days
          .slice(1)
          .flatMap((end, i) =>
            accepted.filter(({ businessTime }) => businessTime >= days[i]! && businessTime < end).slice(-1),
          );
        assert.deepEqual(store.lastOfEach(code, days), lasts);
      }
    }),
    { numRuns: runs(40) },
  );
});

test("series store: removed observations disappear from every query, and the others stay", () => {
  const times = fc
    .uniqueArray(fc.integer({ min: -12, max: 40 }), { maxLength: 30 })
    .map((list) => list.sort((a, b) => a - b).map(at));
  const steps = fc.array(
    fc.oneof(
      changeList.map((put) => ({ put })),
      times.map((removed) => ({ removed })),
    ),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(steps, (acts) => {
      const [store, loaded] = [createSeriesStore(), createSeriesStore()];
      const loader = loaded.createLoader();
      const list = new Map<string, Observation>();
      let sequence = 0;
      for (const act of acts) {
        if ("put" in act) {
          for (const item of act.put) {
            store.putAll([item], ++sequence);
            loader.add(item, sequence);
            list.set(`${item.code} ${item.businessTime}`, item);
          }
          continue;
        }
        const gone = act.removed.filter((time) => list.delete(`${CODE} ${time}`));
        assert.equal(store.removeAll(CODE, act.removed, ++sequence), gone.length);
        loader.removeAll(CODE, act.removed, sequence);
        assert.equal(store.sequence(CODE), sequence);
      }
      loader.finish();
      const expected = createSeriesStore();
      expected.putAll([...list.values()], 1);
      const { sequences: _, ...wanted } = contentOf(expected) as Record<string, unknown>;
      for (const one of [store, loaded]) {
        const { sequences, ...found } = contentOf(one) as Record<string, unknown>;
        assert.equal((sequences as number[])[0], sequence);
        assert.equal(one.size, list.size);
        assert.deepEqual(byCode(found), byCode(wanted));
      }
    }),
    { numRuns: runs(50) },
  );
});

/** Sorts the content by code. Before, it is in the order in which the codes first appeared. */
function byCode(content: Readonly<Record<string, unknown>>): unknown {
  const all = content["all"] as readonly Observation[];
  const codes = [...new Set(all.map(({ code }) => code))];
  const sorted = [...codes].sort();
  const parts = ["coverage", "latest", "lasts", "candles"].map((name) =>
    sorted.map((code) => (content[name] as unknown[])[codes.indexOf(code)]),
  );
  return [sorted.map((code) => all.filter((item) => item.code === code)), parts];
}

test("series store: iteration yields unchanged observations once while others are added, changed and removed", () => {
  fc.assert(
    fc.property(
      changeList,
      fc.array(fc.tuple(fc.nat(40), changeList, fc.array(someTime.map(at), { maxLength: 5 })), { maxLength: 6 }),
      (before, acts) => {
        const store = createSeriesStore();
        putEach(store, before, 1);
        const keyOf = ({ code, businessTime }: Observation): string => `${code} ${businessTime}`;
        const untouched = new Map([...store.all()].map((item) => [keyOf(item), item]));
        const given: Observation[] = [];
        let sequence = before.length;
        for (const item of store.all()) {
          given.push(item);
          for (const [, changes, times] of acts.filter(([position]) => position === given.length)) {
            for (const change of changes) untouched.delete(keyOf(change));
            for (const time of times) untouched.delete(`${CODE} ${time}`);
            putEach(store, changes, (sequence += changes.length) - changes.length + 1);
            store.removeAll(
              CODE,
              [...new Set(times)].sort((a, b) => a - b),
              ++sequence,
            );
          }
        }
        for (const [key, item] of untouched)
          assert.deepEqual(
            given.filter((one) => keyOf(one) === key),
            [item],
          );
      },
    ),
    { numRuns: runs(60) },
  );
});

const someTime = fc.oneof(
  fc.integer({ min: -12, max: 12 }),
  fc.integer({ min: 0, max: 40 * 24 }).map((hour) => hour * 60 * MINUTE),
);
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

function putEach(store: SeriesStore, changes: readonly Observation[], first: number): readonly boolean[] {
  return changes.map((item, i) => store.putAll([item], first + i) === 1);
}

function contentOf(store: SeriesStore): unknown {
  const codes = [...new Set([...store.all()].map(({ code }) => code))];
  return {
    all: [...store.all()],
    sequences: [
      store.sequence(),
      ...["BTC_USD", "USD_RLS", "EUR_RLS"].map((code) => store.sequence(code as AssetCode)),
    ],
    coverage: store.coverage(codes),
    latest: store.latest(codes),
    lasts: codes.map((code) =>
      store.lastOfEach(
        code,
        Array.from({ length: 42 }, (_, day) => at(day * DAY)),
      ),
    ),
    candles: codes.map((code) => [...store.candles(code, { from: at(-DAY), to: at(50 * DAY) }, DAY).candles]),
  };
}

/* Many observations at once, compared with one by one */

/** Batches of changes, with some times repeated. They are in any order, ascending, or newest first. */
const batchList = fc.array(
  fc.tuple(changeList, fc.constantFrom("any", "ascending", "descending")).map(([list, order]) => {
    if (order === "any") return list;
    const sorted = [...list].sort((a, b) => a.businessTime - b.businessTime);
    return order === "ascending" ? sorted : sorted.reverse();
  }),
  { maxLength: 5 },
);

test("series store: storing many observations at once equals storing them one by one", () => {
  fc.assert(
    fc.property(batchList, (batches) => {
      const [one, many] = [createSeriesStore(), createSeriesStore()];
      let sequence = 1;
      for (const batch of batches) {
        const replaced = putEach(one, batch, sequence).filter(Boolean).length;
        assert.equal(many.putAll(batch, sequence), replaced);
        sequence += batch.length;
        assert.deepEqual(contentOf(many), contentOf(one));
      }
    }),
    { numRuns: runs(50) },
  );
});

test("series store: loading observations equals storing them one by one", () => {
  fc.assert(
    fc.property(changeList, batchList, (before, batches) => {
      const one = createSeriesStore();
      putEach(one, before, 1);
      const loaded = createSeriesStore();
      putEach(loaded, before, 1);
      const loader = loaded.createLoader();
      let sequence = before.length + 1;
      let replaced = 0;
      for (const observation of batches.flat()) {
        replaced += one.putAll([observation], sequence);
        loader.add(observation, sequence);
        sequence += 3; // The numbers in a log may have gaps.
      }
      assert.equal(loader.finish(), replaced);
      assert.deepEqual(contentOf(loaded), contentOf(one));
    }),
    { numRuns: runs(50) },
  );
});

test("series store: loads more observations than it collects at once, in any order", () => {
  const count = 66_000;
  for (const timeOf of [(n: number) => count - 1 - n, (n: number) => (n * 77_773) % count]) {
    const store = createSeriesStore();
    const loader = store.createLoader();
    for (let n = 0; n < count; n++)
      loader.add(observation({ businessTime: at(timeOf(n)), value: timeOf(n) + 1 }), n + 1);
    assert.equal(loader.finish(), 0);
    let time = 0;
    for (const { businessTime, value } of store.all()) assert.deepEqual([businessTime, value], [time, ++time]);
    assert.equal(time, count);
  }
});

test("series store: lists a provider as long as it has a record", () => {
  const store = createSeriesStore();
  const records = ["a", "b"].map((provider, i) => observation({ businessTime: at(i), provider }));
  const { code } = records[0]!;
  store.putAll(records, 1);
  assert.deepEqual(store.coverage([code])[0]?.providers, ["a", "b"]);
  store.removeAll(code, [at(1)], 3);
  assert.deepEqual(store.coverage([code])[0]?.providers, ["a"]);
});

test("series store: the version of some assets is that of their last change, even after a change of others", () => {
  const store = createSeriesStore();
  const version = createVersionNames(store, (sequence) => `store.${sequence}`);
  const [USD, EUR] = ["USD_RLS", "EUR_RLS"] as const satisfies readonly AssetCode[];
  const lists = [[USD], [EUR], [USD, EUR], [], undefined];
  const names = (): readonly string[] => lists.map((codes) => version(codes).slice("store.".length));
  assert.deepEqual(names(), ["0", "0", "0", "0", "0"]);
  store.putAll([observation({ code: USD, businessTime: at(1) })], 3);
  assert.deepEqual(names(), ["3", "0", "3", "0", "3"]);
  store.putAll([observation({ code: EUR, businessTime: at(1) })], 5);
  assert.deepEqual(
    [names(), names()],
    [
      ["3", "5", "5", "0", "5"],
      ["3", "5", "5", "0", "5"],
    ],
  );
});
