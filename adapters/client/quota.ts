/** What an answer tells about the units of its key. */
export interface Quota {
  /** Units a day; `undefined` where the answer does not say. */
  readonly limit: number | undefined;
  /** Units that are left. */
  readonly remaining: number;
  /** When the next quota day begins. */
  readonly resetsAt: Date;
}

const DAY_MS = 86_400_000;
/** In the year 5138: what is larger is in another unit. */
const LAST_SECOND = 1e11;

/** Reads the quota from the header fields of an answer; `undefined` where it tells none. */
export function quotaOf(headers: Pick<Headers, "get">): Quota | undefined {
  const remaining = numberIn(headers, "X-RateLimit-Remaining");
  return remaining === undefined ? undefined : { limit: numberIn(headers, "X-RateLimit-Limit"), remaining, resetsAt: resetOf(headers, Date.now()) };
}

/** When the next quota day begins: as the answer says, or else the next midnight in UTC after `now`. */
export function resetOf(headers: Pick<Headers, "get">, now: number): Date {
  const told = numberIn(headers, "X-RateLimit-Reset") ?? retryAfterOf(headers) ?? Infinity;
  if (told > LAST_SECOND) return new Date(now - (now % DAY_MS) + DAY_MS);
  // Some servers write the seconds to wait where others write a time; a small number is no time of these days.
  return new Date(told * 1_000 + (told < 1e9 ? now : 0));
}

/** Seconds of `Retry-After`, which may also be a date. */
export function retryAfterOf(headers: Pick<Headers, "get">): number | undefined {
  const date = headers.get("Retry-After") ?? "";
  const seconds = numberIn(headers, "Retry-After") ?? Math.ceil((Date.parse(date) - Date.now()) / 1_000);
  return seconds >= 0 ? seconds : undefined;
}

function numberIn(headers: Pick<Headers, "get">, name: string): number | undefined {
  const text = headers.get(name) ?? "";
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
