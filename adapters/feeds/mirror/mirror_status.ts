import { dateOfDayNumber, formatTimestamp, HOUR_MS, MINUTE_MS, millisSince } from "../../../core/internal.ts";
import type { AssetCode, UtcMillis } from "../../../core/mod.ts";
import type { AssetReport } from "./asset_watch.ts";
import type { RejectedUpstreamRecord } from "./check_records.ts";
import * as planner from "./planner/mod.ts";

type Texts<Name extends string> = Readonly<Record<Name, string | null>>;

/**
 * The status of a mirror, also for log, readiness and metrics. Times are ISO 8601 by the upstream's clock, or `null`.
 *
 * `message` says why the mirror does not run, without a full stop. `lastRefresh` is the time of the last successful
 * request for the latest values, `newest` the newest business time in its answer. `historyTrouble` is set if only
 * requests for history fail, and says why.
 */
export interface MirrorStatus
  extends Texts<"message" | "since" | "until" | "lastRefresh" | "newest" | "historyTrouble"> {
  readonly upstream: string;
  readonly provider: string;
  /**
   * `running`: values are refreshed as often as promised, but may be old at the upstream or pending (see `problems`).
   * `resting`: no requests are sent until a time. `failing`: the last requests have failed, or most assets have a wrong
   * unit. `late`: the last refresh is missing or older than promised.
   */
  readonly state: "running" | "resting" | "failing" | "late";
  /** Units of 24 hours. `perDay`: `allowed`, or the key's plan if smaller. `resetsAt`: end of the upstream's day. */
  readonly units: Readonly<Record<"used" | "left" | "perDay" | "allowed", number>> & Texts<"resetsAt">;
  /** The current interval of refreshes, which is shorter while the rial market trades. */
  readonly refreshEverySeconds: number;
  readonly lastRefreshAgeSeconds: number | null;
  readonly newestAgeSeconds: number | null;
  /** The mirror is ready until this time: one hour after the last refresh, or three intervals if these are longer. */
  readonly readyUntil: string | null;
  /** Whether `readyUntil` has passed, no value has arrived, or most assets have a wrong unit. */
  readonly isUnready: boolean;
  /** The next act and its asset, or the reason for waiting. */
  readonly next: {
    readonly act: planner.PaidAct["kind"] | "check" | planner.WaitReason;
    readonly at: string;
  } & Texts<"code">;
  /** Requests with the key since the start, by their outcome. */
  readonly requests: Readonly<Record<string, number>>;
  /** How many assets in `archive` have a year of history, and when all will (`null` if no units are left for history). */
  readonly year: { readonly complete: number } & Texts<"allOn">;
  /** Estimates for other plans: refresh intervals (market open, closed), and when all assets will have a year. */
  readonly estimates: readonly (Readonly<Record<"unitsADay" | "openSeconds" | "closedSeconds", number>> &
    Texts<"yearOn">)[];
  /** The last 100 days, in UTC. */
  readonly days: readonly planner.MirrorDay[];
  /** The history of each wanted asset at the upstream, by market days; and the wanted codes that the upstream lacks. */
  readonly archive: readonly ArchiveStatus[];
  readonly missing: readonly string[];
  /** How many assets were current, vanished, rejected or pending in the last refresh, and problems for the operator. */
  readonly assets: AssetReport["counts"];
  readonly problems: readonly string[];
  /** How many values of the mirror are pending, and which records were refused since the program started. */
  readonly pending: number;
  readonly refused: { readonly count: number; readonly last: readonly RejectedUpstreamRecord[] };
  /** How far this machine's clock is behind the upstream's. */
  readonly clockBehindSeconds: number;
  readonly attributionRequired: boolean | null;
}

/** An asset's history: filled days, whether the upstream has no earlier days, and when days are requested again. */
export type ArchiveStatus = Texts<"from" | "to" | "askedAgain"> & { readonly code: string; readonly complete: boolean };

/** The state of a mirror at a time. `behindMs` is how far this machine's clock is behind the upstream's. */
export type MirrorMoment = Readonly<{
  state: planner.MirrorState;
  plan: planner.MirrorPlan;
  next: planner.MirrorAct;
  now: UtcMillis;
  behindMs: number;
  pending: number;
}>;

/** Facts since the start: failed requests, assets in another unit, and the last refresh. */
export type Observed = Readonly<{
  trouble: { readonly message: string; readonly since: UtcMillis } | undefined;
  otherUnits: string | null;
  startedAt: UtcMillis;
  assets: AssetReport;
}>;

const RESTS = "The upstream accepts no requests for now";
const NONE_LEFT = "There are no more units for this key";
/** Values are late once a refresh is overdue by this much plus half an interval. Before that, a retry may succeed. */
const LATE_MS = 5 * MINUTE_MS;
/** The plans, in units a day, for which the status has an estimate. */
const ESTIMATED = [50, 100, 500];

/** The part of the status that depends only on the state of a mirror. */
export function statusOf({ state, plan, next, now, behindMs, pending }: MirrorMoment, observed: Observed) {
  const { ledger, archive, refreshedAt, newest } = state;
  const { unitsADay: allowed, codes } = plan;
  const perDay = planner.unitsADayOf(ledger, allowed, now);
  const [used, left] = [planner.unitsUsed(ledger, now), planner.unitsLeft(ledger, allowed, now)];
  const pace = planner.paceWith(state, plan, perDay, now);
  const dueAt = refreshedAt === null ? now : pace.dueAfter(refreshedAt);
  const readyMs = Math.max(HOUR_MS, 3 * (dueAt - (refreshedAt ?? 0)));
  const readyUntil = refreshedAt === null ? null : ((refreshedAt + readyMs) as UtcMillis);
  const isLate = refreshedAt === null || now > dueAt + LATE_MS + (dueAt - refreshedAt) / 2;
  const nextAt = next.kind === "wait" ? next.until : now;
  const withYear = planner
    .groupsOf(state, plan)
    .flat()
    .filter((one) => planner.hasYear(one, now));

  function head(): Pick<MirrorStatus, "state" | "message" | "since" | "until"> {
    const { trouble, otherUnits, startedAt } = observed;
    const message = trouble?.message ?? otherUnits;
    if (message !== null)
      return { state: "failing", message, since: timeText(trouble?.since ?? refreshedAt), until: null };
    const { rest } = ledger;
    const isResting = rest !== null && (isLate || now < rest.until || rest.count > 0);
    if (isResting || (left === 0 && (used < allowed || isLate))) {
      const until = timeText(left === 0 ? planner.nextUnitsAt(ledger, allowed, now) : nextAt);
      return { state: "resting", message: isResting ? RESTS : NONE_LEFT, since: timeText(rest?.since ?? null), until };
    }
    if (!isLate) return { state: "running", message: null, since: null, until: null };
    const late =
      refreshedAt === null ? "No values have arrived yet" : `The last values are from ${formatTimestamp(refreshedAt)}`;
    return { state: "late", message: late, since: timeText(refreshedAt ?? startedAt), until: null };
  }

  function estimate(unitsADay: number): MirrorStatus["estimates"][number] {
    const { openMs, closedMs } = planner.paceWith(state, plan, unitsADay, now);
    const [openSeconds, closedSeconds] = [seconds(openMs), seconds(closedMs)];
    return { unitsADay, openSeconds, closedSeconds, yearOn: dateText(planner.yearOn(state, plan, unitsADay, now)) };
  }

  return {
    ...head(),
    units: { used, left, perDay, allowed, resetsAt: timeText(planner.currentStatement(ledger, now)?.until ?? null) },
    refreshEverySeconds: seconds(pace.msAt(now)),
    lastRefresh: timeText(refreshedAt),
    lastRefreshAgeSeconds: ageOf(refreshedAt, now),
    newest: timeText(newest),
    newestAgeSeconds: ageOf(newest, now),
    readyUntil: timeText(readyUntil),
    isUnready: observed.otherUnits !== null || readyUntil === null || now > readyUntil,
    next: {
      act: next.kind === "wait" ? next.why : next.kind,
      code: next.kind === "history" ? next.code : null,
      at: formatTimestamp(nextAt),
    },
    year: { complete: withYear.length, allOn: dateText(planner.yearOn(state, plan, perDay, now)) },
    estimates: [...new Set([...ESTIMATED, allowed])].sort((a, b) => a - b).map(estimate),
    days: state.days,
    archive: codes.flatMap((code) => archiveOf(state, code)),
    missing: refreshedAt === null ? [] : codes.filter((code) => !archive.has(code)),
    assets: observed.assets.counts,
    problems: [...observed.assets.problems.values()],
    pending,
    clockBehindSeconds: seconds(behindMs),
    attributionRequired: state.attributionRequired,
  } satisfies Partial<MirrorStatus>;
}

function archiveOf({ archive, refreshedAt }: planner.MirrorState, code: AssetCode): readonly ArchiveStatus[] {
  const known = archive.get(code);
  if (!known) return [];
  const { filled, missed, again } = known;
  const watched = missed ? missed.from - 1 : planner.lastDayEverywhere(refreshedAt ?? (0 as UtcMillis));
  const [next = null] = again.map(({ at }) => at).sort((a, b) => a - b);
  return [
    {
      code,
      from: filled && dateOfDayNumber(filled.from),
      to: filled && dateOfDayNumber(Math.max(filled.to, watched)),
      complete: planner.isComplete(known),
      askedAgain: timeText(next),
    },
  ];
}

function seconds(ms: number): number {
  return Math.round(ms / 1_000);
}

function timeText(time: UtcMillis | null): string | null {
  return time === null ? null : formatTimestamp(time);
}

function dateText(time: UtcMillis | undefined): string | null {
  return time === undefined ? null : formatTimestamp(time).slice(0, 10);
}

function ageOf(time: UtcMillis | null, now: UtcMillis): number | null {
  return time === null ? null : seconds(millisSince(time, now));
}
