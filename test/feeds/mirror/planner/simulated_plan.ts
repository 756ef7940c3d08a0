import {
  begun,
  checked,
  filled,
  type HistoryRequest,
  type MirrorPlan,
  type MirrorState,
  NEW_MIRROR,
  nextAct,
  paidUnit,
  refreshed,
} from "../../../../adapters/feeds/mirror/planner/mod.ts";
import type { AssetCode, UtcMillis } from "../../../../core/branded_types.ts";
import { at, DAY, HOUR, MINUTE } from "../../../support/generators.ts";

// A mirror's planner with an upstream that answers everything, on a clock that jumps to the next action.

export const EVENING = at(Date.parse("2026-11-22T20:00:00Z"));
const ZONE = 3.5 * HOUR;

/** A plan for a market in Tehran. */
export function planFor(codes: readonly AssetCode[], first = codes.length): MirrorPlan {
  const midnightAfter = (time: UtcMillis) => at((Math.floor((time + ZONE) / DAY) + 1) * DAY - ZONE);
  return { unitsADay: 50, codes, first, midnightAfter };
}

/** Whether the rial market trades: from 10:00 to 20:00 except on Fridays, for 60 of 168 hours. */
export function isTrading(time: number): boolean {
  const local = time + ZONE;
  const hour = (local % DAY) / HOUR;
  return hour >= 10 && hour < 20 && Math.floor(local / DAY) % 7 !== 1;
}

/** Simulates `days`, with `past` days of history upstream. The prices of the codes in `always` move at any time. */
export function simulate({
  days,
  past,
  plan,
  isUp = () => true,
  trades = isTrading,
  always = [],
  onDay = () => undefined,
}: Readonly<{
  days: number;
  past: number;
  plan: MirrorPlan;
  isUp?: (time: number) => boolean;
  trades?: (time: number) => boolean;
  always?: readonly AssetCode[];
  onDay?: (day: number, state: MirrorState, now: UtcMillis) => MirrorState | undefined;
}>) {
  const { codes } = plan;
  const today = Math.floor(EVENING / DAY);
  const firstDay = today - past;
  /** For each code, the days whose closes were requested, and the days with a refresh near their end. */
  const closes = new Map(codes.map((code) => [code as string, new Set<number>()]));
  const watched = new Set<number>();
  const asked: (HistoryRequest & { readonly now: UtcMillis })[] = [];
  const refreshes: UtcMillis[] = [];
  let state: MirrorState = checked(NEW_MIRROR, { isRefused: false, attribution: null }, EVENING);
  let filledAfter: number | undefined;
  let day = 0;

  function pay(act: Extract<ReturnType<typeof nextAct>, { kind: "refresh" | "history" }>, now: UtcMillis): void {
    state = begun(state, act, now);
    state = { ...state, ledger: paidUnit(state.ledger) };
    if (act.kind === "refresh") {
      refreshes.push(now);
      const midnight = plan.midnightAfter(now);
      if (midnight - now <= 5 * MINUTE) watched.add(Math.floor((midnight - 1 + ZONE) / DAY));
      let movedTo = at(now - (now % MINUTE));
      while (!trades(movedTo) && now - movedTo < 20 * DAY) movedTo = at(movedTo - 5 * MINUTE);
      const newestOf = new Map(codes.map((code) => [code, always.includes(code) ? now : movedTo]));
      const { midnightAfter } = plan;
      state = refreshed(state, { newestOf, newest: now, movedTo, pending: [], midnightAfter }, now);
      return;
    }
    asked.push({ ...act, now });
    const range = Array.from({ length: act.to - act.from + 1 }, (_, i) => act.from + i);
    const found = range.filter((one) => one >= firstDay && (one + 1) * DAY - ZONE <= now);
    for (const one of found) closes.get(act.code)!.add(one);
    const noonOf = (one: number | undefined) => (one === undefined ? null : at(one * DAY + 12 * HOUR));
    state = filled(state, act, { oldest: noonOf(found[0]), newest: noonOf(found.at(-1)), isDoubtful: false, now });
    if (codes.every((code) => closes.get(code)!.has(firstDay))) filledAfter ??= (now - EVENING) / DAY;
  }

  for (let now = EVENING; now < EVENING + days * DAY; ) {
    for (; now - EVENING >= day * DAY; day++) state = onDay(day, state, now) ?? state;
    const act = isUp(now) ? nextAct(state, plan, now) : undefined;
    if (!act) now = at(now + 10 * MINUTE);
    else if (act.kind === "wait") now = at(Math.max(now + 1, Math.min(act.until, now + HOUR)));
    else if (act.kind === "check") state = checked(state, { isRefused: false, attribution: null }, now);
    else {
      pay(act, now);
      now = at(now + 3_000);
    }
  }
  return {
    ...{ closes, watched, asked, refreshes, filledAfter, state, firstDay },
    /** Whether all codes have the closes of the last `count` days, up to yesterday. */
    has(count: number, now: UtcMillis): boolean {
      const last = Math.floor((now + ZONE) / DAY) - 1;
      const range = Array.from({ length: count }, (_, i) => last - i).filter((one) => !watched.has(one));
      return codes.every((code) => range.every((one) => closes.get(code)!.has(one)));
    },
  };
}
