import { join } from "node:path";
import { EMPTY_BOOK, applyChange, indexKeys } from "../../core/mod.ts";
import type { AccountBook, AccountChange, AccountKeeper, Accounts } from "../../core/mod.ts";
import { DataDamaged } from "./errors.ts";
import type { Health } from "./errors.ts";
import type { FileSystem } from "./fs.ts";
import { parseBook } from "./parse_accounts.ts";
import { readDocument, replaceDocument } from "./replace.ts";
import type { Document } from "./replace.ts";

/** Keys and accounts in one file, which each change replaces as a whole. */
export interface AccountFile extends Accounts, AccountKeeper {
  /** All plans, accounts and keys. */
  book(): AccountBook;
  /** The content of the file. */
  document(): Document;
  /** Applies all changes or none. Resolves when the changed book is on the device and in force. */
  update(changes: readonly AccountChange[]): Promise<AccountBook>;
  /** Waits for changes that are being made. */
  close(): Promise<void>;
}

interface AccountDocument extends Document {
  readonly storeId: string;
  /** Number of changes so far. */
  readonly rev: number;
  readonly book: unknown;
}

const SCHEMA = 1;

/** Name of the file of accounts, and of its version before the last change. */
export const ACCOUNTS = "accounts.json";
export const PREVIOUS_ACCOUNTS = "accounts.prev.json";

/** Reads the accounts of a store; an empty book for a new one. Throws when the file is damaged. */
export async function readAccounts(
  fs: FileSystem,
  directory: string,
  storeId: string,
  name: string = ACCOUNTS,
): Promise<{ book: AccountBook; rev: number }> {
  const path = join(directory, name);
  const previous = join(directory, PREVIOUS_ACCOUNTS);
  const todo = `The version before the last change is "${previous}": the repair command puts it in its place; or restore a backup`;
  const document = (await readDocument(fs, path, "accounts", SCHEMA, todo)) as AccountDocument | undefined;
  if (!document) return { book: EMPTY_BOOK, rev: 0 };
  if (document.storeId !== storeId) throw new DataDamaged(path, `belongs to the store "${document.storeId}"`, todo);
  try {
    return { book: parseBook(document.book), rev: document.rev };
  } catch (error) {
    throw new DataDamaged(path, `is damaged: ${String(error)}`, todo);
  }
}

/** Opens the accounts of a store to read and change them. */
export async function openAccounts(fs: FileSystem, health: Health, directory: string, storeId: string): Promise<AccountFile> {
  let { book, rev } = await readAccounts(fs, directory, storeId);
  // A change that was written but not synced must not be shown, as a power cut could undo it.
  await health.synced(fs.syncDirectory(directory));
  let holders = indexKeys(book);
  let last: Promise<unknown> = Promise.resolve();

  const documentOf = (rev: number, book: AccountBook): AccountDocument => ({ kind: "accounts", schema: SCHEMA, storeId, rev, book });

  async function replace(changes: readonly AccountChange[]): Promise<AccountBook> {
    if (health.failed) throw health.fail(undefined);
    const changed = changes.reduce(applyChange, book);
    await replaceDocument(fs, health, join(directory, ACCOUNTS), documentOf(rev + 1, changed), join(directory, PREVIOUS_ACCOUNTS));
    book = changed;
    holders = indexKeys(book);
    rev++;
    return book;
  }

  return {
    find: (id) => holders.get(id),
    book: () => book,
    document: () => documentOf(rev, book),
    async update(changes) {
      health.demand();
      // One after the other, so that each is applied to the result of the one before.
      const result = last.then(() => replace(changes));
      last = result.catch(() => {});
      return result;
    },
    async close() {
      await last;
    },
  };
}
