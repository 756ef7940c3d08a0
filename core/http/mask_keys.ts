/** The prefix of a key and what follows it, also of other services, whose keys are pasted by mistake. */
const WITH_PREFIX = /(mz_live_[0-9a-z]{8}_|[0-9a-z]{0,12}_live_|[0-9a-z]{1,12}_test_(?=\w{16}))\w+/gi;
/** What each of them has. Most texts have none, which is known ten times as fast. */
const MARK = /live_|test_/i;
/** The public ID of a key, and the prefix alone, which messages and help texts may show. */
const PUBLIC = /^mz_live_[0-9A-Za-z]{0,8}_?$/;
/** A secret without a prefix. Ours is 43 base62 digits, and 49 with its checksum; those of others are shorter. */
const SECRET = /[0-9A-Za-z]{33,}/g;
/** A digest, or letters or digits of one kind only, as an ordinary name may have. */
const NO_SECRET = /^(?:[0-9a-f]{64}|[0-9]+|[a-z]+|[A-Z]+)$/;

/**
 * Replaces whatever looks like an API key, with or without its prefix: `mz_live_3kT9xQ2a_…`, `…`. A client or an
 * operator may have put one in the wrong place. SHA-256 digests in hexadecimal are left alone.
 *
 * @param shown A key that the text is meant to show. Default: none.
 */
export function maskKeys(text: string, shown?: string): string {
  const masked = MARK.test(text)
    ? text.replace(WITH_PREFIX, (found, prefix: string) =>
        found === shown || PUBLIC.test(found) ? found : `${prefix}…`,
      )
    : text;
  return masked.replace(SECRET, (found) => (shown?.endsWith(found) || NO_SECRET.test(found) ? found : "…"));
}
