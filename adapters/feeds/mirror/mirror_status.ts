import { dateOfDayNumber, formatTimestamp, HOUR_MS, MINUTE_MS, millisSince } from "../../../core/internal.ts";
import type { Asset, AssetCode, UtcMillis } from "../../../core/mod.ts";
import { type AssetReport, createAssetWatch } from "./asset_watch.ts";
import type { RejectedUpstreamRecord, TakenRecords } from "./check_records.ts";
import type { MirrorEvent } from "./mirror_options.ts";
import {
  currentStatement,
  groupsOf,
  hasYear,
  isComplete,
  lastDayEverywhere,
  type MirrorAct,
  type MirrorDay,
  type MirrorPlan,
  type MirrorState,
  nextUnitsAt,
  type PaidAct,
  paceWith,
  refreshPace,
  unitsADayOf,
  unitsLeft,
  unitsUsed,
  type WaitReason,
  yearOn,
} from "./planner/mod.ts";

type Texts<Name extends string> = Readonly<Record<Name, string | null>>;

/**
 * What a mirror does, as plain fields; times in ISO 8601, of the upstream's clock, `null` for none. Log, readiness and metrics tell the same.
 *
 * `message` says why it does not run, without a full stop. `lastRefresh` is when the latest values were last asked for with
 * success, `newest` the newest business time that came then. `historyTrouble` says why history alone is not answered.
 */
export interface MirrorStatus
  extends Texts<"message" | "since" | "until" | "lastRefresh" | "newest" | "historyTrouble"> {
  readonly upstream: string;
  readonly provider: string;
  /**
   * `running`: values are as young as promised. `resting`: the upstream gives nothing until a time. `failing`: the last
   * requests have failed, or most assets are refused for their unit. `late`: values are older than promised, or there are none yet.
   */
  readonly state: "running" | "resting" | "failing" | "late";
  /** Of the last 24 hours. `perDay` is the smaller of `allowed` and what the key's plan has; `resetsAt` is when the upstream's day ends, where it says so. */
  readonly units: Readonly<Record<"used" | "left" | "perDay" | "allowed", number>> & Texts<"resetsAt">;
  /** The interval of refreshes at this time: shorter while the rial market trades. */
  readonly refreshEverySeconds: number;
  readonly lastRefreshAgeSeconds: number | null;
  readonly newestAgeSeconds: number | null;
  /** Until when it is ready without another refresh: for an hour, and for three of the intervals in force. */
  readonly readyUntil: string | null;
  /** Whether that is over, no value has come, or most assets are refused for their unit. */
  readonly isUnready: boolean;
  /** What it does next, or waits for, and for which asset. */
  readonly next: { readonly act: PaidAct["kind"] | "check" | WaitReason; readonly at: string } & Texts<"code">;
  /** Requests with the key since the start, by what came of them. */
  readonly requests: Readonly<Record<string, number>>;
  /** How many of the assets below have a year of history, and about when all have, as a date; `null` where no units are planned for it. */
  readonly year: { readonly complete: number } & Texts<"allOn">;
  /** What some numbers of units a day give by the hours that it has learned: the seconds from one refresh to the next while the rial market trades and else, and when all have a year. */
  readonly estimates: readonly (Readonly<Record<"unitsADay" | "openSeconds" | "closedSeconds", number>> &
    Texts<"yearOn">)[];
  /** Its last 100 days, in UTC. */
  readonly days: readonly MirrorDay[];
  /** Of each asset whose history is wanted and that the upstream has, by its market days; and the codes that it does not have. */
  readonly archive: readonly ArchiveStatus[];
  readonly missing: readonly string[];
  /** How many assets were current, vanished, rejected or pending in the last refreshes, and what somebody should look at. */
  readonly assets: AssetReport["counts"];
  readonly problems: readonly string[];
  /** How many values of the mirror are pending, and what was refused since the start of the program. */
  readonly pending: number;
  readonly refused: { readonly count: number; readonly last: readonly RejectedUpstreamRecord[] };
  /** How far this machine's clock is behind the upstream's. */
  readonly clockBehindSeconds: number;
  readonly attributionRequired: boolean | null;
}

/** The history of one asset: the days that are filled, by requests and since then by refreshes; whether the upstream seems to have none before, and when some are asked for again. */
export type ArchiveStatus = Texts<"from" | "to" | "askedAgain"> & { readonly code: string; readonly complete: boolean };

/** A mirror at a time. `next` is what the plan says of that time, `behindMs` how far this machine's clock is behind the upstream's, `pending` how many of its values are. */
export type MirrorMoment = Readonly<{
  state: MirrorState;
  plan: MirrorPlan;
  next: MirrorAct;
  now: UtcMillis;
  behindMs: number;
  pending: number;
}>;

/** Which request records came from, and the assets that the upstream has had. */
type TakenContext = Readonly<{ isRefresh: boolean; archive: MirrorState["archive"] }>;

const RESTS = "The upstream has answered that it wants no requests for now";
const NONE_LEFT = "There are no more units for this key";
/** A refresh takes its time, also when it has to be repeated once; where units are short, half an interval more. */
const LATE_MS = 5 * MINUTE_MS;
/** Units a day for which there is an estimate. */
const ESTIMATED = [50, 100, 500];
const [SHOWN, MAX_REPORTED] = [20, 200];

/** Keeps what a status needs besides the state, and tells each event once. */
export function createReports({
  upstream,
  provider,
  catalog,
  startedAt,
  onEvent,
}: Readonly<{
  upstream: string;
  provider: string;
  catalog: ReadonlyMap<string, Asset>;
  startedAt: UtcMillis;
  onEvent: (event: MirrorEvent) => void;
}>) {
  let trouble: { readonly message: string; readonly since: UtcMillis } | undefined;
  let otherUnits: string | null = null;
  let historyTrouble: string | null = null;
  const watch = createAssetWatch(catalog);
  /** The kinds of problems with assets that were reported, and last still. */
  let known = new Set<string>();
  let refused: MirrorStatus["refused"] = { count: 0, last: [] };
  let last: MirrorStatus["state"] = "late";
  const requests: Record<string, number> = {};
  /** What was reported already: an upstream repeats the same record in each answer. */
  const reported = new Set<string>();

  function once(level: MirrorEvent["level"], kind: MirrorEvent["kind"], message: string): void {
    if (reported.has(message)) return;
    if (reported.size >= MAX_REPORTED) reported.clear();
    reported.add(message);
    onEvent({ level, kind, message });
  }

  function status({ state, plan, next, now, behindMs, pending }: MirrorMoment): MirrorStatus {
    const { ledger, archive, refreshedAt, newest } = state;
    const { unitsADay: allowed, codes } = plan;
    const [perDay, used, left] = [
      unitsADayOf(ledger, allowed, now),
      unitsUsed(ledger, now),
      unitsLeft(ledger, allowed, now),
    ];
    const pace = refreshPace(state, plan, now);
    const dueAt = refreshedAt === null ? now : pace.dueAfter(refreshedAt);
    const missing = refreshedAt === null ? [] : codes.filter((code) => !archive.has(code));
    const readyMs = Math.max(HOUR_MS, 3 * (dueAt - (refreshedAt ?? 0)));
    const readyUntil = refreshedAt === null ? null : ((refreshedAt + readyMs) as UtcMillis);
    const isLate = refreshedAt === null || now > dueAt + LATE_MS + (dueAt - refreshedAt) / 2;
    let resting: string | undefined;
    if (ledger.rest && (isLate || now < ledger.rest.until || ledger.rest.count > 0)) resting = RESTS;
    else if (left === 0 && (used < allowed || isLate)) resting = NONE_LEFT;
    const nextAt = next.kind === "wait" ? next.until : now;
    const assets = watch.report();

    function estimate(unitsADay: number): MirrorStatus["estimates"][number] {
      const { openMs, closedMs } = paceWith(state, plan, unitsADay, now);
      const [openSeconds, closedSeconds] = [openMs, closedMs].map((ms) => Math.round(ms / 1_000)) as [number, number];
      return { unitsADay, openSeconds, closedSeconds, yearOn: dateText(yearOn(state, plan, unitsADay, now)) };
    }
    function head(): Pick<MirrorStatus, "state" | "message" | "since" | "until"> {
      if (trouble || otherUnits !== null) {
        const message = trouble?.message ?? otherUnits;
        return { state: "failing", message, since: timeText(trouble?.since ?? refreshedAt), until: null };
      }
      if (resting !== undefined) {
        const until = timeText(left === 0 ? nextUnitsAt(ledger, allowed, now) : nextAt);
        return { state: "resting", message: resting, since: timeText(ledger.rest?.since ?? null), until };
      }
      if (!isLate) return { state: "running", message: null, since: null, until: null };
      const message =
        refreshedAt === null ? "No values have come yet" : `The last values are of ${formatTimestamp(refreshedAt)}`;
      return { state: "late", message, since: timeText(refreshedAt ?? startedAt), until: null };
    }

    return {
      ...{ upstream, provider, requests: { ...requests }, refused, historyTrouble },
      ...head(),
      units: { used, left, perDay, allowed, resetsAt: timeText(currentStatement(ledger, now)?.until ?? null) },
      refreshEverySeconds: Math.round(pace.msAt(now) / 1_000),
      lastRefresh: timeText(refreshedAt),
      lastRefreshAgeSeconds: ageOf(refreshedAt, now),
      newest: timeText(newest),
      newestAgeSeconds: ageOf(newest, now),
      readyUntil: timeText(readyUntil),
      isUnready: otherUnits !== null || readyUntil === null || now > readyUntil,
      next: {
        act: next.kind === "wait" ? next.why : next.kind,
        code: next.kind === "history" ? next.code : null,
        at: formatTimestamp(nextAt),
      },
      year: {
        complete: groupsOf(state, plan)
          .flat()
          .filter((one) => hasYear(one, now)).length,
        allOn: dateText(yearOn(state, plan, perDay, now)),
      },
      estimates: [...new Set([...ESTIMATED, allowed])].sort((a, b) => a - b).map((units) => estimate(units)),
      days: state.days,
      archive: codes.flatMap((code) => archiveOf(state, code)),
      missing,
      assets: assets.counts,
      problems: [...assets.problems.values()],
      pending,
      clockBehindSeconds: Math.round(behindMs / 1_000),
      attributionRequired: state.attributionRequired,
    };
  }

  return {
    status,
    once,
    /** Tells a change of the state. */
    reportState(moment: MirrorMoment): void {
      const { problems } = watch.report();
      for (const [kind, message] of problems) if (!known.has(kind)) onEvent({ level: "warn", kind: "assets", message });
      known = new Set(problems.keys());
      const { state, message, until } = status(moment);
      if (state === last) return;
      const words =
        state === "running"
          ? "The mirror runs"
          : `The mirror is ${state}${until === null ? "" : `, until ${until} or earlier`}: ${message}`;
      onEvent({ level: state === "running" ? "info" : "warn", kind: state, message: words });
      last = state;
    },
    answered: (outcome: string) => void (requests[outcome] = (requests[outcome] ?? 0) + 1),
    failing: (message: string, now: UtcMillis) => void (trouble = { message, since: trouble?.since ?? now }),
    works: () => void (trouble = undefined),
    history(message: string | null): void {
      historyTrouble = message;
      if (message !== null)
        once("warn", "history", `History alone is not answered, and is asked for again later: ${message}`);
    },
    /** Takes over what was found in an answer, and gives back what is wrong with the units of the latest values. */
    taken(found: TakenRecords, { isRefresh, archive }: TakenContext, now: UtcMillis): string | null {
      const { otherUnits: codes, refused: bad, newlyPending } = found;
      const message = `The upstream quotes ${codes.length} assets in another unit than this server, which are refused: ${codes.slice(0, 5).join(", ")}`;
      if (isRefresh) {
        otherUnits = codes.length > found.newestOf.size ? message : null;
        watch.note(found, archive.keys(), now);
      }
      refused = { count: refused.count + bad.length, last: [...refused.last, ...bad].slice(-SHOWN) };
      for (const { code, reason } of bad)
        once("warn", "refused", `A record of "${code}" from the upstream was refused: ${reason}`);
      for (const { code, qualityMessage } of newlyPending)
        once("warn", "pending", `${code} is kept as PENDING: ${qualityMessage}`);
      return otherUnits;
    },
  };
}

function archiveOf({ archive, refreshedAt }: MirrorState, code: AssetCode): readonly ArchiveStatus[] {
  const known = archive.get(code);
  if (!known) return [];
  const { filled, missed, again } = known;
  const watched = missed ? missed.from - 1 : lastDayEverywhere(refreshedAt ?? (0 as UtcMillis));
  const at = again.reduce<UtcMillis | null>((least, one) => (least !== null && least < one.at ? least : one.at), null);
  return [
    {
      code,
      from: filled && dateOfDayNumber(filled.from),
      to: filled && dateOfDayNumber(Math.max(filled.to, watched)),
      complete: isComplete(known),
      askedAgain: timeText(at),
    },
  ];
}

function timeText(time: UtcMillis | null): string | null {
  return time === null ? null : formatTimestamp(time);
}

function dateText(time: UtcMillis | undefined): string | null {
  return time === undefined ? null : formatTimestamp(time).slice(0, 10);
}

function ageOf(time: UtcMillis | null, now: UtcMillis): number | null {
  return time === null ? null : Math.round(millisSince(time, now) / 1_000);
}
