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
  from: observed(0, 1).businessTime,
  to: observed(1_000, 1).businessTime,
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

/** Undoes an import completely, and returns the outcome without the import. */
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

interface Case {
  readonly rule: string;
  run(opened: OpenedImports): Promise<void>;
}

const CASES: readonly Case[] = [
  {
    rule: "undo restores every record, including its insert time, and removes new ones, even after a restart",
    async run(opened) {
      const { observations, imports } = opened.store;
      await observations.append([
        observed(1, 1, { provider: "بازار", sourceTime: 5 as UtcMillis }),
        observed(2, 2, { qualityStatus: "PENDING", qualityMessage: "late" }),
      ]);
      await imported(imports, many(5_000, 10));
      const before = await recordsOf(opened.store);
      const first = await imported(imports, many(2_000, 500));
      for (const at of [2_000, 4_000]) await imported(imports, many(6_000, 500).slice(at, at + 2_000));
      const store = await opened.reopen();
      assert.deepEqual(await undo(store.imports, first + 2), { ...NOTHING_TO_UNDO, restored: 1_000, removed: 1_000 });
      assert.deepEqual(await undo(store.imports, first + 1), { ...NOTHING_TO_UNDO, restored: 2_000 });
      assert.deepEqual(await undo(store.imports, first), { ...NOTHING_TO_UNDO, restored: 2_000 });
      assert.deepEqual(await recordsOf(store), before);
      assert.deepEqual(await undo(store.imports, first), NOTHING_TO_UNDO, "the second time there is nothing to do");
      assert.deepEqual(await recordsOf(await opened.reopen()), before);
    },
  },
  {
    rule: "undo leaves records alone that were replaced or removed since, and counts them",
    async run({ store }) {
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
  },
  {
    rule: "undo restores the state before the import of a record that appears in it twice",
    async run({ store }) {
      const { observations, imports } = store;
      await observations.append([observed(1, 1)]);
      const { id } = await imports.begin(PLAN);
      const outcomes: ImportOutcome[] = [];
      const batches = [
        [observed(1, 10), observed(1, 11), observed(2, 5)],
        [observed(1, 12), observed(2, 6), observed(2, 6)],
      ];
      for (const batch of batches) outcomes.push(await imports.append(id, batch, false));
      assert.deepEqual(
        outcomes.map(({ accepted, replaced, unchanged, repeated }) => [accepted, replaced, unchanged, repeated]),
        [
          [1, 2, 0, 1],
          [0, 2, 1, 2],
        ],
      );
      await imports.finish(id, { ...NOTHING_DONE, ...REST, accepted: 1, replaced: 4, unchanged: 1, repeated: 3 });
      assert.deepEqual(await undo(imports, id), { ...NOTHING_TO_UNDO, restored: 1, removed: 1 });
      assert.deepEqual(await recordsOf(store), [observed(1, 1)]);
    },
  },
  {
    rule: "undo restores a record that another writer stored while the import ran, and that the import replaced again",
    async run({ store }) {
      const { observations, imports } = store;
      await observations.append([observed(1, 1)]);
      const { id } = await imports.begin(PLAN);
      await imports.append(id, [observed(1, 10)], false);
      await observations.append([observed(1, 20)]);
      assert.equal((await imports.append(id, [observed(1, 30)], false)).repeated, 0);
      await undo(imports, id);
      assert.deepEqual(await valuesOf(store), [20]);
    },
  },
  {
    rule: "with keepExisting, existing records stay and are counted, and only the new ones are undone",
    async run({ store }) {
      const { observations, imports } = store;
      await observations.append([observed(1, 1), observed(2, 2)]);
      const { id } = await imports.begin(PLAN);
      const outcome = await imports.append(id, [observed(1, 10), observed(2, 2), observed(3, 3), observed(3, 4)], true);
      assert.deepEqual(outcome, { kept: 2, accepted: 1, replaced: 0, repeated: 0, unchanged: 1, largest: null });
      assert.deepEqual(await valuesOf(store), [1, 2, 3]);
      await undo(imports, id);
      assert.deepEqual(await recordsOf(store), [observed(1, 1), observed(2, 2)]);
    },
  },
  {
    rule: "an import whose records all exist stores nothing, and changes no version",
    async run({ store }) {
      const { observations, imports } = store;
      await imported(imports, many(2_000, 1));
      const before = [await observations.version(), await recordsOf(store)];
      const { id } = await imports.begin(PLAN);
      assert.deepEqual(await imports.append(id, many(2_000, 1), false), { ...NOTHING_DONE, unchanged: 2_000 });
      assert.deepEqual([await observations.version(), await recordsOf(store)], before);
    },
  },
  {
    rule: "the counts and the largest change cover records of every status, and of several assets",
    async run({ store }) {
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
        observed(9, 1, { qualityStatus: "PENDING" }),
      ];
      const largest = { code: "USD_RLS", businessTime: observed(3, 1).businessTime, from: 100, to: 10 };
      assert.deepEqual(await imports.append(id, batch, false), {
        accepted: 1,
        replaced: 4,
        unchanged: 0,
        kept: 0,
        repeated: 0,
        largest,
      });
      const again = [observed(3, 10), observed(1, 8, { code: EUR, qualityStatus: "REJECTED" })];
      assert.deepEqual(await imports.append(id, again, false), {
        ...NOTHING_DONE,
        replaced: 1,
        unchanged: 1,
        repeated: 1,
      });
      assert.equal((await imports.append(id, [observed(1, 110, { qualityMessage: "m" })], false)).largest, null);
    },
  },
  {
    rule: "an unfinished import is listed with its records so far, and can be undone; after that, nothing can be added to it",
    async run({ store, reopen }) {
      await store.observations.append(many(3_000, 1));
      const before = await recordsOf(store);
      const id = await imported(store.imports, many(4_000, 100), { finished: false });
      const { imports, observations } = await reopen();
      const [entry] = await imports.list();
      assert.deepEqual(
        [entry?.imported.id, entry?.imported.summary, entry?.imported.by, entry?.stored],
        [id, null, PLAN.by, 4_000],
      );
      assert.deepEqual(await undo(imports, id), { restored: 3_000, removed: 1_000, replacedSince: null, unknown: 0 });
      assert.deepEqual(await recordsOf({ observations }), before);
      await assert.rejects(imports.append(id, [observed(1, 5)], false), {
        name: "RangeError",
        message: `Cannot add to import ${id} because it is undone`,
      });
      const done = await imported(imports, [observed(1, 5)]);
      await assert.rejects(imports.append(done, [observed(1, 5)], false), {
        name: "RangeError",
        message: `Cannot add to import ${done} because it is finished`,
      });
    },
  },
  {
    rule: "an unknown import number is refused",
    async run({ store: { imports } }) {
      await assert.rejects(imports.undo(7), { name: "RangeError", message: "There is no import 7" });
      await assert.rejects(imports.append(7, [observed(1, 1)], false), {
        name: "RangeError",
        message: "There is no import 7",
      });
      await assert.rejects(imports.finish(7, { ...NOTHING_DONE, ...REST }), {
        name: "RangeError",
        message: "There is no import 7",
      });
      assert.deepEqual(await imports.list(), []);
    },
  },
  {
    rule: "a batch with an invalid observation is refused as a whole",
    async run({ store }) {
      const { id } = await store.imports.begin(PLAN);
      await assert.rejects(store.imports.append(id, [observed(1, 1), observed(2, -1)], false), { name: "RangeError" });
      assert.deepEqual(await recordsOf(store), []);
    },
  },
  {
    rule: "undo finds records by their import, even when others have the same insert time, or the clock was set back",
    async run({ store }) {
      const { observations, imports } = store;
      await observations.append([
        observed(1, 1, { insertTime: NOW }),
        observed(2, 2, { insertTime: (NOW + 60_000) as UtcMillis }),
      ]);
      const begun = [await imports.begin(PLAN), await imports.begin(PLAN)];
      assert.deepEqual(
        begun.map(({ id, time }) => [id, time]),
        [
          [1, NOW],
          [2, NOW],
        ],
      );
      await imports.append(1, [observed(2, 20), observed(3, 30), observed(5, 5, PENDING)], false);
      await imports.append(2, [observed(1, 10), observed(3, 31), observed(5, 6, PENDING)], false);
      assert.deepEqual(
        (await imports.list()).map(({ stored }) => stored),
        [3, 1],
      );
      assert.deepEqual(await undo(imports, 1), { ...NOTHING_TO_UNDO, restored: 1, replacedSince: null });
      assert.deepEqual(await valuesOf(store), [10, 2, 31, 6]);
      assert.deepEqual(await undo(imports, 2), { ...NOTHING_TO_UNDO, restored: 3, replacedSince: null });
      assert.deepEqual(await valuesOf(store), [1, 2, 30, 5]);
      assert.deepEqual(await undo(imports, 1), { ...NOTHING_TO_UNDO, removed: 2, replacedSince: null });
      assert.deepEqual(await valuesOf(store), [1, 2]);
    },
  },
  {
    rule: "another process imports, lists, finishes twice and undoes",
    async run({ store, peer }) {
      const imports = await peer();
      await store.observations.append([observed(1, 1)]);
      const { id, time } = await imports.begin(PLAN);
      const outcome = await imports.append(id, [observed(1, 5), observed(2, 2)], false);
      const largest = { code: "USD_RLS", businessTime: observed(1, 1).businessTime, from: 1, to: 5 };
      assert.deepEqual(outcome, { accepted: 1, replaced: 1, unchanged: 0, kept: 0, repeated: 0, largest });
      const summary: ImportSummary = { ...outcome, ...REST, refused: 2, providers: ["a"] };
      const imported = { id, ...PLAN, time, summary, undone: null };
      assert.deepEqual((await store.imports.finish(id, summary)).summary, summary);
      assert.deepEqual(
        (await imports.finish(id, { ...summary, refused: 3 })).summary,
        summary,
        "the answer to the first call may have been lost",
      );
      assert.deepEqual(await store.imports.list(), [{ stored: null, imported }]);
      assert.deepEqual((await imports.around([observed(2, 2)]))[0]?.at?.value, 2);
      await Promise.all([undo(imports, id), undo(store.imports, id)]);
      assert.deepEqual(
        (await imports.list())[0]?.imported.undone,
        { time: NOW, restored: 1, removed: 1 },
        "two undos at the same time undo it once",
      );
      assert.deepEqual(await recordsOf(store), [observed(1, 1)]);
    },
  },
  {
    rule: "a withdrawal rejects the selected records with its reason, and can be undone like an import",
    async run({ store }) {
      const { observations, imports } = store;
      const mine = [observed(1, 1, { provider: "a" }), observed(3, 3, { provider: "a", qualityStatus: "PENDING" })];
      const batch = [
        ...mine,
        observed(2, 2, { provider: "b" }),
        observed(4, 4, { qualityStatus: "REJECTED" }),
        observed(2, 9, { code: EUR }),
      ];
      await observations.append(batch);
      const before = await recordsOf(store);
      const timeOf = (minute: number): UtcMillis => observed(minute, 1).businessTime;
      const all = { code: batch[0]!.code, from: timeOf(0), to: timeOf(100), provider: null, pending: false };
      assert.deepEqual(await imports.matching(all), { records: 3, first: timeOf(1), last: timeOf(3) });
      assert.deepEqual(await imports.matching({ ...all, to: timeOf(3), provider: "a" }), {
        records: 1,
        first: timeOf(1),
        last: timeOf(1),
      });
      assert.deepEqual(await imports.matching({ ...all, from: timeOf(4) }), { records: 0, first: null, last: null });
      const { id } = await imports.begin({ ...PLAN, type: "withdrawal" });
      assert.deepEqual(await imports.decide(id, { ...all, provider: "a" }, WITHDRAWN), {
        outcome: { ...NOTHING_DONE, replaced: 2 },
        more: false,
      });
      const found = (await recordsOf(store)).filter(({ provider }) => provider === "a");
      assert.deepEqual(
        found.map(({ value, qualityStatus, qualityMessage }) => [value, qualityStatus, qualityMessage]),
        [
          [1, "REJECTED", "wrong"],
          [3, "REJECTED", "wrong"],
        ],
      );
      assert.deepEqual((await imports.decide(id, { ...all, provider: "a" }, WITHDRAWN)).outcome, NOTHING_DONE);
      await imports.finish(id, { ...NOTHING_DONE, ...REST, replaced: 2 });
      assert.deepEqual(await undo(imports, id), { ...NOTHING_TO_UNDO, restored: 2 });
      assert.deepEqual(await recordsOf(store), before);
    },
  },
  {
    rule: "a withdrawal of 21,000 records takes several steps",
    async run({ store: { imports, observations } }) {
      await imported(imports, many(21_000, 1));
      const { id } = await imports.begin({ ...PLAN, type: "withdrawal" });
      const all = {
        code: observed(1, 1).code,
        from: observed(0, 1).businessTime,
        to: observed(30_000, 1).businessTime,
        provider: null,
        pending: false,
      };
      const steps = [];
      do steps.push(await imports.decide(id, all, WITHDRAWN));
      while (steps.at(-1)?.more);
      assert.ok(steps.length > 1, `${steps.length}`);
      assert.equal(
        steps.reduce((sum, { outcome }) => sum + outcome.replaced, 0),
        21_000,
      );
      assert.deepEqual(
        (await recordsOf({ observations })).filter(({ qualityStatus }) => qualityStatus !== "REJECTED"),
        [],
      );
    },
  },
  {
    rule: "pending values are listed, accepted and rejected as a numbered import, which can be undone; other assets, times and statuses are not touched",
    async run({ store, reopen, peer }) {
      const others = [
        observed(1, 1),
        observed(9, 9, PENDING),
        observed(2, 2, { code: EUR, ...PENDING }),
        observed(6, 6, { ...PENDING, qualityStatus: "REJECTED" }),
      ];
      await store.observations.append([
        ...others,
        observed(3, 3, { ...PENDING, provider: "a" }),
        observed(4, 4, PENDING),
      ]);
      const { imports, observations } = await reopen();
      const before = await recordsOf({ observations });
      const within = { ...PENDING_VALUES, to: observed(9, 1).businessTime };
      const usd = { code: USD, records: 3, first: observed(3, 1).businessTime, last: observed(9, 1).businessTime };
      const eur = { code: EUR, records: 1, first: observed(2, 1).businessTime, last: observed(2, 1).businessTime };
      assert.deepEqual(await imports.pending(null, 2), {
        assets: [usd, eur],
        values: [
          { ...observed(3, 3, { ...PENDING, provider: "a" }), ...EMBEDDED },
          { ...observed(4, 4, PENDING), ...EMBEDDED },
        ],
      });
      assert.deepEqual(await (await peer()).pending(EUR, 2), {
        assets: [eur],
        values: [{ ...observed(2, 2, { code: EUR, ...PENDING }), ...EMBEDDED }],
      });
      assert.deepEqual(await imports.matching(within), {
        records: 2,
        first: usd.first,
        last: observed(4, 1).businessTime,
      });
      for (const decision of [ACCEPTED, WITHDRAWN]) {
        const { id, time } = await imports.begin(PLAN);
        assert.deepEqual(await imports.decide(id, within, decision), {
          outcome: { ...NOTHING_DONE, replaced: 2 },
          more: false,
        });
        assert.deepEqual(
          (await imports.decide(id, within, decision)).outcome,
          NOTHING_DONE,
          "the answer to the first call may have been lost",
        );
        const decided = (await recordsOf({ observations })).filter(({ insertTime }) => insertTime === time);
        assert.deepEqual(decided, [
          observed(3, 3, { ...decision, provider: "a", insertTime: time }),
          observed(4, 4, { ...decision, insertTime: time }),
        ]);
        await imports.finish(id, { ...NOTHING_DONE, ...REST, replaced: 2 });
        assert.deepEqual(await undo(imports, id), { ...NOTHING_TO_UNDO, restored: 2 });
        assert.deepEqual(await recordsOf({ observations }), before);
      }
      assert.deepEqual(await recordsOf(await reopen()), before);
    },
  },
  {
    rule: "pending values of an import are kept beside decided records and other sources' values, are counted one by one, and are removed by undo",
    async run({ store }) {
      const { observations, imports } = store;
      await observations.append([observed(1, 1), observed(2, 2, PENDING)]);
      const before = await recordsOf(store);
      const { id } = await imports.begin(PLAN);
      const first = [observed(1, 10, PENDING), observed(2, 20, PENDING), observed(3, 30, PENDING)];
      assert.deepEqual(await imports.append(id, first, false), { ...NOTHING_DONE, accepted: 3 });
      const second = [observed(1, 1, PENDING), observed(2, 20, PENDING), observed(3, 31, PENDING)];
      const repeated = { ...NOTHING_DONE, unchanged: 2, replaced: 1, repeated: 1 };
      assert.deepEqual(await imports.append(id, second, false), repeated);
      assert.deepEqual(
        (await imports.around([observed(1, 1), observed(2, 1)])).map(({ at, pending }) => [
          at?.value,
          pending?.map(({ value }) => value),
        ]),
        [
          [1, [10]],
          [undefined, [2, 20]],
        ],
      );
      const keeping = [observed(1, 11, PENDING), observed(2, 21, PENDING), observed(3, 31, PENDING), observed(4, 4)];
      const { id: other } = await imports.begin(PLAN);
      const kept = { ...NOTHING_DONE, kept: 2, unchanged: 1, accepted: 1 };
      assert.deepEqual(await imports.append(other, keeping, true), kept);
      await undo(imports, other);
      await observations.append([observed(3, 33)], PLAN.source);
      assert.deepEqual(await undo(imports, id), { ...NOTHING_TO_UNDO, removed: 2, replacedSince: null });
      assert.deepEqual(await recordsOf(store), [...before, observed(3, 33)]);
    },
  },
  {
    rule: "a decided record of an import removes its source's pending value, even if nothing else changes, and undo restores the value once",
    async run({ store, reopen }) {
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
  },
  {
    rule: "accepting takes the latest of several pending values for one time; rejecting drops all if a decided value exists; undo restores all",
    async run({ store }) {
      const { observations, imports } = store;
      const [late, early] = [20_000, 15_000].map((minute) => ({
        ...PENDING,
        insertTime: observed(minute, 1).businessTime,
      }));
      await observations.append([observed(1, 1), observed(3, 3)]);
      await observations.append([observed(1, 10, late), observed(2, 20, early)], "a");
      await observations.append([observed(1, 11, early), observed(3, 31, early)], "b");
      const before = await recordsOf(store);
      const all = { ...PENDING_VALUES, pending: false };
      const cases = [
        [PENDING_VALUES, ACCEPTED, 4, 1, "10 ACCEPTED, 20 ACCEPTED, 31 ACCEPTED"],
        [PENDING_VALUES, WITHDRAWN, 4, 1, "1 ACCEPTED, 20 REJECTED, 3 ACCEPTED"],
        [all, WITHDRAWN, 6, 3, "1 REJECTED, 20 REJECTED, 3 REJECTED"],
        [all, ACCEPTED, 6, 3, "10 ACCEPTED, 20 ACCEPTED, 31 ACCEPTED"],
      ] as const;
      for (const [selection, decision, replaced, repeated, left] of cases) {
        assert.equal((await imports.matching(selection)).records, replaced);
        const { id } = await imports.begin(PLAN);
        const { outcome } = await imports.decide(id, selection, decision);
        assert.deepEqual(outcome, { ...NOTHING_DONE, replaced, repeated });
        const found = (await recordsOf(store)).map(({ value, qualityStatus }) => `${value} ${qualityStatus}`);
        assert.equal(found.join(", "), left);
        await imports.finish(id, { ...outcome, ...REST });
        assert.deepEqual(await undo(imports, id), { ...NOTHING_TO_UNDO, restored: 3 });
        assert.deepEqual(await recordsOf(store), before);
      }
    },
  },
  {
    rule: "a value that arrives during or just before a decision about pending values for its time is never lost, not even by the undo",
    async run({ store: { observations, imports } }) {
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
        const decidedRecords = async () =>
          (await recordsOf({ observations })).filter((one) => !isPending(one)).slice(-1);
        assert.deepEqual(await decidedRecords(), [observed(minute, 2)], `${turns} turns`);
        await undo(imports, id);
        assert.deepEqual(await decidedRecords(), [observed(minute, 2)], `${turns} turns, undone`);
      }
    },
  },
  {
    rule: "the records around a time equal those of a series in memory, for every status and asset, near and far, in any order",
    async run({ store: { observations, imports } }) {
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
        const keys = asked.map(([code, minute]) => ({
          code: codes[code]!,
          businessTime: observed(minute, 1).businessTime,
        }));
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
  },
  {
    rule: "references are the records as of a moment: records that feeds stored later do not count, but those they replaced do, as do later imports by a person",
    async run({ store: { observations, imports }, reopen, peer }) {
      const old = { insertTime: (NOW - 1) as UtcMillis };
      await observations.append(
        [1, 10, 40].map((minute) => observed(minute, minute, old)),
        PUSHED.source,
      );
      await observations.append([observed(11, 11, old)]);
      const pushed = await imports.begin(PUSHED);
      const many = Array.from({ length: 2_000 }, (_, i) => observed(12 + i / 100, 99));
      await imports.append(pushed.id, [observed(40, 99), observed(41, 99), observed(11, 99)], false);
      await imports.append(pushed.id, many, false);
      const valuesOn = async (from: number, access = imports, source: string | null = null): Promise<object> => {
        const day = { code: USD, from: observed(from, 1).businessTime, to: observed(from + 1, 1).businessTime };
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
      assert.deepEqual(await valuesOn(11), { earlier: 10, same: 11, last: 99, later: 40, next: 99 });
      assert.deepEqual(await valuesOn(42), { earlier: 40, last: 99 });
      await imported(imports, [observed(20, 20), observed(40, 44)]);
      const decided = { earlier: 20, last: 99, later: 44, next: 44 };
      assert.deepEqual(await valuesOn(35), decided);
      assert.deepEqual(await valuesOn(40), { earlier: 20, same: 44, last: 44, next: 99, decided: 44 });
      assert.deepEqual(await valuesOn(35, (await reopen()).imports), decided);
      // On later days, a record still counts for its own source, even if another source has replaced it.
      const day = { code: USD, from: observed(12, 1).businessTime, to: observed(13, 1).businessTime };
      const [own] = await (await peer()).references([day], (NOW + 86_400_000) as UtcMillis, "embedder");
      assert.equal(own!.earlier?.value, 11);
    },
  },
  {
    rule: "a pending record that asks to confirm an accepted one: accepting it keeps the accepted record, rejecting it rejects both",
    async run({ store }) {
      const { observations, imports } = store;
      const asked = (minute: number) =>
        observed(minute, minute, { qualityStatus: "PENDING", qualityMessage: `${CONFIRM}is it right?` });
      await observations.append([observed(1, 1), observed(2, 2), asked(1), asked(2), observed(3, 3), asked(4)]);
      await observations.append([observed(2, 22, PENDING)], "another");
      assert.equal(await imports.countPending("embedder"), 3);
      const before = await recordsOf(store);
      const one = await imports.begin(PLAN);
      await imports.decide(one.id, { ...PENDING_VALUES, to: observed(2, 1).businessTime }, ACCEPTED);
      const other = await imports.begin(PLAN);
      await imports.decide(other.id, PENDING_VALUES, WITHDRAWN);
      const statuses = (await recordsOf(store)).map(({ value, qualityStatus }) => [value, qualityStatus]);
      assert.deepEqual(statuses, [
        [1, "ACCEPTED"],
        [2, "REJECTED"],
        [3, "ACCEPTED"],
        [4, "REJECTED"],
      ]);
      for (const { id } of [other, one]) await undo(imports, id);
      assert.deepEqual(await recordsOf(store), before);
    },
  },
];

/** Tests that every store of imports must pass. */
export function importsSuite(
  name: string,
  open: () => MaybePromise<OpenedImports>,
  { skip = false }: { readonly skip?: string | false } = {},
): void {
  for (const { rule, run } of CASES) {
    test(`${name}: imports: ${rule}`, { skip }, async () => {
      const opened = await open();
      try {
        await run(opened);
      } finally {
        await opened.close();
      }
    });
  }
}
