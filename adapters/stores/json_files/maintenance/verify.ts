import { join } from "node:path";
import { StoreError } from "../../shared/store_error.ts";
import { ACCOUNTS, readAccounts } from "../accounts.ts";
import { BACKUP, listOrNone, MANIFEST } from "../data_directory.ts";
import { type FileSystem, nodeFileSystem } from "../file_system.ts";
import { importFileName, listImports, readImport, undoLog } from "../imports/import_files.ts";
import { isInUse } from "../lock/directory_lock.ts";
import { TORN } from "../log/damage.ts";
import type { LogEnd } from "../log/log.ts";
import { OBSERVATIONS, whileFilesStay } from "../log/log_base.ts";
import { readLog } from "../log/read_log.ts";
import { decodeMarketLine } from "../log/removal_line.ts";
import { logsIn } from "../log/segments.ts";
import { type Manifest, readBackupManifest, readManifest } from "../manifest.ts";
import { decodeQuotaLine, quotaDayOf } from "../quota/quota_line.ts";
import { type BackupDocument, readBackup } from "./backup.ts";
import {
  type CheckedFiles,
  documentReport,
  emptyReport,
  reported,
  type StoreReport,
  type UncountedReport,
  withLines,
} from "./damage_report.ts";

/**
 * Checks every byte of the store in `directory`, or of a backup, and changes nothing. While a process owns the store, it
 * checks at least all that was acknowledged before this call.
 */
export async function verifyStore(directory: string, fs: FileSystem = nodeFileSystem): Promise<StoreReport> {
  const found = await whileFilesStay(fs, join(directory, "obs"), () => checkStore(fs, directory));
  const files = await Promise.all(found.map((report) => withLines(fs, directory, report)));
  let state: StoreReport["state"] = 0;
  if (files.some(({ unreadable }) => unreadable !== null)) state = 3;
  else if (files.some(({ bad }) => bad.length > 0)) state = 2;
  else if (files.some(({ torn }) => torn !== null)) state = 1;
  return { state, files };
}

async function checkStore(fs: FileSystem, directory: string): Promise<UncountedReport[]> {
  const files: UncountedReport[] = [];
  const findings = { fs, directory, files };
  const backup = await reported(findings, BACKUP, () => readBackup(fs, directory));
  if (files.length > 0) return files;
  if (backup)
    return [await backupReport(fs, directory, backup), ...(await checkFiles(fs, directory, readBackupManifest))];
  const inUse = (): Promise<boolean | undefined> => reported(findings, "lock", () => isInUse(fs, directory));
  const wasInUse = await inUse();
  const checked = await checkFiles(fs, directory, readManifest);
  // An incomplete write is one that the process that owns the store is making.
  const isWriting = wasInUse || (files.length === 0 && (await inUse()));
  return [...files, ...checked.map((report) => (isWriting ? { ...report, torn: null } : report))];
}

/** The report on a `BACKUP.json`: what the backup lacks of its store is damage, too. */
async function backupReport(
  fs: FileSystem,
  directory: string,
  { damages = 0, damagedFiles = [] }: BackupDocument,
): Promise<UncountedReport> {
  const report = await documentReport(fs, directory, BACKUP);
  if (damages === 0) return report;
  const reason = `its store had ${damages} damaged place${damages === 1 ? "" : "s"}, in ${damagedFiles.join(", ")}; the damaged files are in quarantine/, all else is here`;
  return { ...report, bad: [{ offset: 0, length: 0, reason }] };
}

/** Checks all files of a store. Where the manifest cannot be read, those of another store could not be told from its own. */
async function checkFiles(whole: FileSystem, directory: string, read: typeof readManifest): Promise<UncountedReport[]> {
  const fs: FileSystem = { ...whole, list: (path) => listOrNone(whole, path) };
  const files: UncountedReport[] = [];
  const findings = { fs, directory, files };
  const add = <T>(file: string, check: () => Promise<T>): Promise<T | undefined> => reported(findings, file, check);
  // Before the manifest: the mark of a log that is removed is dropped before.
  const [quotaLogs, undoLogs] = [
    logsIn(await fs.list(join(directory, "quota"))),
    logsIn(await fs.list(join(directory, "imports"))),
  ];
  const manifest = await add(MANIFEST, async () => {
    const found = await read(fs, directory);
    if (!found) throw new StoreError("There is none", 65);
    files.push(await documentReport(fs, directory, MANIFEST));
    return found;
  });
  if (!manifest) return files;
  const { storeId, highWater: marks = {} } = manifest;
  const checkLog = (folder: string, log: string, own: typeof marks = marks): Promise<void> =>
    add(
      `${folder}/${log}`,
      async () => void files.push(...(await logReports(fs, directory, folder, { log, storeId, marks: own }))),
    );

  await add(`accounts/${ACCOUNTS}`, async () => {
    if (await readAccounts(fs, join(directory, "accounts", ACCOUNTS), manifest))
      files.push(await documentReport(fs, directory, `accounts/${ACCOUNTS}`));
  });
  await checkLog("obs", OBSERVATIONS);
  for (const log of new Set([...quotaLogs, ...Object.keys(marks).filter(quotaDayOf)])) await checkLog("quota", log);
  const ends = await checkImports(findings, manifest);
  for (const log of new Set([...undoLogs, ...Object.keys(ends)])) await checkLog("imports", log, ends);
  // Damage of imports keeps no store from opening.
  return files.map((report) =>
    report.file.startsWith("imports/") && report.unreadable !== null ? asDamage(report, report.unreadable) : report,
  );
}

/** Checks the files of all imports. Resolves to where their undo records end. */
async function checkImports(findings: CheckedFiles, { storeId }: Manifest): Promise<Record<string, LogEnd>> {
  const { fs, directory, files } = findings;
  const folder = join(directory, "imports");
  const ends: Record<string, LogEnd> = {};
  for (const id of await listImports(fs, folder)) {
    await reported(findings, `imports/${importFileName(id)}`, async () => {
      const imported = await readImport({ fs, directory: folder, storeId }, id);
      if (!imported) return; // It was removed meanwhile.
      if (imported.notes) ends[undoLog(id)] = imported.notes;
      files.push(await documentReport(fs, directory, `imports/${importFileName(id)}`));
    });
  }
  return ends;
}

function asDamage(report: UncountedReport, reason: string): UncountedReport {
  return { ...report, unreadable: null, bad: [...report.bad, { offset: 0, length: report.bytes, reason }] };
}

/** Checks one log: a report for each of its files. */
async function logReports(
  fs: FileSystem,
  directory: string,
  folder: string,
  {
    log,
    storeId,
    marks,
  }: { readonly log: string; readonly storeId: string; readonly marks: Readonly<Record<string, LogEnd>> },
): Promise<readonly UncountedReport[]> {
  const decode: (line: object) => unknown = folder === "quota" ? decodeQuotaLine : decodeMarketLine;
  const read = await readLog(fs, join(directory, folder), { kind: log, storeId, marks, decode, accept() {} });
  const { segments, unfinished, damages, torn, unreadable } = read;
  const reports = new Map<string, UncountedReport>();
  for (const { name, scan } of [...(read.base ? [read.base] : []), ...segments]) {
    const { header, lines, next, size } = scan;
    const numbers = header && lines > 0 && name !== read.base?.name ? { first: header.first, last: next - 1 } : {};
    reports.set(name, { ...emptyReport(`${folder}/${name}`), bytes: size, lines, ...numbers });
  }
  if (unfinished) {
    const { name, scan } = unfinished;
    reports.set(name, {
      ...emptyReport(`${folder}/${name}`),
      bytes: scan.size,
      torn: { offset: 0, length: scan.size, reason: TORN },
    });
  }
  for (const { file, ...damage } of [...damages, ...(unreadable ? [unreadable] : [])]) {
    const report = reports.get(file) ?? emptyReport(`${folder}/${file}`);
    reports.set(file, { ...report, bad: [...report.bad, damage] });
  }
  if (torn) {
    const { file, ...end } = torn;
    reports.set(file, { ...reports.get(file)!, torn: end });
  }
  return [...reports.values()];
}
