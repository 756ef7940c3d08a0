import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../core/internal.ts";
import type { AssetCode, UtcMillis } from "../../../../core/mod.ts";

/**
 * What history a mirror has of an asset. An answer has the last record of each market day of the upstream, whose time zone the contract
 * does not tell: a day counts as filled only if it was over in every time zone when it was asked for.
 */
export interface CodeArchive {
  /** The days that were asked for, as day numbers, but for those of `again`. */
  readonly filled: DayRange | null;
  /** Days since then whose closes may be missing or not final, as no refresh has shown their last value. They grow until they are asked for. */
  readonly missed: DayRange | null;
  /** When something of the asset was last asked for; `null` for never. Assets take turns by it. */
  readonly askedAt: UtcMillis | null;
  /** How many answers in a row, below all that is filled, had no record. */
  readonly emptyRun: number;
  /** Until when nothing is asked for, a day after a request that has failed, so that one bad range holds up no other asset. */
  readonly notBefore: UtcMillis;
  /** Days to be asked for at a time: at once what an answer left out or somebody wished, those without a record ever more seldom, `weeks` apart. */
  readonly again: readonly (RepeatedDays & { readonly at: UtcMillis; readonly weeks: number })[];
}

/** Days from `from` to `to`, both included. */
export type DayRange = Readonly<Record<"from" | "to", number>>;
type RepeatedDays = DayRange & { readonly isWished?: boolean };

/** Days of an asset that are to be asked for: `recent` is its first request and reaches up to now, `past` goes backwards, `missed` and `again` repeat days. */
export type HistoryRequest = DayRange & {
  readonly code: AssetCode;
  readonly part: "recent" | "past" | "missed" | "again";
};

/** What an answer had: when it was asked for, its oldest and newest record, and whether some of its values look wrong. */
export type HistoryAnswer = Readonly<
  { now: UtcMillis; isDoubtful: boolean } & Record<"oldest" | "newest", UtcMillis | null>
>;

/** The archive of an asset of which nothing was asked for yet. */
export const EMPTY_ARCHIVE: CodeArchive = {
  filled: null,
  missed: null,
  askedAt: null,
  emptyRun: 0,
  notBefore: 0 as UtcMillis,
  again: [],
};

/** The longest range of one answer: from and to at most 31 days apart. Source: contract, Limits. */
const MAX_DISTANCE = 31;
const [DAYS, YEAR] = [MAX_DISTANCE + 1, 365];
/** After 96 days without a record the archive of the upstream seems to have come to its beginning. */
const EMPTY_ANSWERS = 3;
/** Missed days are asked for when they fill a request, so that one covers many of them. */
const MISSED_DAYS = MAX_DISTANCE;
/** An answer that ends more days before its range has left out the rest. Fewer may be days without trade. */
const QUIET_DAYS = 4;
const [WEEK_MS, A_DAY, MOST_WEEKS] = [7 * DAY_MS, 1 / 7, 12];
/** The clocks of the world are at most 12 hours behind UTC, and 14 ahead of it. */
const [BEHIND_MS, AHEAD_MS] = [12 * HOUR_MS, 14 * HOUR_MS];
/** A refresh so near the end of a day has its closes. */
const NEAR_MS = 5 * MINUTE_MS;

/** Whether all has been asked for that the upstream seems to have. */
export function isComplete({ emptyRun }: CodeArchive): boolean {
  return emptyRun >= EMPTY_ANSWERS;
}

/** Whether it has the last 365 days, or all that the upstream has of them. */
export function hasYear(archive: CodeArchive, now: UtcMillis): boolean {
  return daysToYear(archive, now) === 0;
}

/**
 * About how many days it takes until all have a year, with so many units a day for history, one group after the other. The past that
 * an asset lacks shrinks by a day each day since its first request, as refreshes fill the other end. `missedShare` of the assets
 * have their closes asked for as well, a request's length after their first one.
 */
export function daysForAYear(
  groups: readonly (readonly CodeArchive[])[],
  { unitsADay, missedShare }: Readonly<Record<"unitsADay" | "missedShare", number>>,
  now: UtcMillis,
): number | undefined {
  if (unitsADay <= 0) return undefined;
  const begun = groups.flat().filter((one) => one.filled).length;
  /** How many assets are asked for until the end of each day. */
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

/** The last day that is over in some time zone, and the last one that is over in every time zone. */
export function lastDaySomewhere(now: UtcMillis): number {
  return Math.floor((now + AHEAD_MS) / DAY_MS) - 1;
}
export function lastDayEverywhere(now: UtcMillis): number {
  return Math.floor((now - BEHIND_MS) / DAY_MS) - 1;
}

/** The days that somebody wishes since a time. */
export function wishedDays(archive: ReadonlyMap<AssetCode, CodeArchive>, since: UtcMillis): HistoryRequest | undefined {
  for (const [code, { again, notBefore }] of archive) {
    const range = notBefore <= since ? again.find(({ isWished, at }) => isWished && at <= since) : undefined;
    if (range) return againOf(code, range);
  }
  return undefined;
}

/**
 * The days to ask for next. First those that somebody wishes. Then by turns the past and what has to be repeated: half of the requests
 * go to the past while anything of it is missing: a year of the first codes, a year of the others, then all else. Missed days are
 * asked for when they are old, or nothing else is left. Among assets, the least recently asked comes first.
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
 * The days whose closes two refreshes may have missed: those since `last`, for assets with a value of `since` or later. Where the first
 * was near the end of its day and the second is on the next one, these are the assets that have moved since midnight, as they may
 * have moved between the refresh and midnight, too. `undefined` without a midnight in between.
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
  // Of a range that is longer than an answer, the rest is asked for next, and so is what an answer has left out.
  if (repeated && repeated.from < from) ask({ ...repeated, to: from - 1 }, 0);
  if (part === "past" && !isEmpty && to < bottom - 1) ask({ from: to + 1, to: bottom - 1 }, 0);
  // Days that the upstream does not have, or has wrong, just now it may have later, as one that is itself filled backwards.
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
  // Where an archive begins amid the days that were asked for, the days before are asked for next.
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

/** The archive when somebody wants days asked for again at once. */
export function withAgain(known: CodeArchive, range: DayRange, now: UtcMillis): CodeArchive {
  const others = known.again.filter(({ from, to }) => from < range.from || to > range.to);
  return { ...known, notBefore: now, again: [...others, { ...range, at: now, weeks: 0, isWished: true }] };
}
