import { join } from "node:path";
import { Unavailable, indexKeys } from "../../core/mod.ts";
import type { AccountId, CalendarDate } from "../../core/mod.ts";
import { StoreError } from "../store/store_error.ts";
import type { FileSystem } from "./fs.ts";
import { listEntries } from "./imports/import_files.ts";
import { findMatching } from "./imports/current_records.ts";
import type { StoreAccess } from "./lock/access.ts";
import { readUsage } from "./quota/usage.ts";
import { readJsonFiles } from "./read_store.ts";
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
 * units, as none is served that is not counted. It has no lock, as it has nothing to protect: another process
 * that can write may open the store meanwhile, and what it writes is seen when this one opens it again.
 */
export async function openReadOnly(directory: string, fs: FileSystem, reason: string): Promise<JsonFileStore> {
  const { storeId, book, observations, damages, torn } = await readJsonFiles(directory, fs);
  const keys = indexKeys(book);

  function refuse(): never {
    throw new Unavailable(`Cannot write as the store was opened read-only: ${reason}`);
  }
  const reject = async (): Promise<never> => refuse();

  async function used(account: AccountId, date: CalendarDate): Promise<number> {
    const usage = (await readUsage(directory, { from: date, fs, open: [] })).find(({ day }) => day === date);
    if (usage?.damaged) throw new Unavailable(`Cannot tell the units of ${date} as its file is damaged`);
    return usage?.accounts.find((one) => one.account === account)?.units ?? 0;
  }

  const access: StoreAccess = {
    ...{ append: reject, update: reject, compact: reject, used },
    coverage: async (codes) => observations.coverage(codes),
    book: async () => book,
    usage: async () => [],
    info: async () => ({ storeId, pid: process.pid, generation: 0, version: await observations.version(), damages: damages.length }),
    status: async () => undefined,
    imports: {
      ...{ begin: reject, append: reject, finish: reject, undo: reject, withdraw: reject },
      matching: async (selection) => findMatching(observations.records(), selection),
      list: () => listEntries(fs, join(directory, "imports"), storeId, observations.records),
      around: async (keysOf) => keysOf.map(({ code, businessTime }) => observations.around(code, businessTime)),
    },
  };
  return {
    ...{ storeId, damages, torn, access },
    readOnly: reason,
    condition: () => ({ problem: { kind: "read-only", message: `The store was opened read-only: ${reason}` }, syncs: 0, syncSeconds: 0 }),
    warnings: [`The data is served read-only, and units cannot be counted: ${reason}. Once it can be written, serve opens it anew by itself, and an app of your own must do so`],
    observations: { ...observations, append: reject, remove: reject },
    accounts: { find: (id) => keys.get(id), book: () => book, update: reject },
    quota: { take: refuse, giveBack: refuse, used },
    compact: reject,
    close: async () => {},
  };
}
