import { keyOf } from "../../../core/internal.ts";
import type { AssetCode, ObservationKey, UtcMillis } from "../../../core/mod.ts";
import type { Import, StoredRecord } from "../shared/imports.ts";
import type { Decided } from "./draft.ts";
import { cellName, type Entry, entriesByOrigin, removalEntries } from "./entries.ts";
import { inTurns } from "./in_turns.ts";
import { createPriceState, type PriceState, type PriceView } from "./price_state.ts";
import { createReplacedFinder, type Replaced, type ReplacedBy } from "./replaced_records.ts";

/** Reads all entries since the store was made, in their order. */
export type ReadEntries = (take: (entry: Entry) => void) => Promise<void>;

/** What undoing an import changes, as found in the log. What is replaced later is left then. */
export interface Reversal {
  /** Where the import has stored or taken away something, in parts: by asset, then by time. */
  keys(): AsyncGenerator<readonly ObservationKey[]>;
  readonly before: Before;
}

/** What was there before an import. */
export interface Before {
  readonly records: PriceState;
  /** The names of cells whose pending record it has taken away. */
  readonly taken: Set<string>;
}

/** Makes what is there before an import that has done nothing yet. */
export function nothingBefore(): Before {
  return { records: createPriceState(), taken: new Set() };
}

/** The pending records that an import has taken away. */
export function* takenRecords({ records, taken }: Before, code?: AssetCode): Generator<StoredRecord> {
  for (const one of records.records("PENDING", code))
    if (taken.has(cellName(one.code, one.businessTime, one.source))) yield one;
}

/** Whether an import may have replaced or taken away something: only then, the log has what was there before. */
export function mayHaveReplaced({ hasTaken }: Pick<PriceState, "hasTaken">, { id, summary }: Import): boolean {
  return !summary?.complete || summary.replaced > 0 || hasTaken(id);
}

/** Finds what undoing an import changes. */
export async function findReversal(state: PriceState, id: number, readEntries: ReadEntries): Promise<Reversal> {
  const before = nothingBefore();
  const ranges = state.rangesOf(id);
  const touches = (code: AssetCode, time: UtcMillis): boolean => {
    const range = ranges.get(code);
    return range !== undefined && time >= range.from && time <= range.to;
  };
  if (mayHaveReplaced(state, state.importOf(id)!))
    await readEntries(createReplacedKeeper(new Map([[id, before]]), touches));

  async function* keys(): AsyncGenerator<readonly ObservationKey[]> {
    for (const [code, { from, to }] of ranges) {
      const window = { from, to: (to + 1) as UtcMillis };
      yield* inTurns(state.records(undefined, code, window), (one) => one.import === id);
      // What it has taken away is not there any more.
      yield* inTurns(takenRecords(before, code));
    }
  }
  return { keys, before };
}

/** What an undo has done at some keys. */
export interface Reversed {
  readonly restored: number;
  readonly removed: number;
  /** Keys that are left, as nobody knows what was there before. */
  readonly unknown: number;
}

/** Decides what undoing an import changes at these keys. */
export function decideUndo(
  view: PriceView,
  { id }: Pick<Import, "id">,
  {
    keys,
    before,
    isDamaged,
  }: { readonly keys: readonly ObservationKey[]; readonly before: Before; readonly isDamaged: boolean },
): Decided<Reversed> {
  const restored: StoredRecord[] = [];
  const removed = new Map<string | null, ObservationKey[]>();
  const done = { restored: 0, removed: 0, unknown: 0 };
  for (const key of new Map(keys.map((one) => [keyOf(one), one])).values()) {
    const { code, businessTime } = key;
    const back: StoredRecord[] = [];
    const gone: (string | null)[] = [];
    const own = [view.find(code, businessTime), ...view.pendingAt(code, businessTime)];
    for (const one of own) {
      if (one?.import !== id) continue;
      const source = one.qualityStatus === "PENDING" ? one.source : null;
      const earlier =
        source === null
          ? before.records.find(code, businessTime)
          : before.records.findPending(code, businessTime, source);
      if (earlier) back.push(earlier);
      else gone.push(source);
    }
    for (const one of before.records.pendingAt(code, businessTime)) {
      const isTaken = before.taken.has(cellName(code, businessTime, one.source));
      if (isTaken && !view.findPending(code, businessTime, one.source)) back.push(one);
    }
    if (isDamaged && gone.length > 0) {
      done.unknown++;
      continue;
    }
    restored.push(...back);
    for (const source of gone) {
      const list = removed.get(source);
      if (list) list.push(key);
      else removed.set(source, [key]);
    }
    if (back.length > 0) done.restored++;
    else if (gone.length > 0) done.removed++;
  }
  const entries: Entry[] = [
    ...[...removed].flatMap(([source, gone]) => removalEntries(gone, { source, import: null })),
    ...entriesByOrigin("restored", restored).map((entry) => ({ ...entry, undo: id })),
  ];
  return { entries, result: done };
}

/** Makes what takes the entries of a log, and keeps of each import what was there before. */
export function createReplacedKeeper(
  before: ReadonlyMap<number, Before>,
  touches: ReplacedBy["touches"],
): (entry: Entry) => void {
  const find = createReplacedFinder({ imports: new Set(before.keys()), touches }, (one) =>
    keepReplaced(before.get(one.import)!, one),
  );
  return (entry) => {
    find(entry);
    for (const { records } of before.values()) records.finishLoading();
  };
}

/** Notes what an import has replaced or taken away. Call `finishLoading` of its records after the last one. */
export function keepReplaced({ records, taken }: Before, { code, time, source, act, record, ...by }: Replaced): void {
  const cell = cellName(code, time, source);
  // Where it has taken away itself what stood there, that is still what was there before.
  if (act === "replaced" && !record && taken.has(cell)) return;
  if (act === "taken") taken.add(cell);
  else taken.delete(cell);
  // Of what it has stored itself and takes away, what that had replaced stays noted.
  if (record?.import === by.import) return;
  if (record)
    records.load({ type: "restored", source: record.source, import: record.import, code, records: [record] }, 1);
  else records.load({ type: "removal", code, times: [time], source, import: null }, 1);
}
