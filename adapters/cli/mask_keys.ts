import { wrongUsage } from "./failure.ts";

/** A key with its prefix, or what is left of one; whole ones also of other programs, as they are pasted by mistake. */
const WITH_PREFIX = /(mz_live_[0-9A-Za-z]{8}_|[0-9A-Za-z]*_live_)[0-9A-Za-z_]+/g;
/** The public ID of a key, and the prefix alone, which messages and help texts may show. */
const PUBLIC = /^mz_live_[0-9A-Za-z]{0,8}_?$/;
/** A key's secret is 43 base62 digits; with its checksum it has 49. */
const SECRET = /[0-9A-Za-z]{43,}/g;
const UPPER_CASE = /[A-Z]/;
const LOWER_CASE = /[a-z]/;

/**
 * Replaces whatever looks like an API key, with or without its prefix: `mz_live_3kT9xQ2a_…`, `…`. Digests in
 * hexadecimal are left alone.
 *
 * @param shown A key that the text is meant to show.
 */
export function maskKeys(text: string, shown?: string): string {
  return text
    .replace(WITH_PREFIX, (found, prefix: string) => (found === shown || PUBLIC.test(found) ? found : `${prefix}…`))
    .replace(SECRET, (found) => (shown?.endsWith(found) || !UPPER_CASE.test(found) || !LOWER_CASE.test(found) ? found : "…"));
}

/** Throws a usage failure for a text that looks like an API key, which would be stored for all to read. */
export function demandNoKey(name: string, text: string): void {
  if (maskKeys(text) !== text) throw wrongUsage(`${name} looks like an API key, and would be stored in plain text`);
}
