import { join } from "node:path";
import { Unavailable, indexKeys } from "../../core/mod.ts";
import type { AccountId, CalendarDate } from "../../core/mod.ts";
import { accountDocument } from "./accounts.ts";
import { logDirectory } from "./directory.ts";
import { StoreError } from "../store/store_error.ts";
import type { FileSystem } from "./fs.ts";
import { listEntries, readImports } from "./imports/list.ts";
import { findMatching } from "./imports/withdraw.ts";
import type { StoreAccess } from "./lock/control.ts";
import { findLostEnd } from "./log/high_water.ts";
import { whileUncompacted } from "./log/base.ts";
import type { LogPosition } from "./log/log.ts";
import { isUnfinished, listLogs, scanSegments } from "./log/segments.ts";
import type { Segment } from "./log/segments.ts";
import { logFilesAt } from "./maintenance/point_in_time.ts";
import type { Manifest } from "./manifest.ts";
import { OBSERVATIONS } from "./observations.ts";
import { decodeQuotaLine, quotaLog } from "./quota/quota_line.ts";
import type { QuotaLine } from "./quota/quota_line.ts";
import { readStoreFiles } from "./read_store.ts";
import type { JsonFileStore } from "./store.ts";

/** Codes of failures to write that say nothing against reading. */
const NOT_WRITABLE = new Set(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"]);

/** Why a store can be read and not written, where this is what a failed open says: a full disk, or no right to write. */
export function notWritable(error: unknown): string | undefined {
  // A store that has failed, e.g. in a sync, has not merely been refused.
  for (let cause = error; cause instanceof Error && !(cause instanceof StoreError); cause = cause.cause) {
    if ("code" in cause && NOT_WRITABLE.has(String(cause.code))) return cause.message;
  }
  return undefined;
}

/**
 * Opens a store that cannot be written, as it is on the disk. Writes throw `Unavailable`; so does the taking of
 * units, as none is served that is not counted. It holds no lock, as it has nothing to protect: another process
 * that can write may open the store meanwhile, and what it writes is seen when this one opens it again.
 */
export async function openReadOnly(directory: string, fs: FileSystem, reason: string): Promise<JsonFileStore> {
  const { manifest, accounts, observations, damages, torn } = await readStoreFiles(directory, fs);
  const { storeId } = manifest;
  const { book, rev } = accounts;
  const holders = indexKeys(book);
  const document = accountDocument(storeId, rev, book);
  const days = new Map<CalendarDate, Promise<ReadonlyMap<AccountId, number>>>();

  function refuse(): never {
    throw new Unavailable(`Cannot write as the store was opened read-only: ${reason}`);
  }
  const reject = async (): Promise<never> => refuse();

  async function used(account: AccountId, date: CalendarDate): Promise<number> {
    let counters = days.get(date);
    if (!counters) days.set(date, (counters = readCounters(fs, directory, manifest, date)));
    return (await counters).get(account) ?? 0;
  }

  const access: StoreAccess = {
    append: reject,
    removeProvider: reject,
    coverage: async (codes) => observations.coverage(codes),
    book: async () => book,
    update: reject,
    used,
    usage: async () => [],
    info: async () => ({ storeId, pid: process.pid, generation: 0, version: await observations.version(), damages: damages.length }),
    status: async () => undefined,
    compact: reject,
    pointInTime: () =>
      whileUncompacted(fs, join(directory, "obs"), async () => {
        const imports = await readImports(fs, join(directory, "imports"), storeId);
        const files = await logFilesAt(fs, directory, () => goodEnds(fs, directory, storeId));
        return { manifest, accounts: document, imports, files };
      }),
    imports: {
      ...{ begin: reject, append: reject, finish: reject, undo: reject },
      withdraw: reject,
      matching: async (selection) => findMatching(observations.records(), selection),
      list: () => listEntries(fs, join(directory, "imports"), storeId, observations.records),
      around: async (keys) => keys.map(({ code, businessTime }) => observations.around(code, businessTime)),
    },
  };
  return {
    ...{ storeId, damages, torn, access },
    readOnly: reason,
    condition: () => ({ problem: { kind: "read-only", message: `The store was opened read-only: ${reason}` }, syncs: 0, syncSeconds: 0 }),
    warnings: [`The data is served read-only, and units cannot be counted: ${reason}. Once it can be written, serve opens it anew by itself, and an app of your own must do so`],
    observations: { ...observations, append: reject, remove: reject },
    accounts: { find: (id) => holders.get(id), book: () => book, document: () => document, update: reject },
    quota: { take: refuse, giveBack: refuse, used },
    compact: reject,
    close: async () => {},
  };
}

/** Units used on a day, by account. Throws `Unavailable` where they cannot be told. */
async function readCounters(fs: FileSystem, directory: string, { storeId, highWater = {} }: Manifest, date: CalendarDate): Promise<ReadonlyMap<AccountId, number>> {
  const counters = new Map<AccountId, number>();
  const accept = ({ account, units }: QuotaLine): void => void counters.set(account, units);
  const kind = quotaLog(date);
  const plan = { kind, storeId, decode: decodeQuotaLine, accept, highWater: highWater[kind] };
  const segments = await scanSegments(fs, join(directory, "quota"), plan);
  const isDamaged = segments.some(({ scan }) => scan.damages.length > 0) || findLostEnd(segments, kind, plan.highWater) !== undefined;
  if (isDamaged) throw new Unavailable(`Cannot count units of ${date} as its file is damaged`);
  return counters;
}

/** Where the good part of each log ends: a write that did not get through behind it belongs to no copy. */
async function goodEnds(fs: FileSystem, directory: string, storeId: string): Promise<ReadonlyMap<string, LogPosition>> {
  const ends = new Map<string, LogPosition>();
  for (const log of [OBSERVATIONS, ...(await listLogs(fs, join(directory, "quota")))]) {
    const segments = await scanSegments(fs, join(directory, logDirectory(log)), { kind: log, storeId, decode: (line): object => line, accept() {} });
    const last = segments.findLast((segment: Segment) => !isUnfinished(segment, log));
    if (last) ends.set(log, { segment: last.number, length: last.scan.end });
  }
  return ends;
}
