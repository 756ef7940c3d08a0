import { join } from "node:path";
import type { Observation, UtcMillis } from "../../../core/mod.ts";
import type { Import } from "../../store/imports.ts";
import { inBatches } from "../../store/copy.ts";
import type { CopyCounts, MakeOptions, StoreContent } from "../../store/copy.ts";
import type { DayUsage } from "../../store/store.ts";
import { ACCOUNTS, accountDocument } from "../accounts.ts";
import { createHealth } from "../errors.ts";
import { nodeFileSystem } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { newImport, writeImport } from "../imports/import_files.ts";
import { openUndoRecords } from "../imports/undo_records.ts";
import type { UndoPlan, UndoRecords } from "../imports/undo_records.ts";
import { openLog } from "../log/open_log.ts";
import { readManifest } from "../manifest.ts";
import { appendLines, decodeQuotaLine, encodeQuotaLines, quotaLog } from "../quota/quota_line.ts";
import { replaceDocument } from "../replace.ts";
import { openJsonFiles } from "../store.ts";
import { createStoreDirectory } from "./new_directory.ts";

const BATCH = 2_000;

/**
 * Makes a store in `target`, which must be free or an empty directory, of the content of another one. It appears when it
 * is complete and on the device.
 */
export function makeStore(target: string, content: StoreContent, options: MakeOptions & { readonly fs?: FileSystem }): Promise<CopyCounts> {
  const { now, fs = nodeFileSystem } = options;
  return createStoreDirectory(fs, target, async (directory) => {
    const { book, usage } = content;
    const records = await writeRecords(directory, content, options);
    const manifest = (await readManifest(fs, directory))!; // The store that was just closed has one.
    const health = createHealth(() => {});
    const plan: UndoPlan = {
      ...{ fs, health, quarantineDirectory: join(directory, "quarantine"), directory: join(directory, "imports") },
      ...{ storeId: manifest.storeId, generation: 1, segmentBytes: Infinity, now },
    };
    await replaceDocument(fs, health, join(directory, "accounts", ACCOUNTS), accountDocument(manifest.storeId, book));
    for (const day of usage) await writeDay({ ...plan, directory: join(directory, "quota") }, day);
    for (const imported of content.imports) await writeContentOfImport(plan, imported, content.before(imported));
    return { records, accounts: book.accounts.length, keys: book.keys.length, days: usage.length, imports: content.imports.length };
  });
}

async function writeRecords(directory: string, { records }: StoreContent, { now, progress, fs = nodeFileSystem }: MakeOptions & { readonly fs?: FileSystem }): Promise<number> {
  const store = await openJsonFiles(directory, { clock: (): UtcMillis => now, fs });
  try {
    let count = 0;
    for await (const batch of inBatches(records(), BATCH)) {
      await store.observations.append(batch);
      progress((count += batch.length));
    }
    return count;
  } finally {
    await store.close();
  }
}

async function writeDay(plan: UndoPlan, { day, accounts }: DayUsage): Promise<void> {
  const { log } = await openLog({ ...plan, kind: quotaLog(day), strict: true, decode: decodeQuotaLine, accept() {} });
  try {
    await appendLines(log, accounts.flatMap(({ account, units, keys }) => encodeQuotaLines("u", account, units, keys)));
  } finally {
    await log.close();
  }
}

async function writeContentOfImport(plan: UndoPlan, imported: Import, before: AsyncIterable<Observation>): Promise<void> {
  const document = { ...newImport(plan.storeId, imported.id, imported.time, imported), summary: imported.summary, undone: imported.undone };
  let undoRecords: UndoRecords | undefined;
  try {
    for await (const batch of inBatches(before, BATCH)) {
      undoRecords ??= await openUndoRecords(plan, imported.id);
      await undoRecords.append(batch);
    }
    await writeImport(plan.fs, plan.health, plan.directory, { ...document, notes: imported.summary && undoRecords ? undoRecords.end() : null });
  } finally {
    await undoRecords?.close();
  }
}
