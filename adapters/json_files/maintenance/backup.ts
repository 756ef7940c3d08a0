import { join } from "node:path";
import { formatTimestamp } from "../../../core/internal.ts";
import { EMPTY_BOOK } from "../../../core/mod.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import { accountDocument, readAccounts } from "../accounts.ts";
import { BACKUP, MANIFEST, listOrNone } from "../directory.ts";
import { createHealth } from "../errors.ts";
import { codeOf, nodeFileSystem, readAt, sizeOf } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { importFile, listImports } from "../imports/import_files.ts";
import { readImports } from "../imports/list.ts";
import { isInUse } from "../lock/lock.ts";
import { OBSERVATIONS, listLogFiles, whileFilesStay } from "../log/base.ts";
import { MAX_APPEND_BYTES } from "../log/log_lines.ts";
import { logsIn } from "../log/segments.ts";
import { demandManifest } from "../manifest.ts";
import type { Manifest } from "../manifest.ts";
import { writeDocument } from "../replace.ts";
import type { Document } from "../replace.ts";
import { BACKUP_ACCOUNTS, BACKUP_SCHEMA } from "./backup_document.ts";
import type { Backup, BackupFile } from "./backup_document.ts";
import { copyFile, digestOf } from "./copy_file.ts";
import { createStoreDirectory } from "./new_directory.ts";

const LINE_FEED = 10;
const GROUP_END = Buffer.from('"e":1,"k":"');
const MAX_TRIES = 4;

/**
 * Copies the store in `directory` to the new directory `target`: all that was acknowledged before this call is in it. A process
 * that owns the store goes on meanwhile. Its files only grow, so a copy of them is what a crash would leave, without the
 * incomplete write at the end.
 */
export async function backupStore(
  directory: string,
  target: string,
  { now, fs = nodeFileSystem }: { readonly now: UtcMillis; readonly fs?: FileSystem },
): Promise<Backup> {
  for (let tries = 1; ; tries++) {
    try {
      return await createStoreDirectory(fs, target, (backup) => copyStore(fs, directory, backup, now));
    } catch (error) {
      // The process that owns the store has removed a file before it was copied, e.g. in a compaction.
      if (codeOf(error) !== "ENOENT" || tries === MAX_TRIES) throw error;
    }
  }
}

async function copyStore(fs: FileSystem, directory: string, backup: string, now: UtcMillis): Promise<Backup> {
  const health = createHealth(() => {});
  const written: BackupFile[] = [];

  async function write(file: string, document: Document): Promise<void> {
    await writeDocument(fs, health, join(backup, file), document);
    written.push({ file, ...(await digestOf(fs, join(backup, file))) });
  }

  async function copyLogs(folder: string, logs: readonly string[]): Promise<void> {
    for (const log of logs) {
      const files = await whileFilesStay(fs, join(directory, folder), () => listLogFiles(fs, join(directory, folder), log));
      for (const { name } of files) {
        const path = join(directory, folder, name);
        const length = inUse && name === files.at(-1)!.name ? await wholeLength(fs, path) : await sizeOf(fs, path);
        if (length > 0) written.push({ file: `${folder}/${name}`, ...(await copyFile(fs, path, join(backup, folder, name), { atMost: length })) });
      }
    }
  }

  // The manifest before the logs, so that none ends before its mark. Observations before the imports that stored them, and the files of
  // imports before their undo records, which so reach as far.
  const inUse = await isInUse(fs, directory);
  const manifest = await demandManifest(fs, directory);
  const { storeId, highWater = {} } = manifest;
  await copyLogs("obs", [OBSERVATIONS]);
  const imports = await readImports(fs, join(directory, "imports"), storeId);
  await copyLogs("imports", logsIn(await listOrNone(fs, join(directory, "imports"))));
  // One whose undo records may have been removed since is left out: its file was removed before them.
  const remembered = new Set(await listImports(fs, join(directory, "imports")));
  for (const imported of imports) if (remembered.has(imported.id)) await write(`imports/${importFile(imported.id)}`, imported);
  await copyLogs("quota", logsIn(await fs.list(join(directory, "quota"))));
  await write(BACKUP_ACCOUNTS, accountDocument(storeId, (await readAccounts(fs, join(directory, "accounts"), manifest)) ?? EMPTY_BOOK));
  // The files of an old day may have been removed meanwhile, with its mark.
  const marks = Object.entries(highWater).filter(([log]) => written.some(({ file }) => file.includes(`/${log}-`)));
  await write(MANIFEST, { ...manifest, highWater: Object.fromEntries(marks), backup: true } as Manifest);
  const document: Backup = { kind: "backup", schema: BACKUP_SCHEMA, storeId, takenAt: formatTimestamp(now), files: written };
  await writeDocument(fs, health, join(backup, BACKUP), document);
  return document;
}

/** How many bytes of a log's last file are whole groups of lines: a process that owns the store may be writing another one. */
async function wholeLength(fs: FileSystem, path: string): Promise<number> {
  const file = await fs.open(path, "read");
  try {
    const size = await file.size();
    const start = Math.max(0, size - MAX_APPEND_BYTES);
    const bytes = await readAt(file, start, size - start);
    for (let group = bytes.lastIndexOf(GROUP_END); group !== -1; group = bytes.lastIndexOf(GROUP_END, group - 1)) {
      const end = bytes.indexOf(LINE_FEED, group);
      if (end !== -1) return start + end + 1;
    }
    return start > 0 ? size : bytes.indexOf(LINE_FEED) + 1; // Only the header, which may be incomplete.
  } finally {
    await file.close();
  }
}
