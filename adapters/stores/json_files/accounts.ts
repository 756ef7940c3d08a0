import { join } from "node:path";
import { applyChange } from "../../../core/internal.ts";
import {
  type AccountBook,
  type AccountChange,
  EMPTY_BOOK,
  indexKeys,
  type KeyHolder,
  type KeyId,
} from "../../../core/mod.ts";
import { createQueue } from "../shared/queue.ts";
import type { Folder } from "./data_directory.ts";
import { DataDamaged } from "./errors.ts";
import { type FileSystem, nodeFileSystem } from "./file_system.ts";
import { demandManifest, type Manifest } from "./manifest.ts";
import { readDocument, replaceDocument } from "./replace_document.ts";

/** Keys and accounts in one file. Each change replaces the whole file. */
export type AccountFile = Awaited<ReturnType<typeof openAccounts>>;

/** The file of accounts, and the file with its previous version, which only a repair reads. */
export const ACCOUNTS = "accounts.json";
export const PREVIOUS_ACCOUNTS = "accounts.prev.json";

const REMEDY = "Restore a backup, or run the repair command, which puts back the version before the last change";
const PLAN = { kind: "accounts", schema: 1, remedy: REMEDY };

/**
 * Reads the accounts of a store; empty if the store never wrote any. Throws if the file is damaged. Also throws if the
 * store once wrote the file, but the file is missing: a store that has lost its keys must not look like a new store.
 *
 * @param name The name of the file. Default: the file with the current accounts.
 */
export async function readAccounts(
  fs: FileSystem,
  directory: string,
  { storeId, accounts }: Pick<Manifest, "storeId" | "accounts">,
  name = ACCOUNTS,
): Promise<AccountBook> {
  const path = join(directory, "accounts", name);
  const document = await readDocument<{ readonly storeId: string; readonly book: AccountBook }>(fs, path, PLAN);
  if (!document && !accounts) return EMPTY_BOOK;
  if (!document) throw new DataDamaged(path, "is missing", REMEDY);
  if (document.storeId !== storeId) throw new DataDamaged(path, `belongs to the store "${document.storeId}"`, REMEDY);
  return document.book;
}

/** Reads the accounts of a store without a lock, even while it is in use. Includes every acknowledged change. */
export async function readAccountBook(directory: string, fs: FileSystem = nodeFileSystem): Promise<AccountBook> {
  return readAccounts(fs, directory, await demandManifest(fs, directory));
}

/** Replaces the accounts of the store in a folder. `previous` is the path under which to keep the old file. */
export function replaceAccounts(folder: Folder, storeId: string, book: AccountBook, previous?: string): Promise<void> {
  const path = join(folder.directory, "accounts", ACCOUNTS);
  return replaceDocument(folder, path, { ...PLAN, previous }, { storeId, book });
}

/** Opens the accounts of a store for reading and changing. */
export async function openAccounts(folder: Folder, manifest: Manifest) {
  const { fs, health, directory } = folder;
  const files = join(directory, "accounts");
  let book = await readAccounts(fs, directory, manifest);
  // Data that is only in the page cache must not be served, because it could vanish.
  await health.synced(fs.syncDirectory(files));
  let keys = indexKeys(book);
  const { inTurn, idle } = createQueue();

  async function replace(changes: readonly AccountChange[]): Promise<AccountBook> {
    if (health.failed) throw health.fail(undefined);
    const changed = changes.reduce(applyChange, book);
    await replaceAccounts(folder, manifest.storeId, changed, join(files, PREVIOUS_ACCOUNTS));
    book = changed;
    keys = indexKeys(book);
    return book;
  }

  return {
    find: (id: KeyId): KeyHolder | undefined => keys.get(id),
    book: (): AccountBook => book,
    /** Applies all changes or none. Resolves when the changed book is on disk and in use. */
    async update(changes: readonly AccountChange[]): Promise<AccountBook> {
      health.demand();
      // Updates run one after the other. Each update starts from the result of the previous one.
      return inTurn(() => replace(changes));
    },
    close: idle,
  };
}
