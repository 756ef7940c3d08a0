// A table of upstreams as they exist: their units, what they state about their units, and their faults.
import { DAY, HOUR, MINUTE } from "../../support/generators.ts";

/** The state of an upstream at a request. Days are counted from the start of the run. */
export interface UpstreamRequest {
  readonly now: number;
  readonly day: number;
  /** `assets`, `history`, `access` or `status`. */
  readonly route: string;
  /** The units counted on the upstream's current day, including this request, and when that day ends. */
  readonly used: number;
  readonly resetsAt: number;
  readonly key: string;
  chance(): number;
}

/** A kind of upstream. */
export interface UpstreamKind {
  readonly name: string;
  /** How many units the key has on each day of the upstream. Default: 50. */
  readonly plan?: number;
  /** When the upstream's day begins, in milliseconds after midnight UTC. Default: 0. */
  readonly dayBeginsMs?: number;
  /** The header fields of answers to requests with a key. Default: none. */
  readonly says?: (asked: UpstreamRequest) => Record<string, string>;
  /** The header fields of a 429. Default: none. */
  readonly saysAt429?: (asked: UpstreamRequest) => Record<string, string>;
  /** How many requests for prices are answered per minute; further requests get 429. Default: any number. */
  readonly aMinute?: number;
  /** Returns something to send instead of the answer. */
  readonly instead?: (asked: UpstreamRequest) => Response | "lost" | "cut" | undefined;
  /** Whether failed requests cost units. */
  readonly countsFailures?: boolean;
  /** Changes the records of an answer. */
  readonly records?: (records: readonly UpstreamRecord[], asked: UpstreamRequest) => readonly unknown[];
  /** How many units a day other clients spend with the same key. */
  readonly others?: number;
  /** How far the upstream's clock is ahead on a day. Default: 0. */
  readonly clockMs?: (day: number) => number;
  /** The time that the upstream's status shows. Default: the time of its clock. */
  readonly status?: (now: number, begin: number) => number;
  /** Whether the machine's clock is always right, because the upstream's time is unusable. */
  readonly isClockRight?: boolean;
  /** The key's units in 30 days. Default: unlimited. */
  readonly aMonth?: number;
  /** The answer when the units are used up. Default: 429. */
  readonly limited?: () => Response;
  /** On average, the mirror must spend at least this many units a day in the last days. No report may match `never`. */
  readonly spends?: number;
  readonly never?: RegExp;
  /** Whether values must be fresh at a time, given in days since the start. Default: always. */
  readonly isHealthy?: (day: number) => boolean;
  /** The highest age of fresh values, in minutes. Default: 39; more if units are few or answers fail at random. */
  readonly oldest?: number;
  /** On how many nights yesterday's close may be wrong. Default: 0 if `oldest` is not set, otherwise any number. */
  readonly nights?: number;
  /** How often prices move. Default: every 15 minutes, so that the last refresh of a day gets its last price. */
  readonly everyMs?: number;
  /** The number of days until history is complete. Default: 5. */
  readonly healsIn?: number;
}

/** A record of an answer. */
export interface UpstreamRecord {
  readonly code: string;
  readonly value: number;
  readonly businessTime: string;
  readonly quoteUnit: string;
}

const MONTH_END = Date.parse("2026-12-20T00:00:00Z");

const epoch =
  (limit: number, name = "X-RateLimit") =>
  ({ used, resetsAt }: UpstreamRequest) => ({
    [`${name}-Limit`]: String(limit),
    [`${name}-Remaining`]: String(Math.max(0, limit - used)),
    [`${name}-Reset`]: String(Math.floor(resetsAt / 1_000)),
  });
const resettingAt =
  (resetOf: (asked: UpstreamRequest) => number | string) =>
  (asked: UpstreamRequest): Record<string, string> => ({
    ...epoch(50)(asked),
    "X-RateLimit-Reset": String(resetOf(asked)),
  });
const draft =
  (limit: number) =>
  ({ used, resetsAt, now }: UpstreamRequest) => ({
    "RateLimit-Policy": `"burst";q=100;w=60, "daily";q=${limit};w=86400`,
    RateLimit: `"burst";r=99;t=60, "daily";r=${Math.max(0, limit - used)};t=${Math.ceil((resetsAt - now) / 1_000)}`,
  });
const fixed =
  (limit: number, remaining: number, aheadMs?: number) =>
  ({ now }: UpstreamRequest) => ({
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    ...(aheadMs !== undefined && { "X-RateLimit-Reset": String(Math.floor((now + aheadMs) / 1_000)) }),
  });
const json = (status: number, body: unknown): Response => new Response(JSON.stringify(body), { status });
const tooMany = (seconds: number): Response =>
  new Response("{}", { status: 429, headers: { "Retry-After": String(seconds) } });
const isPrices = ({ route }: UpstreamRequest): boolean => route === "assets" || route === "history";
const on =
  (from: number, to: number) =>
  ({ day }: UpstreamRequest): boolean =>
    day >= from && day < to;
/** Unhealthy from day `from` to day `to`, and for some more hours, because the mirror may lack units then. */
const exceptOn =
  (from: number, to: number) =>
  (day: number): boolean =>
    day < from - 0.1 || day >= to + 0.2;
const inToman = (one: UpstreamRecord): UpstreamRecord => ({
  ...one,
  value: one.quoteUnit === "RLS" ? one.value / 10 : one.value,
});

/** Each kind runs for many days, with crashes and clock jumps. */
export const UPSTREAM_KINDS: readonly UpstreamKind[] = [
  // Statements about units, true or not.
  { name: "fields in seconds since 1970", says: epoch(50) },
  {
    name: "fields that state the seconds to wait",
    says: resettingAt(({ resetsAt, now }) => Math.ceil((resetsAt - now) / 1_000)),
  },
  { name: "fields in milliseconds", says: resettingAt(({ resetsAt }) => resetsAt) },
  { name: "a reset time as a date", says: resettingAt(({ resetsAt }) => new Date(resetsAt).toUTCString()) },
  { name: "fields of the IETF's draft", says: draft(50) },
  { name: "fields of an older draft", says: epoch(50, "RateLimit") },
  { name: "no fields" },
  { name: "fields, and days that end at an unusual time", dayBeginsMs: 13.37 * HOUR, says: draft(50) },
  { name: "a plan of 5,000", plan: 5_000, says: epoch(5_000) },
  { name: "no limit, but fields that always state 59 of 60 and no reset time", plan: Infinity, says: fixed(60, 59) },
  {
    name: "no daily limit, but a stated limit of 30 an hour",
    plan: Infinity,
    says: (asked) => fixed(30, 30 - (asked.used % 3), HOUR - (asked.now % HOUR))(asked),
  },
  {
    name: "two groups of fields that contradict each other",
    says: (asked) => ({ ...fixed(1_000, 999, 5 * HOUR)(asked), ...draft(50)(asked) }),
  },
  {
    name: "meaningless fields",
    says: () => ({
      "X-RateLimit-Limit": "-1",
      "X-RateLimit-Remaining": "NaN",
      "X-RateLimit-Reset": "9e99",
      RateLimit: '";;r=;t=-5,,"a";r=1',
    }),
  },
  {
    name: "a monthly limit of 20 units a day",
    plan: Infinity,
    says: ({ now }) => fixed(600, Math.ceil((MONTH_END - now) / DAY) * 20, MONTH_END - now)({ now } as UpstreamRequest),
    oldest: 120,
  },
  { name: "other clients that use the same key", says: draft(50), others: 10, oldest: 240 },
  // Plans smaller than the budget.
  { name: "a plan of 20, announced", plan: 20, oldest: 110, says: draft(20), healsIn: 60 },
  { name: "a plan of 20, not announced", plan: 20, isHealthy: (day) => day > 3, oldest: 400, healsIn: 60 },
  {
    name: "a plan of 20 units that only its 429 answers show",
    plan: 20,
    isHealthy: (day) => day > 3,
    oldest: 400,
    healsIn: 60,
    saysAt429: ({ now, resetsAt }) => ({ "Retry-After": String(Math.ceil((resetsAt - now) / 1_000)) }),
  },
  { name: "a plan of 3", plan: 3, isHealthy: () => false, says: epoch(3), healsIn: Infinity },
  // Short-term limits.
  { name: "5 a minute, announced at 429", says: epoch(50), aMinute: 5, saysAt429: () => ({ "Retry-After": "30" }) },
  { name: "3 a minute, not announced", aMinute: 3, oldest: 60 },
  // Faults.
  {
    name: "status 500 for a twentieth of the requests, which then cost no unit",
    says: draft(50),
    instead: (asked) => (isPrices(asked) && asked.chance() < 0.05 ? json(500, {}) : undefined),
    oldest: 90,
  },
  {
    name: "status 503 for a third of the requests, which still cost a unit each",
    countsFailures: true,
    instead: (asked) => (isPrices(asked) && asked.chance() < 0.33 ? json(503, {}) : undefined),
    oldest: 340,
    healsIn: 30,
  },
  {
    name: "a tenth of the answers lost or truncated",
    says: epoch(50),
    countsFailures: true,
    instead(asked) {
      if (asked.chance() < 0.05) return "lost";
      return asked.chance() < 0.05 ? "cut" : undefined;
    },
    oldest: 130,
  },
  {
    name: "outages of five hours",
    instead: ({ day }) => (day % 3 > 1 && day % 3 < 1.2 ? "lost" : undefined),
    isHealthy: (day) => day % 3 < 0.99 || day % 3 > 1.3,
  },
  {
    name: "empty history for a day",
    says: draft(50),
    instead: (asked) => (asked.route === "history" && on(0, 1)(asked) ? json(200, []) : undefined),
    healsIn: 40,
  },
  {
    name: "the key in records and error messages",
    says: draft(50),
    records: (records, { key }) => [...records, { code: key, quoteUnit: key }],
    instead: (asked) =>
      isPrices(asked) && asked.chance() < 0.1
        ? json(500, { code: asked.key, message: `${asked.key} is wrong` })
        : undefined,
    oldest: 120,
  },
  // Wrong values.
  {
    name: "values in toman for the first two days",
    says: draft(50),
    healsIn: 30,
    oldest: 65,
    records: (records, asked) => (on(0, 2)(asked) ? records.map(inToman) : records),
  },
  {
    // A wrong latest value becomes pending, so the value before it is served until the next refresh.
    name: "occasional values ten times too high",
    says: draft(50),
    oldest: 110,
    records: (records, { chance }) => records.map((one) => (chance() < 0.01 ? { ...one, value: one.value * 10 } : one)),
  },
  // Upstreams that answer with status 429 but state no plan, or that use other answers when the units are used up.
  {
    name: "status 429 and Retry-After: 5 for a twentieth of the requests",
    instead: (asked) => (isPrices(asked) && asked.chance() < 0.05 ? tooMany(5) : undefined),
    oldest: 75,
    spends: 35,
  },
  {
    name: "status 429 for three hours each night",
    instead: (asked) => (isPrices(asked) && asked.day % 1 > 0.7 && asked.day % 1 < 0.825 ? json(429, {}) : undefined),
    oldest: 460,
    spends: 20,
  },
  {
    name: "300 units a month, not announced",
    plan: Infinity,
    aMonth: 300,
    isHealthy: () => false,
    healsIn: Infinity,
    spends: 9,
  },
  { name: "a plan of 30 units that no answer states", plan: 30, oldest: 800, healsIn: 60, spends: 26 },
  ...[
    ["402", () => json(402, {})] as const,
    ["403", () => json(403, { code: "QUOTA_EXCEEDED", message: "no" })] as const,
    ["503", () => new Response("", { status: 503, headers: { "Retry-After": "3600" } })] as const,
    ["200", () => json(200, { code: "QUOTA_EXCEEDED", message: "no" })] as const,
  ].map(([status, limited]) => ({
    ...{ name: `a plan of 30, then ${status}`, plan: 30, limited, oldest: 800, healsIn: 60, spends: 26 },
    never: /refuses the key|"kind":"failing"/,
  })),
  // Closes of markets that trade around the clock.
  { name: "prices that move each minute", everyMs: MINUTE },
  // Clocks.
  ...[20_000, 1.5 * MINUTE, 12 * HOUR].map((ms) => ({
    name: `a status cached for ${ms / 1_000} seconds`,
    status: (now: number) => Math.floor(now / ms) * ms,
    isClockRight: ms > HOUR,
    nights: ms < 2 * MINUTE ? 10 : Infinity,
    oldest: 120,
    spends: 35,
  })),
  {
    name: "a status with a constant time",
    status: (_, begin) => begin - 5 * HOUR,
    isClockRight: true,
    oldest: 60,
    spends: 35,
  },
  {
    name: "a clock that jumps by 20 hours",
    clockMs: (day) => (day > 0.6 && day < 1.4 ? 20 * HOUR : 0),
    plan: Infinity,
    isHealthy: exceptOn(0.6, 1.7),
    oldest: 60,
  },
];
