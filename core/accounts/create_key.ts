import type { AccountId, AssetCode } from "../branded_types.ts";
import type { Clock, Sha256 } from "../ports.ts";
import { checkedTime } from "../time/clock.ts";
import { formatTimestamp } from "../time/timestamps.ts";
import type { AccountKeeper } from "./account_changes.ts";
import type { AccountBook, KeyEntry, KeyRights } from "./accounts.ts";
import { type ApiKey, KEY_RANDOM_BYTES, makeKey } from "./keys.ts";
import { type Moment, readMoment } from "./parse_moment.ts";

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

/**
 * Makes a key for an account. The key works once its entry is in the account book, which checks the name of the account.
 *
 * @throws RangeError for a time that is none.
 */
export async function issueKey(
  { randomBytes, sha256 }: KeyIssuer,
  grant: Omit<NewKeyOptions, "plan"> & { readonly accountId: string; readonly createdAt: Moment },
): Promise<IssuedKey> {
  const { expiresAt = null, note = "", may = "read", codes } = grant;
  const times = {
    createdAt: readMoment("when a key was made", grant.createdAt),
    expiresAt: expiresAt === null ? null : readMoment("the end of a key", expiresAt),
  };
  const { id, key } = makeKey(randomBytes(KEY_RANDOM_BYTES));
  const scope = { ...(may !== "read" && { may }), ...(codes && { codes }) };
  return {
    key,
    entry: {
      id,
      accountId: grant.accountId as AccountId,
      digest: await sha256(key),
      ...times,
      revokedAt: null,
      note,
      ...scope,
    },
  };
}

/** Optional properties of a new key. */
export interface NewKeyOptions {
  /** Plan that the account must have; a new account gets it. Default: the one it has, `FREE_STARTER` where it is new. */
  readonly plan?: string;
  /** When the key ends: a `Date`, or ISO 8601 with `Z` or an offset. Default: never. */
  readonly expiresAt?: Moment | null;
  readonly note?: string;
  /** What it may do. Default `read`. */
  readonly may?: KeyRights;
  /** The assets that it may write. Default: all. */
  readonly codes?: readonly AssetCode[];
}

/**
 * Makes a key for an account, and the account if there is none of that name. The key works when the promise
 * resolves. It is returned only here: the book has its digest.
 *
 * @throws RangeError for a name or a plan that is not allowed, an account that has another plan, an end that is no time
 *   to come, and for codes of a key that may not write.
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
  const createdAt = checkedTime(issuer.clock());
  const issued = await issueKey(issuer, { ...grant, accountId: account, createdAt });
  const { expiresAt } = issued.entry;
  if (expiresAt !== null && expiresAt <= createdAt)
    throw new RangeError(`Cannot make a key as its end is not in the future: received "${formatTimestamp(expiresAt)}"`);
  const book = await keeper.update([{ op: "key.create", entry: issued.entry, ...(plan !== undefined && { plan }) }]);
  return { ...issued, book };
}
