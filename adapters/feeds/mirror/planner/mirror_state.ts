import { DAY_MS, MINUTE_MS, shaped } from "../../../../core/internal.ts";
import type { AssetCode, UtcMillis } from "../../../../core/mod.ts";
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

/** The stored state of a mirror. All times are by the upstream's clock. */
export interface MirrorState {
  readonly ledger: Ledger;
  /** How far the upstream's clock was ahead of this machine's; missing in states of earlier versions. */
  readonly aheadMs?: number;
  /** When a refresh was last tried, when a refresh last succeeded, and the newest business time in its answer. */
  readonly triedAt: UtcMillis | null;
  readonly refreshedAt: UtcMillis | null;
  readonly newest: UtcMillis | null;
  /** How many successive requests have failed, and when the next request is allowed. */
  readonly failures: number;
  readonly retryAt: UtcMillis | null;
  /** When the access was last checked, whether the key was refused since, and whether attribution is required. */
  readonly accessAt: UtcMillis | null;
  readonly isRefused: boolean;
  readonly attributionRequired: boolean | null;
  /** The history of each asset of the upstream, including assets that are not wanted now but may be after a restart. */
  readonly archive: ReadonlyMap<AssetCode, CodeArchive>;
  /** Whether the next request for history is for past days (true) or repeated days (false). The two alternate. */
  readonly isPastNext: boolean;
  /** The share of the assets whose close at the last midnight must be requested. */
  readonly missedShare: number;
  readonly hours: MarketHours;
  readonly days: readonly MirrorDay[];
}

/** Counts of a UTC day: requests that may have cost units, refreshes, refusals, the longest time between refreshes. */
export type MirrorDay = Readonly<Record<"day" | "units" | "refreshes" | "refusals" | "longestGapMs", number>>;

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

/** Returns the state as a JSON value. */
export function writeMirrorState({ archive, ...rest }: MirrorState): object {
  return { schema: SCHEMA, ...rest, archive: [...archive].map(([code, known]) => ({ code, ...known })) };
}

/** Parses a value of `writeMirrorState`. Throws `TypeError` for any other value. */
export function parseMirrorState(value: unknown): MirrorState {
  const { schema, archive, ...state } = shaped(
    { schema: "whole", ledger: {}, archive: [{ code: "string" }] },
    value,
    WHAT,
  );
  if (schema !== SCHEMA)
    throw new TypeError(`Cannot read ${WHAT} because its schema must be ${SCHEMA}: received "${schema}"`);
  // States of earlier versions lack some members.
  const known = archive.map(({ code, ...one }) => [code, { ...EMPTY_ARCHIVE, ...one }] as const);
  return { ...NEW_MIRROR, ...state, archive: new Map(known) } as unknown as MirrorState;
}

/** A request that costs a unit. */
export type PaidAct = { readonly kind: "refresh" } | ({ readonly kind: "history" } & HistoryRequest);

/** The first wait after a failure, and the longest wait after a failed free request. */
const [RETRY_MS, MAX_FREE_RETRY_MS] = [MINUTE_MS, 5 * MINUTE_MS];
const KEPT_DAYS = 100;
const NO_FAILURES = { failures: 0, retryAt: null } as const;

/** Takes a unit for a request. Save the returned state before the request is sent. */
export function begun(state: MirrorState, act: PaidAct, now: UtcMillis): MirrorState {
  const taken = { ...state, ledger: takeUnit(state.ledger, now), days: withEvent(state.days, { units: 1 }, now) };
  if (act.kind === "refresh") return { ...taken, triedAt: now };
  return { ...taken, isPastNext: act.part === "missed" || act.part === "again" };
}

/** The newest business times: by asset, overall, and of changed rial prices. `pending`: assets with doubtful closes. */
type Refresh = Readonly<{
  newestOf: ReadonlyMap<AssetCode, UtcMillis>;
  newest: UtcMillis;
  movedTo: UtcMillis | null;
  pending: readonly AssetCode[];
  midnightAfter: (time: UtcMillis) => UtcMillis;
}>;

/** The state after a stored refresh. */
export function refreshed(
  state: MirrorState,
  { newestOf, newest, movedTo, pending, midnightAfter }: Refresh,
  now: UtcMillis,
): MirrorState {
  const { archive, refreshedAt, triedAt } = state;
  const gapMs = now - (refreshedAt ?? now);
  const hours = withMove(state.hours, { movedTo, gapMs, midnight: midnightAfter(now) }, now);
  const gap = refreshedAt === null ? undefined : missedDays(refreshedAt, midnightAfter, now);
  const today: DayRange = { from: lastDayEverywhere(now) + 1, to: lastDaySomewhere(now) + 1 };
  const isMissed = (code: AssetCode): boolean => gap !== undefined && (newestOf.get(code) ?? 0) >= gap.since;
  function withGap(code: AssetCode, one: CodeArchive): CodeArchive {
    const missed = isMissed(code) ? gap : undefined;
    // Today's close may also be missing for assets without a valid value.
    const isDoubtful = pending.includes(code) || !newestOf.has(code);
    const days = isDoubtful ? { ...today, ...(missed && { from: missed.from }) } : missed;
    // For an asset without history, all days will be requested anyway.
    return days && one.filled ? { ...one, missed: { from: one.missed?.from ?? days.from, to: days.to } } : one;
  }
  const known = new Map([...[...newestOf.keys()].map((code) => [code, EMPTY_ARCHIVE] as const), ...archive]);
  for (const [code, one] of known) known.set(code, withGap(code, one));
  const missedShare = gap ? [...known.keys()].filter(isMissed).length / known.size : state.missedShare;
  const days = withEvent(state.days, { refreshes: 1, longestGapMs: gapMs }, now);
  return { ...state, ...NO_FAILURES, newest, refreshedAt: triedAt, archive: known, missedShare, hours, days };
}

/** The state after a request that was refused for lack of units; `budget` is the number of units to spend a day. */
export function refused(
  state: MirrorState,
  parts: Readonly<{ retryAfterMs: number | undefined; budget: number }>,
  now: UtcMillis,
): MirrorState {
  const days = withEvent(state.days, { units: -1, refusals: 1 }, now);
  return { ...state, ledger: refusedUnit(state.ledger, parts, now), days };
}

/** The state after history was stored. */
export function filled(state: MirrorState, wanted: HistoryRequest, answer: HistoryAnswer): MirrorState {
  const archive = withArchive(state, wanted.code, (known) => withAnswer(known, wanted, answer));
  return { ...state, ...NO_FAILURES, archive };
}

/** The state after a check of the access; `attribution` is `null` if the answer does not state it. */
export function checked(
  state: MirrorState,
  { isRefused, attribution }: Readonly<{ isRefused: boolean; attribution: boolean | null }>,
  now: UtcMillis,
): MirrorState {
  const attributionRequired = attribution ?? state.attributionRequired;
  return { ...state, ...NO_FAILURES, accessAt: now, isRefused, attributionRequired };
}

/** If an operator could request more days at once, all other history would wait for weeks. */
export const MAX_WISHED_DAYS = 366;

/** The days to request again, up to today. Throws `RangeError` for an invalid or future range, or too many days. */
export function checkedWish({ from, to }: DayRange, now: UtcMillis): DayRange {
  const today = Math.floor(now / DAY_MS) + 1;
  if (!(from <= to && from <= today && to - from < MAX_WISHED_DAYS))
    throw new RangeError(
      `Cannot request days again because they must be a range of at most ${MAX_WISHED_DAYS} days that begins today or earlier`,
    );
  return { from: Math.floor(from), to: Math.min(Math.floor(to), today) };
}

/** Adds days of an asset that an operator wants at once. */
export function wished(
  state: MirrorState,
  { code, ...range }: DayRange & { readonly code: AssetCode },
  now: UtcMillis,
): MirrorState {
  return { ...state, archive: withArchive(state, code, (known) => withAgain(known, range, now)) };
}

/** The state after a failed request (a free one if `act` is missing). The wait doubles, up to the refresh interval. */
export function failed(
  state: MirrorState,
  { act, intervalMs }: Readonly<{ act: PaidAct | undefined; intervalMs: number }>,
  now: UtcMillis,
): MirrorState {
  // A failed request for history delays only its asset.
  if (act?.kind === "history") {
    const notBefore = (now + DAY_MS) as UtcMillis;
    return { ...state, archive: withArchive(state, act.code, (known) => ({ ...known, notBefore })) };
  }
  const failures = state.failures + 1;
  const longest = act ? intervalMs : Math.min(MAX_FREE_RETRY_MS, intervalMs);
  const waitMs = Math.min(RETRY_MS * 2 ** Math.min(failures - 1, 20), longest);
  return { ...state, failures, retryAt: (now + waitMs) as UtcMillis };
}

/** Adds the counts of an event to the current day; returns all days. */
function withEvent(
  days: readonly MirrorDay[],
  { units = 0, refreshes = 0, refusals = 0, longestGapMs = 0 }: Partial<MirrorDay>,
  now: UtcMillis,
): readonly MirrorDay[] {
  const day = Math.floor(now / DAY_MS);
  const known = days.find((one) => one.day === day);
  const today = {
    day,
    units: (known?.units ?? 0) + units,
    refreshes: (known?.refreshes ?? 0) + refreshes,
    refusals: (known?.refusals ?? 0) + refusals,
    longestGapMs: Math.max(known?.longestGapMs ?? 0, longestGapMs),
  };
  return [...days.filter((one) => one.day !== day && one.day > day - KEPT_DAYS), today];
}

function withArchive(
  { archive }: MirrorState,
  code: AssetCode,
  change: (known: CodeArchive) => CodeArchive,
): ReadonlyMap<AssetCode, CodeArchive> {
  return new Map(archive).set(code, change(archive.get(code) ?? EMPTY_ARCHIVE));
}
