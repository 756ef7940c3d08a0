import type { KeyEntry } from "./accounts.ts";
import type { AccountId, UtcMillis } from "../brand.ts";
import { KEY_RANDOM_BYTES, makeKey } from "./keys.ts";
import type { ApiKey } from "./keys.ts";
import type { Sha256 } from "../ports.ts";

/** What issuing a key needs from outside. */
export interface KeyIssuer {
  readonly randomBytes: (count: number) => Uint8Array;
  readonly sha256: Sha256;
}

/** A new key, to be shown once, and what is kept of it. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly entry: KeyEntry;
}

/** Makes a key for an account. It works once its entry is in the account book. */
export async function issueKey(
  { randomBytes, sha256 }: KeyIssuer,
  grant: { accountId: AccountId; createdAt: UtcMillis; expiresAt?: UtcMillis | null; note?: string },
): Promise<IssuedKey> {
  const { id, key } = makeKey(randomBytes(KEY_RANDOM_BYTES));
  const { accountId, createdAt, expiresAt = null, note = "" } = grant;
  return { key, entry: { id, accountId, digest: await sha256(key), createdAt, expiresAt, revokedAt: null, note } };
}
