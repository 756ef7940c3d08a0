import { demandObservations } from "../../../core/internal.ts";
import { type ObservationKey, Unavailable, type UtcClock } from "../../../core/mod.ts";
import { inTime } from "../shared/answer_in_time.ts";
import {
  addOutcomes,
  type Decision,
  type DecisionStep,
  demandSource,
  type Import,
  type ImportAccess,
  type ImportPlan,
  NOTHING_DONE,
  type Selection,
  storedBy,
  type Undoing,
  type UndoOutcome,
} from "../shared/imports.ts";
import { decideAppend } from "./decide_append.ts";
import { countMatching, decideAbout, findUndecided, listPending, type Place } from "./decide_selection.ts";
import { copyOf } from "./entries.ts";
import { nextTurn, TURN_CHANGES } from "./in_turns.ts";
import type { PriceState, PriceView } from "./price_state.ts";
import type { ReadEntries } from "./replaced_records.ts";
import { decideUndo, findReversal } from "./undo_import.ts";
import type { Write } from "./writer.ts";

/** The parts of a storage engine that imports need. */
export interface ImportParts {
  readonly state: PriceState;
  readonly write: Write;
  readonly readEntries: ReadEntries;
  readonly clock: UtcClock;
  /** Whether the log may lack entries. */
  readonly isDamaged: boolean;
}

/** About how many records one call of `decide` decides. Each call searches the whole selection again. */
const DECIDED_AT_ONCE = 20_000;
/** How long a caller waits for an undo before it has to ask again. */
const PENDING_AFTER_MS = 2_000;

/** Makes the imports of a state, for any kind of log. */
export function createImports({ state, write, readEntries, clock, isDamaged }: ImportParts) {
  const undoings = new Map<number, Promise<UndoOutcome>>();
  let isClosing = false;

  const begin = async (plan: ImportPlan): Promise<Import> =>
    write((draft) => {
      demandSource(plan.source);
      const { type, subjects, by, source } = plan;
      const imported = {
        ...{ id: draft.lastImport + 1, type, time: clock(), subjects, by, source },
        ...{ summary: null, undone: null },
      };
      return { entries: [{ type: "import", imported }], result: imported };
    });

  /** Changes an import, unless `change` returns `undefined`. Resolves to the import as it is then. */
  const change = async (id: number, change: (found: Import) => Import | undefined): Promise<Import> =>
    write((draft) => {
      const found = demandImport(draft, id);
      const imported = change(found);
      return { entries: imported ? [{ type: "import", imported }] : [], result: imported ?? found };
    });

  async function decide(id: number, selection: Selection, decision: Decision): Promise<DecisionStep> {
    let outcome = NOTHING_DONE;
    let next: Place | undefined;
    let decided = 0;
    do {
      const from = next;
      // A step without changes does not wait for the disk. Without this pause, such steps would block all other work.
      if (from) await nextTurn();
      // Searches within the write, so that all earlier writes are visible.
      const step = await write((draft) => {
        const deciding = { selection, decision, by: demandOpen(draft, id) };
        const found = findUndecided(state, deciding, from);
        next = found.next;
        decided += found.records.length;
        return decideAbout(draft, found.records, deciding);
      });
      outcome = addOutcomes(outcome, step);
    } while (next && decided < DECIDED_AT_ONCE);
    return { outcome, more: next !== undefined };
  }

  async function undo(id: number): Promise<UndoOutcome> {
    // First marks the import as undone, so that nothing can be added to it after the log was read.
    await change(id, (found) =>
      found.undone ? undefined : { ...found, undone: { time: clock(), restored: 0, removed: 0 } },
    );
    const { keys, before } = await findReversal(state, id, readEntries);
    const done = { restored: 0, removed: 0, unknown: 0 };

    async function undoSome(some: readonly ObservationKey[]): Promise<Import> {
      if (isClosing) throw new Unavailable("The store is closed; undo the import again to continue");
      return write((draft) => {
        const found = demandImport(draft, id);
        const { entries, result } = decideUndo(draft, id, { keys: some, before, isDamaged });
        const { restored, removed } = result;
        done.restored += restored;
        done.removed += removed;
        done.unknown += result.unknown;
        if (restored + removed === 0) return { entries, result: found };
        const sum = found.undone!;
        const undone = { time: clock(), restored: sum.restored + restored, removed: sum.removed + removed };
        const imported = { ...found, undone };
        return { entries: [...entries, { type: "import", imported }], result: imported };
      });
    }

    // Collects keys of all assets, so that a small undo is one change: a crash keeps or loses it as a whole.
    const gathered: ObservationKey[] = [];
    for await (const part of keys()) {
      for (const key of part) gathered.push(key);
      while (gathered.length > TURN_CHANGES) await undoSome(gathered.splice(0, TURN_CHANGES));
    }
    const imported = await undoSome(gathered);
    const { undone, summary } = imported;
    const left = summary && storedBy(summary) - undone!.restored - undone!.removed - done.unknown;
    return { imported, ...done, replacedSince: left && Math.max(0, left) };
  }

  const imports: ImportAccess = {
    begin,
    async append(id, batch, keepExisting) {
      demandObservations(batch);
      return write((draft) => {
        const { time, source } = demandOpen(draft, id);
        const stamped = batch.map((one) => ({ ...copyOf(one), insertTime: time }));
        return decideAppend(draft, stamped, { origin: { source, import: id }, keepExisting });
      });
    },
    // The caller may repeat this call if its answer was lost. The repetition changes nothing.
    finish: (id, summary) => change(id, (found) => (found.summary ? undefined : { ...found, summary })),
    list: async () =>
      [...state.imports()].reverse().map((imported) => {
        const isUnfinished = imported.summary === null && imported.undone === null;
        return { imported, stored: isUnfinished ? state.countStoredBy(imported.id) : null };
      }),
    async undo(id) {
      const undoing = undoings.get(id) ?? undo(id).finally(() => undoings.delete(id));
      undoings.set(id, undoing);
      const done = undoing.then((outcome) => ({ pending: false, ...outcome }) as const);
      return inTime<Undoing>(done, PENDING_AFTER_MS, () => ({ pending: true }));
    },
    matching: async (selection) => countMatching(state, selection),
    decide,
    pending: async (code, atMost) => listPending(state, code, atMost),
    references: async (days, since, source) => state.references(days, since, source),
    countPending: async (source) => state.countPending(source),
    around: async (keys) => keys.map(({ code, businessTime }) => state.around(code, businessTime)),
  };
  return {
    imports,
    /** Stops a running undo at its next step. */
    async close(): Promise<void> {
      isClosing = true;
      await Promise.allSettled(undoings.values());
    },
  };
}

function demandImport(view: PriceView, id: number): Import {
  const imported = view.importOf(id);
  if (!imported) throw new RangeError(`There is no import ${id}`);
  return imported;
}

function demandOpen(view: PriceView, id: number): Import {
  const imported = demandImport(view, id);
  if (imported.summary || imported.undone)
    throw new RangeError(`Cannot add to import ${id} because it is ${imported.undone ? "undone" : "finished"}`);
  return imported;
}
