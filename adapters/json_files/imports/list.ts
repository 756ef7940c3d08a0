import type { Observation, UtcMillis } from "../../../core/mod.ts";
import type { Import, ImportEntry } from "../../store/imports.ts";
import { StoreError } from "../../store/store_error.ts";
import type { FileSystem } from "../fs.ts";
import { listImports, readImport } from "./import_files.ts";
import type { ImportDocument } from "./import_files.ts";
import { countCurrent } from "./current_records.ts";

/** Lists the imports of a store, the last one first. */
export async function listEntries(fs: FileSystem, directory: string, storeId: string, records: () => Iterable<Observation>): Promise<readonly ImportEntry[]> {
  const entries: ImportEntry[] = [];
  for (const id of (await listImports(fs, directory)).toReversed()) entries.push(await readEntry(fs, directory, storeId, id));
  const unfinished = new Set<UtcMillis>(entries.flatMap(({ imported }) => (imported && isUnfinished(imported) ? [imported.time] : [])));
  const current = countCurrent(unfinished.size > 0 ? records() : [], unfinished);
  return entries.map((entry) => (entry.imported && isUnfinished(entry.imported) ? { ...entry, stored: current.get(entry.imported.time) ?? 0 } : entry));
}

async function readEntry(fs: FileSystem, directory: string, storeId: string, id: number): Promise<ImportEntry> {
  try {
    const imported = await readImport(fs, directory, storeId, id);
    return { id, imported: imported ? publicPart(imported) : null, damage: imported ? null : "is missing", stored: null };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { id, imported: null, damage: error.message, stored: null };
  }
}

/** The files of all imports that can be read, as a copy of the store holds them. */
export async function readImports(fs: FileSystem, directory: string, storeId: string): Promise<readonly ImportDocument[]> {
  const imports: ImportDocument[] = [];
  for (const id of await listImports(fs, directory)) {
    try {
      const imported = await readImport(fs, directory, storeId, id);
      if (imported) imports.push(imported);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error; // A damaged one is of no use in a copy; verify tells of it.
    }
  }
  return imports;
}

/** An import without what only its file needs. */
export function publicPart({ id, type, time, subjects, by, summary, undone }: Import): Import {
  return { id, type, time, subjects, by, summary, undone };
}

function isUnfinished({ summary, undone }: Import): boolean {
  return summary === null && undone === null;
}
