import type { AccountBook, KeyEntry } from "./accounts.ts";
import type { AccountId, UtcMillis } from "../brand.ts";
import type { AccountKeeper } from "./changes.ts";
import { KEY_RANDOM_BYTES, makeKey } from "./keys.ts";
import type { ApiKey } from "./keys.ts";
import type { Clock, Sha256 } from "../ports.ts";

/** What issuing a key needs from outside. */
export interface KeyIssuer {
  readonly randomBytes: (count: number) => Uint8Array;
  readonly sha256: Sha256;
}

/** A new key, to be shown once, and its entry for the account book. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly entry: KeyEntry;
}

/** Makes a key for an account. The key works once its entry is in the account book. */
export async function issueKey(
  { randomBytes, sha256 }: KeyIssuer,
  grant: { accountId: AccountId; createdAt: UtcMillis; expiresAt?: UtcMillis | null; note?: string },
): Promise<IssuedKey> {
  const { id, key } = makeKey(randomBytes(KEY_RANDOM_BYTES));
  const { accountId, createdAt, expiresAt = null, note = "" } = grant;
  return { key, entry: { id, accountId, digest: await sha256(key), createdAt, expiresAt, revokedAt: null, note } };
}

/** Optional properties of a new key. */
export interface NewKeyOptions {
  /** Plan that the account must have; a new account gets it. Default: the one it has, `FREE_STARTER` where it is new. */
  readonly plan?: string;
  /** When the key ends. Default: never. */
  readonly expiresAt?: UtcMillis | null;
  readonly note?: string;
}

/**
 * Makes a key for an account, and the account if there is none of that name. The key works when the promise
 * resolves. It is returned only here: the book has its digest.
 *
 * @throws RangeError for a name or a plan that is not allowed, or an account that has another plan.
 */
export async function createKey(
  keeper: AccountKeeper,
  issuer: KeyIssuer & { readonly clock: Clock },
  account: string,
  options: NewKeyOptions = {},
): Promise<ApiKey> {
  return (await addKey(keeper, issuer, account, options)).key;
}

/** As `createKey`; also returns the entry of the key and the book with it. */
export async function addKey(
  keeper: AccountKeeper,
  issuer: KeyIssuer & { readonly clock: Clock },
  account: string,
  { plan, ...grant }: NewKeyOptions,
): Promise<IssuedKey & { readonly book: AccountBook }> {
  const accountId = account as AccountId; // `applyChange` checks the name.
  const issued = await issueKey(issuer, { ...grant, accountId, createdAt: issuer.clock() });
  const book = await keeper.update([{ op: "key.create", entry: issued.entry, ...(plan !== undefined && { plan }) }]);
  return { ...issued, book };
}
