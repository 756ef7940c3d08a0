// Upstreams as they are out there, as a table: their units, what they state about them, and what goes wrong.
import { DAY, HOUR, MINUTE } from "../../support/generators.ts";

/** What an upstream knows when it is asked. Days count from the begin of the run. */
export interface UpstreamRequest {
  readonly now: number;
  readonly day: number;
  /** `assets`, `history`, `access` or `status`. */
  readonly route: string;
  /** Units that it has counted on its day, this one included, and when its day ends. */
  readonly used: number;
  readonly resetsAt: number;
  readonly key: string;
  chance(): number;
}

/** A kind of upstream. */
export interface UpstreamKind {
  readonly name: string;
  /** Units of the key on a day of the upstream. Default: 50. */
  readonly plan?: number;
  /** When its day begins, after midnight in UTC. Default: then. */
  readonly dayBeginsMs?: number;
  /** Header fields of answers with a key. Default: none. */
  readonly says?: (asked: UpstreamRequest) => Record<string, string>;
  /** Those of 429. Default: none. */
  readonly saysAt429?: (asked: UpstreamRequest) => Record<string, string>;
  /** Requests for prices that it answers in a minute; more get 429. */
  readonly aMinute?: number;
  /** Something else than the answer. */
  readonly instead?: (asked: UpstreamRequest) => Response | "lost" | "cut" | undefined;
  /** Whether it counts what it answers with an error. */
  readonly countsFailures?: boolean;
  /** Changes the records of an answer. */
  readonly records?: (records: readonly UpstreamRecord[], asked: UpstreamRequest) => readonly unknown[];
  /** Units a day that others spend on the key. */
  readonly others?: number;
  /** How far its clock is ahead on a day, and what its status says of the time. Default: not at all, and its time. */
  readonly clockMs?: (day: number) => number;
  readonly status?: (now: number, begin: number) => number;
  /** Whether this machine's clock is always right, where the upstream has none. */
  readonly isClockRight?: boolean;
  /** The most units a day that the mirror may spend. Default: 50. */
  readonly budget?: number;
  /** Units of the key in 30 days. Default: no end. */
  readonly aMonth?: number;
  /** The answer when units are used up. Default: 429. */
  readonly limited?: () => Response;
  /** Units a day, on average, that are spent at least on the last days, and what is never reported. */
  readonly spends?: number;
  readonly never?: RegExp;
  /** Whether values are to be young at a time, counted in days. Default: always. */
  readonly isHealthy?: (day: number) => boolean;
  /** How old values may be then, in minutes: more than the default of 39 where units are too few, or answers are amiss by chance. */
  readonly oldest?: number;
  /** What it has of the past at the begin, in days; the archive grows backwards by so many days a day. */
  readonly past?: number;
  readonly growsBack?: number;
  /** On how many nights yesterday's close may be wrong. Default: none where values are young as by default, else any. */
  readonly nights?: number;
  /** How often prices move. Default: each quarter of an hour, so that the last one of a day is seen before midnight. */
  readonly everyMs?: number;
  /** In how many days the archive is filled. Default: 5. */
  readonly healsIn?: number;
}

/** A record as it is answered. */
export interface UpstreamRecord {
  readonly code: string;
  readonly value: number;
  readonly businessTime: string;
  readonly quoteUnit: string;
}

const TEHRAN = 20.5 * HOUR;
const MONTH_END = Date.parse("2026-12-20T00:00:00Z");

const epoch =
  (limit: number, name = "X-RateLimit") =>
  ({ used, resetsAt }: UpstreamRequest) => ({
    [`${name}-Limit`]: String(limit),
    [`${name}-Remaining`]: String(Math.max(0, limit - used)),
    [`${name}-Reset`]: String(Math.floor(resetsAt / 1_000)),
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
/** Failed requests count, so that units may be missing for some hours. */
const exceptOn =
  (from: number, to: number) =>
  (day: number): boolean =>
    day < from - 0.1 || day >= to + 0.2;
const inToman = (one: UpstreamRecord): UpstreamRecord => ({
  ...one,
  value: one.quoteUnit === "RLS" ? one.value / 10 : one.value,
});

/** Each is run for many days, with kills and a clock that jumps. */
export const UPSTREAM_KINDS: readonly UpstreamKind[] = [
  // What it states about units, true or not.
  { name: "fields in seconds since 1970", says: epoch(50) },
  {
    name: "fields in seconds to wait",
    says: (asked) => ({
      ...epoch(50)(asked),
      "X-RateLimit-Reset": String(Math.ceil((asked.resetsAt - asked.now) / 1_000)),
    }),
  },
  {
    name: "fields in milliseconds",
    says: (asked) => ({ ...epoch(50)(asked), "X-RateLimit-Reset": String(asked.resetsAt) }),
  },
  {
    name: "a reset as a date",
    says: (asked) => ({ ...epoch(50)(asked), "X-RateLimit-Reset": new Date(asked.resetsAt).toUTCString() }),
  },
  { name: "fields of the IETF's draft", says: draft(50) },
  { name: "fields of an older draft", says: epoch(50, "RateLimit") },
  { name: "no fields" },
  { name: "no fields and no limit", plan: Infinity },
  { name: "no fields, days that end in Tehran", dayBeginsMs: TEHRAN },
  { name: "fields, days that end in Tehran", dayBeginsMs: TEHRAN, says: epoch(50) },
  { name: "fields, days that end at an odd time", dayBeginsMs: 13.37 * HOUR, says: draft(50) },
  { name: "a plan of 5,000", plan: 5_000, says: epoch(5_000) },
  { name: "no limit, 59 of 60 without a reset", plan: Infinity, says: fixed(60, 59) },
  {
    name: "no limit, 30 of an hour, counted",
    plan: Infinity,
    says: (asked) => fixed(30, 30 - (asked.used % 3), HOUR - (asked.now % HOUR))(asked),
  },
  {
    name: "no limit, a day that is not counted down",
    plan: Infinity,
    says: (asked) => ({ ...epoch(50)(asked), "X-RateLimit-Remaining": "50" }),
  },
  {
    name: "no limit, always a day to the reset, counted",
    plan: Infinity,
    says: (asked) => fixed(50, 50 - (asked.used % 50), DAY)(asked),
    oldest: 120,
  },
  {
    name: "two groups of fields that contradict each other",
    says: (asked) => ({ ...fixed(1_000, 999, 5 * HOUR)(asked), ...draft(50)(asked) }),
  },
  {
    name: "resets that contradict each other by turns",
    plan: Infinity,
    says: (asked) => ({
      ...epoch(50)(asked),
      "X-RateLimit-Reset": String(Math.floor((asked.resetsAt + (asked.used % 2) * 7 * HOUR) / 1_000)),
    }),
    oldest: 180,
  },
  {
    name: "numbers by chance",
    plan: Infinity,
    says: (asked) =>
      fixed(
        60 + Math.floor(asked.chance() * 60),
        50 + Math.floor(asked.chance() * 60),
        asked.chance() * 26 * HOUR,
      )(asked),
  },
  {
    name: "fields without sense",
    says: () => ({
      "X-RateLimit-Limit": "-1",
      "X-RateLimit-Remaining": "NaN",
      "X-RateLimit-Reset": "9e99",
      RateLimit: '";;r=;t=-5,,"a";r=1',
    }),
  },
  {
    name: "a count of a month that suffices",
    plan: Infinity,
    says: (asked) => fixed(3_000, 3_000 - asked.used, MONTH_END - asked.now)(asked),
  },
  {
    name: "a count of a month, 20 a day",
    plan: Infinity,
    says: ({ now }) => fixed(600, Math.ceil((MONTH_END - now) / DAY) * 20, MONTH_END - now)({ now } as UpstreamRequest),
    oldest: 120,
  },
  { name: "others spend on the key", says: draft(50), others: 10, oldest: 240 },
  // Plans smaller than the budget.
  { name: "a plan of 20, announced", plan: 20, oldest: 110, says: draft(20), healsIn: 60 },
  { name: "a plan of 20, not announced", plan: 20, isHealthy: (day) => day > 3, oldest: 400, healsIn: 60 },
  {
    name: "a plan of 20, not announced, days that end in Tehran",
    plan: 20,
    isHealthy: (day) => day > 3,
    oldest: 400,
    dayBeginsMs: TEHRAN,
    healsIn: 60,
  },
  {
    name: "a plan of 20, announced by 429 alone",
    plan: 20,
    isHealthy: (day) => day > 3,
    oldest: 400,
    healsIn: 60,
    saysAt429: ({ now, resetsAt }) => ({ "Retry-After": String(Math.ceil((resetsAt - now) / 1_000)) }),
  },
  { name: "a plan of 10, not announced", plan: 10, isHealthy: (day) => day > 3, oldest: 900, healsIn: 90, spends: 9 },
  { name: "a plan of 3", plan: 3, isHealthy: () => false, says: epoch(3), healsIn: Infinity },
  // Limits of a short time.
  { name: "5 a minute, announced at 429", says: epoch(50), aMinute: 5, saysAt429: () => ({ "Retry-After": "30" }) },
  { name: "3 a minute, not announced", aMinute: 3, oldest: 60 },
  // What goes wrong.
  {
    name: "a twentieth of the answers is 500, not counted",
    says: draft(50),
    instead: (asked) => (isPrices(asked) && asked.chance() < 0.05 ? json(500, {}) : undefined),
    oldest: 90,
  },
  {
    name: "a third of the answers is 503, counted",
    countsFailures: true,
    instead: (asked) => (isPrices(asked) && asked.chance() < 0.33 ? json(503, {}) : undefined),
    oldest: 340,
    healsIn: 30,
  },
  {
    name: "a tenth of the answers is lost or cut",
    says: epoch(50),
    countsFailures: true,
    instead(asked) {
      if (asked.chance() < 0.05) return "lost";
      return asked.chance() < 0.05 ? "cut" : undefined;
    },
    oldest: 130,
  },
  {
    name: "away for five hours now and then",
    instead: ({ day }) => (day % 3 > 1 && day % 3 < 1.2 ? "lost" : undefined),
    isHealthy: (day) => day % 3 < 0.99 || day % 3 > 1.3,
  },
  {
    name: "history alone is 500 for days",
    says: draft(50),
    instead: (asked) => (asked.route === "history" && on(0.5, 2.5)(asked) ? json(500, {}) : undefined),
  },
  {
    name: "history alone is 403 for days",
    says: draft(50),
    instead: (asked) =>
      asked.route === "history" && on(0.5, 2)(asked)
        ? json(403, { status: 403, code: "ACCESS_RESTRICTED", message: "no" })
        : undefined,
  },
  {
    name: "history is empty for some days",
    says: draft(50),
    instead: (asked) => (asked.route === "history" && on(0, 1)(asked) ? json(200, []) : undefined),
    healsIn: 40,
  },
  { name: "an archive that is itself filled backwards", says: draft(50), past: 3, growsBack: 20, healsIn: 60 },
  {
    name: "the key in each text",
    says: draft(50),
    records: (records, { key }) => [...records, { code: key, quoteUnit: key }],
    instead: (asked) =>
      isPrices(asked) && asked.chance() < 0.1
        ? json(500, { code: asked.key, message: `${asked.key} is wrong` })
        : undefined,
    oldest: 120,
  },
  // Values that are not what they seem.
  {
    name: "toman from the first answer on, for two days",
    says: draft(50),
    healsIn: 30,
    oldest: 65,
    records: (records, asked) => (on(0, 2)(asked) ? records.map(inToman) : records),
  },
  {
    // A slipped latest value waits, so that the one before it serves until the next refresh.
    name: "a slip now and then",
    says: draft(50),
    oldest: 110,
    records: (records, { chance }) => records.map((one) => (chance() < 0.01 ? { ...one, value: one.value * 10 } : one)),
  },
  { name: "a clock that is ten minutes ahead", says: draft(50), clockMs: () => 10 * MINUTE },
  // 429 without a plan, and other answers for used-up units.
  {
    name: "one 429 in minute 11, of 200 units",
    plan: 200,
    budget: 200,
    instead: (asked) => (isPrices(asked) && on(11 / 1_440, 12 / 1_440)(asked) ? json(429, {}) : undefined),
    spends: 140,
  },
  {
    name: "429 for 45 minutes after the first start",
    instead: (asked) => (isPrices(asked) && on(0.001, 0.032)(asked) ? json(429, {}) : undefined),
    isHealthy: exceptOn(0, 0.04),
    spends: 35,
    oldest: 45,
  },
  {
    name: "a twentieth is 429 with Retry-After: 5",
    instead: (asked) => (isPrices(asked) && asked.chance() < 0.05 ? tooMany(5) : undefined),
    oldest: 75,
    spends: 35,
  },
  {
    name: "429 with Retry-After: 1 for five hours",
    instead: (asked) => (isPrices(asked) && on(0.5, 0.71)(asked) ? tooMany(1) : undefined),
    isHealthy: exceptOn(0.5, 0.8),
    oldest: 70,
    spends: 35,
  },
  {
    name: "429 for three hours each night",
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
  { name: "a plan of 30, not announced", plan: 30, oldest: 800, healsIn: 60, spends: 26 },
  ...[
    ["402", () => json(402, {})] as const,
    ["403", () => json(403, { code: "QUOTA_EXCEEDED", message: "no" })] as const,
    ["503", () => new Response("", { status: 503, headers: { "Retry-After": "3600" } })] as const,
    ["200", () => json(200, { code: "QUOTA_EXCEEDED", message: "no" })] as const,
  ].map(([status, limited]) => ({
    ...{ name: `a plan of 30, whose end is ${status}`, plan: 30, limited, oldest: 800, healsIn: 60, spends: 26 },
    never: /refuses the key|"kind":"failing"/,
  })),
  // Closes of markets that trade around the clock.
  { name: "prices that move each minute", everyMs: MINUTE },
  {
    name: "an asset that is missing for a week",
    records: (records, asked) =>
      asked.route === "assets" && on(3, 10)(asked) ? records.filter(({ code }) => code !== "BTC_USD") : records,
    isHealthy: exceptOn(3, 10),
  },
  { name: "prices that move every seven minutes", says: draft(50), everyMs: 7 * MINUTE },
  // Clocks.
  ...[20_000, MINUTE, 1.5 * MINUTE, 10 * MINUTE, 12 * HOUR].map((ms) => ({
    name: `a status that is cached for ${ms / 1_000} seconds`,
    status: (now: number) => Math.floor(now / ms) * ms,
    isClockRight: ms > HOUR,
    nights: ms < 2 * MINUTE ? 10 : Infinity,
    oldest: 120,
    spends: 35,
  })),
  {
    name: "a status that has always stood still",
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
