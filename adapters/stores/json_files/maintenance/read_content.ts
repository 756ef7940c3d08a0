import { join } from "node:path";
import type { Observation } from "../../../../core/mod.ts";
import type { StoreContent } from "../../shared/store_copying.ts";
import { StoreError } from "../../shared/store_error.ts";
import { askOwner } from "../connect_or_open.ts";
import { type FileSystem, nodeFileSystem } from "../file_system.ts";
import {
  type ImportDocument,
  importFileName,
  listImports,
  publicPart,
  readImport,
  undoLog,
} from "../imports/import_files.ts";
import { readUndoRecords } from "../imports/undo_records.ts";
import { segmentName } from "../log/segments.ts";
import { quotaLog, spendUnits } from "../quota/quota_line.ts";
import { readUsage } from "../quota/read_usage.ts";
import { readJsonFiles } from "../read_store.ts";

/** A file of which a part could not be read, by its path within the store, and what that was. */
export interface DamagedFile {
  readonly file: string;
  readonly reason: string;
}

/** The content of a store in files. */
export interface FilesContent extends StoreContent {
  readonly storeId: string;
  /** The highest number that an import had. */
  readonly lastImport: number;
  readonly damaged: readonly DamagedFile[];
}

/**
 * Reads the whole store in `directory`, or the backup, without a lock, and changes nothing. What is damaged is named in `damaged`, and
 * the content lacks it: a price; an import, which could no longer be undone; the counters of a day, all of whose units count as used.
 */
export async function readContent(
  directory: string,
  { fs = nodeFileSystem, isBackup = false }: { readonly fs?: FileSystem; readonly isBackup?: boolean } = {},
): Promise<FilesContent> {
  // Observations before the imports that stored them.
  const { storeId, observations, book, damages, manifest } = await readJsonFiles(directory, fs, { isBackup });
  const damaged: DamagedFile[] = damages.map(({ file, reason }) => ({ file: `obs/${file}`, reason }));
  const folder = join(directory, "imports");
  const imports: ImportDocument[] = [];
  const ids = await listImports(fs, folder);
  for (const id of ids) {
    const read = await readOne(id);
    if (read && "reason" in read) damaged.push(read);
    else if (read) imports.push(read);
  }
  // Of a day that is open, its owner knows what was really used; one that does not answer keeps nobody from a backup.
  const open = isBackup ? undefined : await askOwner(directory, (store) => store.usage(), fs).catch(() => undefined);
  const usage = (await readUsage(directory, { fs, open: open ?? [], isBackup })).map((day) => {
    if (!day.damaged) return day;
    damaged.push({ file: `quota/${segmentName(quotaLog(day.day), 1)}`, reason: "counters cannot be read" });
    return { day: day.day, accounts: spendUnits(day.accounts, book, "all").accounts };
  });

  /** An import, or what of it is damaged; `undefined` where it was removed meanwhile. */
  async function readOne(id: number): Promise<ImportDocument | DamagedFile | undefined> {
    try {
      const imported = await readImport({ fs, directory: folder, storeId }, id);
      const isDamaged = imported && (await readUndoRecords(fs, folder, imported)).damaged;
      return isDamaged
        ? { file: `imports/${segmentName(undoLog(id), 1)}`, reason: "undo records cannot be read" }
        : imported;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return { file: `imports/${importFileName(id)}`, reason: error.message };
    }
  }

  async function* before(imported: ImportDocument): AsyncGenerator<Observation> {
    yield* (await readUndoRecords(fs, folder, imported)).all();
  }
  return {
    ...{ storeId, records: observations.records, book, usage, imports: imports.map(publicPart), leftOut: [], damaged },
    lastImport: Math.max(manifest.imports ?? 0, ids.at(-1) ?? 0),
    before: ({ id }) => before(imports.find((imported) => imported.id === id)!),
  };
}

/** Throws a `StoreError` where a part of the content could not be read, as a copy would lack it without a trace. */
export function demandWhole(directory: string, { damaged }: Pick<FilesContent, "damaged">): void {
  const [first] = damaged;
  if (!first) return;
  const places = damaged.length === 1 ? "a place" : `${damaged.length} places`;
  throw new StoreError(
    `Cannot copy "${directory}" as ${places} in it cannot be read, the first in ${first.file}: ${first.reason}. Run verify, then repair it or use a backup`,
    65,
  );
}
