import { join, relative } from "node:path";
import { StoreError } from "../../shared/store_error.ts";
import { ACCOUNTS, readAccounts } from "../accounts.ts";
import { BACKUP, listOrNone, MANIFEST } from "../data_directory.ts";
import { DataDamaged } from "../errors.ts";
import { type FileSystem, lineAt, nodeFileSystem, sizeOf } from "../file_system.ts";
import { findOwner } from "../lock/directory_lock.ts";
import { type Damage, TORN } from "../log/damage.ts";
import { decodeEntry } from "../log/entry_line.ts";
import { OBSERVATIONS, whileFilesStay } from "../log/log_base.ts";
import { type ReadLog, readLog } from "../log/read_log.ts";
import { readManifest } from "../manifest.ts";
import { decodeQuotaLine, quotaDays, quotaLog } from "../quota/quota_line.ts";
import { readBackup } from "./backup.ts";
import type { FileReport, FoundDamage, StoreReport } from "./damage_report.ts";

/** Checks every byte of a store or backup; in a store in use, all data that was acknowledged before this call. */
export async function verifyStore(directory: string, fs: FileSystem = nodeFileSystem): Promise<StoreReport> {
  const present: FileSystem = { ...fs, list: (path) => listOrNone(fs, path) };
  const files = await whileFilesStay(fs, join(directory, "obs"), () => checkStore(present, directory));
  let state: StoreReport["state"] = 0;
  if (files.some(({ unreadable }) => unreadable !== null)) state = 3;
  else if (files.some(({ bad }) => bad.length > 0)) state = 2;
  else if (files.some(({ torn }) => torn !== null)) state = 1;
  return { state, files };
}

/** Checks all files. Without a readable manifest, logs and accounts are not checked, because their store is unknown. */
async function checkStore(fs: FileSystem, directory: string): Promise<readonly FileReport[]> {
  const reports = createReports(fs, directory);
  const backup = await reports.checkDocument(BACKUP, () => readBackup(fs, directory));
  if (!backup && reports.files().length > 0) return reports.files();
  if (backup && backup.damages > 0) {
    const places = `${backup.damages} damaged place${backup.damages === 1 ? "" : "s"}`;
    const reason = `its store had ${places}, in ${backup.damagedFiles.join(", ")}; the damaged files are in quarantine/, everything else is here`;
    await reports.add(BACKUP, { bad: [{ offset: 0, length: 0, reason }] });
  }
  const inUse = async () =>
    !backup && reports.check("lock", async () => (await findOwner(fs, directory)) !== undefined);
  const wasInUse = await inUse();
  const manifest = await reports.checkDocument(MANIFEST, async () => {
    const found = await readManifest(fs, directory, backup !== undefined);
    if (!found) throw new StoreError("There is none", 65);
    return found;
  });
  if (manifest) {
    const { storeId, highWater: marks } = manifest;
    const checkLog = (folder: string, kind: string): Promise<void> => {
      const decode: (line: object) => unknown = folder === "quota" ? decodeQuotaLine : decodeEntry;
      return reports.check(`${folder}/${kind}`, async () => {
        const read = await readLog(fs, join(directory, folder), { kind, storeId, marks, decode, accept() {} });
        await addLog(reports, folder, read);
      });
    };
    await reports.checkDocument(`accounts/${ACCOUNTS}`, () => readAccounts(fs, directory, manifest));
    await checkLog("obs", OBSERVATIONS);
    for (const day of quotaDays(await fs.list(join(directory, "quota")), manifest.highWater))
      await checkLog("quota", quotaLog(day));
  }
  // If a process owns the store, an incomplete write may still be in progress.
  const isWriting = wasInUse || (wasInUse === false && (await inUse()));
  return reports.files().map((report) => (isWriting ? { ...report, torn: null } : report));
}

async function addLog(reports: Reports, folder: string, read: ReadLog): Promise<void> {
  const { base, segments, unfinished, damages, torn } = read;
  for (const { name, scan } of [...(base ? [base] : []), ...segments]) {
    const { header, lines, next, size } = scan;
    const isNumbered = header && lines > 0 && name !== base?.name;
    const numbers = isNumbered ? { first: header.first, last: next - 1 } : {};
    await reports.add(`${folder}/${name}`, { bytes: size, lines, ...numbers });
  }
  if (unfinished) {
    const { size } = unfinished.scan;
    const torn = { offset: 0, length: size, reason: TORN };
    await reports.add(`${folder}/${unfinished.name}`, { bytes: size, torn });
  }
  for (const damage of damages) await reports.add(`${folder}/${damage.file}`, { bad: [damage] });
  if (torn) await reports.add(`${folder}/${torn.file}`, { torn });
}

/** The findings in a file, before the line numbers of damages are determined. */
type Findings = Partial<Omit<FileReport, "bad" | "torn">> & {
  readonly bad?: readonly Damage[];
  readonly torn?: Damage;
};

type Reports = ReturnType<typeof createReports>;

function createReports(fs: FileSystem, directory: string) {
  const reports = new Map<string, FileReport>();

  async function add(file: string, { bad = [], torn, ...found }: Findings): Promise<void> {
    const locate = async ({ offset, length, reason }: Damage): Promise<FoundDamage> => {
      return { offset, length, reason, line: await lineAt(fs, join(directory, file), offset) };
    };
    const unknown = { bytes: 0, lines: 0, first: null, last: null, unreadable: null, bad: [], torn: null };
    const known: FileReport = reports.get(file) ?? { file, ...unknown };
    reports.set(file, {
      ...{ ...known, ...found },
      bad: [...known.bad, ...(await Promise.all(bad.map(locate)))],
      torn: torn ? await locate(torn) : known.torn,
    });
  }

  /** The size of a small file, or 0 if the file cannot be opened; the check of the file reports the failure. */
  const bytesOf = (file: string): Promise<number> => sizeOf(fs, join(directory, file)).catch(() => 0);

  /** Checks a part of the store. A failure that would prevent opening the store is reported. */
  async function check<T>(part: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const file = part === "lock" && error instanceof DataDamaged ? relative(directory, error.file) : part;
      await add(file, { bytes: await bytesOf(file), unreadable: error.message });
      return undefined;
    }
  }

  return {
    files: () => [...reports.values()],
    add,
    check,
    /** Like `check`, for a small file. Reports the file even if it has no faults. */
    checkDocument: <T>(file: string, read: () => Promise<T | undefined>) =>
      check(file, async () => {
        const document = await read();
        if (document) await add(file, { bytes: await bytesOf(file) });
        return document;
      }),
  };
}
