import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addOutcomes,
  type ImportAccess,
  type ImportOutcome,
  type ImportSummary,
  NO_PROCESS,
  NOTHING_DONE,
  type UndoOutcome,
} from "../../adapters/stores/shared/imports.ts";
import type { AssetCode, UtcMillis } from "../../core/branded_types.ts";
import { CONFIRM, isPending } from "../../core/internal.ts";
import type { Observation } from "../../core/market/observation.ts";
import type { MaybePromise, Observations, ObservationWriter } from "../../core/ports.ts";
import { createSeriesStore } from "../../core/series/series_store.ts";
import { NOW } from "./json_files_fixtures.ts";
import { at } from "./store_suite/records.ts";
import { observed } from "./store_suite.ts";

/** The store that the suite tests. Its clock always shows `NOW`. */
export interface ImportsStore {
  readonly observations: Pick<Observations, "version"> & ObservationWriter;
  readonly imports: ImportAccess;
}

/** A store opened for one test. */
export interface OpenedImports {
  readonly store: ImportsStore;
  /** Closes the store, and opens the same data again. */
  reopen(): Promise<ImportsStore>;
  /** Opens the same data again, as another process would; returns its imports. */
  peer(): Promise<ImportAccess>;
  close(): Promise<void>;
}

/** The plan for the imports of these tests. */
export const PLAN = {
  type: "import",
  subjects: ["prices.csv"],
  source: "import",
  by: { pid: 1, host: "here" },
} as const;
/** The plan for pushed prices. */
const PUSHED = { type: "import", subjects: ["key a"], source: "key:a", by: NO_PROCESS } as const;
const REST = { refused: 0, providers: [], complete: true };
const [USD, EUR] = ["USD_RLS", "EUR_RLS"] as [AssetCode, AssetCode];
const WITHDRAWN = { qualityStatus: "REJECTED", qualityMessage: "wrong" } as const;
const ACCEPTED = { qualityStatus: "ACCEPTED", qualityMessage: "checked" } as const;
const PENDING = { qualityStatus: "PENDING", qualityMessage: "toman?" } as const;
/** Selects all pending values of the asset that `observed` uses. */
const PENDING_VALUES = {
  code: USD,
  from: at(0),
  to: at(1_000),
  provider: null,
  pending: true,
};
/** The source of a record that a program has stored. */
const EMBEDDED = { source: "embedder", import: null };
const NOTHING_TO_UNDO = { restored: 0, removed: 0, replacedSince: 0, unknown: 0 };

/** Imports a batch as one import; returns its number. */
export async function imported(
  imports: ImportAccess,
  batch: readonly Observation[],
  { keepExisting = false, finished = true } = {},
): Promise<number> {
  const { id } = await imports.begin(PLAN);
  let outcome = NOTHING_DONE;
  for (let at = 0; at < batch.length; at += 2_000)
    outcome = addOutcomes(outcome, await imports.append(id, batch.slice(at, at + 2_000), keepExisting));
  if (finished) await imports.finish(id, { ...outcome, ...REST });
  return id;
}

/** Undoes an import completely, and returns the outcome without `imported`. */
export async function undo(imports: ImportAccess, id: number): Promise<Omit<UndoOutcome, "imported">> {
  for (;;) {
    const undoing = await imports.undo(id);
    if (undoing.pending) continue;
    const { restored, removed, replacedSince, unknown } = undoing;
    return { restored, removed, replacedSince, unknown };
  }
}

/** All records, ascending by business time. */
export async function recordsOf({
  observations,
}: {
  readonly observations: { records(): Iterable<Observation> | AsyncIterable<Observation> };
}): Promise<readonly Observation[]> {
  const found: Observation[] = [];
  for await (const one of observations.records()) found.push(one);
  return found.sort((a, b) => a.businessTime - b.businessTime || (a.code < b.code ? -1 : 1));
}

async function valuesOf(store: ImportsStore): Promise<readonly number[]> {
  return (await recordsOf(store)).map(({ value }) => value);
}

/** Observations for `count` minutes, with values that ascend from `value`. */
export function many(count: number, value: number): Observation[] {
  return Array.from({ length: count }, (_, i) => observed(i, value + i));
}

/** Each rule with its test. */
const CASES: Readonly<Record<string, (opened: OpenedImports) => Promise<void>>> = {
  async "undo restores every record, including its insert time, and removes new ones, even after a restart"(opened) {
    const { observations, imports } = opened.store;
    await observations.append([
      observed(1, 1, { provider: "بازار", sourceTime: 5 as UtcMillis }),
      observed(2, 2, PENDING),
    ]);
    await imported(imports, many(3_000, 10));
    const before = await recordsOf(opened.store);
    const id = await imported(imports, many(5_000, 500));
    const store = await opened.reopen();
    assert.deepEqual(await undo(store.imports, id), { ...NOTHING_TO_UNDO, restored: 3_000, removed: 2_000 });
    assert.deepEqual(await recordsOf(store), before);
    assert.deepEqual(await undo(store.imports, id), NOTHING_TO_UNDO, "a second undo finds nothing to do");
    assert.deepEqual(await recordsOf(await opened.reopen()), before);
  },
  async "undo does not change records that have since been replaced or removed, and counts them"({ store }) {
    const { observations, imports } = store;
    await observations.append([observed(1, 1), observed(2, 2)]);
    const id = await imported(imports, [observed(1, 10), observed(2, 20), observed(3, 30), observed(4, 40)]);
    await observations.append([observed(2, 21)]);
    const later = await imported(imports, [observed(4, 41)]);
    assert.deepEqual(await undo(imports, id), { restored: 1, removed: 1, replacedSince: 2, unknown: 0 });
    assert.deepEqual(await valuesOf(store), [1, 21, 41]);
    // Undoing the later import restores a record of the import `id`, so a second undo of `id` can remove that record.
    assert.deepEqual(await undo(imports, later), { ...NOTHING_TO_UNDO, restored: 1 });
    assert.deepEqual(await undo(imports, id), { restored: 0, removed: 1, replacedSince: 1, unknown: 0 });
    assert.deepEqual(await valuesOf(store), [1, 21]);
    const [, entry] = await imports.list();
    assert.deepEqual(entry?.imported.undone, { time: NOW, restored: 1, removed: 2 });
  },
  async "if an import stored several records for the same time, its undo restores the last record that another writer stored for this time"({
    store,
  }) {
    const { observations, imports } = store;
    await observations.append([observed(1, 1)]);
    const { id } = await imports.begin(PLAN);
    const outcomes: ImportOutcome[] = [];
    const batches = [
      [observed(1, 10), observed(1, 11), observed(2, 5)],
      [observed(1, 12), observed(2, 6), observed(2, 6)],
    ];
    for (const batch of batches) outcomes.push(await imports.append(id, batch, false));
    const counts = outcomes.map((one) => [one.accepted, one.replaced, one.unchanged, one.repeated].join(" "));
    assert.deepEqual(counts, ["1 2 0 1", "0 2 1 2"]);
    await observations.append([observed(2, 20)]);
    assert.equal((await imports.append(id, [observed(2, 7)], false)).repeated, 0);
    await imports.finish(id, { ...NOTHING_DONE, ...REST, accepted: 1, replaced: 5, unchanged: 1, repeated: 3 });
    assert.deepEqual(await undo(imports, id), { ...NOTHING_TO_UNDO, restored: 2, replacedSince: 1 });
    assert.deepEqual(await recordsOf(store), [observed(1, 1), observed(2, 20)]);
  },
  async "with `keepExisting`, existing records stay and are counted, and undo removes only new records"({ store }) {
    const { observations, imports } = store;
    await observations.append([observed(1, 1), observed(2, 2)]);
    const { id } = await imports.begin(PLAN);
    const outcome = await imports.append(id, [observed(1, 10), observed(2, 2), observed(3, 3), observed(3, 4)], true);
    assert.deepEqual(outcome, { kept: 2, accepted: 1, replaced: 0, repeated: 0, unchanged: 1, largest: null });
    assert.deepEqual(await valuesOf(store), [1, 2, 3]);
    await undo(imports, id);
    assert.deepEqual(await recordsOf(store), [observed(1, 1), observed(2, 2)]);
  },
  async "an import whose records all exist stores nothing, and changes no version"({ store }) {
    const { observations, imports } = store;
    await imported(imports, many(2_000, 1));
    const before = [await observations.version(), await recordsOf(store)];
    const { id } = await imports.begin(PLAN);
    assert.deepEqual(await imports.append(id, many(2_000, 1), false), { ...NOTHING_DONE, unchanged: 2_000 });
    assert.deepEqual([await observations.version(), await recordsOf(store)], before);
  },
  async "the counts and the largest change cover records of every status, and of several assets"({ store }) {
    const { observations, imports } = store;
    await observations.append([
      observed(1, 100),
      observed(2, 100),
      observed(3, 100, { qualityStatus: "REJECTED" }),
      observed(1, 7, { code: EUR }),
    ]);
    const { id } = await imports.begin(PLAN);
    const batch = [
      observed(1, 110),
      observed(2, 100, { provider: "p" }),
      observed(3, 10),
      observed(1, 8, { code: EUR }),
      observed(9, 1, PENDING),
    ];
    const largest = { code: "USD_RLS", businessTime: at(3), from: 100, to: 10 };
    const first = { ...NOTHING_DONE, accepted: 1, replaced: 4, largest };
    assert.deepEqual(await imports.append(id, batch, false), first);
    const again = [observed(3, 10), observed(1, 8, { code: EUR, qualityStatus: "REJECTED" })];
    const second = { ...NOTHING_DONE, replaced: 1, unchanged: 1, repeated: 1 };
    assert.deepEqual(await imports.append(id, again, false), second);
    assert.equal((await imports.append(id, [observed(1, 110, { qualityMessage: "m" })], false)).largest, null);
  },
  async "an unfinished import is listed and can be undone; nothing can be added to an undone or finished import"({
    store,
    reopen,
  }) {
    await store.observations.append(many(3_000, 1));
    const before = await recordsOf(store);
    const id = await imported(store.imports, many(4_000, 100), { finished: false });
    const { imports, observations } = await reopen();
    const listed = { ...PLAN, id, time: NOW, summary: null, undone: null };
    assert.deepEqual(await imports.list(), [{ imported: listed, stored: 4_000 }]);
    assert.deepEqual(await undo(imports, id), { restored: 3_000, removed: 1_000, replacedSince: null, unknown: 0 });
    assert.deepEqual(await recordsOf({ observations }), before);
    const done = await imported(imports, [observed(1, 5)]);
    for (const [number, state] of [
      [id, "undone"],
      [done, "finished"],
    ] as const) {
      const message = `Cannot add to import ${number} because it is ${state}`;
      await assert.rejects(imports.append(number, [observed(1, 5)], false), { name: "RangeError", message });
    }
  },
  async "an unknown import number is refused"({ store: { imports } }) {
    const error = { name: "RangeError", message: "There is no import 7" };
    await assert.rejects(imports.undo(7), error);
    await assert.rejects(imports.append(7, [observed(1, 1)], false), error);
    await assert.rejects(imports.finish(7, { ...NOTHING_DONE, ...REST }), error);
    assert.deepEqual(await imports.list(), []);
  },
  async "a batch with an invalid observation is refused as a whole"({ store }) {
    const { id } = await store.imports.begin(PLAN);
    await assert.rejects(store.imports.append(id, [observed(1, 1), observed(2, -1)], false), { name: "RangeError" });
    assert.deepEqual(await recordsOf(store), []);
  },
  async "undo finds records by their import, not by their insert time"({ store }) {
    const { observations, imports } = store;
    await observations.append([
      observed(1, 1, { insertTime: NOW }),
      observed(2, 2, { insertTime: (NOW + 60_000) as UtcMillis }),
    ]);
    const begun = [await imports.begin(PLAN), await imports.begin(PLAN)].flatMap(({ id, time }) => [id, time]);
    assert.deepEqual(begun, [1, NOW, 2, NOW]);
    await imports.append(1, [observed(2, 20), observed(3, 30), observed(5, 5, PENDING)], false);
    await imports.append(2, [observed(1, 10), observed(3, 31), observed(5, 6, PENDING)], false);
    const [second, first] = await imports.list();
    assert.deepEqual([second?.stored, first?.stored], [3, 1]);
    assert.deepEqual(await undo(imports, 1), { ...NOTHING_TO_UNDO, restored: 1, replacedSince: null });
    assert.deepEqual(await valuesOf(store), [10, 2, 31, 6]);
    assert.deepEqual(await undo(imports, 2), { ...NOTHING_TO_UNDO, restored: 3, replacedSince: null });
    assert.deepEqual(await valuesOf(store), [1, 2, 30, 5]);
    assert.deepEqual(await undo(imports, 1), { ...NOTHING_TO_UNDO, removed: 2, replacedSince: null });
    assert.deepEqual(await valuesOf(store), [1, 2]);
  },
  async "another process can import, list imports, finish an import twice, and undo it"({ store, peer }) {
    const imports = await peer();
    await store.observations.append([observed(1, 1)]);
    const { id, time } = await imports.begin(PLAN);
    const outcome = await imports.append(id, [observed(1, 5), observed(2, 2)], false);
    const largest = { code: "USD_RLS", businessTime: at(1), from: 1, to: 5 };
    assert.deepEqual(outcome, { ...NOTHING_DONE, accepted: 1, replaced: 1, largest });
    const summary: ImportSummary = { ...outcome, ...REST, refused: 2, providers: ["a"] };
    const imported = { id, ...PLAN, time, summary, undone: null };
    assert.deepEqual((await store.imports.finish(id, summary)).summary, summary);
    // The answer to the first call may have been lost.
    assert.deepEqual((await imports.finish(id, { ...summary, refused: 3 })).summary, summary);
    assert.deepEqual(await store.imports.list(), [{ stored: null, imported }]);
    assert.deepEqual((await imports.around([observed(2, 2)]))[0]?.at?.value, 2);
    await Promise.all([undo(imports, id), undo(store.imports, id)]);
    // Two concurrent undos undo each record only once.
    assert.deepEqual((await imports.list())[0]?.imported.undone, { time: NOW, restored: 1, removed: 1 });
    assert.deepEqual(await recordsOf(store), [observed(1, 1)]);
  },
  async "a withdrawal of 21,000 records takes several steps"({ store: { imports, observations } }) {
    await imported(imports, many(21_000, 1));
    const { id } = await imports.begin({ ...PLAN, type: "withdrawal" });
    const all = { ...PENDING_VALUES, to: at(30_000), pending: false };
    const steps = [];
    do steps.push(await imports.decide(id, all, WITHDRAWN));
    while (steps.at(-1)?.more);
    assert.ok(steps.length > 1, `${steps.length}`);
    const replaced = steps.map(({ outcome }) => outcome.replaced).reduce((a, b) => a + b);
    assert.equal(replaced, 21_000);
    const statuses = (await recordsOf({ observations })).map(({ qualityStatus }) => qualityStatus);
    assert.deepEqual([...new Set(statuses)], ["REJECTED"]);
  },
  async "pending values can be listed and decided; a decision is stored as an import, and does not change other assets, times and statuses"({
    store,
    reopen,
    peer,
  }) {
    const others = [
      observed(1, 1),
      observed(9, 9, PENDING),
      observed(2, 2, { code: EUR, ...PENDING }),
      observed(6, 6, { ...PENDING, qualityStatus: "REJECTED" }),
    ];
    const selected = [observed(3, 3, { ...PENDING, provider: "a" }), observed(4, 4, PENDING)];
    await store.observations.append([...others, ...selected]);
    const { imports, observations } = await reopen();
    const before = await recordsOf({ observations });
    const within = { ...PENDING_VALUES, to: at(9) };
    const usd = { code: USD, records: 3, first: at(3), last: at(9) };
    const eur = { code: EUR, records: 1, first: at(2), last: at(2) };
    assert.deepEqual(await imports.pending(null, 2), {
      assets: [usd, eur],
      values: selected.map((one) => ({ ...one, ...EMBEDDED })),
    });
    assert.deepEqual(await (await peer()).pending(EUR, 2), {
      assets: [eur],
      values: [{ ...observed(2, 2, { code: EUR, ...PENDING }), ...EMBEDDED }],
    });
    const [first, last] = [usd.first, at(4)];
    assert.deepEqual(await imports.matching(within), { records: 2, first, last });
    assert.deepEqual(await imports.matching({ ...within, provider: "a" }), { records: 1, first, last: first });
    assert.deepEqual(await imports.matching({ ...within, to: first }), { records: 0, first: null, last: null });
    for (const decision of [ACCEPTED, WITHDRAWN]) {
      const { id, time } = await imports.begin(PLAN);
      const outcome = { ...NOTHING_DONE, replaced: 2 };
      assert.deepEqual(await imports.decide(id, within, decision), { outcome, more: false });
      // The answer to the first call may have been lost.
      assert.deepEqual((await imports.decide(id, within, decision)).outcome, NOTHING_DONE);
      const decided = (await recordsOf({ observations })).filter(({ insertTime }) => insertTime === time);
      assert.deepEqual(
        decided,
        selected.map((one) => ({ ...one, ...decision, insertTime: time })),
      );
      await imports.finish(id, { ...NOTHING_DONE, ...REST, replaced: 2 });
      assert.deepEqual(await undo(imports, id), { ...NOTHING_TO_UNDO, restored: 2 });
      assert.deepEqual(await recordsOf({ observations }), before);
    }
    assert.deepEqual(await recordsOf(await reopen()), before);
  },
  async "pending values of an import are kept beside other values, counted one by one, and removed by undo"({ store }) {
    const { observations, imports } = store;
    await observations.append([observed(1, 1), observed(2, 2, PENDING)]);
    const before = await recordsOf(store);
    const { id } = await imports.begin(PLAN);
    const first = [observed(1, 10, PENDING), observed(2, 20, PENDING), observed(3, 30, PENDING)];
    assert.deepEqual(await imports.append(id, first, false), { ...NOTHING_DONE, accepted: 3 });
    const second = [observed(1, 1, PENDING), observed(2, 20, PENDING), observed(3, 31, PENDING)];
    const repeated = { ...NOTHING_DONE, unchanged: 2, replaced: 1, repeated: 1 };
    assert.deepEqual(await imports.append(id, second, false), repeated);
    const around = (await imports.around([observed(1, 1), observed(2, 1)])).flatMap(({ at, pending }) => [
      at?.value,
      pending?.map(({ value }) => value),
    ]);
    assert.deepEqual(around, [1, [10], undefined, [2, 20]]);
    const keeping = [observed(1, 11, PENDING), observed(2, 21, PENDING), observed(3, 31, PENDING), observed(4, 4)];
    const { id: other } = await imports.begin(PLAN);
    const kept = { ...NOTHING_DONE, kept: 2, unchanged: 1, accepted: 1 };
    assert.deepEqual(await imports.append(other, keeping, true), kept);
    await undo(imports, other);
    await observations.append([observed(3, 33)], PLAN.source);
    assert.deepEqual(await undo(imports, id), { ...NOTHING_TO_UNDO, removed: 2, replacedSince: null });
    assert.deepEqual(await recordsOf(store), [...before, observed(3, 33)]);
  },
  async "an accepted or rejected record of an import removes the pending value of the same source; the first undo restores that value, a second does not"({
    store,
    reopen,
  }) {
    await store.observations.append([observed(1, 1), observed(2, 2, PENDING)]);
    await store.observations.append([observed(1, 10, PENDING), observed(2, 20, PENDING)], PLAN.source);
    const before = await recordsOf(store);
    const id = await imported(store.imports, [observed(1, 1), observed(2, 21), observed(2, 22, PENDING)]);
    assert.deepEqual(await valuesOf(store), [1, 21, 2, 22]);
    const { imports, observations } = await reopen();
    assert.deepEqual(await undo(imports, id), { ...NOTHING_TO_UNDO, restored: 2 });
    assert.deepEqual(await recordsOf({ observations }), before);
    // An accepted or rejected record of the same source removes the restored pending value, so a second undo restores nothing.
    await observations.append([observed(1, 1), observed(2, 23)], PLAN.source);
    assert.deepEqual(await undo(imports, id), NOTHING_TO_UNDO);
    assert.deepEqual(await valuesOf({ ...store, observations }), [1, 23, 2]);
  },
  async "accepting keeps the latest pending value for a time; rejecting drops all pending values for a time that has a decided value"({
    store,
  }) {
    const { observations, imports } = store;
    const [late, early] = [20_000, 15_000].map((minute) => ({ ...PENDING, insertTime: at(minute) }));
    await observations.append([observed(1, 1), observed(3, 3)]);
    await observations.append([observed(1, 10, late), observed(2, 20, { ...early, provider: "p" })], "a");
    await observations.append([observed(1, 11, early), observed(3, 31, early)], "b");
    const before = await recordsOf(store);
    const all = { ...PENDING_VALUES, pending: false };
    const ofP = { ...all, provider: "p" };
    const cases = [
      [PENDING_VALUES, ACCEPTED, 4, 1, 3, "10 ACCEPTED, 20 ACCEPTED, 31 ACCEPTED"],
      [PENDING_VALUES, WITHDRAWN, 4, 1, 3, "1 ACCEPTED, 20 REJECTED, 3 ACCEPTED"],
      [all, WITHDRAWN, 6, 3, 3, "1 REJECTED, 20 REJECTED, 3 REJECTED"],
      [all, ACCEPTED, 6, 3, 3, "10 ACCEPTED, 20 ACCEPTED, 31 ACCEPTED"],
      [ofP, WITHDRAWN, 1, 0, 1, "1 ACCEPTED, 10 PENDING, 11 PENDING, 20 REJECTED, 3 ACCEPTED, 31 PENDING"],
    ] as const;
    for (const [selection, decision, replaced, repeated, restored, left] of cases) {
      assert.equal((await imports.matching(selection)).records, replaced);
      const { id } = await imports.begin(PLAN);
      const { outcome } = await imports.decide(id, selection, decision);
      assert.deepEqual(outcome, { ...NOTHING_DONE, replaced, repeated });
      const found = (await recordsOf(store)).map(({ value, qualityStatus }) => `${value} ${qualityStatus}`);
      assert.equal(found.join(", "), left);
      await imports.finish(id, { ...outcome, ...REST });
      assert.deepEqual(await undo(imports, id), { ...NOTHING_TO_UNDO, restored });
      assert.deepEqual(await recordsOf(store), before);
    }
  },
  async "an accepted record that arrives during or just before a decision about its time is never lost, not even if the decision is undone"({
    store: { observations, imports },
  }) {
    for (let turns = -1; turns < 12; turns++) {
      const minute = turns + 2;
      await observations.append([observed(minute, 1, PENDING)]);
      const { id } = await imports.begin(PLAN);
      const newer =
        turns < 0
          ? [observations.append([observed(minute, 2)]), observations.append([observed(minute, 3, PENDING)])]
          : [];
      const decided = imports.decide(id, PENDING_VALUES, WITHDRAWN);
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => void setImmediate(resolve));
      if (turns >= 0) newer.push(observations.append([observed(minute, 2)]));
      await Promise.all([decided, ...newer]);
      const decidedRecords = async () => (await recordsOf({ observations })).filter((one) => !isPending(one)).slice(-1);
      assert.deepEqual(await decidedRecords(), [observed(minute, 2)], `${turns} turns`);
      await undo(imports, id);
      assert.deepEqual(await decidedRecords(), [observed(minute, 2)], `${turns} turns, undone`);
    }
  },
  async "the records around a time equal those of an in-memory series, for every status and asset, whatever the order of the requested times"({
    store: { observations, imports },
  }) {
    const statuses = ["ACCEPTED", "PENDING", "REJECTED", "ACCEPTED"] as const;
    const batch = Array.from({ length: 2_000 }, (_, i) =>
      observed(2 * i, 1 + i, { qualityStatus: statuses[(i * 7) % 4]!, ...(i % 3 === 0 && { code: EUR }) }),
    );
    await observations.append(batch);
    const series = createSeriesStore();
    const [decided, pending] = [batch.filter((one) => !isPending(one)), batch.filter(isPending)];
    decided.forEach((one, i) => series.putAll([one], i + 1));
    const codes = ["USD_RLS", "EUR_RLS", "GBP_RLS"] as AssetCode[];
    const near = Array.from({ length: 260 }, (_, i) => [i % 3, (i >> 1) - 3] as const);
    const far = [3_990, 5, 5, -1, 3_997, 200, 201, 2_001].map((minute) => [0, minute] as const);
    for (const asked of [near, far]) {
      const keys = asked.map(([code, minute]) => ({ code: codes[code]!, businessTime: at(minute) }));
      assert.deepEqual(
        await imports.around(keys),
        keys.map(({ code, businessTime }) => {
          const own = pending.filter((one) => one.code === code && one.businessTime === businessTime);
          const named = own.map((one) => ({ ...one, source: "embedder" }));
          return { ...series.around(code, businessTime), ...(own.length > 0 && { pending: named }) };
        }),
      );
    }
    assert.deepEqual(await imports.around([]), []);
  },
  async "reference prices at a given moment leave out records that feeds stored later, but include imports that a person made later"({
    store: { observations, imports },
    reopen,
    peer,
  }) {
    const old = { insertTime: at(1_450) };
    await observations.append(
      [1, 10, 40].map((minute) => observed(minute, minute, old)),
      PUSHED.source,
    );
    // A source's own value does not count if it was stored more than a day after its time.
    await observations.append([observed(10.5, 9, { insertTime: at(1_451) })], PUSHED.source);
    await observations.append([observed(11, 11, old)]);
    const pushed = await imports.begin(PUSHED);
    const many = Array.from({ length: 2_000 }, (_, i) => observed(12 + i / 100, 99));
    await imports.append(pushed.id, [observed(40, 99), observed(41, 99), observed(11, 99)], false);
    await imports.append(pushed.id, many, false);
    const valuesOn = async (from: number, access = imports, source: string | null = null): Promise<object> => {
      const day = { code: USD, from: at(from), to: observed(from + 1, 1).businessTime };
      const none = { ...day, code: EUR };
      const [found, ...others] = (await access.references([day, none, day], NOW, source)).map((all) =>
        Object.fromEntries(Object.entries(all).flatMap(([name, one]) => (one ? [[name, one.value]] : []))),
      );
      assert.deepEqual(others, [{}, found]);
      return found!;
    };
    const expected = { earlier: 11, last: 99, later: 40, next: 99 };
    assert.deepEqual(await valuesOn(35), expected);
    assert.deepEqual(await valuesOn(39, await peer()), expected);
    assert.deepEqual(await valuesOn(35, imports, PUSHED.source), { ...expected, earlier: 10 });
    assert.deepEqual(await valuesOn(11), { earlier: 9, same: 11, last: 99, later: 40, next: 99 });
    assert.deepEqual(await valuesOn(42), { earlier: 40, last: 99 });
    await imported(imports, [observed(20, 20), observed(40, 44)]);
    const decided = { earlier: 20, last: 99, later: 44, next: 44 };
    assert.deepEqual(await valuesOn(35), decided);
    assert.deepEqual(await valuesOn(40), { earlier: 20, same: 44, last: 44, next: 99, decided: 44 });
    assert.deepEqual(await valuesOn(35, (await reopen()).imports), decided);
    // On later days, a source's own record still counts as its reference, although another source has replaced it.
    const day = { code: USD, from: at(12), to: at(13) };
    const [own] = await (await peer()).references([day], (NOW + 86_400_000) as UtcMillis, "embedder");
    assert.equal(own!.earlier?.value, 11);
  },
  async "if a pending record asks whether an accepted record is right, rejecting the pending record rejects both records"({
    store,
  }) {
    const { observations, imports } = store;
    const asked = (minute: number) =>
      observed(minute, minute, { qualityStatus: "PENDING", qualityMessage: `${CONFIRM}is it right?` });
    await observations.append([observed(1, 1), observed(2, 2), asked(1), asked(2), observed(3, 3), asked(4)]);
    await observations.append([observed(2, 22, PENDING)], "another");
    assert.equal(await imports.countPending("embedder"), 3);
    const before = await recordsOf(store);
    const one = await imports.begin(PLAN);
    await imports.decide(one.id, { ...PENDING_VALUES, to: at(2) }, ACCEPTED);
    const other = await imports.begin(PLAN);
    await imports.decide(other.id, PENDING_VALUES, WITHDRAWN);
    const statuses = (await recordsOf(store)).map(({ value, qualityStatus }) => `${value} ${qualityStatus}`);
    assert.deepEqual(statuses, ["1 ACCEPTED", "2 REJECTED", "3 ACCEPTED", "4 REJECTED"]);
    for (const { id } of [other, one]) await undo(imports, id);
    assert.deepEqual(await recordsOf(store), before);
  },
};

/** Tests that every store of imports must pass. */
export function importsSuite(name: string, open: () => MaybePromise<OpenedImports>): void {
  for (const [rule, run] of Object.entries(CASES)) {
    test(`${name}: imports: ${rule}`, async () => {
      const opened = await open();
      try {
        await run(opened);
      } finally {
        await opened.close();
      }
    });
  }
}
