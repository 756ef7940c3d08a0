import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../core/internal.ts";
import type { AssetCode, UtcMillis } from "../../../../core/mod.ts";

/**
 * The history of an asset in a mirror. An answer has the last record of each market day in the upstream's time zone,
 * which is unknown. So a day counts as filled only if it was over in every time zone when it was requested.
 */
export interface CodeArchive {
  /** The requested days as day numbers, except the days of `again`. */
  readonly filled: DayRange | null;
  /** Days after `filled` whose closes may be wrong: no refresh came near their end. The range grows until requested. */
  readonly missed: DayRange | null;
  /** When the last request for the asset was sent; `null` for never. Assets with the oldest request come first. */
  readonly askedAt: UtcMillis | null;
  /** How many successive answers about days before the first filled day had no records. */
  readonly emptyRun: number;
  /** No request is sent before this time. A failure sets it a day ahead, so a bad range does not block other assets. */
  readonly notBefore: UtcMillis;
  /** Days to request again at `at`: `weeks` weeks after an answer that was empty or partly pending, else at once. */
  readonly again: readonly (RepeatedDays & { readonly at: UtcMillis; readonly weeks: number })[];
}

/** Days from `from` to `to`, both included. */
export type DayRange = Readonly<Record<"from" | "to", number>>;
type RepeatedDays = DayRange & { readonly isWished?: boolean };

/**
 * Days to request. `recent`: the last 32 days, in the first request for an asset. `past`: earlier days. `missed` and
 * `again`: see `CodeArchive`.
 */
export type HistoryRequest = DayRange & {
  readonly code: AssetCode;
  readonly part: "recent" | "past" | "missed" | "again";
};

/** An answer with history: when it was requested, its oldest and newest record, and whether some values are pending. */
export type HistoryAnswer = Readonly<
  { now: UtcMillis; isDoubtful: boolean } & Record<"oldest" | "newest", UtcMillis | null>
>;

/** The archive of an asset before its first request. */
export const EMPTY_ARCHIVE: CodeArchive = {
  filled: null,
  missed: null,
  askedAt: null,
  emptyRun: 0,
  notBefore: 0 as UtcMillis,
  again: [],
};

/** The longest range of one answer: `from` and `to` at most 31 days apart. Source: contract, Limits. */
const MAX_DISTANCE = 31;
const [DAYS, YEAR] = [MAX_DISTANCE + 1, 365];
/** After so many empty answers, about 96 days in all, the upstream probably has no older records. */
const EMPTY_ANSWERS = 3;
/** Missed days are requested as soon as they fill a whole request. */
const MISSED_DAYS = MAX_DISTANCE;
/** An answer is incomplete if it lacks more than this many days at the end. Fewer days may have had no trades. */
const QUIET_DAYS = 4;
const [WEEK_MS, A_DAY, MOST_WEEKS] = [7 * DAY_MS, 1 / 7, 12];
/** Time zones are at most 12 hours behind UTC, and at most 14 hours ahead of it. */
export const [BEHIND_MS, AHEAD_MS] = [12 * HOUR_MS, 14 * HOUR_MS];
/** If a refresh comes at most this long before the end of a day, its values count as the day's closes. */
const NEAR_MS = 5 * MINUTE_MS;

/** Whether the mirror has requested all history that the upstream seems to have. */
export function isComplete({ emptyRun }: CodeArchive): boolean {
  return emptyRun >= EMPTY_ANSWERS;
}

/** Whether the archive has the last 365 days, or all that the upstream has of them. */
export function hasYear(archive: CodeArchive, now: UtcMillis): boolean {
  return daysToYear(archive, now) === 0;
}

/**
 * Estimates how many days it takes until all assets have a year of history. The groups are filled one after the other.
 * `unitsADay` are the units for history. After an asset's first request, new days come from the refreshes.
 * `missedShare` is the share of assets whose closes need another request every 32 days. `undefined` without units.
 */
export function daysForAYear(
  groups: readonly (readonly CodeArchive[])[],
  { unitsADay, missedShare }: Readonly<Record<"unitsADay" | "missedShare", number>>,
  now: UtcMillis,
): number | undefined {
  if (unitsADay <= 0) return undefined;
  const begun = groups.flat().filter((one) => one.filled).length;
  /** For each day, the number of assets whose first request was sent by the end of the day. */
  const askedUntil: number[] = [];
  let before = begun;
  for (const group of groups) {
    const [start, news] = [askedUntil.length, group.filter((one) => !one.filled).length];
    const requests = (): number =>
      group.reduce((sum, one, i) => {
        const days = askedUntil.length;
        const sinceFirst = Math.max(0, one.filled ? days : days - start - i / unitsADay);
        return sum + Math.ceil(Math.max(0, daysToYear(one, now) - sinceFirst) / DAYS);
      }, 0);
    for (let done = 0; requests() > done; ) {
      const repeats = (missedShare * (askedUntil[askedUntil.length - DAYS] ?? begun)) / DAYS;
      done += unitsADay - Math.min(unitsADay / 2, repeats);
      askedUntil.push(before + Math.min(news, done));
    }
    before += news;
  }
  return askedUntil.length;
}

function daysToYear(archive: CodeArchive, now: UtcMillis): number {
  if (isComplete(archive)) return 0;
  return archive.filled ? Math.max(0, archive.filled.from - (lastDaySomewhere(now) - YEAR + 1)) : YEAR;
}

/** The last day that is over in some time zone. */
export function lastDaySomewhere(now: UtcMillis): number {
  return Math.floor((now + AHEAD_MS) / DAY_MS) - 1;
}

/** The last day that is over in every time zone. */
export function lastDayEverywhere(now: UtcMillis): number {
  return Math.floor((now - BEHIND_MS) / DAY_MS) - 1;
}

/** Returns the first range of days that an operator requested at `since` or earlier. */
export function wishedDays(archive: ReadonlyMap<AssetCode, CodeArchive>, since: UtcMillis): HistoryRequest | undefined {
  for (const [code, { again, notBefore }] of archive) {
    const range = notBefore <= since ? again.find(({ isWished, at }) => isWished && at <= since) : undefined;
    if (range) return againOf(code, range);
  }
  return undefined;
}

/**
 * The days to request next. Days that an operator wants come first. Then past days and repeated days alternate.
 * The past is filled in this order: a year of the first codes, a year of the others, older days. Missed days are
 * requested when they fill a request, or when no other days are left. The least recently requested asset comes first.
 */
export function nextHistoryRequest(
  archive: ReadonlyMap<AssetCode, CodeArchive>,
  { codes, first, isPastNext }: Readonly<{ codes: readonly AssetCode[]; first: number; isPastNext: boolean }>,
  now: UtcMillis,
): HistoryRequest | undefined {
  const to = lastDaySomewhere(now);
  const known = codes
    .flatMap((code, i) => {
      const one = archive.get(code);
      const isPaused = one && now < one.notBefore && one.notBefore - now <= DAY_MS;
      return one && !isPaused ? [{ code, isFirst: i < first, ...one }] : [];
    })
    .sort((a, b) => (a.askedAt ?? 0) - (b.askedAt ?? 0));

  function past(): HistoryRequest | undefined {
    const behind = known.filter((one) => !hasYear(one, now));
    const open = behind.length > 0 ? behind : known.filter((one) => !isComplete(one));
    const one = open.find(({ isFirst }) => isFirst) ?? open[0];
    if (!one) return undefined;
    const { code, filled, emptyRun } = one;
    if (!filled) return { code, from: to - MAX_DISTANCE, to, part: "recent" };
    const end = filled.from - 1 - emptyRun * DAYS;
    return { code, from: end - MAX_DISTANCE, to: end, part: "past" };
  }
  function missed(isDue: (range: DayRange) => boolean): HistoryRequest | undefined {
    const one = known.find((each) => each.missed && isDue(each.missed));
    if (!one) return undefined;
    const { from } = one.missed!;
    return { code: one.code, from, to: Math.min(to, from + MAX_DISTANCE), part: "missed" };
  }
  function repeat(): HistoryRequest | undefined {
    for (const { code, again } of known) {
      const range = again.find(({ at }) => at <= now);
      if (range) return againOf(code, range);
    }
    return missed(({ from }) => to - from >= MISSED_DAYS);
  }

  const next = isPastNext ? (past() ?? repeat()) : (repeat() ?? past());
  return wishedDays(archive, now) ?? next ?? missed((range) => range.to <= lastDayEverywhere(now));
}

function againOf(code: AssetCode, { from, to }: DayRange): HistoryRequest {
  return { code, from: Math.max(from, to - MAX_DISTANCE), to, part: "again" };
}

/**
 * Returns the days since the refresh at `last` whose closes may be missing; `undefined` if no midnight has passed.
 * Only assets with a value at `since` or later can lack closes. After a refresh just before the latest midnight,
 * `since` is that midnight: an asset that moved later may also have moved between the refresh and midnight.
 */
export function missedDays(
  last: UtcMillis,
  midnightAfter: (time: UtcMillis) => UtcMillis,
  now: UtcMillis,
): (DayRange & { readonly since: UtcMillis }) | undefined {
  const midnight = midnightAfter(last);
  if (now < midnight) return undefined;
  const isNear = midnight - last <= NEAR_MS && now < midnightAfter(midnight);
  return {
    from: lastDayEverywhere(last) + 1,
    to: lastDaySomewhere(now),
    since: isNear ? midnight : (0 as UtcMillis),
  };
}

/** The archive after an answer. */
export function withAnswer(
  known: CodeArchive,
  { from, to, part }: HistoryRequest,
  { oldest, newest, isDoubtful, now }: HistoryAnswer,
): CodeArchive {
  const { filled, missed } = known;
  const bottom = filled?.from ?? Infinity;
  const isEmpty = oldest === null;
  const isLost = part === "again" && to < bottom - 1;
  const repeated = known.again.find((one) => part === "again" && one.to === to);
  const again = known.again.filter((one) => one !== repeated);
  const ask = (range: RepeatedDays, weeks: number): void =>
    void again.push({ ...range, weeks, at: (now + weeks * WEEK_MS) as UtcMillis });
  // The rest of a range that is longer than one answer is requested next, and so are days that an answer lacks.
  if (repeated && repeated.from < from) ask({ ...repeated, to: from - 1 }, 0);
  if (part === "past" && !isEmpty && to < bottom - 1) ask({ from: to + 1, to: bottom - 1 }, 0);
  // The upstream may add or correct days later, because it may be a mirror that is still being filled.
  const isPast = isEmpty && part === "past";
  const emptyRun = !isEmpty && from < bottom ? 0 : known.emptyRun + (isPast ? 1 : 0);
  const missing = isPast ? { from: bottom - DAYS, to: bottom - 1 } : { from, to };
  if (
    (isDoubtful || (isEmpty && !isLost)) &&
    (!isPast || emptyRun === EMPTY_ANSWERS) &&
    !again.some((one) => one.from <= missing.to && one.to >= missing.from)
  ) {
    const firstWait = isEmpty ? 1 : A_DAY;
    ask(missing, repeated ? Math.min(MOST_WEEKS, Math.max(1, 2 * repeated.weeks)) : firstWait);
  }
  const end = Math.min(to, lastDayEverywhere(now));
  const rest = newest === null ? Infinity : Math.floor((newest - BEHIND_MS) / DAY_MS) + 1;
  if (rest > from && end - rest >= QUIET_DAYS) ask({ from: rest, to }, 0);
  const left = missed && missed.to > end ? { ...missed, from: end + 1 } : null;
  // If the upstream's archive seems to begin within the range, the earlier days of the range are requested next.
  const isPart = oldest !== null && from < bottom && oldest >= (from + 1) * DAY_MS + BEHIND_MS;
  const begin = isPart ? Math.min(end, Math.floor((oldest + AHEAD_MS) / DAY_MS)) : from;
  const isOutside = isLost || (isEmpty && part !== "recent" && to < bottom);
  return {
    filled: isOutside ? filled : { from: Math.min(bottom, begin), to: Math.max(end, filled?.to ?? end) },
    missed: part === "missed" ? left : missed,
    askedAt: now,
    ...{ emptyRun, notBefore: 0 as UtcMillis, again },
  };
}

/** Adds days that an operator wants to be requested again at once. */
export function withAgain(known: CodeArchive, range: DayRange, now: UtcMillis): CodeArchive {
  const others = known.again.filter(({ from, to }) => from < range.from || to > range.to);
  return { ...known, notBefore: now, again: [...others, { ...range, at: now, weeks: 0, isWished: true }] };
}
