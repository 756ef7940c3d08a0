import { join } from "node:path";
import type { Observation } from "../../../core/mod.ts";
import type { StoreContent } from "../../store/copy.ts";
import { StoreError } from "../../store/store_error.ts";
import { nodeFileSystem } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { publicPart, readImports } from "../imports/import_files.ts";
import type { ImportDocument } from "../imports/import_files.ts";
import { readUndoRecords } from "../imports/undo_records.ts";
import { readUsage } from "../quota/usage.ts";
import { readJsonFiles } from "../read_store.ts";

const REMEDY = "Run verify, then repair it or use a backup";

/**
 * Reads the whole store in `directory`, or the backup, without a lock, and changes nothing. Throws a `StoreError` where a part is
 * damaged, as the content would lack it without a trace.
 */
export async function readContent(
  directory: string,
  { fs = nodeFileSystem, isBackup = false }: { readonly fs?: FileSystem; readonly isBackup?: boolean } = {},
): Promise<StoreContent & { readonly storeId: string }> {
  // Observations before the imports that stored them.
  const { storeId, observations, book, damages } = await readJsonFiles(directory, fs, { isBackup });
  if (damages.length > 0) throw damaged(directory, `${damages.length} places in its observations cannot be read`);
  const folder = join(directory, "imports");
  const imports = await readImports({ fs, directory: folder, storeId });
  const usage = await readUsage(directory, { fs, open: [], isBackup });
  const [unreadable] = usage.filter((day) => day.damaged);
  if (unreadable) throw damaged(directory, `counters of ${unreadable.day} cannot be read`);

  async function* before(imported: ImportDocument): AsyncGenerator<Observation> {
    const undoRecords = await readUndoRecords(fs, folder, imported);
    if (undoRecords.damaged) throw damaged(directory, `undo records of import ${imported.id} cannot be read`);
    yield* undoRecords.all();
  }
  return {
    ...{ storeId, records: observations.records, book, usage, imports: imports.map(publicPart), leftOut: [] },
    before: ({ id }) => before(imports.find((imported) => imported.id === id)!),
  };
}

function damaged(directory: string, what: string): StoreError {
  return new StoreError(`Cannot copy "${directory}" as ${what}. ${REMEDY}`, 65);
}
