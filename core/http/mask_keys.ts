/** A key with its prefix: ours, or of another service, as people paste these by mistake. */
const WITH_PREFIX = /(mz_live_[0-9a-z]{8}_|[0-9a-z]{0,12}_live_|[0-9a-z]{1,12}_test_(?=\w{16}))\w+/gi;
/** A part of every such key; searching it first is ten times as fast for texts without a key. */
const MARK = /live_|test_/i;
/** The public id of a key, or the prefix alone, which messages and help texts may show. */
const PUBLIC = /^mz_live_[0-9A-Za-z]{0,8}_?$/;
/** A secret without a prefix. Ours has 43 base62 digits, and 49 with its checksum; others are shorter. */
const SECRET = /[0-9A-Za-z]{33,}/g;
/** A SHA-256 digest, or letters of one case or digits only, as in an ordinary name. */
const NO_SECRET = /^(?:[0-9a-f]{64}|[0-9]+|[a-z]+|[A-Z]+)$/;

/**
 * Masks everything that looks like an API key, with or without a prefix: `mz_live_3kT9xQ2a_…`, `…`. A client or an
 * operator may have put a key in the wrong place. SHA-256 digests in hexadecimal stay.
 *
 * @param shown A key that the text may show. Default: none.
 */
export function maskKeys(text: string, shown?: string): string {
  const masked = MARK.test(text)
    ? text.replace(WITH_PREFIX, (found, prefix: string) =>
        found === shown || PUBLIC.test(found) ? found : `${prefix}…`,
      )
    : text;
  return masked.replace(SECRET, (found) => (shown?.endsWith(found) || NO_SECRET.test(found) ? found : "…"));
}
