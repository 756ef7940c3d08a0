import type { AssetCode, Observation, UtcMillis } from "../../../core/mod.ts";
import type { Import, StoredRecord } from "../shared/imports.ts";

/** Where records come from. */
export interface Origin {
  /** Who says so, as `ObservationWriter.append` takes it. */
  readonly source: string;
  /** The import that stores them; `null` for none. */
  readonly import: number | null;
}

/** Records of one asset that come from one place: decided ones, or pending ones. */
export interface RecordsEntry extends Origin {
  /**
   * `observations` of a source take its pending records of their times away. A `decision` is about records of a source, which may have
   * other values pending. `restored`: an undo brings back what was there before, decided or pending, with the origin that it had.
   */
  readonly type: "observations" | "pending" | "decision" | "restored";
  readonly code: AssetCode;
  readonly records: readonly Observation[];
  /** The import whose undo has brought them back. */
  readonly undo?: number | undefined;
}

/** Takes records of one asset away. */
export interface RemovalEntry {
  readonly type: "removal";
  readonly code: AssetCode;
  readonly times: readonly UtcMillis[];
  /** Takes the pending ones of this source away; `null`: the decided ones. */
  readonly source: string | null;
  /** The import whose undo brings them back; `null` for none. */
  readonly import: number | null;
}

/** Begins an import, or says anew what is known of it. */
export interface ImportEntry {
  readonly type: "import";
  readonly imported: Import;
}

/** Changes records. */
export type ChangeEntry = RecordsEntry | RemovalEntry;

/** One change of the prices. Whoever applies all entries of a log in their order has the state that it stands for. */
export type Entry = ChangeEntry | ImportEntry;

/** How many records an entry has: what is lost where its line is damaged. */
const MAX_RECORDS = 50;
/** About how long the texts of an entry may be. */
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

/** Records as entries, each with the origin of its records. */
export function entriesByOrigin(type: RecordsEntry["type"], records: Iterable<StoredRecord>): RecordsEntry[] {
  const byOrigin = new Map<string, StoredRecord[]>();
  for (const record of records) {
    const key = `${record.import} ${record.source}`;
    const known = byOrigin.get(key);
    if (known) known.push(record);
    else byOrigin.set(key, [record]);
  }
  return [...byOrigin.values()].flatMap((own) => recordEntries(type, own[0]!, own));
}

/** Removals as entries, each of one asset. */
export function removalEntries(
  keys: Iterable<{ readonly code: AssetCode; readonly businessTime: UtcMillis }>,
  from: Pick<RemovalEntry, "source" | "import">,
): RemovalEntry[] {
  const timesOf = new Map<AssetCode, Set<UtcMillis>>();
  for (const { code, businessTime } of keys) timesOf.set(code, (timesOf.get(code) ?? new Set()).add(businessTime));
  const entries: RemovalEntry[] = [];
  for (const [code, unsorted] of timesOf) {
    const times = [...unsorted].sort((a, b) => a - b);
    for (let at = 0; at < times.length; at += MAX_RECORDS * 10)
      entries.push({ type: "removal", code, times: times.slice(at, at + MAX_RECORDS * 10), ...from });
  }
  return entries;
}

/** Records by asset and business time: decided ones, and pending ones by their source, too. */
export interface Cells {
  put(record: Observation, origin: Origin): void;
  /** @param source That of a pending record; `null` for the decided one. */
  drop(code: AssetCode, times: readonly UtcMillis[], source: string | null): void;
}

/** @param source That of a pending record; `null` for the decided one. */
export function cellName(code: AssetCode, time: UtcMillis, source: string | null): string {
  return source === null ? `${time} ${code}` : `${time} ${code} ${source}`;
}

/** Makes the changes of an entry. */
export function changeCells(entry: Entry, cells: Cells): void {
  if (entry.type === "import") return;
  if (entry.type === "removal") {
    cells.drop(entry.code, entry.times, entry.source);
    return;
  }
  for (const record of entry.records) {
    cells.put(record, entry);
    // Who says what it is has nothing else to say that waits.
    if (entry.type === "observations") cells.drop(entry.code, [record.businessTime], entry.source);
  }
}
