import type { KeyHolder } from "./accounts.ts";
import type { UtcMillis } from "./brand.ts";
import { failure } from "./errors.ts";
import type { Failure } from "./errors.ts";
import { headerList } from "./headers.ts";
import { digestMatches, parseKey } from "./keys.ts";
import type { Accounts, Sha256 } from "./ports.ts";
import { err, ok } from "./result.ts";
import type { Result } from "./result.ts";

/** What checking a key needs from outside. */
export interface KeyCheck {
  readonly accounts: Accounts;
  readonly sha256: Sha256;
}

const CHALLENGE = { "WWW-Authenticate": "ApiKey" };
const CREDENTIALS = /^(?:(apikey|bearer|basic|digest|negotiate)(?:\s+|$))?(.*)$/i;

/**
 * Finds the one key that the headers carry: `X-API-Key: KEY` or `Authorization: ApiKey KEY`, or both
 * with the same value. Source: contract, Authentication 1 to 5.
 */
export function presentedKey(headers: readonly string[]): Result<string, Failure> {
  // Fetch joins repeated fields with commas, which no key contains: taken apart, both adapters say the same.
  const keys = new Set(headerList(headers, "x-api-key"));
  let bearer = false;
  let scheme = "";
  for (const credentials of headerList(headers, "authorization")) {
    const [, named, value = ""] = CREDENTIALS.exec(credentials) ?? [];
    // What names no scheme goes on with the one before: `ApiKey a, b` are two keys.
    scheme = named?.toLowerCase() ?? scheme;
    if (scheme === "apikey" && value !== "") keys.add(value);
    if (scheme === "bearer") bearer = true;
  }
  if (keys.size > 1 || (keys.size === 1 && bearer)) return err(failure("CONFLICTING_CREDENTIALS", undefined, CHALLENGE));
  const [key] = keys;
  return key === undefined ? err(failure("API_KEY_MISSING", undefined, CHALLENGE)) : ok(key);
}

/**
 * Finds whom a key belongs to. A key that is malformed, unknown, expired or revoked fails in one and
 * the same way. Whether the account may be served is not asked here.
 */
export async function authenticate(key: string, check: KeyCheck, now: UtcMillis): Promise<Result<KeyHolder, Failure>> {
  const invalid = err(failure("API_KEY_INVALID", undefined, CHALLENGE));
  const presented = parseKey(key);
  if (!presented) return invalid;
  const holder = await check.accounts.find(presented.id);
  const digest = await check.sha256(presented.key);
  // Also for an unknown id: how long the answer takes must not tell whether the id exists.
  if (!digestMatches(digest, holder?.key.digest) || !holder) return invalid;
  const { expiresAt, revokedAt } = holder.key;
  if (revokedAt !== null || (expiresAt !== null && now >= expiresAt)) return invalid;
  return ok(holder);
}
