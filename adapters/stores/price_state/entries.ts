import type { AssetCode, Observation, ObservationKey, UtcMillis } from "../../../core/mod.ts";
import type { Import, StoredRecord } from "../shared/imports.ts";

/** Where records come from. */
export interface Origin {
  /** See `ObservationWriter.append`. */
  readonly source: string;
  /** The import that stores the records, or `null` if no import does. */
  readonly import: number | null;
}

/** Records of one asset and origin. */
export interface RecordsEntry extends Origin {
  /**
   * `observations` and `decision` store decided records. `observations` also removes the pending records of the same
   * source at these times. `restored` has records of any status that an undo has brought back, with their former
   * origin. `replaced` has accepted records that a feed has replaced: new values are still compared with them.
   */
  readonly type: "observations" | "pending" | "decision" | "restored" | "replaced";
  readonly code: AssetCode;
  readonly records: readonly Observation[];
  /** The import whose undo has restored these records. */
  readonly undo?: number | undefined;
  /** The feed that has replaced these records. */
  readonly by?: string | undefined;
  /** When each of these records was replaced. */
  readonly at?: readonly UtcMillis[] | undefined;
}

/** Removes records of one asset. */
export interface RemovalEntry {
  readonly type: "removal";
  readonly code: AssetCode;
  readonly times: readonly UtcMillis[];
  /** The source whose pending records are removed. With `null`, the decided records are removed. */
  readonly source: string | null;
  /** The import whose undo removes the records, or `null` if this is no undo. */
  readonly import: number | null;
}

/** Begins or changes an import. */
export interface ImportEntry {
  readonly type: "import";
  readonly imported: Import;
}

/** Changes records. */
export type ChangeEntry = RecordsEntry | RemovalEntry;

/** One change of prices or imports. Applying all entries of a log in order gives the state of the store. */
export type Entry = ChangeEntry | ImportEntry;

/** The maximum number of records in an entry. If the line of the entry is damaged, all these records are lost. */
const MAX_RECORDS = 50;
/** The approximate maximum length of all texts in an entry. */
const MAX_TEXT = 4_000;

/** Records of one origin as entries. */
export function recordEntries(
  type: RecordsEntry["type"],
  { source, import: id }: Origin,
  records: Iterable<Observation>,
): RecordsEntry[] {
  const entries: RecordsEntry[] = [];
  const open = new Map<AssetCode, { records: Observation[]; length: number }>();
  for (const record of records) {
    const { code, qualityMessage, provider } = record;
    const length = qualityMessage.length + (provider?.length ?? 0);
    let entry = open.get(code);
    if (!entry || entry.records.length === MAX_RECORDS || entry.length + length > MAX_TEXT) {
      entry = { records: [], length: 0 };
      open.set(code, entry);
      entries.push({ type, source, import: id, code, records: entry.records });
    }
    entry.records.push(record);
    entry.length += length;
  }
  return entries;
}

/** Records as entries, by origin. */
export function entriesByOrigin(type: RecordsEntry["type"], records: Iterable<StoredRecord>): RecordsEntry[] {
  const byOrigin = grouped(records, (record) => `${record.import} ${record.source}`);
  return byOrigin.flatMap((own) => recordEntries(type, own[0]!, own));
}

/** The items in groups with the same key, in the order of each group's first item. */
export function grouped<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const known = groups.get(key);
    if (known) known.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

/** An accepted record that the feed `by` replaced at the time `at`. */
export interface Superseded {
  readonly record: StoredRecord;
  readonly at: UtcMillis;
  readonly by: string;
}

/** Replaced records as entries, by origin and by the feed that replaced them. */
export function* supersededEntries(rows: readonly Superseded[]): Generator<RecordsEntry> {
  for (const own of grouped(rows, ({ record, by }) => `${record.import} ${record.source} ${by}`)) {
    const { record, by } = own[0]!;
    const at = new Map<Observation, UtcMillis>(own.map((row) => [row.record, row.at]));
    for (const entry of recordEntries("replaced", record, at.keys()))
      yield { ...entry, by, at: entry.records.map((one) => at.get(one)!) };
  }
}

/** A pending record of a source or, with `null`, a decided record. */
export interface Removed extends ObservationKey {
  readonly source: string | null;
}

/** Removals as entries, each of one source and asset. `id` is the import that removes the records, if one does. */
export function removalEntries(removed: Iterable<Removed>, id: number | null): RemovalEntry[] {
  const entries: RemovalEntry[] = [];
  const bySource = grouped(removed, ({ source }) => JSON.stringify(source));
  for (const own of bySource.flatMap((ofSource) => grouped(ofSource, ({ code }) => code))) {
    const { code, source } = own[0]!;
    const times = [...new Set(own.map(({ businessTime }) => businessTime))].sort((a, b) => a - b);
    for (let at = 0; at < times.length; at += MAX_RECORDS * 10)
      entries.push({ type: "removal", code, times: times.slice(at, at + MAX_RECORDS * 10), source, import: id });
  }
  return entries;
}

/** Identifies a record by asset and business time, and a pending record also by source. */
export interface Cells {
  put(record: Observation, origin: Origin): void;
  /**
   * @param source The source of pending records, or `null` for decided records.
   * @param by The import that removes the records.
   */
  drop(code: AssetCode, times: readonly UtcMillis[], source: string | null, by: number | null): void;
}

/** The members of an observation, without any other members of its object. */
export function copyOf(one: Observation): Observation {
  const { code, value, businessTime, sourceTime, insertTime, provider, qualityStatus, qualityMessage } = one;
  return { code, value, businessTime, sourceTime, insertTime, provider, qualityStatus, qualityMessage };
}

/** @param source The source of a pending record, or `null` for the decided record. */
export function cellName(code: AssetCode, time: UtcMillis, source: string | null): string {
  return source === null ? `${time} ${code}` : `${time} ${code} ${source}`;
}

/** Applies an entry. */
export function changeCells(entry: Entry, cells: Cells): void {
  if (entry.type === "import" || entry.type === "replaced") return;
  if (entry.type === "removal") {
    cells.drop(entry.code, entry.times, entry.source, entry.import);
    return;
  }
  for (const record of entry.records) {
    cells.put(record, entry);
    // When a source sends a decided value, its pending value is no longer needed.
    if (entry.type === "observations") cells.drop(entry.code, [record.businessTime], entry.source, entry.import);
  }
}
