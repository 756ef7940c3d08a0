import { isPending, rowFrom } from "../../../core/internal.ts";
import type { AssetCode, UtcMillis } from "../../../core/mod.ts";
import type { Import, StoredRecord } from "../shared/imports.ts";
import { cellName, type Entry, entriesByOrigin, removalEntries } from "./entries.ts";
import type { PriceState, TimeRange } from "./price_state.ts";
import {
  type Before,
  createReplacedKeeper,
  mayHaveReplaced,
  nothingBefore,
  type ReadEntries,
  takenRecords,
} from "./replaced_records.ts";

/** The records that imports have replaced or taken away, by import. */
export type ReplacedBefore = ReadonlyMap<number, Before>;

/** The prices of a store, as they are written to a log. */
export interface PriceContent {
  readonly imports: readonly Import[];
  /** All records of one asset, then those of the next. */
  records(): Iterable<StoredRecord> | AsyncIterable<StoredRecord>;
  readonly before: ReplacedBefore;
}

/** Among so many records of an asset, those of the same origin are written together. */
const WINDOW = 2_000;

/** Finds what the imports of a state have replaced. Reads the log only if there may be something. */
export async function findReplacedBefore(
  state: Pick<PriceState, "imports" | "rangesOf" | "hasTaken">,
  readEntries: ReadEntries,
): Promise<ReplacedBefore> {
  const wanted = [...state.imports()].filter((imported) => mayHaveReplaced(state, imported));
  const before = new Map(wanted.map(({ id }) => [id, nothingBefore()]));
  if (before.size === 0) return before;
  const ranges = mergedRanges(wanted.map(({ id }) => state.rangesOf(id)));
  const touches = (code: AssetCode, time: UtcMillis): boolean => {
    const { from, to } = ranges.get(code) ?? NO_RANGES;
    return (from[rowFrom(to, time)] ?? Infinity) <= time;
  };
  await readEntries(createReplacedKeeper(before, touches));
  return before;
}

/** Spans of time, both ends included: ascending, and without overlaps. */
interface Ranges {
  readonly from: UtcMillis[];
  readonly to: UtcMillis[];
}

const NO_RANGES: Ranges = { from: [], to: [] };

/** The time ranges of several imports together, by asset, as each record of a log is looked up in them. */
function mergedRanges(all: readonly ReadonlyMap<AssetCode, TimeRange>[]): ReadonlyMap<AssetCode, Ranges> {
  const merged = new Map<AssetCode, Ranges>();
  const ranges = all.flatMap((one) => [...one]).sort(([, a], [, b]) => a.from - b.from);
  for (const [code, { from, to }] of ranges) {
    const known = merged.get(code);
    const last = known?.to.at(-1);
    if (!known) merged.set(code, { from: [from], to: [to] });
    else if (from <= last!) known.to[known.to.length - 1] = Math.max(last!, to) as UtcMillis;
    else {
      known.from.push(from);
      known.to.push(to);
    }
  }
  return merged;
}

/** Records whose log may lack entries. If it does not show what one replaced, no undo may remove that record. */
export function* withoutDoubt(
  { records }: Pick<PriceState, "records">,
  before: ReplacedBefore,
): Generator<StoredRecord> {
  for (const record of records()) {
    const { import: id } = record;
    yield id === null || replacedBy(id, record, before) ? record : { ...record, import: null };
  }
}

/** The entries of a new log with this content: sorted, and with what imports have replaced. */
export async function* contentEntries({ imports, records, before }: PriceContent): AsyncGenerator<Entry> {
  for (const imported of imports) yield { type: "import", imported };
  for (const [id, own] of before) {
    const taken = [...takenRecords(own)];
    yield* windowEntries("pending", taken, before);
    for (const { source, ...key } of taken) yield* removalEntries([key], { source, import: id });
  }
  // Written last, because decided records take away the pending ones of their source.
  const pending: StoredRecord[] = [];
  let window: StoredRecord[] = [];
  let code: AssetCode | undefined;
  for await (const record of records()) {
    if (isPending(record)) {
      pending.push(record);
      continue;
    }
    if (record.code !== code || window.length === WINDOW) {
      yield* windowEntries("observations", window, before);
      window = [];
      ({ code } = record);
    }
    window.push(record);
  }
  yield* windowEntries("observations", window, before);
  yield* windowEntries("pending", pending, before);
}

/** Records as entries, the replaced ones first. */
function windowEntries(
  type: "observations" | "pending",
  window: readonly StoredRecord[],
  before: ReplacedBefore,
): Entry[] {
  const layers: StoredRecord[][] = [];
  for (const record of window) {
    for (const [depth, one] of historyOf(record, before).entries()) {
      const layer = layers[depth];
      if (layer) layer.push(one);
      else layers.push([one]);
    }
  }
  return layers.reverse().flatMap((layer) => entriesByOrigin(type, layer));
}

/** A record, the one that its import has replaced, the one that the import of that has replaced, and so on. */
function historyOf(record: StoredRecord, before: ReplacedBefore): readonly StoredRecord[] {
  const history = [record];
  const seen = new Set<number>();
  for (let { import: id } = record; id !== null && !seen.has(id); ) {
    seen.add(id);
    const one = replacedBy(id, record, before);
    if (!one) break;
    history.push(one);
    id = one.import;
  }
  return history;
}

/** The record that an import has replaced with this one. */
function replacedBy(
  id: number,
  { code, businessTime, source, qualityStatus }: StoredRecord,
  before: ReplacedBefore,
): StoredRecord | undefined {
  const { records, taken } = before.get(id) ?? {};
  if (qualityStatus !== "PENDING") return records?.find(code, businessTime);
  return taken?.has(cellName(code, businessTime, source))
    ? undefined
    : records?.findPending(code, businessTime, source);
}
