import { join } from "node:path";
import { readAccounts } from "../accounts.ts";
import { logDirectory } from "../directory.ts";
import { HolderGone, HolderLeft, StoreError } from "../errors.ts";
import { nodeFileSystem, readWhole } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { connectToStore } from "../lock/control_client.ts";
import { decodeObservation } from "../log/observation_line.ts";
import { isOneGroup } from "../log/open_log.ts";
import { TORN } from "../log/scan.ts";
import type { Damage } from "../log/scan.ts";
import { isUnfinished, listLogs, scanSegments } from "../log/segments.ts";
import type { Segment } from "../log/segments.ts";
import { MANIFEST, readManifest } from "../manifest.ts";
import { OBSERVATIONS } from "../observations.ts";
import { decodeQuotaLine } from "../quota/quota_line.ts";
import { fileSystemAt } from "./point_in_time.ts";
import type { PointInTime } from "./point_in_time.ts";

/** What was found in one file of a store. */
export interface FileReport {
  /** Its path within the store. */
  readonly file: string;
  readonly bytes: number;
  /** Good lines after the header. */
  readonly lines: number;
  /** Sequence numbers of the first and the last line; `null` where there is none. */
  readonly first: number | null;
  readonly last: number | null;
  /** Lines that cannot be served. */
  readonly bad: readonly Damage[];
  /** An incomplete write at the end: the next start cuts it off. */
  readonly torn: Damage | null;
  /** Why the store cannot be opened because of this file, if so. */
  readonly unreadable: string | null;
}

/** What was found in a store. */
export interface StoreReport {
  /** 0: all is well. 1: incomplete writes only. 2: bad or missing lines. 3: the store cannot be read. */
  readonly state: 0 | 1 | 2 | 3;
  readonly files: readonly FileReport[];
}

/**
 * Checks every byte of the store in `directory`, or of a backup, and changes nothing. While a process holds
 * the store, it checks all that was acknowledged before this call.
 */
export async function verifyStore(directory: string, fs: FileSystem = nodeFileSystem): Promise<StoreReport> {
  const pointInTime = await pointInTimeOfHolder(fs, directory);
  const files = await checkAll(pointInTime ? fileSystemAt(fs, directory, pointInTime) : fs, directory);
  const state = files.some(({ unreadable }) => unreadable !== null) ? 3
    : files.some(({ bad }) => bad.length > 0) ? 2
    : files.some(({ torn }) => torn !== null) ? 1
    : 0;
  return { state, files };
}

async function pointInTimeOfHolder(fs: FileSystem, directory: string): Promise<PointInTime | undefined> {
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

async function checkAll(fs: FileSystem, directory: string): Promise<FileReport[]> {
  const files: FileReport[] = [];

  /** Adds the reports of `check`. A failure that would keep the store from opening becomes a report, too. */
  async function add(file: string, check: () => Promise<readonly FileReport[]>): Promise<void> {
    try {
      files.push(...(await check()));
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      files.push({ ...(await documentReport(fs, directory, file)), unreadable: error.message });
    }
  }

  let storeId: string | undefined;
  await add(MANIFEST, async () => {
    storeId = (await readManifest(fs, directory))?.storeId;
    if (storeId === undefined) throw new StoreError("There is none", 65);
    return [await documentReport(fs, directory, MANIFEST)];
  });
  // Without the store's id, its files cannot be told from those of another store.
  if (storeId === undefined) return files;
  const owner = storeId;
  const accounts = "accounts/accounts.json";
  await add(accounts, async () => {
    const { rev } = await readAccounts(fs, join(directory, "accounts"), owner);
    return rev === 0 ? [] : [await documentReport(fs, directory, accounts)];
  });
  for (const log of [OBSERVATIONS, ...(await listLogs(fs, join(directory, "quota")))]) {
    await add(`${logDirectory(log)}/${log}`, () => checkLog(fs, directory, log, owner));
  }
  return files;
}

async function documentReport(fs: FileSystem, directory: string, file: string): Promise<FileReport> {
  const bytes = (await readWhole(fs, join(directory, file)))?.length ?? 0;
  return { file, bytes, lines: 0, first: null, last: null, bad: [], torn: null, unreadable: null };
}

async function checkLog(fs: FileSystem, directory: string, log: string, storeId: string): Promise<FileReport[]> {
  const decode: (line: object) => unknown = log === OBSERVATIONS ? decodeObservation : decodeQuotaLine;
  const segments = await scanSegments(fs, join(directory, logDirectory(log)), { kind: log, storeId, decode, accept() {} });
  // As in openLog: a file that a crash kept from being made may come last, and the file before it may end in a torn write.
  const unfinished = segments.length > 0 && isUnfinished(segments.at(-1)!, log) ? segments.pop() : undefined;
  const reports = await Promise.all(segments.map((segment) => segmentReport(fs, segment, log, segment === segments.at(-1))));
  if (unfinished) reports.push({ ...emptyReport(log, unfinished), torn: { offset: 0, length: unfinished.scan.size, reason: TORN } });
  return reports;
}

function emptyReport(log: string, { name, scan }: Segment): FileReport {
  return { file: `${logDirectory(log)}/${name}`, bytes: scan.size, lines: 0, first: null, last: null, bad: [], torn: null, unreadable: null };
}

async function segmentReport(fs: FileSystem, segment: Segment, log: string, isLast: boolean): Promise<FileReport> {
  const { header, lines, next, damages, torn } = segment.scan;
  // Each file is synced before the next is begun, so only the last can end in a torn write.
  const isTorn = torn !== undefined && isLast && (await isOneGroup(fs, segment, torn));
  return {
    ...emptyReport(log, segment),
    lines,
    ...(header && lines > 0 && { first: header.first, last: next - 1 }),
    bad: torn && !isTorn ? [...damages, torn] : damages,
    torn: isTorn ? torn : null,
  };
}
