import type { UtcMillis } from "../branded_types.ts";
import { refusal } from "../http/credentials.ts";
import type { Failure } from "../http/errors.ts";
import { after } from "../maybe_promise.ts";
import type { Accounts, MaybePromise, Sha256 } from "../ports.ts";
import { err, ok, type Result } from "../result.ts";
import { MINUTE_MS } from "../time/durations.ts";
import type { KeyHolder } from "./accounts.ts";
import { digestMatches, KEY_LENGTH, keyId, parseKey } from "./keys.ts";

/** The failure that a caller with a refused key receives. */
export interface KeyRefusal extends Failure {
  /** For the log: the holder of the key, if the key is correct but was revoked or has expired. */
  readonly holder?: KeyHolder;
}

type Ports = Readonly<{ accounts: Accounts; sha256: Sha256 }>;
type Verified = MaybePromise<Result<KeyHolder, KeyRefusal>>;

const INVALID: Result<never, KeyRefusal> = /* @__PURE__ */ refusal("API_KEY_INVALID");

const MAX_VERIFIED = 10_000;

/**
 * Makes the function that finds a key's holder. Clients get the same failure for malformed, unknown, expired and
 * revoked keys. The status of the account is not checked.
 *
 * Keeps the digest of a verified key until the clock's minute ends, because computing a digest takes longer than all
 * other work for a cached answer. The key's account, expiry and revocation are looked up each time.
 */
export function createKeyVerifier({ accounts, sha256 }: Ports): (text: string, now: UtcMillis) => Verified {
  /** Digests by key. A look-up's duration reveals no part of a key: a Map compares only texts with equal hashes. */
  const verified = new Map<string, string>();
  let minute = NaN;

  function verifyDigest(text: string, now: UtcMillis, holder: KeyHolder | undefined): Verified {
    return after(sha256(text), (digest) => {
      // Compares digests even for an unknown id, so that the response time does not reveal which ids exist.
      if (!digestMatches(digest, holder?.key.digest) || !holder) return INVALID;
      if (verified.size >= MAX_VERIFIED) verified.clear();
      verified.set(text, digest);
      return inForce(holder, now);
    });
  }

  return (text, now) => {
    if (Math.floor(now / MINUTE_MS) !== minute) verified.clear();
    minute = Math.floor(now / MINUTE_MS);
    if (text.length !== KEY_LENGTH) return INVALID;
    const known = verified.get(text);
    if (known === undefined && !parseKey(text)) return INVALID;
    return after(accounts.find(keyId(text)), (holder) =>
      // If the key has been replaced since the digest was kept, the stored digest differs.
      holder && known === holder.key.digest ? inForce(holder, now) : verifyDigest(text, now, holder),
    );
  };
}

function inForce(holder: KeyHolder, now: UtcMillis): Result<KeyHolder, KeyRefusal> {
  const { expiresAt, revokedAt } = holder.key;
  if (revokedAt === null && (expiresAt === null || now < expiresAt)) return ok(holder);
  return INVALID.ok ? INVALID : err({ ...INVALID.error, holder });
}
