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
/** The last one that a `Date` can hold. */
const LAST_SECOND = 8.64e12;

/** Reads the quota from the header fields of an answer; `undefined` where it tells none. */
export function quotaOf(headers: Headers): Quota | undefined {
  const remaining = numberIn(headers, "remaining");
  return remaining === undefined ? undefined : { limit: numberIn(headers, "limit"), remaining, resetsAt: resetOf(headers) };
}

/**
 * When the next quota day begins: as the answer says, or else the next midnight in UTC.
 *
 * @param sentAt The server's time in the body of the answer, if known.
 */
export function resetOf(headers: Headers, sentAt?: unknown): Date {
  const now = timeOf(sentAt) ?? timeOf(headers.get("Date")) ?? Date.now();
  const told = numberIn(headers, "reset") ?? retryAfterOf(headers);
  const midnight = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  if (told === undefined || told > LAST_SECOND) return new Date(midnight);
  // Some servers write the seconds to wait where others write a time; a small number is no time of these days.
  return new Date(told < 1e9 ? now + told * 1_000 : told * 1_000);
}

/** Seconds of `Retry-After`, which may also be a date. */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get("Retry-After");
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const time = timeOf(text);
  return time === undefined ? undefined : Math.max(0, Math.ceil((time - Date.now()) / 1_000));
}

function numberIn(headers: Headers, name: string): number | undefined {
  const text = headers.get(`X-RateLimit-${name}`);
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

function timeOf(text: unknown): number | undefined {
  const time = typeof text === "string" ? Date.parse(text) : NaN;
  return Number.isNaN(time) ? undefined : time;
}
