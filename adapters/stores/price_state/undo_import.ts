import { isPending, keyOf } from "../../../core/internal.ts";
import type { ObservationKey, UtcMillis } from "../../../core/mod.ts";
import type { StoredRecord, UndoOutcome } from "../shared/imports.ts";
import type { Decided } from "./draft.ts";
import { cellName, type Entry, entriesByOrigin, type Removed, removalEntries } from "./entries.ts";
import { inTurns } from "./in_turns.ts";
import type { PriceState, PriceView } from "./price_state.ts";
import { type Before, findReplacedBefore, nothingBefore, type ReadEntries, takenRecords } from "./replaced_records.ts";

/** The changes of an undo, found in the log. The undo skips records that are replaced after the log was read. */
export interface Reversal {
  /** The assets and times at which the import stored or removed records, ordered by asset, then by time, in parts. */
  keys(): AsyncGenerator<readonly ObservationKey[]>;
  readonly before: Before;
}

/** Finds the changes of an undo. */
export async function findReversal(state: PriceState, id: number, readEntries: ReadEntries): Promise<Reversal> {
  const found = await findReplacedBefore(state, readEntries, [state.importOf(id)!]);
  const before = found.get(id) ?? nothingBefore();
  const ranges = state.rangesOf(id);

  async function* keys(): AsyncGenerator<readonly ObservationKey[]> {
    for (const [code, { from, to }] of ranges) {
      const window = { from, to: (to + 1) as UtcMillis };
      yield* inTurns(state.records(undefined, code, window), (one) => one.import === id);
      // Records that the import has taken away are no longer in the state.
      yield* inTurns(takenRecords(before, code));
    }
  }
  return { keys, before };
}

/** Keys of an undo, and whether the log may lack the earlier records. */
interface UndoPart extends Pick<Reversal, "before"> {
  readonly keys: readonly ObservationKey[];
  readonly isDamaged: boolean;
}

/** Decides the changes of an undo at these keys. Does not change records whose predecessor is unknown. */
export function decideUndo(
  view: PriceView,
  id: number,
  { keys, before, isDamaged }: UndoPart,
): Decided<Pick<UndoOutcome, "restored" | "removed" | "unknown">> {
  const restored: StoredRecord[] = [];
  const removed: Removed[] = [];
  const done = { restored: 0, removed: 0, unknown: 0 };
  for (const { code, businessTime } of new Map(keys.map((one) => [keyOf(one), one])).values()) {
    const back: StoredRecord[] = [];
    const gone: Removed[] = [];
    for (const one of [view.find(code, businessTime, null), ...view.pendingAt(code, businessTime)]) {
      if (one?.import !== id) continue;
      const source = isPending(one) ? one.source : null;
      const earlier = before.records.find(code, businessTime, source);
      if (earlier) back.push(earlier);
      else gone.push({ code, businessTime, source });
    }
    for (const one of before.records.pendingAt(code, businessTime)) {
      const isTaken = before.taken.has(cellName(code, businessTime, one.source));
      if (isTaken && !view.find(code, businessTime, one.source)) back.push(one);
    }
    if (isDamaged && gone.length > 0) {
      done.unknown++;
      continue;
    }
    restored.push(...back);
    removed.push(...gone);
    if (back.length > 0) done.restored++;
    else if (gone.length > 0) done.removed++;
  }
  const entries: Entry[] = [
    ...removalEntries(removed, null),
    ...entriesByOrigin("restored", restored).map((entry) => ({ ...entry, undo: id })),
  ];
  return { entries, result: done };
}
