import { join } from "node:path";
import { ACCOUNTS, PREVIOUS_ACCOUNTS, readAccounts, readPreviousAccounts } from "../accounts.ts";
import { BACKUP, logDirectory } from "../directory.ts";
import { StoreError } from "../../store/store_error.ts";
import { HolderGone, HolderLeft } from "../errors.ts";
import { codeOf, nodeFileSystem, sizeOf } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { importFile, listImports } from "../imports/import_files.ts";
import type { ImportDocument } from "../imports/import_files.ts";
import { connectToStore } from "../lock/control_client.ts";
import { BASE, readBase, whileUncompacted } from "../log/base.ts";
import type { ReadBase } from "../log/base.ts";
import { TORN } from "../log/damage.ts";
import type { Damage } from "../log/damage.ts";
import { findLostEnd } from "../log/high_water.ts";
import { isOneGroup } from "../log/open_log.ts";
import { decodeMarketLine } from "../log/removal_line.ts";
import { isUnfinished, listLogs, scanSegments } from "../log/segments.ts";
import type { Segment } from "../log/segments.ts";
import { MANIFEST, readBackupManifest, readManifest } from "../manifest.ts";
import type { Manifest } from "../manifest.ts";
import { OBSERVATIONS } from "../observations.ts";
import { decodeQuotaLine } from "../quota/quota_line.ts";
import { problemOf, readBackup } from "./backup_document.ts";
import { checkImports } from "./check_imports.ts";
import { fileSystemAt } from "./point_in_time.ts";
import type { PointInTime } from "./point_in_time.ts";
import { documentReport, emptyReport, reported, withLines } from "./report.ts";
import type { Report, StoreReport } from "./report.ts";

/**
 * Checks every byte of the store in `directory`, or of a backup, and changes nothing. While a process holds
 * the store, it checks all that was acknowledged before this call.
 */
export async function verifyStore(directory: string, fs: FileSystem = nodeFileSystem): Promise<StoreReport> {
  const found = (await checkBackup(fs, directory)) ?? (await whileUncompacted(fs, join(directory, "obs"), () => checkStore(fs, directory)));
  const files = await Promise.all(found.map((report) => withLines(fs, directory, report)));
  const state = files.some(({ unreadable }) => unreadable !== null) ? 3
    : files.some(({ bad }) => bad.length > 0) ? 2
    : files.some(({ torn }) => torn !== null) ? 1
    : 0;
  return { state, files };
}

/** Checks a backup: its files against its list, and what is in them; `undefined` for a directory that is none. */
async function checkBackup(fs: FileSystem, directory: string): Promise<Report[] | undefined> {
  const files: Report[] = [];
  const backup = await reported(fs, directory, BACKUP, files, () => readBackup(fs, directory));
  if (!backup) return files.length > 0 ? files : undefined;
  const shown = fileSystemAt(fs, directory, backup.files);
  // Of a backup from elsewhere, no links are followed.
  const listed: FileSystem = { ...shown, open: (path, mode) => shown.open(path, mode === "read" ? "read-no-link" : mode) };
  files.push({ ...emptyReport(BACKUP), bytes: await sizeOf(fs, join(directory, BACKUP)) });
  const reports: Report[] = [];
  const manifest = await checkManifest(listed, directory, reports, readBackupManifest);
  if (manifest) reports.push(...(await checkFiles(listed, directory, manifest)));
  const found = new Map(reports.map((report) => [report.file, report]));
  for (const file of backup.files) {
    const problem = await problemOf(fs, directory, file);
    const report = found.get(file.file) ?? emptyReport(file.file);
    found.set(file.file, problem === undefined ? report : { ...report, unreadable: problem });
  }
  return [...files, ...found.values()];
}

async function checkStore(fs: FileSystem, directory: string): Promise<Report[]> {
  const files: Report[] = [];
  const manifest = await checkManifest(fs, directory, files, readManifest);
  const pointInTime = await reported(fs, directory, "lock", files, () => pointInTimeOfHolder(fs, directory));
  const imports = pointInTime ? await listImports(fs, join(directory, "imports")) : [];
  // Files of imports are replaced as a whole, so each is read as it is now.
  const importFiles = imports.map((id) => ({ file: `imports/${importFile(id)}`, length: Infinity }));
  const shown = pointInTime ? fileSystemAt(fs, directory, [...pointInTime.files, ...importFiles]) : fs;
  // The file of the manifest may say more of the logs than was there at the point in time.
  return manifest ? [...files, ...(await checkFiles(shown, directory, pointInTime?.manifest ?? manifest, pointInTime?.imports))] : files;
}

/** The state of a store at this moment, as the process that holds it tells; `undefined` where none does. */
export async function pointInTimeOfHolder(fs: FileSystem, directory: string): Promise<PointInTime | undefined> {
  for (;;) {
    const holder = await connectToStore(directory, fs);
    if (!holder) return undefined;
    try {
      return await holder.pointInTime();
    } catch (error) {
      if (error instanceof HolderLeft) continue; // There may be another by now.
      if (error instanceof HolderGone) return undefined;
      throw error;
    } finally {
      await holder.close();
    }
  }
}

/** Reads the manifest and reports on it; `undefined` where it cannot be read. */
async function checkManifest(fs: FileSystem, directory: string, files: Report[], read: typeof readManifest): Promise<Manifest | undefined> {
  return reported(fs, directory, MANIFEST, files, async () => {
    const found = await read(fs, directory);
    if (!found) throw new StoreError("There is none", 65);
    files.push(await documentReport(fs, directory, MANIFEST));
    return found;
  });
}

/** Checks all files of a store but its manifest. Without the store's id, they could not be told from those of another store. */
async function checkFiles(shown: FileSystem, directory: string, manifest: Manifest, imports?: readonly ImportDocument[]): Promise<Report[]> {
  const fs: FileSystem = { ...shown, list: (path) => shown.list(path).catch(nothingWhereMissing) };
  const files: Report[] = [];
  const add = <T>(file: string, check: () => Promise<T>): Promise<T | undefined> => reported(fs, directory, file, files, check);
  const accounts = join(directory, "accounts");
  await add(`accounts/${ACCOUNTS}`, async () => {
    const { found } = await readAccounts(fs, accounts, manifest);
    if (found) files.push(await documentReport(fs, directory, `accounts/${ACCOUNTS}`));
  });
  files.push(...(await checkPreviousAccounts(fs, directory, manifest)));
  const marks = manifest.highWater ?? {};
  const logs = new Set([OBSERVATIONS, ...(await listLogs(fs, join(directory, "quota"))), ...Object.keys(marks).filter((log) => log !== BASE)]);
  for (const log of logs) {
    await add(`${logDirectory(log)}/${log}`, async () => void files.push(...(await checkLog(fs, directory, log, manifest))));
  }
  files.push(...(await checkImports(fs, directory, manifest, imports, checkLog)));
  return files;
}

/** The accounts before the last change are needed by a repair alone: damaged, they keep no store from opening. */
async function checkPreviousAccounts(fs: FileSystem, directory: string, { storeId }: Manifest): Promise<Report[]> {
  const file = `accounts/${PREVIOUS_ACCOUNTS}`;
  try {
    const { found } = await readPreviousAccounts(fs, join(directory, "accounts"), storeId);
    return found ? [await documentReport(fs, directory, file)] : [];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const report = await documentReport(fs, directory, file);
    return [{ ...report, bad: [{ offset: 0, length: report.bytes, reason: error.message }] }];
  }
}

async function checkLog(fs: FileSystem, directory: string, log: string, { storeId, highWater: marks = {} }: Manifest): Promise<Report[]> {
  const decode: (line: object) => unknown = logDirectory(log) === "quota" ? decodeQuotaLine : decodeMarketLine;
  const [files, highWater] = [join(directory, logDirectory(log)), marks[log]];
  const plan = { storeId, decode, accept() {} };
  const base = log === OBSERVATIONS ? await readBase(fs, files, plan, marks[BASE]) : undefined;
  const segments = await scanSegments(fs, files, { ...plan, kind: log, begin: base?.begin, highWater });
  const lost = findLostEnd(segments, log, highWater, base?.begin);
  // As in openLog: a file that a crash kept from being made may come last, and the file before it may end in a torn write.
  const unfinished = segments.length > 0 && isUnfinished(segments.at(-1)!, log) ? segments.pop() : undefined;
  const reports = await Promise.all(segments.map((segment) => segmentReport(fs, segment, log, segment === segments.at(-1))));
  if (unfinished) reports.push({ ...fileOf(log, unfinished), torn: { offset: 0, length: unfinished.scan.size, reason: TORN } });
  if (base) reports.unshift(...baseReports(base));
  return lost ? withLostEnd(reports, `${logDirectory(log)}/${lost.file}`, lost) : reports;
}

function baseReports({ segment, damages }: ReadBase): Report[] {
  const bad = damages.map(({ offset, length, reason }) => ({ offset, length, reason }));
  if (segment) return [{ ...fileOf(BASE, segment), lines: segment.scan.lines, bad }];
  return damages.map(({ file }) => ({ ...emptyReport(`${logDirectory(BASE)}/${file}`), bad }));
}

/** Adds the loss of a log's end to the report of its file, or reports the file that is missing. */
function withLostEnd(reports: readonly Report[], file: string, { offset, length, reason }: Damage): Report[] {
  const damage = { offset, length, reason };
  if (!reports.some((report) => report.file === file)) return [...reports, { ...emptyReport(file), bad: [damage] }];
  return reports.map((report) => (report.file === file ? { ...report, bad: [...report.bad, damage] } : report));
}

async function segmentReport(fs: FileSystem, segment: Segment, log: string, isLast: boolean): Promise<Report> {
  const { header, lines, next, damages, torn } = segment.scan;
  // Each file is synced before the next is begun, so only the last can end in a torn write.
  const isTorn = torn !== undefined && isLast && (await isOneGroup(fs, segment, torn));
  return {
    ...fileOf(log, segment),
    lines,
    ...(header && lines > 0 && { first: header.first, last: next - 1 }),
    bad: torn && !isTorn ? [...damages, torn] : damages,
    torn: isTorn ? torn : null,
  };
}

function fileOf(log: string, { name, scan }: Segment): Report {
  return { ...emptyReport(`${logDirectory(log)}/${name}`), bytes: scan.size };
}

function nothingWhereMissing(error: unknown): string[] {
  if (codeOf(error) !== "ENOENT") throw error;
  return [];
}
