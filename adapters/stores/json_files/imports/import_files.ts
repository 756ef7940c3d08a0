import { join } from "node:path";
import type { Observation, UtcMillis } from "../../../../core/mod.ts";
import type { Import, ImportEntry, ImportPlan } from "../../shared/imports.ts";
import { StoreError } from "../../shared/store_error.ts";
import { type Folder, listOrNone } from "../data_directory.ts";
import { DataDamaged } from "../errors.ts";
import type { FileSystem } from "../file_system.ts";
import type { LogEnd } from "../log/log.ts";
import { type Document, readDocument, replaceDocument } from "../replace_document.ts";
import { countCurrent } from "./current_records.ts";

/** The file of an import: what `imports list` shows of it. */
export interface ImportDocument extends Document, Import {
  readonly storeId: string;
  /** Where the undo records of a finished import end; `null` where it has none. The member keeps its old name. */
  readonly notes: LogEnd | null;
}

/** The directory of the imports of a store. */
export interface ImportFolder {
  readonly fs: FileSystem;
  readonly directory: string;
  readonly storeId: string;
}

/** The highest schema of these files that this version reads, and the one it writes. */
const IMPORT_SCHEMA = 1;

const KIND = "import";
const REMEDY = "This import can no longer be undone; withdraw takes records back";

/** Name of the file of an import. */
export function importFileName(id: number): string {
  return `${undoLog(id)}.json`;
}

/** Name of the log with the undo records of an import: the observations that it has replaced, as they were before. */
export function undoLog(id: number): string {
  return `${KIND}-${id}`;
}

/** Numbers of the imports that have a file in the directory, ascending. */
export async function listImports(fs: FileSystem, directory: string): Promise<number[]> {
  // A store of an earlier version has no such directory.
  const numbers = (await listOrNone(fs, directory)).flatMap((name) => /^import-(\d{1,9})\.json$/.exec(name)?.[1] ?? []);
  return numbers.map(Number).sort((a, b) => a - b);
}

/** Reads the file of an import; `undefined` where there is none. Throws `DataDamaged` for one that cannot be used. */
export async function readImport(
  { fs, directory, storeId }: ImportFolder,
  id: number,
): Promise<ImportDocument | undefined> {
  const path = join(directory, importFileName(id));
  const document = await readDocument(fs, path, { kind: KIND, schema: IMPORT_SCHEMA, remedy: REMEDY });
  if (!document) return undefined;
  const { kind, schema, type, time, subjects, by, summary, undone, notes, ...owner } = document as ImportDocument; // Its checksum is right, so it is as this program wrote it.
  if (owner.storeId !== storeId || owner.id !== id)
    throw new DataDamaged(path, "belongs to another store or import", REMEDY);
  return { kind, schema, storeId, id, type, time, subjects, by, summary, undone, notes };
}

/** Writes the file of an import; resolves when it is on the device. */
export function writeImport(folder: Folder, imported: ImportDocument): Promise<void> {
  return replaceDocument(folder, join(folder.directory, importFileName(imported.id)), imported);
}

/** The file of an import that begins. */
export function newImport(
  storeId: string,
  id: number,
  time: UtcMillis,
  { type, subjects, by }: ImportPlan,
): ImportDocument {
  return {
    kind: KIND,
    schema: IMPORT_SCHEMA,
    storeId,
    id,
    type,
    time,
    subjects,
    by,
    summary: null,
    undone: null,
    notes: null,
  };
}

/** Lists the imports of a store, the last one first. */
export async function listEntries(
  folder: ImportFolder,
  records: () => Iterable<Observation>,
): Promise<readonly ImportEntry[]> {
  const entries: ImportEntry[] = [];
  for (const id of (await listImports(folder.fs, folder.directory)).toReversed())
    entries.push(await readEntry(folder, id));
  const unfinished = new Set<UtcMillis>(
    entries.flatMap(({ imported }) => (imported && isUnfinished(imported) ? [imported.time] : [])),
  );
  const current = countCurrent(unfinished.size > 0 ? records() : [], unfinished);
  return entries.map((entry) =>
    entry.imported && isUnfinished(entry.imported)
      ? { ...entry, stored: current.get(entry.imported.time) ?? 0 }
      : entry,
  );
}

async function readEntry(folder: ImportFolder, id: number): Promise<ImportEntry> {
  try {
    const imported = await readImport(folder, id);
    return {
      id,
      imported: imported ? publicPart(imported) : null,
      damage: imported ? null : "is missing",
      stored: null,
    };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { id, imported: null, damage: error.message, stored: null };
  }
}

/** An import without what only its file needs. */
export function publicPart({ id, type, time, subjects, by, summary, undone }: Import): Import {
  return { id, type, time, subjects, by, summary, undone };
}

function isUnfinished({ summary, undone }: Import): boolean {
  return summary === null && undone === null;
}
