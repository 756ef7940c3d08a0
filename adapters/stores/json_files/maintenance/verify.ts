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
import { type Backup, readBackup } from "./backup.ts";
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
  const reports: FileReport[] = [];
  const add = (file: string, found: Partial<FileReport>) => reports.push({ file, ...NOTHING_FOUND, ...found });

  /** Checks a part of the store. A failure that would prevent opening the store is reported. */
  async function check<T>(part: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const file = part === "lock" && error instanceof DataDamaged ? relative(directory, error.file) : part;
      // If the file cannot be opened, the error says why.
      add(file, { bytes: await sizeOf(fs, join(directory, file)).catch(() => 0), unreadable: error.message });
      return undefined;
    }
  }

  /** Like `check`, for a small file. Reports the file even if it has no faults. */
  const checkDocument = <T>(
    file: string,
    read: () => Promise<T | undefined>,
    badIn: (document: T) => FileReport["bad"] = () => [],
  ): Promise<T | undefined> =>
    check(file, async () => {
      const document = await read();
      if (document) add(file, { bytes: await sizeOf(fs, join(directory, file)), bad: badIn(document) });
      return document;
    });

  const backup = await checkDocument(BACKUP, () => readBackup(fs, directory), damagesOfBackup);
  if (!backup && reports.length > 0) return reports;
  const inUse = async () => !backup && check("lock", async () => (await findOwner(fs, directory)) !== undefined);
  const wasInUse = await inUse();
  const manifest = await checkDocument(MANIFEST, async () => {
    const found = await readManifest(fs, directory, backup !== undefined);
    if (!found) throw new StoreError("There is none", 65);
    return found;
  });
  if (manifest) {
    const { storeId, highWater: marks } = manifest;
    const checkLog = (folder: string, kind: string): Promise<void> => {
      const decode: (line: object) => unknown = folder === "quota" ? decodeQuotaLine : decodeEntry;
      return check(`${folder}/${kind}`, async () => {
        const read = await readLog(fs, join(directory, folder), { kind, storeId, marks, decode, accept() {} });
        reports.push(...(await logReports(fs, directory, folder, read)));
      });
    };
    await checkDocument(`accounts/${ACCOUNTS}`, () => readAccounts(fs, directory, manifest));
    await checkLog("obs", OBSERVATIONS);
    for (const day of quotaDays(await fs.list(join(directory, "quota")), marks)) await checkLog("quota", quotaLog(day));
  }
  // If a process owned the store at the beginning or owns it now, an incomplete write was perhaps in progress.
  const isWriting = wasInUse || (wasInUse === false && (await inUse()));
  return reports.map((report) => (isWriting ? { ...report, torn: null } : report));
}

const NOTHING_FOUND = { bytes: 0, lines: 0, first: null, last: null, unreadable: null, bad: [], torn: null };

function damagesOfBackup({ damages, damagedFiles }: Pick<Backup, "damages" | "damagedFiles">): FileReport["bad"] {
  if (damages === 0) return [];
  const places = `${damages} damaged place${damages === 1 ? "" : "s"}`;
  const reason = `its store had ${places}, in ${damagedFiles.join(", ")}; the damaged files are in quarantine/, everything else is here`;
  return [{ offset: 0, length: 0, reason, line: 1 }];
}

/** Reports on the files of a log, also on missing ones. */
function logReports(fs: FileSystem, directory: string, folder: string, read: ReadLog): Promise<FileReport[]> {
  const { base, segments, unfinished, damages, torn } = read;
  const scanned = [base, ...segments, unfinished].filter((segment) => segment !== undefined);
  const reportOn = async (name: string): Promise<FileReport> => {
    const file = `${folder}/${name}`;
    const locate = async ({ offset, length, reason }: Damage): Promise<FoundDamage> => {
      return { offset, length, reason, line: await lineAt(fs, join(directory, file), offset) };
    };
    const { header, lines = 0, next = 0, size: bytes = 0 } = scanned.find((one) => one.name === name)?.scan ?? {};
    const isNumbered = header && lines > 0 && name !== base?.name;
    const numbers = isNumbered ? { first: header.first, last: next - 1 } : {};
    const bad = await Promise.all(damages.filter((one) => one.file === name).map(locate));
    const ends = [torn, unfinished && { file: unfinished.name, offset: 0, length: unfinished.scan.size, reason: TORN }];
    const end = ends.find((one) => one?.file === name);
    return { file, ...NOTHING_FOUND, bytes, lines, ...numbers, bad, torn: end ? await locate(end) : null };
  };
  const names = new Set([...scanned.map(({ name }) => name), ...damages.map((damage) => damage.file)]);
  return Promise.all([...names].map(reportOn));
}
