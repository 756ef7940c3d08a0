import { join } from "node:path";
import { demandObservations } from "../../../../core/internal.ts";
import type { Observation } from "../../../../core/mod.ts";
import type { Import } from "../../shared/imports.ts";
import { type CopyCounts, inBatches, type MakeOptions, type StoreContent } from "../../shared/store_copying.ts";
import { ACCOUNTS, accountDocument } from "../accounts.ts";
import { createHealth } from "../errors.ts";
import { type FileSystem, nodeFileSystem, removeIfThere } from "../file_system.ts";
import { newImport, undoLog, writeImport } from "../imports/import_files.ts";
import type { LogEnd } from "../log/log.ts";
import { BASE, GROUP_LINES, OBSERVATIONS } from "../log/log_base.ts";
import type { LogLines } from "../log/log_lines.ts";
import { observationLines } from "../log/observation_line.ts";
import { segmentName } from "../log/segments.ts";
import { newStoreId, writeManifest } from "../manifest.ts";
import { quotaLog } from "../quota/quota_line.ts";
import { writeDocument } from "../replace_document.ts";
import { createStoreDirectory } from "./new_directory.ts";
import { type WritePlan, writeCounters, writeLog, writeObservations } from "./write_log.ts";

/** How the files of a store are written. */
export interface WriteStoreOptions extends MakeOptions {
  readonly fs: FileSystem;
  readonly storeId: string;
  /** Whether they are a backup. Default: false. */
  readonly backup?: true;
  /** The highest number that an import had: it is not given again. Default: that of the last import of the content. */
  readonly lastImport?: number;
}

/**
 * Makes a store in `target`, which must be free or an empty directory, of the content of another one. It appears when it
 * is complete and on the device.
 */
export function makeStore(
  target: string,
  content: StoreContent,
  options: MakeOptions & { readonly fs?: FileSystem },
): Promise<CopyCounts> {
  const { fs = nodeFileSystem } = options;
  return createStoreDirectory(fs, target, (directory) =>
    writeStore(directory, content, { ...options, fs, storeId: newStoreId() }),
  );
}

/** Writes all files of a store into the empty directory that `createStoreDirectory` has made: the only way to write a whole store. */
export async function writeStore(
  directory: string,
  content: StoreContent,
  { fs, storeId, now, progress, backup, lastImport = 0 }: WriteStoreOptions,
): Promise<CopyCounts> {
  const { book, usage, imports } = content;
  const plan: WritePlan = { fs, health: createHealth(() => {}), directory, storeId, generation: 1 };
  let records = 0;

  async function* groups(): AsyncGenerator<LogLines> {
    for await (const batch of inBatches(content.records(), GROUP_LINES)) {
      demandObservations(batch);
      yield observationLines(batch);
      progress((records += batch.length));
    }
  }

  const { base, log } = await writeObservations(plan, { segment: 1, next: 2 }, groups());
  const marks: Record<string, LogEnd> = { [BASE]: base, [OBSERVATIONS]: log };
  for (const day of usage) marks[quotaLog(day.day)] = await writeCounters(plan, day);
  for (const imported of imports) await writeContentOfImport(plan, imported, content.before(imported));
  await writeDocument(plan, join(directory, "accounts", ACCOUNTS), accountDocument(storeId, book));
  await writeManifest(plan, {
    storeId,
    createdAt: now,
    accounts: true,
    highWater: marks,
    imports: lastImport,
    ...(backup && { backup }),
  });
  return {
    records,
    accounts: book.accounts.length,
    keys: book.keys.length,
    days: usage.length,
    imports: imports.length,
  };
}

async function writeContentOfImport(
  plan: WritePlan,
  imported: Import,
  before: AsyncIterable<Observation>,
): Promise<void> {
  const { fs, health, directory, storeId } = plan;
  const folder = join(directory, "imports");
  const { id, time, summary, undone } = imported;
  const kind = undoLog(id);

  async function* groups(): AsyncGenerator<LogLines> {
    for await (const batch of inBatches(before, GROUP_LINES)) yield observationLines(batch);
  }

  const end = await writeLog(plan, { folder: "imports", kind }, groups());
  const isEmpty = end.next === 1;
  if (isEmpty) await removeIfThere(fs, join(folder, segmentName(kind, 1)));
  await writeImport(
    { fs, health, directory: folder },
    { ...newImport(storeId, id, time, imported), summary, undone, notes: summary && !isEmpty ? end : null },
  );
}
