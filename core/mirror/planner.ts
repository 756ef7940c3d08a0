import type { AssetCode, UtcMillis } from "../brand.ts";
import { nextWanted } from "./archive.ts";
import { refreshesUntil } from "./budget.ts";
import type { Budget } from "./budget.ts";
import { endOfDay, ledgerDay, nextUnitsAt, restsUntil, unitsLeft } from "./ledger.ts";
import type { MirrorState, PaidAct } from "./state.ts";
import { DAY_MS, MINUTE_MS } from "../time/durations.ts";

/** What a mirror does next. */
export type MirrorAct =
  | PaidAct
  /** Checks the access, which is free: at each start and on each new day. */
  | { readonly kind: "check" }
  | { readonly kind: "wait"; readonly until: UtcMillis; readonly why: WaitReason };

/** Why a mirror waits: for the next refresh or request for history, after a failure or a 429, for new units, for the upstream's midnight. */
export type WaitReason = "refresh-due" | "pause" | "retry" | "upstream-rests" | "no-units" | "midnight";

/** What a mirror is to do. */
export interface MirrorPlan {
  readonly budget: Budget;
  /** The codes whose history is wanted, the most important first. */
  readonly codes: readonly AssetCode[];
}

/** Longer than a request takes: no request that was begun before a midnight arrives after it, and counts for another day. */
export const MIDNIGHT_MS = 45_000;
/** A request for history has ended before the next refresh is due. */
const HISTORY_MS = MINUTE_MS;
/** The share of the refreshes to come for whose repetition units are kept back. */
const FAILING_SHARE = 0.1;

/** The next act, from the state and the upstream's time alone. */
export function nextAct(state: MirrorState, plan: MirrorPlan, now: UtcMillis): MirrorAct {
  const { ledger, retryAt } = state;
  const { budget } = plan;
  const resting = restsUntil(ledger, now);
  if (resting !== undefined) return wait(resting, "upstream-rests");
  // A time that is further ahead comes from a clock that was set back since.
  if (retryAt !== null && now < retryAt && retryAt - now <= budget.intervalMs) return wait(retryAt, "retry");
  if (state.checkedOn !== ledgerDay(ledger, now)) return { kind: "check" };

  const end = endOfDay(ledger, now);
  const left = unitsLeft(ledger, budget.unitsADay, now);
  if (left === 0) return wait(nextUnitsAt(ledger, budget.unitsADay, now), "no-units");
  if (now >= end - MIDNIGHT_MS) return wait(end, "midnight");

  const due = refreshDue(state, budget, { now, end, left });
  if (due <= now) return { kind: "refresh" };
  const needed = refreshesUntil(end, due, budget);
  // What is kept back for refreshes that fail is free for history as the day goes by.
  const spare = left - needed - Math.max(budget.inHand, Math.ceil(needed * FAILING_SHARE));
  const wanted = spare > 0 && due - now >= Math.min(HISTORY_MS, budget.intervalMs / 4) ? nextWanted(state, plan.codes, now) : undefined;
  if (!wanted) return wait(due, "refresh-due");
  const last = state.historyAt;
  if (last !== null && last <= now && now - last < budget.pauseMs) return wait((last + budget.pauseMs) as UtcMillis, "pause");
  return { kind: "history", ...wanted };
}

/** When the latest values are to be asked for again. */
function refreshDue(
  { triedAt, refreshedAt }: MirrorState,
  budget: Budget,
  { now, end, left }: { readonly now: UtcMillis; readonly end: UtcMillis; readonly left: number },
): UtcMillis {
  // A time ahead comes from a clock that was set back since.
  if (triedAt === null || triedAt > now) return now;
  const regular = triedAt + budget.intervalMs;
  const needed = refreshesUntil(end, Math.max(regular, now), budget);
  // One that has failed is repeated, after the wait for that, as long as units are to spare.
  if (refreshedAt !== triedAt && left > needed) return triedAt;
  const begin = Math.max(triedAt, end - DAY_MS);
  // Where the units do not suffice, those that are left are spread over the rest of the day.
  const due = left < needed ? Math.max(regular, begin + (end - begin) / (left + 1)) : regular;
  // Earlier rather than after midnight, so that no values get older than the interval.
  const early = Math.max(end - 2 * MIDNIGHT_MS, triedAt + budget.intervalMs / 2);
  return Math.ceil(due >= end - MIDNIGHT_MS && due < end ? early : due) as UtcMillis;
}

function wait(until: UtcMillis, why: WaitReason): MirrorAct {
  return { kind: "wait", until, why };
}
