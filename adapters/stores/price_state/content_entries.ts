import { isPending } from "../../../core/internal.ts";
import type { AssetCode } from "../../../core/mod.ts";
import type { Import, StoredRecord } from "../shared/imports.ts";
import {
  cellName,
  type Entry,
  entriesByOrigin,
  removalEntries,
  type Superseded,
  supersededEntries,
} from "./entries.ts";
import type { PriceState } from "./price_state.ts";
import { type ReplacedBefore, takenRecords } from "./replaced_records.ts";

/** The prices of a store, from which a new log can be written. */
export interface PriceContent {
  readonly imports: readonly Import[];
  /** All records, asset by asset. */
  records(): Iterable<StoredRecord> | AsyncIterable<StoredRecord>;
  readonly before: ReplacedBefore;
  /** The records that feeds have replaced lately. Default: none. */
  readonly superseded?: readonly Superseded[];
}

/** The size of the batches in which the records of an asset are grouped by origin. */
const WINDOW = 2_000;

/** Records of a log that may lack entries. If the predecessor of a record may be lost, no undo removes the record. */
export function* withoutDoubt(
  { records }: Pick<PriceState, "records">,
  before: ReplacedBefore,
): Generator<StoredRecord> {
  for (const record of records()) {
    const { import: id } = record;
    yield id === null || replacedBy(id, record, before) ? record : { ...record, import: null };
  }
}

/** The entries of a new log with this content: sorted, and with the replaced records. */
export async function* contentEntries(content: PriceContent): AsyncGenerator<Entry> {
  const { imports, records, before, superseded = [] } = content;
  for (const imported of imports) yield { type: "import", imported };
  for (const [id, own] of before) {
    const taken = [...takenRecords(own)];
    yield* windowEntries("pending", taken, before);
    for (const one of taken) yield* removalEntries([one], id);
  }
  for (let from = 0; from < superseded.length; from += WINDOW)
    yield* supersededEntries(superseded.slice(from, from + WINDOW));
  // Pending records are written last, because a decided record takes away the pending record of its source.
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

/** Records as entries, beginning with replaced records. */
function windowEntries(type: "observations" | "pending", window: readonly StoredRecord[], before: ReplacedBefore) {
  const layers: StoredRecord[][] = [];
  for (const record of window)
    for (const [depth, one] of historyOf(record, before).entries()) (layers[depth] ??= []).push(one);
  return layers.reverse().flatMap((layer) => entriesByOrigin(type, layer));
}

/** A record, followed by the earlier records in its place, from the latest to the earliest. */
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

/** The record that the import `id` has replaced with the given record. */
function replacedBy(id: number, { code, businessTime, source, qualityStatus }: StoredRecord, before: ReplacedBefore) {
  const { records, taken } = before.get(id) ?? {};
  const pendingOf = qualityStatus === "PENDING" ? source : null;
  const isTaken = taken?.has(cellName(code, businessTime, pendingOf));
  return isTaken ? undefined : records?.find(code, businessTime, pendingOf);
}
