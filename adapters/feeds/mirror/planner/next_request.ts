import { DAY_MS, HOUR_MS } from "../../../../core/internal.ts";
import type { AssetCode, UtcMillis } from "../../../../core/mod.ts";
import { type CodeArchive, daysForAYear, nextHistoryRequest, wishedDays } from "./history_backfill.ts";
import { paceOf } from "./market_hours.ts";
import type { MirrorState, PaidAct } from "./mirror_state.ts";
import { nextUnitsAt, restsUntil, spareUnits, unitsADayOf, unitsLeft } from "./unit_ledger.ts";

/** The next act. `check`: a free request to `/access` at the start, daily, and hourly without units or a valid key. */
export type MirrorAct =
  | PaidAct
  | { readonly kind: "check" }
  | { readonly kind: "wait"; readonly until: UtcMillis; readonly why: WaitReason };

/** Why a mirror waits: no refresh is due, a request failed, the key was refused, 429 arrived, or no units are left. */
export type WaitReason = "refresh-due" | "retry" | "refused" | "upstream-rests" | "no-units";

/** The most units in 24 hours, the wanted codes, the number of codes to fill first, and the market's next midnight. */
export type MirrorPlan = Readonly<{
  unitsADay: number;
  codes: readonly AssetCode[];
  first: number;
  midnightAfter: (time: UtcMillis) => UtcMillis;
}>;

/**
 * How long before and after midnight to refresh. Closing prices may still change after an earlier refresh; a later
 * refresh may already have values of the next day.
 */
const [CLOSE_BEFORE_MS, CLOSE_AFTER_MS] = [20_000, 30_000];
/** The share of units for refreshes, and how many retries may take units from later refreshes. */
const [REFRESH_SHARE, REPEATED] = [0.8, 3];

/**
 * Returns the interval of evenly spaced refreshes in milliseconds. Of 50 units, 40 go to refreshes: one every 38
 * minutes, and two at midnight. Throws `RangeError` if `unitsADay` is not a whole number above zero.
 */
export function intervalOf(unitsADay: number): number {
  if (!Number.isSafeInteger(unitsADay) || unitsADay < 1)
    throw new RangeError(
      `Cannot plan because the units of a day must be a whole number above zero: received "${unitsADay}"`,
    );
  const refreshes = unitsADay - historyUnits(unitsADay);
  return Math.max(1_000, Math.ceil(DAY_MS / (refreshes > 24 ? refreshes - 2 : refreshes)));
}

/** Returns how many units a day are for history; 0 if there are fewer than five units. */
export function historyUnits(unitsADay: number): number {
  return unitsADay < 5 ? 0 : unitsADay - Math.max(1, Math.floor(unitsADay * REFRESH_SHARE));
}

/**
 * Estimates when all assets will have a year of history. The refreshes at midnight cut an interval short, which costs
 * half a unit a day on average.
 */
export function yearOn(state: MirrorState, plan: MirrorPlan, unitsADay: number, now: UtcMillis): UtcMillis | undefined {
  if (state.refreshedAt === null) return undefined;
  const parts = { unitsADay: historyUnits(unitsADay) - 0.5, missedShare: state.missedShare };
  const days = daysForAYear(groupsOf(state, plan), parts, now);
  return days === undefined ? undefined : ((now + days * DAY_MS) as UtcMillis);
}

/** The archives of the wanted assets in two groups: assets that are filled first, and all other assets. */
export function groupsOf({ archive }: MirrorState, { codes, first }: MirrorPlan): CodeArchive[][] {
  return [codes.slice(0, first), codes.slice(first)].map((group) => group.flatMap((code) => archive.get(code) ?? []));
}

/** The pace of refreshes with this many units a day. Refreshes come more often while the rial market trades. */
export function paceWith({ hours }: MirrorState, plan: MirrorPlan, unitsADay: number, now: UtcMillis) {
  return paceOf(hours, { evenMs: intervalOf(unitsADay), midnight: plan.midnightAfter(now) }, now);
}

/** Returns the next act, which depends only on the state, the plan and the upstream's time. */
export function nextAct(state: MirrorState, plan: MirrorPlan, now: UtcMillis): MirrorAct {
  const { ledger, retryAt, accessAt, archive, isPastNext } = state;
  const intervalMs = intervalOf(unitsADayOf(ledger, plan.unitsADay, now));
  // If `retryAt` is more than an interval ahead, a clock has been set back since.
  if (retryAt !== null && now < retryAt && retryAt - now <= intervalMs) return wait(retryAt, "retry");
  if (accessAt === null || accessAt > now || now - accessAt >= DAY_MS) return { kind: "check" };
  const checkAt = (accessAt + HOUR_MS) as UtcMillis;
  const checkOrWait = (until: UtcMillis, why: WaitReason): MirrorAct =>
    checkAt <= now ? { kind: "check" } : wait(Math.min(until, checkAt), why);
  if (state.isRefused) return checkOrWait(checkAt, "refused");
  const resting = restsUntil(ledger, now);
  if (resting !== undefined)
    return ledger.rest!.isFirm ? wait(resting, "upstream-rests") : checkOrWait(resting, "upstream-rests");
  if (unitsLeft(ledger, plan.unitsADay, now) === 0)
    return checkOrWait(nextUnitsAt(ledger, plan.unitsADay, now), "no-units");

  const { due, spare } = nextRefresh(state, plan, now);
  if (due <= now) return { kind: "refresh" };
  let wanted = spare > 0 ? nextHistoryRequest(archive, { ...plan, isPastNext }, now) : undefined;
  // Days that an operator requested over an hour ago may use a unit of the refreshes, which are then delayed a little.
  if (spare <= 0 && spare > -REPEATED) wanted = wishedDays(archive, (now - HOUR_MS) as UtcMillis);
  return wanted ? { kind: "history", ...wanted } : wait(due, "refresh-due");
}

/** Returns when the next refresh is due, and how many units are left after all planned refreshes. */
function nextRefresh(state: MirrorState, plan: MirrorPlan, now: UtcMillis) {
  const { ledger, triedAt, refreshedAt } = state;
  // A time in the future comes from a clock that has been set back since.
  if (triedAt === null || triedAt > now) return { due: now, spare: 0 };
  const midnight = plan.midnightAfter(triedAt);
  const perDay = unitsADayOf(ledger, plan.unitsADay, now);
  const pace = paceWith(state, plan, perDay, now);
  const due = pace.dueAfter(triedAt);
  const hasTwo = intervalOf(perDay) <= HOUR_MS;
  const closes = [hasTwo ? midnight - CLOSE_BEFORE_MS : 0, midnight + CLOSE_AFTER_MS].filter((time) => time > triedAt);
  const regular = Math.min(due, ...closes);
  const refreshesBefore = (time: number): number => {
    const midnights = hasTwo ? Math.floor((time - midnight + CLOSE_BEFORE_MS) / DAY_MS) + 1 : 0;
    return Math.ceil(pace.between(Math.max(regular, now), time)) + Math.max(0, midnights);
  };
  const { spare, left, until } = spareUnits(ledger, { budget: plan.unitsADay, refreshesBefore }, now);
  // A failed refresh is repeated, with a unit that was planned for history or for later refreshes.
  if (refreshedAt !== triedAt && spare > -REPEATED) return { due: now, spare };
  // If there are too few units, refreshes are spread evenly until more units are available.
  return {
    due: spare < 0 ? Math.min(Math.max(due, triedAt + (until - triedAt) / (left + 1)), ...closes) : regular,
    spare,
  };
}

function wait(until: number, why: WaitReason): MirrorAct {
  return { kind: "wait", until: Math.ceil(until) as UtcMillis, why };
}
