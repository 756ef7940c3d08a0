import { join } from "node:path";
import type { AccountBook, Clock } from "../../core/mod.ts";
import { openAccounts, readAccounts } from "./accounts.ts";
import { BACKUP, prepareDirectory } from "./directory.ts";
import { StoreError } from "../store/store_error.ts";
import { createHealth } from "./errors.ts";
import { nodeFileSystem } from "./fs.ts";
import type { FileSystem } from "./fs.ts";
import type { StoreAccess } from "./lock/control.ts";
import { acquireLock } from "./lock/lock.ts";
import { lostDirectories, openManifest, readManifest } from "./manifest.ts";

/** The accounts of a store, opened without its observations and counters. */
export interface AccountStore extends Pick<StoreAccess, "book" | "update"> {
  /** Waits for changes that are being made, and releases the directory. May be called again. */
  close(): Promise<void>;
}

const HEARTBEAT_MS = 5_000;

/**
 * Opens only the accounts of the store in `directory`, which is created if there is none. Takes milliseconds,
 * however many observations there are. Holds the directory until `close` without answering other processes,
 * which wait for that: close it soon. Throws as `openJsonFiles` does, except for damage in files that it does not read.
 */
export async function openAccountStore(
  directory: string,
  { clock, fs = nodeFileSystem }: { readonly clock: Clock; readonly fs?: FileSystem },
): Promise<AccountStore> {
  const health = createHealth(() => {});
  const now = clock();
  await prepareDirectory(fs, health, directory, (missing) => lostDirectories(fs, directory, missing));
  const lock = await acquireLock(fs, directory, { now, heartbeatMs: HEARTBEAT_MS, onLost: (error) => void health.fail(error) });
  try {
    const manifest = await openManifest(fs, health, directory, now);
    const accounts = await openAccounts(fs, health, join(directory, "accounts"), manifest);
    let closing: Promise<void> | undefined;
    return {
      book: async () => accounts.book(),
      update: accounts.update,
      close: () => (closing ??= accounts.close().then(() => lock.close())),
    };
  } catch (error) {
    await lock.close();
    throw error;
  }
}

/**
 * Reads the accounts of the store in `directory` without a lock, and changes nothing. Works while another
 * process holds the store; every change that was acknowledged is in the result.
 */
export async function readAccountBook(directory: string, fs: FileSystem = nodeFileSystem): Promise<AccountBook> {
  if ((await fs.list(directory)).includes(BACKUP)) {
    throw new StoreError(`Cannot read accounts as "${directory}" is a backup. Make a store of it with the restore command`, 65);
  }
  const manifest = await readManifest(fs, directory);
  if (!manifest) throw new StoreError(`Cannot read a store as there is none in "${directory}"`, 65);
  return (await readAccounts(fs, join(directory, "accounts"), manifest)).book;
}
