import { DAY_MS, HOUR_MS } from "../../../../core/internal.ts";
import type { AssetCode, UtcMillis } from "../../../../core/mod.ts";

/**
 * What history a mirror has of an asset. An answer has the last record of each market day of the upstream, whose time zone the contract
 * does not tell: a day counts as filled only if it was over in every time zone when it was asked for.
 */
export interface CodeArchive {
  /** The days that are filled, as day numbers, but for those of `again`. */
  readonly filled: DayRange | null;
  /** When the days up to now were last asked for; `null` for never, or not since the last time without refreshes. */
  readonly askedAt: UtcMillis | null;
  /** How many answers in a row, below all that is filled, had no record. */
  readonly emptyRun: number;
  /** Until when nothing is asked for, a day after a request that has failed, so that one bad range holds up no other asset. */
  readonly notBefore: UtcMillis;
  /** Days to be asked for at a time: at once what was missed or wished, those without a record ever more seldom, `weeks` apart. */
  readonly again: readonly (DayRange & { readonly at: UtcMillis; readonly weeks: number })[];
}

/** Days from `from` to `to`, both included. */
export type DayRange = Readonly<Record<"from" | "to", number>>;

/** Days of an asset that are to be asked for: `recent` reaches up to now, `past` goes backwards, `again` repeats what was asked for. */
export type HistoryRequest = DayRange & { readonly code: AssetCode; readonly part: "recent" | "past" | "again" };

/** What an answer had: when it was asked for, its oldest record, and whether some of its values look wrong. */
export type HistoryAnswer = Readonly<{ now: UtcMillis; oldest: UtcMillis | null; isDoubtful: boolean }>;

/** The archive of an asset of which nothing was asked for yet. */
export const EMPTY_ARCHIVE: CodeArchive = {
  filled: null,
  askedAt: null,
  emptyRun: 0,
  notBefore: 0 as UtcMillis,
  again: [],
};

/** The longest range of one answer: from and to at most 31 days apart. Source: contract, Limits. */
export const MAX_DISTANCE = 31;
const DAYS = MAX_DISTANCE + 1;
/** After 96 days without a record the archive of the upstream seems to have come to its beginning. */
const EMPTY_ANSWERS = 3;
const [WEEK_MS, A_DAY, MOST_WEEKS] = [7 * DAY_MS, 1 / 7, 12];
/** The clocks of the world are at most 12 hours behind UTC, and 14 ahead of it. */
const [BEHIND_MS, AHEAD_MS] = [12 * HOUR_MS, 14 * HOUR_MS];

/** Whether all has been asked for that the upstream seems to have. */
export function isComplete({ emptyRun }: CodeArchive): boolean {
  return emptyRun >= EMPTY_ANSWERS;
}

/**
 * The days to ask for next: those after a gap, then of the first codes, and of the others after them, the last 32 days, days
 * to be asked for again, and the past, newest first. When all is there, the closes of days on which only refreshes have watched, once a day and asset.
 */
export function nextHistoryRequest(
  archive: ReadonlyMap<AssetCode, CodeArchive>,
  { codes, first }: { readonly codes: readonly AssetCode[]; readonly first: number },
  now: UtcMillis,
): HistoryRequest | undefined {
  // The last day that is over in some time zone.
  const to = Math.floor((now + AHEAD_MS) / DAY_MS) - 1;
  const recent = { from: to - MAX_DISTANCE, to, part: "recent" } as const;
  const known = codes.flatMap((code, i) => {
    const one = archive.get(code);
    return one && !(now < one.notBefore && one.notBefore - now <= DAY_MS) ? [{ code, isFirst: i < first, ...one }] : [];
  });
  // A day later there would be a day that no range of 31 days up to now reaches.
  const missed = known.find(({ filled, askedAt }) => filled && (askedAt === null || filled.to <= recent.from));
  if (missed) return { code: missed.code, ...recent };
  for (const isFirst of [true, false]) {
    const group = known.filter((one) => one.isFirst === isFirst);
    const unasked = group.find(({ askedAt }) => askedAt === null);
    if (unasked) return { code: unasked.code, ...recent };
    for (const { code, again } of group) {
      const range = again.find(({ at }) => at <= now);
      if (range) return { code, from: Math.max(range.from, range.to - MAX_DISTANCE), to: range.to, part: "again" };
    }
    const [past] = group
      .filter((one) => !isComplete(one))
      .map(({ code, filled, emptyRun }) => ({ code, to: filled!.from - 1 - emptyRun * DAYS }))
      .sort((a, b) => b.to - a.to);
    if (past) return { ...past, from: past.to - MAX_DISTANCE, part: "past" };
  }
  const [stalest] = known.filter(({ askedAt }) => now - askedAt! >= DAY_MS).sort((a, b) => a.askedAt! - b.askedAt!);
  return stalest && { code: stalest.code, ...recent };
}

/** The archive after an answer. */
export function withAnswer(
  known: CodeArchive,
  { from, to, part }: HistoryRequest,
  { oldest, isDoubtful, now }: HistoryAnswer,
): CodeArchive {
  const { from: bottom, to: top } = known.filled ?? { from: Infinity, to: Infinity };
  const isEmpty = oldest === null;
  const isLost = part === "again" && to < bottom - 1;
  const repeated = known.again.find((one) => part === "again" && one.to === to);
  const again = known.again.filter((one) => one !== repeated);
  const ask = (range: DayRange, weeks: number): void =>
    void again.push({ ...range, weeks, at: (now + weeks * WEEK_MS) as UtcMillis });
  // Of a range that is longer than an answer, the rest is asked for next, and so is what an answer has left out.
  if (repeated && repeated.from < from) ask({ from: repeated.from, to: from - 1 }, 0);
  if (part === "recent" && from > top + 1) ask({ from: top + 1, to: from - 1 }, 0);
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
  // The last day that is over in every time zone.
  const end = Math.min(to, Math.floor((now - BEHIND_MS) / DAY_MS) - 1);
  // Where an archive begins amid the days that were asked for, the days before are asked for next.
  const isPart = oldest !== null && from < bottom && oldest >= (from + 1) * DAY_MS + BEHIND_MS;
  const begin = isPart ? Math.min(end, Math.floor((oldest + AHEAD_MS) / DAY_MS)) : from;
  const isOutside = isLost || (isEmpty && part !== "recent" && to < bottom);
  return {
    filled: isOutside ? known.filled : { from: Math.min(bottom, begin), to: Math.max(end, known.filled?.to ?? end) },
    askedAt: part === "recent" ? now : known.askedAt,
    ...{ emptyRun, notBefore: 0 as UtcMillis, again },
  };
}

/** The archive when somebody wants days asked for again at once. */
export function withAgain(known: CodeArchive, range: DayRange, now: UtcMillis): CodeArchive {
  const others = known.again.filter(({ from, to }) => from < range.from || to > range.to);
  return { ...known, notBefore: now, again: [...others, { ...range, at: now, weeks: 0 }] };
}
