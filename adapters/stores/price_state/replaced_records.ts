import { isPending, rowFrom } from "../../../core/internal.ts";
import type { AssetCode, UtcMillis } from "../../../core/mod.ts";
import type { Import, StoredRecord } from "../shared/imports.ts";
import { type ChangeEntry, cellName, type Entry } from "./entries.ts";
import { createPriceState, type PriceState } from "./price_state.ts";
import type { TimeRange } from "./remembered_imports.ts";

/** Reads all entries of a log, in order. */
export type ReadEntries = (take: (entry: Entry) => void) => Promise<void>;

/** Whether one of the imports may have changed the asset's records at this time. */
type Touches = (code: AssetCode, time: UtcMillis) => boolean;

/** The records that an import has replaced or taken away. */
export interface Before {
  readonly records: PriceState;
  /** The names of the cells whose pending record the import has taken away. */
  readonly taken: Set<string>;
}

/** The records that imports have replaced or taken away, by import. */
export type ReplacedBefore = ReadonlyMap<number, Before>;

/** An empty `Before`, for an import that has neither replaced records nor taken any away. */
export function nothingBefore(): Before {
  return { records: createPriceState(), taken: new Set() };
}

/** The pending records that an import has taken away. */
export function* takenRecords({ records, taken }: Before, code?: AssetCode): Generator<StoredRecord> {
  for (const one of records.records("PENDING", code))
    if (taken.has(cellName(one.code, one.businessTime, one.source))) yield one;
}

/** Whether an import may have replaced or taken away records, so that the log has to be searched for them. */
function mayHaveReplaced({ hasTaken }: Pick<PriceState, "hasTaken">, { id, summary }: Import): boolean {
  return !summary?.complete || summary.replaced > 0 || hasTaken(id);
}

/** Finds the records that these imports (by default, all) have replaced. Reads the log only if needed. */
export async function findReplacedBefore(
  state: Pick<PriceState, "imports" | "rangesOf" | "hasTaken">,
  readEntries: ReadEntries,
  imports: Iterable<Import> = state.imports(),
): Promise<ReplacedBefore> {
  const wanted = [...imports].filter((imported) => mayHaveReplaced(state, imported));
  const before = new Map(wanted.map(({ id }) => [id, nothingBefore()]));
  if (before.size === 0) return before;
  const ranges = mergedRanges(wanted.map(({ id }) => state.rangesOf(id)));
  // Within a range, the number of bounds up to this time is odd.
  const touches = (code: AssetCode, time: UtcMillis): boolean => rowFrom(ranges.get(code) ?? [], time + 1) % 2 === 1;
  await readEntries(createReplacedKeeper(before, touches));
  return before;
}

/**
 * The merged time ranges of several imports by asset, so that each record of a log is looked up only once: the first
 * time of a range, the time after its end, and so on, ascending.
 */
function mergedRanges(all: readonly ReadonlyMap<AssetCode, TimeRange>[]): ReadonlyMap<AssetCode, readonly number[]> {
  const merged = new Map<AssetCode, number[]>();
  const ranges = all.flatMap((one) => [...one]).sort(([, a], [, b]) => a.from - b.from);
  for (const [code, { from, to }] of ranges) {
    const bounds = merged.get(code) ?? [];
    merged.set(code, bounds);
    const isApart = from > (bounds.at(-1) ?? -Infinity);
    if (isApart) bounds.push(from, to + 1);
    else bounds.push(Math.max(bounds.pop()!, to + 1));
  }
  return merged;
}

/** A record that an import has replaced or taken away, or that the undo of an import has restored. */
export interface Replaced {
  readonly import: number;
  readonly code: AssetCode;
  readonly time: UtcMillis;
  /** The source of a pending record, or `null` for the decided record. */
  readonly source: string | null;
  /** `taken`: a pending record was removed without a successor. `restored`: an undo has brought it back. */
  readonly act: "replaced" | "taken" | "restored";
  /** The previous record, if there is one. The import may have taken away its own record. */
  readonly record: StoredRecord | undefined;
}

/** Notes a record that an import has replaced or taken away. Call `records.finishLoading()` at the end. */
export function keepReplaced({ records, taken }: Before, { code, time, source, act, record, ...by }: Replaced): void {
  const cell = cellName(code, time, source);
  // The import itself has taken away the earlier record of this cell, which is noted already.
  if (act === "replaced" && !record && taken.has(cell)) return;
  if (act === "taken") taken.add(cell);
  else taken.delete(cell);
  // The import's own record is not noted, because the record that it replaced is noted already.
  if (record?.import === by.import) return;
  if (record)
    records.load({ type: "restored", source: record.source, import: record.import, code, records: [record] }, 1);
  else records.load({ type: "removal", code, times: [time], source, import: null }, 1);
}

/**
 * Makes a function that must get all entries of a log in order. The function notes the records that each import has
 * replaced or taken away. If a cell has several notes, the last one applies. This prevents the next undo of an import
 * from restoring a pending record a second time.
 */
function createReplacedKeeper(before: ReadonlyMap<number, Before>, touches: Touches): (entry: Entry) => void {
  const state = createPriceState();
  let sequence = 0;

  function keep(entry: ChangeEntry): void {
    const { code, source } = entry;
    const id = (entry.type === "restored" ? entry.undo : entry.import) ?? 0;
    const own = before.get(id);
    if (!own) return;
    const note = (time: UtcMillis, source: string | null, isPut: boolean): void => {
      const record = state.find(code, time, source);
      const act = isPut ? "replaced" : "taken";
      // An import does not replace its own records.
      if (isPut ? record?.import !== id : record) keepReplaced(own, { import: id, code, time, source, act, record });
    };
    if (entry.type === "removal") for (const time of entry.times) note(time, source, false);
    else {
      for (const one of entry.records) {
        const { businessTime: time } = one;
        if (entry.type === "observations" || entry.type === "decision") note(time, null, true);
        if (entry.type === "observations" || entry.type === "pending") note(time, source, entry.type === "pending");
        // The undo has restored the pending record. Later changes of this record do not concern the import.
        if (entry.type === "restored" && isPending(one))
          keepReplaced(own, { import: id, code, time, source, act: "restored", record: undefined });
      }
    }
    own.records.finishLoading();
  }

  return (entry) => {
    if (entry.type === "import" || entry.type === "replaced") return;
    const touched = within(entry, touches);
    if (!touched) return;
    keep(touched);
    state.apply(touched, ++sequence);
  };
}

/** The part of an entry with records that the imports have touched, or `undefined` if there are none. */
function within(entry: ChangeEntry, touches: Touches): ChangeEntry | undefined {
  const { code } = entry;
  if (entry.type === "removal") {
    const times = entry.times.filter((time) => touches(code, time));
    return times.length === 0 ? undefined : { ...entry, times };
  }
  const records = entry.records.filter(({ businessTime }) => touches(code, businessTime));
  return records.length === 0 ? undefined : { ...entry, records };
}
