import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../core/internal.ts";
import type { UtcMillis } from "../../../../core/mod.ts";

/**
 * The requests that cost units, and the quota that the upstream has stated. All times are by the upstream's clock.
 *
 * Units are counted over any 24 hours, because it is unknown when the upstream's days begin. Header fields never reduce
 * the count of answered requests.
 */
export interface Ledger {
  readonly spans: readonly Span[];
  /** The upstream's quota for its current day: units left, and units it has counted. Later requests update both. */
  readonly statement: { readonly remaining: number; readonly counted: number | null; readonly until: UtcMillis } | null;
  /**
   * The key's units a day: the number that answers state, or else the number of answers before 429. The plan ends at
   * `until`; but if a second count confirms the first, the plan has no end, and grows weekly.
   */
  readonly plan: Readonly<{ units: number; at: UtcMillis; until: UtcMillis; basis: PlanBasis }> | null;
  /** The time of the first answer after hours of refusals. The upstream may have begun a new day then. */
  readonly answersSince: UtcMillis | null;
  /** Set after 429. `good`: answers in the day before. `isFirm`: the upstream stated a wait of at most 2 h. */
  readonly rest: Readonly<{ until: UtcMillis; since: UtcMillis; count: number; good: number; isFirm: boolean }> | null;
}

type PlanBasis = "stated" | "counted" | "confirmed";

/** The requests in 15 minutes: `good` were answered, `open` failed and may have cost units, `free` cost none. */
export type Span = Readonly<Record<"from" | "to", UtcMillis> & Record<"good" | "open" | "free", number>>;

/** The quota that one group of header fields states. */
export type QuotaStatement = Readonly<{
  limit: number | undefined;
  remaining: number;
  resetsAt: UtcMillis | undefined;
}>;

/** The ledger before the first request. */
export const NEW_LEDGER: Ledger = { spans: [], statement: null, plan: null, answersSince: null, rest: null };

/** `WINDOW_MS` is a day and a minute: requests may arrive late. `KEPT_MS` allows for a clock set back by 36 hours. */
const [SPAN_MS, WINDOW_MS, KEPT_MS] = [15 * MINUTE_MS, DAY_MS + MINUTE_MS, 2.5 * DAY_MS];
/** A quota is a rate limit if reset within `SHORT_MS`, monthly if after `LONG_MS`, invalid if after `LONGEST_MS`. */
const [SHORT_MS, LONG_MS, LONGEST_MS, SAME_TIME_MS] = [2 * HOUR_MS, 26 * HOUR_MS, 40 * DAY_MS, 2 * MINUTE_MS];
/** After this time, the upstream's count includes an unanswered request, if the request arrived at all. */
const SETTLED_MS = 10 * MINUTE_MS;
/** A day's requests, including failed and refused requests, are at most this many times the budget. */
const MOST_SENT = 2;
const WEEKLY_GROWTH = 1.25;
/** A counted plan below this share of the budget is ignored: after one count, and after two similar counts. */
const [ONE_COUNT, TWO_COUNTS] = [0.5, 0.05];
/** Two counts are similar if they differ by at most this share. */
const AGREEMENT = 0.2;
/** For up to this many refusals in a row, `Retry-After` alone decides the wait. After that, the waits grow. */
const SHORT_WAITS = 3;

/** The units used in the last 24 hours. Failed requests count, unless the upstream's own count says otherwise. */
export function unitsUsed(ledger: Ledger, now: UtcMillis): number {
  const since = now - WINDOW_MS;
  const { good, open } = sumSince(ledger, since);
  const statement = currentStatement(ledger, now);
  if (open === 0 || !statement || statement.counted === null) return good + open;
  const day = sumSince(ledger, Math.max(since, statement.until - DAY_MS));
  return good + open - Math.max(0, day.open - Math.max(0, statement.counted - day.good));
}

/** The units a day to plan with: the budget, or the key's plan if that is smaller. */
export function unitsADayOf({ plan }: Ledger, budget: number, now: UtcMillis): number {
  if (!plan) return budget;
  if (plan.basis !== "confirmed" && now >= plan.until) return budget;
  if (plan.basis === "counted" && plan.units < budget * ONE_COUNT) return budget;
  const weeks = plan.basis === "confirmed" ? Math.floor(Math.max(0, now - plan.at) / (7 * DAY_MS)) : 0;
  return Math.max(1, Math.min(budget, Math.floor(plan.units * WEEKLY_GROWTH ** weeks)));
}

/** How many units may be spent now. */
export function unitsLeft(ledger: Ledger, budget: number, now: UtcMillis): number {
  const { good, open, free } = sumSince(ledger, now - WINDOW_MS);
  const ofPlan = unitsADayOf(ledger, budget, now) - unitsUsed(ledger, now);
  return Math.max(
    0,
    Math.min(ofPlan, MOST_SENT * budget - good - open - free, currentStatement(ledger, now)?.remaining ?? Infinity),
  );
}

/** When the next unit is available, if none is left now. */
export function nextUnitsAt(ledger: Ledger, budget: number, now: UtcMillis): UtcMillis {
  return gains(ledger, now).find((time) => unitsLeft(ledger, budget, time) > 0) ?? ((now + HOUR_MS) as UtcMillis);
}

/** How many units the refreshes of the next 24 hours leave. If `spare` < 0, `left` units must last until `until`. */
export function spareUnits(
  ledger: Ledger,
  { budget, refreshesBefore }: Readonly<{ budget: number; refreshesBefore: (time: UtcMillis) => number }>,
  now: UtcMillis,
) {
  const horizon = (now + DAY_MS) as UtcMillis;
  let left = unitsLeft(ledger, budget, now);
  let least = { spare: Infinity, left, until: horizon };
  for (const time of [...gains(ledger, now).filter((one) => one < horizon), horizon]) {
    const spare = left - refreshesBefore(time);
    if (spare < least.spare) least = { spare, left, until: time };
    left = unitsLeft(ledger, budget, time);
  }
  return least;
}

/** The ledger with a unit taken for the next request. */
export function takeUnit({ spans, statement, ...rest }: Ledger, now: UtcMillis): Ledger {
  const last = spans.at(-1);
  const isSame = last !== undefined && now >= last.from && now - last.from < SPAN_MS;
  const kept = isSame ? spans.slice(0, -1) : spans.filter(({ to }) => to > now - KEPT_MS);
  return {
    ...rest,
    spans: [
      ...kept,
      isSame ? { ...last, to: now, open: last.open + 1 } : { from: now, to: now, good: 0, open: 1, free: 0 },
    ],
    statement: statement && {
      ...statement,
      remaining: Math.max(0, statement.remaining - 1),
      counted: statement.counted === null ? null : statement.counted + 1,
    },
  };
}

/** Returns the ledger after the last request was answered with 200 or 404. */
export function paidUnit(ledger: Ledger): Ledger {
  const { rest, spans } = ledger;
  const now = spans.at(-1)?.to;
  const isDay = rest !== null && now !== undefined && rest.count > 0 && now - rest.since >= SHORT_MS;
  return { ...settled(ledger, "good"), rest: null, answersSince: isDay ? now : ledger.answersSince };
}

/** The ledger after an answer with 429. If 429 lasts for hours, the key's plan is smaller than the budget. */
export function refusedUnit(
  ledger: Ledger,
  { retryAfterMs, budget }: Readonly<{ retryAfterMs: number | undefined; budget: number }>,
  now: UtcMillis,
): Ledger {
  const rest = backOff(ledger, now);
  const count = rest.count + 1;
  const ownMs = count <= SHORT_WAITS && retryAfterMs !== undefined ? 1_000 : MINUTE_MS * 2 ** Math.min(6, count - 1);
  const waitMs = Math.min(LONG_MS, Math.max(retryAfterMs ?? 0, Math.min(HOUR_MS, ownMs)));
  const until = (now + waitMs) as UtcMillis;
  const isNamed = retryAfterMs !== undefined && retryAfterMs > SHORT_MS;
  const isLong = isNamed || now - rest.since >= SHORT_MS;
  return {
    ...settled(ledger, "free"),
    plan: isLong ? countedPlan(ledger, budget, isNamed ? until : undefined, now) : ledger.plan,
    rest: { ...rest, until, count, isFirm: retryAfterMs !== undefined && waitMs <= SHORT_MS },
  };
}

/** Estimates the plan after hours of 429: the requests answered before. A similar number later confirms it. */
function countedPlan(ledger: Ledger, budget: number, until: UtcMillis | undefined, now: UtcMillis): Ledger["plan"] {
  const { plan } = ledger;
  const { good, since } = backOff(ledger, now);
  const isCount = good >= budget * TWO_COUNTS && good < unitsADayOf(ledger, budget, now);
  if (!isCount || currentStatement(ledger, now) || plan?.at === since) return plan;
  if (plan && plan.basis !== "stated" && Math.abs(good - plan.units) <= AGREEMENT * plan.units) {
    // A refusal undoes no more than the growth of a confirmed plan: unexplained refusals must not lower the plan.
    if (plan.basis === "confirmed")
      return unitsADayOf(ledger, budget, now) > plan.units ? { ...plan, at: since } : plan;
    if (since - plan.at <= 2 * DAY_MS) return { ...plan, units: good, at: since, basis: "confirmed" };
  }
  return { units: good, at: since, until: until ?? ((since + DAY_MS) as UtcMillis), basis: "counted" };
}

/** The current back-off, or a back-off that begins now. */
function backOff(ledger: Ledger, now: UtcMillis): NonNullable<Ledger["rest"]> {
  const { good } = sumSince(ledger, Math.max(now - WINDOW_MS, ledger.answersSince ?? 0));
  return ledger.rest?.count ? ledger.rest : { until: now, since: now, count: 0, good, isFirm: false };
}

/** Moves the times of past requests after the upstream's clock has jumped, so 24 hours stay 24 hours. */
export function withMovedClock(ledger: Ledger, ms: number): Ledger {
  const moved = (time: UtcMillis): UtcMillis => (time + ms) as UtcMillis;
  return { ...ledger, spans: ledger.spans.map((span) => ({ ...span, from: moved(span.from), to: moved(span.to) })) };
}

/** The end of the wait after 429; `undefined` for no wait. A time far ahead comes from a wrong clock and is ignored. */
export function restsUntil({ rest }: Ledger, now: UtcMillis): UtcMillis | undefined {
  return rest && now < rest.until && rest.until - now <= LONG_MS ? rest.until : undefined;
}

/** The upstream's statement about its current day. */
export function currentStatement({ statement }: Ledger, now: UtcMillis): NonNullable<Ledger["statement"]> | undefined {
  return statement && now < statement.until && statement.until - now <= LONG_MS ? statement : undefined;
}

/** The ledger after a stated quota, which can take units away, lower the plan, or show that a failure was free. */
export function hear(ledger: Ledger, { limit, remaining, resetsAt }: QuotaStatement, now: UtcMillis): Ledger {
  const ahead = (resetsAt ?? 0) - now;
  // Without a reset time, the quota may be a limit per minute.
  if (resetsAt === undefined || ahead <= 0 || ahead > LONGEST_MS) return ledger;
  const { rest, plan } = ledger;
  // One wrong answer must not lower the plan forever. A key with one unit a day has an answer within this time.
  const stated = { at: now, until: (now + LONG_MS) as UtcMillis, basis: "stated" } as const;
  if (ahead > LONG_MS) {
    // The units of a month are spread over its days.
    const units = Math.ceil((remaining + unitsUsed(ledger, now)) / Math.ceil(ahead / DAY_MS));
    return { ...ledger, plan: { ...stated, units: Math.max(1, units) } };
  }
  const isSameDay = Math.abs((currentStatement(ledger, now)?.until ?? 0) - resetsAt) <= SAME_TIME_MS;
  if (ahead < SHORT_MS && !isSameDay)
    return remaining > 0 ? ledger : { ...ledger, rest: { ...backOff(ledger, now), until: resetsAt, isFirm: true } };
  const { open: unanswered } = sumSince(ledger, now - SETTLED_MS);
  return {
    ...ledger,
    statement: {
      remaining: Math.max(0, remaining - unanswered),
      counted: limit === undefined ? null : Math.max(0, limit - remaining) + unanswered,
      until: resetsAt,
    },
    plan: limit !== undefined && limit > 0 ? { ...stated, units: limit } : plan,
    // If units are left, a back-off that is not firm (see `isFirm`) is over.
    rest: rest && !rest.isFirm && remaining > 0 ? { ...rest, until: now } : rest,
  };
}

/** The times at which more units may become available, ascending. */
function gains({ spans, statement }: Ledger, now: UtcMillis): UtcMillis[] {
  return [statement?.until ?? 0, ...spans.map(({ to }) => to + WINDOW_MS + 1)]
    .filter((time): time is UtcMillis => time > now)
    .sort((a, b) => a - b);
}

function settled(ledger: Ledger, as: "good" | "free"): Ledger {
  const last = ledger.spans.at(-1);
  return last
    ? { ...ledger, spans: [...ledger.spans.slice(0, -1), { ...last, open: last.open - 1, [as]: last[as] + 1 }] }
    : ledger;
}

function sumSince({ spans }: Ledger, start: number): Pick<Span, "good" | "open" | "free"> {
  let [good, open, free] = [0, 0, 0];
  for (const span of spans) {
    if (span.to >= start) [good, open, free] = [good + span.good, open + span.open, free + span.free];
  }
  return { good, open, free };
}
