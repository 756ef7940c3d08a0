import type { UtcMillis } from "../branded_types.ts";
import { refusal } from "../http/credentials.ts";
import type { Failure } from "../http/errors.ts";
import { after, afterWith } from "../maybe_promise.ts";
import type { Accounts, MaybePromise, Sha256 } from "../ports.ts";
import { err, ok, type Result } from "../result.ts";
import { MINUTE_MS } from "../time/durations.ts";
import type { KeyHolder } from "./accounts.ts";
import { digestMatches, KEY_LENGTH, keyId, parseKey } from "./keys.ts";

/** What verifying a key needs from outside. */
export interface KeyVerifierPorts {
  readonly accounts: Accounts;
  readonly sha256: Sha256;
}

/**
 * Finds whom a key belongs to. Keys that are malformed, unknown, expired or revoked fail alike. Does not check
 * the account's status.
 */
export type VerifyKey = (text: string, now: UtcMillis) => MaybePromise<Result<KeyHolder, KeyRefusal>>;

/** Why a key is refused. */
export interface KeyRefusal extends Failure {
  /** Whose it was, for the log: of a key that is right, and was revoked or has expired. */
  readonly holder?: KeyHolder;
}

/** A key that is being verified. */
interface Presented {
  readonly text: string;
  readonly now: UtcMillis;
  readonly digest: string | undefined;
}

const INVALID: Result<never, KeyRefusal> = /* @__PURE__ */ refusal("API_KEY_INVALID");

const MAX_VERIFIED = 10_000;

/**
 * Makes the verifier. It keeps the digest of a verified key until the minute is over, as making it takes longer than all else of a
 * cached answer; the key's account, expiry and revocation are looked up each time.
 */
export function createKeyVerifier({ accounts, sha256 }: KeyVerifierPorts): VerifyKey {
  /** Digests by key. How long a look-up takes does not tell how much of a guess is right: a Map compares texts whose hashes are equal. */
  const verified = new Map<string, string>();
  let minute = NaN;

  function verifyDigest(
    text: string,
    now: UtcMillis,
    holder: KeyHolder | undefined,
  ): MaybePromise<Result<KeyHolder, KeyRefusal>> {
    return after(sha256(text), (digest) => {
      // Compared also for an unknown id: how long the answer takes must not tell whether the id exists.
      if (!digestMatches(digest, holder?.key.digest) || !holder) return INVALID;
      if (verified.size >= MAX_VERIFIED) verified.clear();
      verified.set(text, digest);
      return inForce(holder, now);
    });
  }

  /** `digest` comes from an earlier verification; a key that was replaced since has another one. */
  function verifyHolder(
    { text, now, digest }: Presented,
    holder: KeyHolder | undefined,
  ): MaybePromise<Result<KeyHolder, KeyRefusal>> {
    return holder && digest === holder.key.digest ? inForce(holder, now) : verifyDigest(text, now, holder);
  }

  return (text, now) => {
    if (Math.floor(now / MINUTE_MS) !== minute) verified.clear();
    minute = Math.floor(now / MINUTE_MS);
    if (text.length !== KEY_LENGTH) return INVALID;
    const id = keyId(text);
    const digest = verified.get(text);
    if (digest === undefined && !parseKey(text)) return INVALID;
    return afterWith({ text, now, digest }, accounts.find(id), verifyHolder);
  };
}

function inForce(holder: KeyHolder, now: UtcMillis): Result<KeyHolder, KeyRefusal> {
  const { expiresAt, revokedAt } = holder.key;
  if (revokedAt === null && (expiresAt === null || now < expiresAt)) return ok(holder);
  return INVALID.ok ? INVALID : err({ ...INVALID.error, holder });
}
