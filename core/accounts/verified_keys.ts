import type { KeyHolder } from "./accounts.ts";
import { after } from "../async.ts";
import { refusal } from "../http/credentials.ts";
import type { KeyId, UtcMillis } from "../brand.ts";
import type { Failure } from "../http/errors.ts";
import { KEY_LENGTH, digestMatches, keyId, parseKey } from "./keys.ts";
import type { Accounts, MaybePromise, Sha256 } from "../ports.ts";
import { ok } from "../result.ts";
import type { Result } from "../result.ts";
import { writeAscii } from "../bytes/json_writer.ts";

/** What checking a key needs from outside. */
export interface KeyCheckPorts {
  readonly accounts: Accounts;
  readonly sha256: Sha256;
}

/**
 * Finds whom a key belongs to. A key that is malformed, unknown, expired or revoked fails in one and
 * the same way. Whether the account may be served is not asked here.
 */
export type KeyCheck = (text: string, now: UtcMillis) => MaybePromise<Result<KeyHolder, Failure>>;

/** A key whose digest was found right. */
interface Proven {
  readonly text: Uint8Array;
  readonly digest: string;
  readonly since: UtcMillis;
}

/** For so long a key is known again by its text, without its digest: its account is looked up every time. */
const PROVEN_MS = 60_000;
const MAX_PROVEN = 10_000;
const NO_KEY = new Uint8Array(KEY_LENGTH);
const INVALID = /* @__PURE__ */ refusal("API_KEY_INVALID");

/** Makes the check. It holds keys that were just found right in memory, for a minute of use at most. */
export function createKeyCheck({ accounts, sha256 }: KeyCheckPorts): KeyCheck {
  const proven = new Map<KeyId, Proven>();

  function prove(text: string, now: UtcMillis, holder: KeyHolder | undefined): MaybePromise<Result<KeyHolder, Failure>> {
    return after(sha256(text), (digest) => {
      // Also for an unknown id: how long the answer takes must not tell whether the id exists.
      if (!digestMatches(digest, holder?.key.digest) || !holder) return INVALID;
      if (proven.size >= MAX_PROVEN) proven.clear();
      const bytes = new Uint8Array(KEY_LENGTH);
      writeAscii(bytes, 0, text);
      proven.set(holder.key.id, { text: bytes, digest, since: now });
      return inForce(holder, now);
    });
  }

  return (text, now) => {
    if (text.length !== KEY_LENGTH) return INVALID;
    const before = proven.get(keyId(text));
    // Compared also where there is nothing to compare with, for the same reason as above.
    const isSame = sameText(text, before?.text ?? NO_KEY);
    if (isSame && before && now >= before.since && now < before.since + PROVEN_MS) {
      const found = accounts.find(keyId(text));
      return after(found, (holder) => (holder?.key.digest === before.digest ? inForce(holder, now) : prove(text, now, holder)));
    }
    const presented = parseKey(text);
    return presented ? after(accounts.find(presented.id), (holder) => prove(text, now, holder)) : INVALID;
  };
}

function inForce(holder: KeyHolder, now: UtcMillis): Result<KeyHolder, Failure> {
  const { expiresAt, revokedAt } = holder.key;
  return revokedAt !== null || (expiresAt !== null && now >= expiresAt) ? INVALID : ok(holder);
}

/** Compares in time that does not depend on where two texts of a key's length differ. */
function sameText(presented: string, expected: Uint8Array): boolean {
  let difference = 0;
  for (let i = 0; i < expected.length; i++) difference |= presented.charCodeAt(i) ^ expected[i]!;
  return difference === 0;
}
