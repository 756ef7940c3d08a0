import { DAY_MS, HOUR_MS, dateOfDayNumber, formatTimestamp } from "../../core/internal.ts";
import { daysForAYear, endOfDay, isComplete, toldNow, unitsLeft, usedOn } from "../../core/mirror/mod.ts";
import type { MirrorAct, MirrorPlan, MirrorState } from "../../core/mirror/mod.ts";
import type { AssetCode, UtcMillis } from "../../core/mod.ts";
import type { RefusedRecord } from "./check_records.ts";

/** What a mirror does, as plain fields; times in ISO 8601, of the upstream's clock. */
export interface MirrorStatus {
  readonly upstream: string;
  readonly provider: string;
  /** `stopped`: the upstream refuses the key. `resting`: it has no more units for the key. `failing`: the last requests have failed. */
  readonly state: "running" | "failing" | "resting" | "stopped";
  /** Why it rests, and until when. */
  readonly rest: { readonly message: string; readonly until: string } | null;
  /** Why it is failing or stopped, and since when. */
  readonly trouble: { readonly message: string; readonly since: string } | null;
  /** Of the upstream's present day, in UTC. `perDay` is the smaller of `allowed`, which the mirror was started with, and what the plan of its key has. */
  readonly units: { readonly day: string; readonly used: number; readonly left: number; readonly perDay: number; readonly allowed: number; readonly resetsAt: string };
  readonly refreshEverySeconds: number;
  /** When the latest values were last asked for with success. */
  readonly lastRefresh: string | null;
  /** Whether that was more than three intervals and an hour ago, or never. */
  readonly overdue: boolean;
  /** `at` is `null` where there is nothing next. */
  readonly next: { readonly act: string; readonly at: string | null };
  /** About how many days one year of the history of all these assets takes; `null` where no units are planned for it. */
  readonly daysForAYear: number | null;
  /** Of each asset whose history is wanted and that the upstream has. Days are the upstream's market days. */
  readonly archive: readonly ArchiveStatus[];
  /** Codes whose history is wanted and that the upstream does not have. */
  readonly missing: readonly string[];
  /** Values that jump and that no second answer has confirmed. */
  readonly pending: readonly { readonly code: string; readonly value: number; readonly businessTime: string }[];
  /** Since the start of the program. */
  readonly refused: { readonly count: number; readonly last: readonly RefusedRecord[]; readonly unknownCodes: readonly string[] };
  readonly attributionRequired: boolean | null;
}

/** The history of one asset. */
export interface ArchiveStatus {
  readonly code: string;
  /** The first and the last day that are filled, without the holes in between; `null` for none. */
  readonly from: string | null;
  readonly to: string | null;
  readonly holes: number;
  /** Business time of the oldest record. */
  readonly oldestRecord: string | null;
  /** Whether the upstream has no older record. */
  readonly complete: boolean;
}

/** What a running mirror knows besides its state. */
export interface MirrorFigures {
  readonly upstream: string;
  readonly provider: string;
  readonly allowed: number;
  readonly stopped: boolean;
  readonly trouble: { readonly message: string; readonly since: UtcMillis } | undefined;
  readonly refusedCount: number;
  readonly lastRefused: readonly RefusedRecord[];
  readonly unknownCodes: readonly string[];
}

/** A mirror at a time. `next` is what the plan says of that time. */
export interface MirrorMoment {
  readonly state: MirrorState;
  readonly plan: MirrorPlan;
  readonly next: MirrorAct;
  readonly now: UtcMillis;
}

const OVERDUE_INTERVALS = 3;

/** A pause that the mirror did not plan itself. */
export interface Rest {
  readonly until: UtcMillis;
  readonly message: string;
}

/** Why the mirror waits although its plan says to go on; `undefined` when it goes on. */
export function restOf({ state: { ledger }, plan: { budget }, next, now }: MirrorMoment): Rest | undefined {
  if (next.kind !== "wait" || (next.why !== "no-units" && next.why !== "upstream-rests")) return undefined;
  const { until, why } = next;
  const used = usedOn(ledger, now);
  if (why === "no-units" && used >= budget.unitsADay) return undefined;
  if (toldNow(ledger, now)?.remaining === 0) return { until, message: `all units of this key are used, ${used === 0 ? "none" : used} of them by this mirror` };
  return { until, message: why === "upstream-rests" ? "the upstream has answered 429" : "the upstream's clock shows an earlier day than it once did" };
}

/** The status at a time. */
export function mirrorStatus(moment: MirrorMoment, figures: MirrorFigures): MirrorStatus {
  const { state, plan, next, now } = moment;
  const { ledger, archive } = state;
  const { upstream, provider, allowed, stopped, trouble, refusedCount, lastRefused, unknownCodes } = figures;
  const { budget, codes } = plan;
  const missing = state.refreshedAt === null ? [] : codes.filter((code) => !archive.has(code));
  const end = endOfDay(ledger, now);
  const rest = stopped ? undefined : restOf(moment);
  return {
    upstream,
    provider,
    state: stopped ? "stopped" : rest ? "resting" : trouble ? "failing" : "running",
    rest: rest ? { message: rest.message, until: formatTimestamp(rest.until) } : null,
    trouble: trouble ? { message: trouble.message, since: formatTimestamp(trouble.since) } : null,
    units: {
      day: dateOfDayNumber(end / DAY_MS - 1),
      used: usedOn(ledger, now),
      left: rest && rest.until >= end ? 0 : unitsLeft(ledger, budget.unitsADay, now),
      perDay: budget.unitsADay,
      allowed,
      resetsAt: formatTimestamp(end),
    },
    refreshEverySeconds: Math.round(budget.intervalMs / 1_000),
    lastRefresh: timeText(state.refreshedAt),
    overdue: state.refreshedAt === null || now - state.refreshedAt > Math.max(HOUR_MS, OVERDUE_INTERVALS * budget.intervalMs),
    next: { act: stopped ? "none, until it is started again" : inWords(next), at: stopped ? null : formatTimestamp(next.kind === "wait" ? next.until : now) },
    daysForAYear: daysForAYear(budget, codes.length - missing.length) ?? null,
    archive: codes.flatMap((code) => archiveOf(state, code)),
    missing,
    pending: pendingOf(state),
    refused: { count: refusedCount, last: lastRefused, unknownCodes },
    attributionRequired: state.attributionRequired,
  };
}

function pendingOf({ pending }: MirrorState): MirrorStatus["pending"] {
  return pending.map(({ code, value, businessTime }) => ({ code, value, businessTime: formatTimestamp(businessTime) }));
}

function archiveOf({ archive }: MirrorState, code: AssetCode): readonly ArchiveStatus[] {
  const known = archive.get(code);
  if (!known) return [];
  const { filled, oldest } = known;
  const [first, last] = [filled[0], filled.at(-1)];
  return [{
    code,
    from: first ? dateOfDayNumber(first.from) : null,
    to: last ? dateOfDayNumber(last.to) : null,
    holes: Math.max(0, filled.length - 1),
    oldestRecord: timeText(oldest),
    complete: isComplete(known),
  }];
}

function inWords(act: MirrorAct): string {
  switch (act.kind) {
    case "check":
      return "check the access";
    case "refresh":
      return "refresh the latest values";
    case "history":
      return `history of ${act.code}, ${dateOfDayNumber(act.from)} to ${dateOfDayNumber(act.to)}`;
    case "wait":
      return WAITS[act.why];
  }
}

const WAITS = {
  "refresh-due": "refresh the latest values",
  pause: "history, after a pause",
  retry: "try again after a failure",
  "upstream-rests": "go on",
  "no-units": "go on with new units",
  midnight: "go on with the units of the next day",
} as const;

function timeText(time: UtcMillis | null): string | null {
  return time === null ? null : formatTimestamp(time);
}
