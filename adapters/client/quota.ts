/** The quota of the key, from an answer. */
export interface Quota {
  /** Units a day; `undefined` if the answer has no limit. */
  readonly limit: number | undefined;
  /** Units that are left. */
  readonly remaining: number;
  /** The start of the next quota day. */
  readonly resetsAt: Date;
}

const DAY_MS = 86_400_000;
/** Above 1e11: milliseconds since 1970. Between 1e9 and 1e11: seconds since 1970. Below 1e9: seconds to wait. */
const [LAST_SECOND, FIRST_SECOND] = [1e11, 1e9];

/** Reads the quota from the header fields of an answer; `undefined` if the fields do not report it. */
export function quotaOf(headers: Pick<Headers, "get">): Quota | undefined {
  const remaining = numberIn(headers.get("X-RateLimit-Remaining"));
  return remaining === undefined
    ? undefined
    : { limit: numberIn(headers.get("X-RateLimit-Limit")), remaining, resetsAt: resetOf(headers, Date.now()) };
}

/** The start of the next quota day. If the answer does not report it: the next midnight in UTC after `now`. */
export function resetOf(headers: Pick<Headers, "get">, now: number): Date {
  const stated = timeIn(headers.get("X-RateLimit-Reset") ?? headers.get("Retry-After"), now);
  return new Date(stated ?? now - (now % DAY_MS) + DAY_MS);
}

/** The seconds in `Retry-After`, which may also be a date. */
export function retryAfterOf(headers: Pick<Headers, "get">, now = Date.now()): number | undefined {
  const time = timeIn(headers.get("Retry-After"), now) ?? 0;
  return time < now ? undefined : Math.ceil((time - now) / 1_000);
}

/** The integer part of the number that a header field begins with. */
export function numberIn(text: string | null): number | undefined {
  const found = /^\d{1,15}(?![\w:-])/.exec(text ?? "");
  return found ? Number(found[0]) : undefined;
}

/** Parses a time, given as seconds to wait, as seconds or milliseconds since 1970, or as a date. */
export function timeIn(text: string | null, now: number): number | undefined {
  const number = numberIn(text);
  if (number === undefined) {
    const time = Date.parse(text ?? "");
    return Number.isNaN(time) ? undefined : time;
  }
  if (number > LAST_SECOND) return number;
  return number > FIRST_SECOND ? number * 1_000 : now + number * 1_000;
}
