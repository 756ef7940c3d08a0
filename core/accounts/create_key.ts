import type { AccountId, AssetCode } from "../branded_types.ts";
import type { Clock, Sha256 } from "../ports.ts";
import { checkedTime, formatTimestamp } from "../time/timestamps.ts";
import type { AccountKeeper } from "./account_changes.ts";
import type { AccountBook, KeyEntry, KeyRights } from "./accounts.ts";
import { type ApiKey, KEY_RANDOM_BYTES, makeKey } from "./keys.ts";
import { type Moment, readMoment } from "./parse_moment.ts";

/** The ports needed to issue a key. */
export interface KeyIssuer {
  readonly randomBytes: (count: number) => Uint8Array;
  readonly sha256: Sha256;
}

/** A new key, which is shown only once, and its entry for the account book. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly entry: KeyEntry;
}

/** Makes a key for an account. The key works once its entry is in the book. Throws `RangeError` for an invalid time. */
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
  const [accountId, digest] = [grant.accountId as AccountId, await sha256(key)];
  return { key, entry: { id, accountId, digest, ...times, revokedAt: null, note, ...scope } };
}

/** Options of a new key. */
export interface NewKeyOptions {
  /** The plan of a new account. An existing account must already have this plan. The default is `FREE_STARTER`. */
  readonly plan?: string;
  /** When the key ends: a `Date`, or ISO 8601 with `Z` or an offset. Default: never. */
  readonly expiresAt?: Moment | null;
  readonly note?: string;
  /** Default `read`. */
  readonly may?: KeyRights;
  /** The assets that the key may write. Default: all. */
  readonly codes?: readonly AssetCode[];
}

/**
 * Makes a key for an account. Adds the account if it does not exist. The key works when the promise resolves. Only this
 * call returns the key, because the book has only the key's digest. Throws `RangeError` if the name or plan is invalid,
 * the account has another plan, the end is not in the future, or `codes` is given for a key that may not write.
 */
export async function createKey(
  keeper: AccountKeeper,
  issuer: KeyIssuer & { readonly clock: Clock },
  account: string,
  options: NewKeyOptions = {},
): Promise<ApiKey> {
  return (await addKey(keeper, issuer, account, options)).key;
}

/** Like `createKey`, but also returns the entry of the key and the changed book. */
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
    throw new RangeError(
      `Cannot make a key because it must end in the future: received "${formatTimestamp(expiresAt)}"`,
    );
  const book = await keeper.update([{ op: "key.create", entry: issued.entry, ...(plan !== undefined && { plan }) }]);
  return { ...issued, book };
}
