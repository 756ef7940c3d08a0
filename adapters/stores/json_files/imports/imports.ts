import { setTimeout as delay } from "node:timers/promises";
import { isSameRecord, keyOf } from "../../../../core/internal.ts";
import { type Clock, type Observation, Unavailable, type UtcMillis } from "../../../../core/mod.ts";
import {
  addOutcomes,
  type Decision,
  type DecisionStep,
  type Import,
  type ImportAccess,
  type ImportOutcome,
  type ImportPlan,
  type ImportSummary,
  NOTHING_DONE,
  type Selection,
  storedBy,
  type UndoOutcome,
} from "../../shared/imports.ts";
import type { ObservationLog } from "../observation_log.ts";
import { BATCH, findMatching, findPending, findReversal, firstMatching, reverse } from "./current_records.ts";
import { forgetOldImports } from "./forget_old_imports.ts";
import { type ImportDocument, listEntries, listImports, newImport, readImport, writeImport } from "./import_files.ts";
import { type Resolved, resolveConflicts } from "./resolve_conflicts.ts";
import { hasUndoRecords, openUndoRecords, readUndoRecords, type UndoPlan, type UndoRecords } from "./undo_records.ts";

/** What imports need of the store that they change. */
export interface ImportsPlan extends UndoPlan {
  readonly clock: Clock;
  readonly observations: Pick<
    ObservationLog,
    "append" | "restore" | "writing" | "find" | "around" | "count" | "remove" | "records"
  >;
  /** The highest number that a repair has taken out. */
  readonly lastTaken: number;
}

/** The imports of an open store. */
export interface Imports extends ImportAccess {
  /** The same log for all other writers: no import gets the insert time of one of their records. */
  watch(log: ObservationLog): ObservationLog;
  /** Waits for what was begun. */
  close(): Promise<void>;
}

/** An import that is not finished, and the end of the queue of its changes. */
interface OpenImport {
  imported: ImportDocument;
  undoRecords: UndoRecords | undefined;
  last: Promise<unknown>;
}

/** About how many records a step decides: each step looks through all records anew. */
const DECIDED_AT_ONCE = 20_000;
const PENDING_AFTER_MS = 2_000;
/** How often it is tried to see the clock go on. */
const TICKS = 10;

/** Opens the imports of a store. Reads nothing yet. */
export function createImports(plan: ImportsPlan): Imports {
  const { fs, directory, storeId, clock, observations, lastTaken } = plan;
  const open = new Map<number, OpenImport>();
  const undoings = new Map<number, Promise<UndoOutcome>>();
  const pushed = new Map<number, boolean>();
  let lastSeen = 0;
  let isClosing = false;
  let beginning: Promise<unknown> = Promise.resolve();

  async function demandImport(id: number): Promise<ImportDocument> {
    const imported = await readImport(plan, id);
    if (!imported) throw new RangeError(`There is no import ${id}`);
    return imported;
  }

  /** Runs the changes of one import one after the other. */
  async function inTurn<T>(id: number, change: (entry: OpenImport) => Promise<T>): Promise<T> {
    let entry = open.get(id);
    if (!entry) {
      const imported = await demandImport(id);
      open.set(id, (entry = open.get(id) ?? { imported, undoRecords: undefined, last: Promise.resolve() }));
    }
    const used = entry;
    const result = used.last.then(() => change(used));
    used.last = result.catch(() => {});
    return result;
  }

  async function begin(wanted: ImportPlan): Promise<Import> {
    await forgetOldImports(plan, new Set(open.keys()), pushed);
    const ids = await listImports(fs, directory);
    const id = Math.max(ids.at(-1) ?? 0, lastTaken) + 1;
    const time = Math.max(clock(), lastSeen + 1, (await lastTime(ids)) + 1) as UtcMillis;
    const imported = newImport(storeId, id, time, wanted);
    await writeImport(plan, imported);
    // So that no record of another writer, which is stamped with the clock, gets the time of the import from now on.
    for (let tick = 0; clock() <= time && tick < TICKS; tick++) await delay(1);
    return imported;
  }

  /** When the last import began. One whose file is damaged does not tell. */
  async function lastTime(ids: readonly number[]): Promise<number> {
    for (const id of ids.toReversed()) {
      const imported = await readImport(plan, id).catch(() => undefined);
      if (imported) return imported.time;
    }
    return 0;
  }

  async function append(
    entry: OpenImport,
    batch: readonly Observation[],
    keepExisting: boolean,
  ): Promise<ImportOutcome> {
    const stamped = batch.map((observation) => ({ ...observation, insertTime: entry.imported.time }));
    return store(entry, stamped, () => resolveConflicts(stamped, { keepExisting, find: observations.find }));
  }

  /** Stores what `resolve` gives of a batch, once what it replaces has undo records, and nothing else is being written at these times. */
  async function store(
    entry: OpenImport,
    batch: readonly Observation[],
    resolve: () => Resolved,
  ): Promise<ImportOutcome> {
    const { imported } = entry;
    if (imported.summary || imported.undone)
      throw new RangeError(`Cannot add to import ${imported.id} as it is ${imported.undone ? "undone" : "finished"}`);
    /** The insert times of what has an undo record. */
    const covered = new Map<string, UtcMillis>();
    for (;;) {
      for (let wait = observations.writing(batch); wait; wait = observations.writing(batch)) await wait;
      const resolved = resolve();
      // Another writer may have stored something while the undo records were written.
      const missing = resolved.before.filter((before) => covered.get(keyOf(before)) !== before.insertTime);
      if (missing.length === 0) {
        const { accepted, replaced, unchanged, kept = 0 } = await observations.append(resolved.batch);
        return {
          ...resolved.outcome,
          accepted,
          replaced,
          unchanged: resolved.outcome.unchanged + unchanged,
          kept: resolved.outcome.kept + kept,
        };
      }
      entry.undoRecords ??= await openUndoRecords(plan, imported.id);
      await entry.undoRecords.append(missing);
      for (const before of missing) covered.set(keyOf(before), before.insertTime);
    }
  }

  async function finish(entry: OpenImport, summary: ImportSummary): Promise<Import> {
    if (entry.imported.summary) return entry.imported; // It was asked for twice, as the answer to the first time was lost.
    const imported = {
      ...entry.imported,
      summary,
      notes: entry.undoRecords?.end() ?? (await endOnDisk(entry.imported.id)),
    };
    await writeImport(plan, imported);
    entry.imported = imported;
    await release(imported.id, entry);
    return imported;
  }

  /** The end of undo records that an earlier owner of the directory has written. */
  async function endOnDisk(id: number): Promise<ImportDocument["notes"]> {
    if (!(await hasUndoRecords(fs, directory, id))) return null;
    const undoRecords = await openUndoRecords(plan, id);
    await undoRecords.close();
    return undoRecords.end();
  }

  async function release(id: number, entry: OpenImport): Promise<void> {
    open.delete(id);
    await entry.undoRecords?.close();
    entry.undoRecords = undefined;
  }

  async function decide(entry: OpenImport, selection: Selection, decision: Decision): Promise<DecisionStep> {
    const { find } = observations;
    const found = firstMatching(recordsOf(selection), selection, DECIDED_AT_ONCE);
    let outcome = NOTHING_DONE;
    for (let at = 0; at < found.length; at += BATCH) {
      const part = found.slice(at, at + BATCH);
      const stepped = await store(entry, part, () => {
        const decided = part
          .filter((one) => isCurrent(one, find(one.code, one.businessTime)))
          .map((one) => ({ ...one, ...decision, insertTime: entry.imported.time }));
        return resolveConflicts(decided, { keepExisting: false, find });
      });
      outcome = addOutcomes(outcome, stepped);
    }
    return { outcome, more: found.length === DECIDED_AT_ONCE };
  }

  function recordsOf({ pending }: Selection): Iterable<Observation> {
    return observations.records(pending ? "PENDING" : undefined);
  }

  async function undo(entry: OpenImport): Promise<UndoOutcome> {
    const { imported } = entry;
    const { find, damaged } = await readUndoRecords(fs, directory, imported);
    const found = findReversal(observations.records(), imported.time, find);
    const unknown = damaged ? found.added.length : 0;
    const done = await reverse(
      observations,
      { time: imported.time, restored: found.restored, added: damaged ? [] : found.added },
      () => {
        if (isClosing) throw new Unavailable("The store is closed; undo goes on when it is asked for again");
      },
    );
    const before = imported.undone ?? { restored: 0, removed: 0 };
    const undone = { time: clock(), restored: before.restored + done.restored, removed: before.removed + done.removed };
    const changed = { ...imported, undone };
    if (!imported.undone || done.restored + done.removed > 0) await writeImport(plan, changed);
    entry.imported = changed;
    await release(imported.id, entry);
    const replacedSince = imported.summary && storedBy(imported.summary) - undone.restored - undone.removed - unknown;
    return { imported: changed, ...done, replacedSince, unknown };
  }

  return {
    watch: (log) => ({
      ...log,
      append(batch) {
        for (const { insertTime } of batch) if (insertTime > lastSeen) lastSeen = insertTime;
        return log.append(batch);
      },
    }),
    begin(wanted) {
      const result = beginning.then(() => begin(wanted));
      beginning = result.catch(() => {});
      return result;
    },
    append: (id, batch, keepExisting) => inTurn(id, (entry) => append(entry, batch, keepExisting)),
    finish: (id, summary) => inTurn(id, (entry) => finish(entry, summary)),
    list: () => listEntries(plan, observations.records),
    async undo(id) {
      const undoing = undoings.get(id) ?? inTurn(id, undo).finally(() => undoings.delete(id));
      undoings.set(id, undoing);
      const timer = new AbortController();
      const pending = delay(PENDING_AFTER_MS, undefined, { signal: timer.signal, ref: false }).catch(() => undefined);
      const outcome = await Promise.race([undoing, pending]);
      timer.abort();
      return outcome ? { pending: false, ...outcome } : { pending: true };
    },
    matching: async (selection) => findMatching(recordsOf(selection), selection),
    decide: (id, selection, decision) => inTurn(id, (entry) => decide(entry, selection, decision)),
    pending: async (code, atMost) => findPending(observations.records("PENDING"), code, atMost),
    around: async (keys) => keys.map(({ code, businessTime }) => observations.around(code, businessTime)),
    count: async (codes) => observations.count(codes),
    async close() {
      isClosing = true;
      await Promise.allSettled([beginning, ...[...open.values()].map(({ last }) => last)]);
      for (const [id, entry] of open) await release(id, entry);
    },
  };
}

/** Whether a record is still as it was found. */
function isCurrent(found: Observation, current: Observation | undefined): boolean {
  return current !== undefined && current.insertTime === found.insertTime && isSameRecord(current, found);
}
