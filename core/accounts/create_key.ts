import { FREE_STARTER, withAccount, withKey } from "./accounts.ts";
import type { AccountBook } from "./accounts.ts";
import type { AccountId, UtcMillis } from "../brand.ts";
import { issueKey } from "./issue_key.ts";
import type { KeyIssuer } from "./issue_key.ts";
import type { ApiKey } from "./keys.ts";
import type { Clock, MaybePromise } from "../ports.ts";

/** A book of accounts that can be changed: both stores of this package have one. */
export interface AccountKeeper {
  /** Replaces the book by what `change` makes of it, as one act; rejects when `change` throws. */
  update(change: (book: AccountBook) => AccountBook): MaybePromise<AccountBook>;
}

/** What may be said of a new key. */
export interface NewKeyOptions {
  /** Plan of the account, where it is new. Default `FREE_STARTER`. */
  readonly plan?: string;
  /** When the key ends. Default: never. */
  readonly expiresAt?: UtcMillis | null;
  readonly note?: string;
}

/**
 * Makes a key for an account, and the account where there is none of that name. The key is in force
 * when the promise settles; it is shown here and never again.
 *
 * @throws RangeError for a name or a plan that the book does not take.
 */
export async function createKey(
  keeper: AccountKeeper,
  issuer: KeyIssuer & { readonly clock: Clock },
  account: string,
  { plan = FREE_STARTER.name, expiresAt = null, note = "" }: NewKeyOptions = {},
): Promise<ApiKey> {
  const accountId = account as AccountId; // `withAccount` checks the name.
  const { key, entry } = await issueKey(issuer, { accountId, createdAt: issuer.clock(), expiresAt, note });
  await keeper.update((book) => {
    const known = book.accounts.some(({ id }) => id === accountId);
    return withKey(known ? book : withAccount(book, { id: accountId, plan, status: "ACTIVE" }), entry);
  });
  return key;
}
