/** A key with its prefix. Also matches keys of other services, which people paste by mistake. */
const WITH_PREFIX = /(mz_live_[0-9a-z]{8}_|[0-9a-z]{0,12}_live_|[0-9a-z]{1,12}_test_(?=\w{16}))\w+/gi;
/** A part of every such key. Searching for this part first is ten times as fast if a text has no key. */
const MARK = /live_|test_/i;
/** The prefix of a key, alone or with the public id. Messages and help texts may show both. */
const PUBLIC = /^mz_live_[0-9A-Za-z]{0,8}_?$/;
/** A secret without a prefix. Our secrets have 43 base62 digits, or 49 with the checksum. Other keys are shorter. */
const SECRET = /[0-9A-Za-z]{33,}/g;
/** A percent-encoded letter, digit or underscore, encoded once or several times. */
const ESCAPED = /%(?:25)*(3\d|[46][1-9a-f]|5[0-9af]|7[0-9a])/gi;
/** No secrets: SHA-256 digests, and texts with only digits, only lower-case or only upper-case letters, as in names. */
const NO_SECRET = /^(?:[0-9a-f]{64}|[0-9]+|[a-z]+|[A-Z]+)$/;

/**
 * Masks everything that looks like an API key: a key becomes `mz_live_3kT9xQ2a_…`, a secret without its prefix becomes
 * `…`. A client or an operator may have put a key in the wrong place. Does not mask SHA-256 digests in hexadecimal.
 * If a key is percent-encoded, the text is decoded.
 *
 * @param shown A key that is not masked. Default: all keys are masked.
 */
export function maskKeys(text: string, shown?: string): string {
  // Decoded only once. A text whose escapes contain escapes could otherwise take a second.
  const decoded = text.includes("%") ? text.replace(ESCAPED, (_, hex) => decodeURIComponent(`%${hex}`)) : text;
  const withoutKeys = MARK.test(decoded)
    ? decoded.replace(WITH_PREFIX, (found, prefix: string) =>
        found === shown || PUBLIC.test(found) ? found : `${prefix}…`,
      )
    : decoded;
  const masked = withoutKeys.replace(SECRET, (found) =>
    shown?.endsWith(found) || NO_SECRET.test(found) ? found : "…",
  );
  return masked === decoded ? text : masked;
}
