import { join } from "node:path";
import { applyChange } from "../../core/internal.ts";
import { EMPTY_BOOK, indexKeys } from "../../core/mod.ts";
import type { AccountBook, AccountChange, AccountKeeper, Accounts } from "../../core/mod.ts";
import { DataDamaged } from "./errors.ts";
import type { Health } from "./errors.ts";
import type { FileSystem } from "./fs.ts";
import type { Manifest } from "./manifest.ts";
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

/** What the file of accounts holds. */
export interface AccountDocument extends Document {
  readonly storeId: string;
  /** Number of changes so far. */
  readonly rev: number;
  readonly book: unknown;
}

const SCHEMA = 1;

/** Name of the file of accounts, and of its version before the last change. */
export const ACCOUNTS = "accounts.json";
export const PREVIOUS_ACCOUNTS = "accounts.prev.json";

const USE_PREVIOUS = `The repair command puts the version before the last change, "${PREVIOUS_ACCOUNTS}", in its place; or restore a backup`;
const GIVE_UP = "Restore a backup; the repair command gives up all accounts and keys";
const USE_BACKUP = "Restore a backup";
const ONLY_FOR_REPAIR = `It is needed only to repair "${ACCOUNTS}", and the next change of an account makes it anew`;

/** What a store's manifest says of its accounts. */
type AccountOwner = Pick<Manifest, "storeId" | "accounts">;

/** Accounts as a file holds them; `found` tells whether there is one. */
export interface ReadAccounts {
  readonly book: AccountBook;
  readonly rev: number;
  readonly found: boolean;
}

/**
 * Reads the accounts of a store; none for a store that has never had any. Throws when the file is damaged, older
 * than the version before it, or missing although the store has written one: nobody's key may be guessed.
 */
export async function readAccounts(fs: FileSystem, directory: string, { storeId, accounts }: AccountOwner): Promise<ReadAccounts> {
  const path = join(directory, ACCOUNTS);
  // First, as another process may change the accounts meanwhile: what is read later is not older.
  const previous = await readFile(fs, join(directory, PREVIOUS_ACCOUNTS), ONLY_FOR_REPAIR).catch((error: unknown) => {
    if (!(error instanceof DataDamaged)) throw error; // Only a repair needs it.
    return "damaged" as const;
  });
  const usable = previous !== "damaged" && previous?.storeId === storeId ? previous : undefined;
  const remedy = usable ? USE_PREVIOUS : USE_BACKUP;
  const current = await readVersion(fs, path, storeId, remedy);
  if (!current.found && (accounts || previous)) throw new DataDamaged(path, "is missing", previous ? remedy : GIVE_UP);
  if (usable && usable.rev > current.rev) throw new DataDamaged(path, `is older than "${PREVIOUS_ACCOUNTS}" beside it`, remedy);
  return current;
}

/** Reads the accounts before the last change. */
export function readPreviousAccounts(fs: FileSystem, directory: string, storeId: string): Promise<ReadAccounts> {
  return readVersion(fs, join(directory, PREVIOUS_ACCOUNTS), storeId, ONLY_FOR_REPAIR);
}

async function readVersion(fs: FileSystem, path: string, storeId: string, remedy: string): Promise<ReadAccounts> {
  const document = await readFile(fs, path, remedy);
  if (!document) return { book: EMPTY_BOOK, rev: 0, found: false };
  if (document.storeId !== storeId) throw new DataDamaged(path, `belongs to the store "${document.storeId}"`, remedy);
  try {
    return { book: parseBook(document.book), rev: document.rev, found: true };
  } catch (error) {
    throw new DataDamaged(path, `is damaged: ${String(error)}`, remedy);
  }
}

function readFile(fs: FileSystem, path: string, remedy: string): Promise<AccountDocument | undefined> {
  return readDocument(fs, path, { kind: "accounts", schema: SCHEMA, remedy }) as Promise<AccountDocument | undefined>;
}

/** The content of the file of accounts. */
export function accountDocument(storeId: string, rev: number, book: AccountBook): AccountDocument {
  return { kind: "accounts", schema: SCHEMA, storeId, rev, book };
}

/** Opens the accounts of a store for reading and changing. */
export async function openAccounts(fs: FileSystem, health: Health, directory: string, owner: AccountOwner): Promise<AccountFile> {
  const { storeId } = owner;
  let { book, rev } = await readAccounts(fs, directory, owner);
  // What only the page cache holds must not be shown and then vanish.
  await health.synced(fs.syncDirectory(directory));
  let holders = indexKeys(book);
  let last: Promise<unknown> = Promise.resolve();

  async function replace(changes: readonly AccountChange[]): Promise<AccountBook> {
    if (health.failed) throw health.fail(undefined);
    const changed = changes.reduce(applyChange, book);
    await replaceDocument(fs, health, join(directory, ACCOUNTS), accountDocument(storeId, rev + 1, changed), join(directory, PREVIOUS_ACCOUNTS));
    book = changed;
    holders = indexKeys(book);
    rev++;
    return book;
  }

  return {
    find: (id) => holders.get(id),
    book: () => book,
    document: () => accountDocument(storeId, rev, book),
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
