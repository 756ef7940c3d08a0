import { DAY_MS, dateOfDayNumber, formatTimestamp } from "../../core/internal.ts";
import { endOfDay, isComplete, unitsLeft, usedOn } from "../../core/mirror/mod.ts";
import type { MirrorAct, MirrorPlan, MirrorState } from "../../core/mirror/mod.ts";
import type { AssetCode, UtcMillis } from "../../core/mod.ts";
import type { RefusedRecord } from "./check_records.ts";

/** What a mirror does, as plain fields; times in ISO 8601, of the upstream's clock. */
export interface MirrorStatus {
  readonly upstream: string;
  readonly provider: string;
  /** `stopped`: the upstream refuses the key. `failing`: the last requests have failed. */
  readonly state: "running" | "failing" | "stopped";
  /** Why it is failing or stopped, and since when. */
  readonly trouble: { readonly message: string; readonly since: string } | null;
  /** Of the upstream's present day, in UTC. */
  readonly units: { readonly day: string; readonly used: number; readonly left: number; readonly perDay: number; readonly resetsAt: string };
  readonly refreshEverySeconds: number;
  /** When the latest values were last asked for with success. */
  readonly lastRefresh: string | null;
  readonly next: { readonly act: string; readonly at: string };
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
  readonly stopped: boolean;
  readonly trouble: { readonly message: string; readonly since: UtcMillis } | undefined;
  readonly refusedCount: number;
  readonly lastRefused: readonly RefusedRecord[];
  readonly unknownCodes: readonly string[];
}

/** The status at a time. `next` is what the plan says of that time. */
export function mirrorStatus(state: MirrorState, plan: MirrorPlan, next: MirrorAct, figures: MirrorFigures, now: UtcMillis): MirrorStatus {
  const { ledger, archive } = state;
  const { upstream, provider, stopped, trouble, refusedCount, lastRefused, unknownCodes } = figures;
  const end = endOfDay(ledger, now);
  return {
    upstream,
    provider,
    state: stopped ? "stopped" : trouble ? "failing" : "running",
    trouble: trouble ? { message: trouble.message, since: formatTimestamp(trouble.since) } : null,
    units: {
      day: dateOfDayNumber(end / DAY_MS - 1),
      used: usedOn(ledger, now),
      left: unitsLeft(ledger, plan.budget.unitsADay, now),
      perDay: plan.budget.unitsADay,
      resetsAt: formatTimestamp(end),
    },
    refreshEverySeconds: Math.round(plan.budget.intervalMs / 1_000),
    lastRefresh: timeText(state.refreshedAt),
    next: { act: stopped ? "none, until it is started again" : inWords(next), at: formatTimestamp(next.kind === "wait" ? next.until : now) },
    archive: plan.codes.flatMap((code) => archiveOf(state, code)),
    missing: state.refreshedAt === null ? [] : plan.codes.filter((code) => !archive.has(code)),
    pending: state.pending.map(({ code, value, businessTime }) => ({ code, value, businessTime: formatTimestamp(businessTime) })),
    refused: { count: refusedCount, last: lastRefused, unknownCodes },
    attributionRequired: state.attributionRequired,
  };
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
  "upstream-rests": "go on, as the upstream has answered 429 until then",
  "no-units": "go on with new units",
  midnight: "go on with the units of the next day",
} as const;

function timeText(time: UtcMillis | null): string | null {
  return time === null ? null : formatTimestamp(time);
}
