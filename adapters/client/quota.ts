/** What an answer tells about the units of its key. */
export interface Quota {
  /** Units a day; `undefined` where the answer does not say. */
  readonly limit: number | undefined;
  /** Units that are left. */
  readonly remaining: number;
  /** When the next quota day begins. */
  readonly resetsAt: Date;
}

/** What one group of header fields tells; `resetsAt` in milliseconds since 1970. */
export interface ToldQuota {
  readonly limit: number | undefined;
  readonly remaining: number;
  readonly resetsAt: number | undefined;
}

const FAMILIES = ["X-RateLimit", "RateLimit", "X-Rate-Limit"];
const DAY_MS = 86_400_000;
/** A larger number is a time in milliseconds, one between the two a time in seconds, a smaller one seconds to wait. */
const [LAST_SECOND, FIRST_SECOND] = [1e11, 1e9];

/** Reads the quota from the header fields of an answer; `undefined` where it tells none. */
export function quotaOf(headers: Pick<Headers, "get">): Quota | undefined {
  const [told] = toldQuotas(headers, Date.now());
  return told && { limit: told.limit, remaining: told.remaining, resetsAt: resetOf(headers, Date.now()) };
}

/** When the next quota day begins: as the answer says, or else the next midnight in UTC after `now`. */
export function resetOf(headers: Pick<Headers, "get">, now: number): Date {
  const told = toldQuotas(headers, now)[0]?.resetsAt ?? timeIn(headers.get("X-RateLimit-Reset") ?? headers.get("Retry-After"), now);
  return new Date(told ?? now - (now % DAY_MS) + DAY_MS);
}

/** Seconds of `Retry-After`, which may also be a date. */
export function retryAfterOf(headers: Pick<Headers, "get">, now = Date.now()): number | undefined {
  const time = timeIn(headers.get("Retry-After"), now);
  return time !== undefined && time >= now ? Math.ceil((time - now) / 1_000) : undefined;
}

/** What the header fields of an answer tell of units, each group of fields for itself. */
export function toldQuotas(headers: Pick<Headers, "get">, now: number): ToldQuota[] {
  const told = FAMILIES.map((name) => ({
    limit: numberIn(headers.get(`${name}-Limit`)), remaining: numberIn(headers.get(`${name}-Remaining`)), resetsAt: timeIn(headers.get(`${name}-Reset`), now),
  }));
  // As of the IETF's draft: RateLimit: "daily";r=12;t=36400 with RateLimit-Policy: "daily";q=50;w=86400.
  const limits = new Map(itemsOf(headers.get("RateLimit-Policy")).map(({ name, q }) => [name, q]));
  for (const { name, r, t } of itemsOf(headers.get("RateLimit"))) told.push({ limit: limits.get(name), remaining: r, resetsAt: t === undefined ? undefined : now + t * 1_000 });
  return told.filter((one): one is ToldQuota => one.remaining !== undefined);
}

function itemsOf(text: string | null): readonly { readonly name: string; readonly q?: number; readonly r?: number; readonly t?: number }[] {
  return [...(text ?? "").slice(0, 1_000).matchAll(/"?([\w-]+)"?((?:\s*;\s*\w+=\d{1,15})+)/g)].map(([, name = "", parameters = ""]) => {
    return { name, ...Object.fromEntries([...parameters.matchAll(/(\w+)=(\d+)/g)].map(([, key = "", value]) => [key, Number(value)])) };
  });
}

function numberIn(text: string | null): number | undefined {
  const [, digits] = /^\s*(\d{1,15})(?:\.\d+)?\s*(?:$|[,;])/.exec(text ?? "") ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** A time as seconds to wait, as seconds or milliseconds since 1970, or as a date. */
function timeIn(text: string | null, now: number): number | undefined {
  const number = numberIn(text);
  const time = number === undefined ? Date.parse(text ?? "") : number > LAST_SECOND ? number : number > FIRST_SECOND ? number * 1_000 : now + number * 1_000;
  return Number.isNaN(time) ? undefined : time;
}
