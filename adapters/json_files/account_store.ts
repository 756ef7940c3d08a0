import { join } from "node:path";
import { EMPTY_BOOK } from "../../core/mod.ts";
import type { AccountBook, Clock } from "../../core/mod.ts";
import { openAccounts, readAccounts } from "./accounts.ts";
import { BACKUP, prepareDirectory } from "./directory.ts";
import { StoreError } from "../store/store_error.ts";
import { createHealth } from "./errors.ts";
import { nodeFileSystem } from "./fs.ts";
import type { FileSystem } from "./fs.ts";
import type { StoreAccess } from "./lock/access.ts";
import { HEARTBEAT_MS, acquireLock } from "./lock/lock.ts";
import { demandManifest, openManifest } from "./manifest.ts";

/** The accounts of a store, opened without its observations and counters. */
export interface AccountStore extends Pick<StoreAccess, "book" | "update"> {
  /** Waits for changes that are being made, and releases the directory. May be called again. */
  close(): Promise<void>;
}

/**
 * Opens only the accounts of the store in `directory`, which is created if there is none. Takes milliseconds,
 * however many observations there are. Owns the directory until `close` without answering other processes,
 * which wait for that: close it soon. Throws as `openJsonFiles` does, except for damage in files that it does not read.
 */
export async function openAccountStore(
  directory: string,
  { clock, fs = nodeFileSystem }: { readonly clock: Clock; readonly fs?: FileSystem },
): Promise<AccountStore> {
  const health = createHealth(() => {});
  const now = clock();
  await prepareDirectory(fs, health, directory);
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
 * process owns the store; every change that was acknowledged is in the result.
 */
export async function readAccountBook(directory: string, fs: FileSystem = nodeFileSystem): Promise<AccountBook> {
  if ((await fs.list(directory)).includes(BACKUP)) {
    throw new StoreError(`Cannot read accounts as "${directory}" is a backup. Make a store of it with the restore command`, 65);
  }
  return (await readAccounts(fs, join(directory, "accounts"), await demandManifest(fs, directory))) ?? EMPTY_BOOK;
}
