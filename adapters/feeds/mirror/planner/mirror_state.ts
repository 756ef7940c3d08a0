import { DAY_MS, MINUTE_MS, shaped } from "../../../../core/internal.ts";
import type { AssetCode, UtcMillis } from "../../../../core/mod.ts";
import { type MirrorDay, withEvent } from "./day_log.ts";
import {
  type CodeArchive,
  type DayRange,
  EMPTY_ARCHIVE,
  type HistoryAnswer,
  type HistoryRequest,
  lastDayEverywhere,
  lastDaySomewhere,
  missedDays,
  withAgain,
  withAnswer,
} from "./history_backfill.ts";
import { type MarketHours, NO_HOURS, withMove } from "./market_hours.ts";
import { type Ledger, NEW_LEDGER, refusedUnit, takeUnit } from "./unit_ledger.ts";

/** What a mirror must not forget. All times are of the upstream's clock. */
export interface MirrorState {
  readonly ledger: Ledger;
  /** How far the upstream's clock was ahead of this machine's; earlier versions did not write it. */
  readonly aheadMs?: number;
  /** When the latest values were last asked for, when they were and an answer came, and the newest business time that it had. */
  readonly triedAt: UtcMillis | null;
  readonly refreshedAt: UtcMillis | null;
  readonly newest: UtcMillis | null;
  /** Requests in a row that have failed, and until when there is no other. */
  readonly failures: number;
  readonly retryAt: UtcMillis | null;
  /** When the access was last checked, whether the upstream has refused the key since, and what it says of attribution. */
  readonly accessAt: UtcMillis | null;
  readonly isRefused: boolean;
  readonly attributionRequired: boolean | null;
  /** The history of each asset that the upstream has; also of one whose history is not wanted, as a later start may want it. */
  readonly archive: ReadonlyMap<AssetCode, CodeArchive>;
  /** Whether the next request for history is one for the past, as the last was not. */
  readonly isPastNext: boolean;
  /** Of which share of the assets the close of the last midnight has to be asked for. */
  readonly missedShare: number;
  readonly hours: MarketHours;
  readonly days: readonly MirrorDay[];
}

/** The state of a mirror that has never run. */
export const NEW_MIRROR: MirrorState = {
  ledger: NEW_LEDGER,
  triedAt: null,
  refreshedAt: null,
  newest: null,
  failures: 0,
  retryAt: null,
  accessAt: null,
  isRefused: false,
  attributionRequired: null,
  archive: new Map(),
  isPastNext: true,
  missedShare: 0,
  hours: NO_HOURS,
  days: [],
};

const [WHAT, SCHEMA] = ["the state of the mirror", 3];

/** The state as a JSON value. */
export function writeMirrorState({ archive, ...rest }: MirrorState): object {
  return { schema: SCHEMA, ...rest, archive: [...archive].map(([code, known]) => ({ code, ...known })) };
}

/** Parses what `writeMirrorState` has made. Throws `TypeError` for anything else. */
export function parseMirrorState(value: unknown): MirrorState {
  const { schema, archive, ...state } = shaped(
    { schema: "whole", ledger: {}, archive: [{ code: "string" }] },
    value,
    WHAT,
  );
  if (schema !== SCHEMA)
    throw new TypeError(`Cannot read ${WHAT} as its schema must be ${SCHEMA}: received "${schema}"`);
  // What was saved by an earlier version lacks some members.
  const known = archive.map(({ code, ...one }) => [code, { ...EMPTY_ARCHIVE, ...one }] as const);
  return { ...NEW_MIRROR, ...state, archive: new Map(known) } as unknown as MirrorState;
}

/** A request that costs a unit. */
export type PaidAct = { readonly kind: "refresh" } | ({ readonly kind: "history" } & HistoryRequest);

/** The first wait after a failure, and the longest after one of a request that was free, so that an upstream that is back is found soon. */
const [RETRY_MS, MAX_FREE_RETRY_MS] = [MINUTE_MS, 5 * MINUTE_MS];
const NO_FAILURES = { failures: 0, retryAt: null } as const;

/** Takes the unit of a request: to be saved before the request is made. */
export function begun(state: MirrorState, act: PaidAct, now: UtcMillis): MirrorState {
  const taken = { ...state, ledger: takeUnit(state.ledger, now), days: withEvent(state.days, { units: 1 }, now) };
  if (act.kind === "refresh") return { ...taken, triedAt: now };
  return { ...taken, isPastNext: act.part === "missed" || act.part === "again" };
}

/** Notes a refresh that was stored. `newestOf` has the newest business time of each asset in the answer, `movedTo` is that of changed rial prices; the closes of `pending` may be wrong today. */
export function refreshed(
  state: MirrorState,
  found: Readonly<{
    newestOf: ReadonlyMap<AssetCode, UtcMillis>;
    newest: UtcMillis;
    movedTo: UtcMillis | null;
    pending: readonly AssetCode[];
    midnightAfter: (time: UtcMillis) => UtcMillis;
  }>,
  now: UtcMillis,
): MirrorState {
  const { archive, refreshedAt, triedAt } = state;
  const { newestOf, newest, movedTo, pending, midnightAfter } = found;
  const gapMs = now - (refreshedAt ?? now);
  const hours = withMove(state.hours, { movedTo, gapMs, midnight: midnightAfter(now) }, now);
  const gap = refreshedAt === null ? undefined : missedDays(refreshedAt, midnightAfter, now);
  const today: DayRange = { from: lastDayEverywhere(now) + 1, to: lastDaySomewhere(now) + 1 };
  const isMissed = (code: AssetCode): boolean => gap !== undefined && (newestOf.get(code) ?? 0) >= gap.since;
  function withGap(code: AssetCode, one: CodeArchive): CodeArchive {
    const missed = isMissed(code) ? gap : undefined;
    // Of an asset without a good value, the close of this day may be missing, too.
    const isDoubtful = pending.includes(code) || !newestOf.has(code);
    const days = isDoubtful ? { ...today, ...(missed && { from: missed.from }) } : missed;
    // An asset that has no history yet is asked for all of it.
    return days && one.filled ? { ...one, missed: { from: one.missed?.from ?? days.from, to: days.to } } : one;
  }
  const known = new Map([...[...newestOf.keys()].map((code) => [code, EMPTY_ARCHIVE] as const), ...archive]);
  for (const [code, one] of known) known.set(code, withGap(code, one));
  const missedShare = gap ? [...known.keys()].filter(isMissed).length / known.size : state.missedShare;
  const days = withEvent(state.days, { refreshes: 1, longestGapMs: gapMs }, now);
  return { ...state, ...NO_FAILURES, newest, refreshedAt: triedAt, archive: known, missedShare, hours, days };
}

/** Notes a request that was refused for lack of units; `budget` are those that may be spent a day. */
export function refused(
  state: MirrorState,
  parts: Readonly<{ retryAfterMs: number | undefined; budget: number }>,
  now: UtcMillis,
): MirrorState {
  const days = withEvent(state.days, { units: -1, refusals: 1 }, now);
  return { ...state, ledger: refusedUnit(state.ledger, parts, now), days };
}

/** Notes history that was stored. */
export function filled(state: MirrorState, wanted: HistoryRequest, found: HistoryAnswer): MirrorState {
  return {
    ...state,
    ...NO_FAILURES,
    archive: withArchive(state, wanted.code, (known) => withAnswer(known, wanted, found)),
  };
}

/** Notes a check of the access, which is free; `attribution` is `null` where it does not tell. */
export function checked(
  state: MirrorState,
  { isRefused, attribution }: Readonly<{ isRefused: boolean; attribution: boolean | null }>,
  now: UtcMillis,
): MirrorState {
  return {
    ...state,
    ...NO_FAILURES,
    accessAt: now,
    isRefused,
    attributionRequired: attribution ?? state.attributionRequired,
  };
}

/** Notes that somebody wants days of an asset asked for again at once. */
export function wished(
  state: MirrorState,
  { code, ...range }: DayRange & { readonly code: AssetCode },
  now: UtcMillis,
): MirrorState {
  return { ...state, archive: withArchive(state, code, (known) => withAgain(known, range, now)) };
}

/** Notes a request that has failed; `act` is `undefined` for one that was free. The next one waits twice as long as the last, up to a refresh's interval. */
export function failed(
  state: MirrorState,
  { act, intervalMs }: Readonly<{ act: PaidAct | undefined; intervalMs: number }>,
  now: UtcMillis,
): MirrorState {
  // Others than this asset must not wait for its history.
  if (act?.kind === "history")
    return {
      ...state,
      archive: withArchive(state, act.code, (known) => ({ ...known, notBefore: (now + DAY_MS) as UtcMillis })),
    };
  const failures = state.failures + 1;
  const longest = act ? intervalMs : Math.min(MAX_FREE_RETRY_MS, intervalMs);
  return {
    ...state,
    failures,
    retryAt: (now + Math.min(RETRY_MS * 2 ** Math.min(failures - 1, 20), longest)) as UtcMillis,
  };
}

function withArchive(
  { archive }: MirrorState,
  code: AssetCode,
  change: (known: CodeArchive) => CodeArchive,
): ReadonlyMap<AssetCode, CodeArchive> {
  return new Map(archive).set(code, change(archive.get(code) ?? EMPTY_ARCHIVE));
}
