import type { Brand, KeyId } from "../branded_types.ts";
import { crc32 } from "../bytes/crc32.ts";
import { base62, base62OfNumber } from "./base62.ts";

/** The full text of an API key, which is a secret. */
export type ApiKey = Brand<string, "ApiKey">;

/** Number of random bytes in a key. */
export const KEY_RANDOM_BYTES = 38;

const PREFIX = "mz_live_";
const SHAPE = /^mz_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/;
const CHECKSUM_DIGITS = 6;
const UNKNOWN_DIGEST = "0".repeat(64);

/**
 * Makes a key, `mz_live_<id, 8>_<secret, 43><checksum, 6>`. All three parts are base62.
 *
 * @param random 38 random bytes: 6 for the public id, 32 for the secret.
 */
export function makeKey(random: Uint8Array): { readonly id: KeyId; readonly key: ApiKey } {
  if (random.length !== KEY_RANDOM_BYTES)
    throw new RangeError(
      `Cannot make a key because ${KEY_RANDOM_BYTES} random bytes are needed: received "${random.length}"`,
    );
  // The id has 47 bits, the most that always fit into eight base62 digits: 62^8 > 2^47.
  const idBytes = random.slice(0, 6);
  idBytes[0]! &= 0x7f;
  const id = base62(idBytes, 8);
  const body = `${PREFIX}${id}_${base62(random.subarray(6), 43)}`;
  return { id: id as KeyId, key: `${body}${checksum(body)}` as ApiKey };
}

/** Number of characters of a key. */
export const KEY_LENGTH = PREFIX.length + 8 + 1 + 43 + CHECKSUM_DIGITS;

/** The public id in a text that has the length of a key, but may be malformed. */
export function keyId(text: string): KeyId {
  return text.slice(PREFIX.length, PREFIX.length + 8) as KeyId;
}

/** The public id of a key with the right shape and checksum, so that typing errors are found without a look-up. */
export function parseKey(text: string): KeyId | undefined {
  const isKey = SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_DIGITS)) === text.slice(-CHECKSUM_DIGITS);
  return isKey ? keyId(text) : undefined;
}

/** Compares digests in constant time. For an unknown id the stored digest is `undefined`, which never matches. */
export function digestMatches(presented: string, stored: string | undefined): boolean {
  const expected = stored ?? UNKNOWN_DIGEST;
  let difference = presented.length ^ expected.length;
  for (let i = 0; i < presented.length; i++) difference |= presented.charCodeAt(i) ^ expected.charCodeAt(i);
  return difference === 0 && stored !== undefined;
}

function checksum(body: string): string {
  return base62OfNumber(crc32(body), CHECKSUM_DIGITS);
}
