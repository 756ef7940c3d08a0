import type { AssetCode, UtcMillis } from "../brand.ts";
import { DAY_MS, HOUR_MS } from "../time/durations.ts";

/**
 * What history a mirror has of an asset.
 *
 * An answer has the last record of each market day of the upstream, whose time zone the contract does not tell. So a day
 * counts as filled only if it was over in every time zone when it was asked for; a record of a day that was not over is
 * stored under its own business time, and claims nothing.
 */
export interface CodeArchive {
  /** The days that are filled, as day numbers, first and last included; ascending, with days in between. */
  readonly filled: readonly DayRange[];
  /** When the days up to now were last asked for; `null` for never. */
  readonly askedAt: UtcMillis | null;
  /** How many answers in a row, at the old end, had no record. */
  readonly emptyRun: number;
  /** Business time of the oldest record that an answer had. */
  readonly oldest: UtcMillis | null;
  /** Requests in a row that have failed, and until when there is no other. */
  readonly failures: number;
  readonly notBefore: UtcMillis | null;
  /** Ranges whose values looked wrong, and when they are asked for a second time. */
  readonly again: readonly (DayRange & { readonly at: UtcMillis })[];
}

/** Days from `from` to `to`, both included. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

/** Days of an asset that are to be asked for. */
export interface Wanted extends DayRange {
  readonly code: AssetCode;
  /** `recent` reaches up to now, `past` goes backwards, `again` repeats a range whose values looked wrong. */
  readonly part: "recent" | "past" | "again";
}

/** The archive of an asset of which nothing was asked for yet. */
export const EMPTY_ARCHIVE: CodeArchive = { filled: [], askedAt: null, emptyRun: 0, oldest: null, failures: 0, notBefore: null, again: [] };

/** The longest range of one answer: from and to at most 31 days apart. Source: contract, Limits. */
export const MAX_DISTANCE = 31;
/** After 96 days without a record the archive of the upstream has come to its beginning. */
const EMPTY_ANSWERS = 3;
/** The clocks of the world are at most 12 hours behind UTC, and 14 ahead of it. */
const BEHIND_MS = 12 * HOUR_MS;
const AHEAD_MS = 14 * HOUR_MS;

/** The last day that is over in every time zone. */
export function lastDayOver(now: UtcMillis): number {
  return Math.floor((now - BEHIND_MS) / DAY_MS) - 1;
}

/** The last day that is over in some time zone. */
function lastDayOverSomewhere(now: UtcMillis): number {
  return Math.floor((now + AHEAD_MS) / DAY_MS) - 1;
}

/** Whether all has been asked for that the upstream has. */
export function isComplete({ filled, emptyRun }: CodeArchive): boolean {
  return filled.length === 1 && emptyRun >= EMPTY_ANSWERS;
}

/**
 * The days to ask for next: those after a gap first, then ranges whose values looked wrong, then the past, newest first,
 * and when all is there, for the closes of days on which only refreshes have watched, once a day and asset.
 *
 * @param state `gapUntil` is when the last time without refreshes ended.
 * @param codes In the order of their importance.
 */
export function nextWanted(
  { archive, gapUntil }: { readonly archive: ReadonlyMap<AssetCode, CodeArchive>; readonly gapUntil: UtcMillis },
  codes: readonly AssetCode[],
  now: UtcMillis,
): Wanted | undefined {
  const recent = { from: lastDayOverSomewhere(now) - MAX_DISTANCE, to: lastDayOverSomewhere(now), part: "recent" } as const;
  let past: Wanted | undefined;
  let again: Wanted | undefined;
  let stalest: { readonly code: AssetCode; readonly askedAt: number } | undefined;
  for (const code of codes) {
    const known = archive.get(code);
    if (!known || (known.notBefore !== null && now < known.notBefore && known.notBefore - now <= DAY_MS)) continue;
    const { filled, askedAt } = known;
    const top = filled.at(-1);
    // A day later there would be a day that no range of 31 days up to now reaches.
    if (!top || askedAt === null || askedAt < gapUntil || top.to <= recent.from) return { code, ...recent };
    const doubtful = known.again.find(({ at }) => at <= now);
    if (doubtful && !again) again = { code, from: doubtful.from, to: doubtful.to, part: "again" };
    const hole = holeBelow(known, top);
    if (hole && hole.to > (past?.to ?? -Infinity)) past = { code, ...hole, part: "past" };
    if (now - askedAt >= DAY_MS && askedAt < (stalest?.askedAt ?? Infinity)) stalest = { code, askedAt };
  }
  return again ?? past ?? (stalest && { code: stalest.code, ...recent });
}

/** The newest days below the last range that are not filled, as many as one answer holds. */
function holeBelow(known: CodeArchive, top: DayRange): DayRange | undefined {
  if (isComplete(known)) return undefined;
  const below = known.filled.at(-2);
  const to = top.from - 1;
  return { from: Math.max(to - MAX_DISTANCE, below ? below.to + 1 : -Infinity), to };
}

/** What an answer had. */
export interface Found {
  /** When it was asked for. */
  readonly now: UtcMillis;
  /** Business time of its oldest record; `null` if it had none. */
  readonly oldest: UtcMillis | null;
  /** Whether some of its values look wrong, so that it should be asked for a second time. */
  readonly isDoubtful: boolean;
}

/** The archive after an answer. */
export function withAnswer(known: CodeArchive, { from, to, part }: Wanted, { oldest, isDoubtful, now }: Found): CodeArchive {
  const again = known.again.filter((range) => part !== "again" || range.from !== from || range.to !== to);
  const over = Math.min(to, lastDayOver(now));
  const isAtOldEnd = from < (known.filled[0]?.from ?? Infinity);
  return {
    filled: from <= over ? merged([...known.filled, { from, to: over }]) : known.filled,
    askedAt: part === "recent" ? now : known.askedAt,
    emptyRun: !isAtOldEnd ? known.emptyRun : oldest === null ? known.emptyRun + 1 : 0,
    oldest: oldest !== null && (known.oldest === null || oldest < known.oldest) ? oldest : known.oldest,
    failures: 0,
    notBefore: null,
    // A day later, as an upstream that was wrong has then had time to notice. The second answer is the last word.
    again: isDoubtful && part !== "again" ? [...again, { from, to, at: (now + DAY_MS) as UtcMillis }] : again,
  };
}

/** The archive after a request that has failed: the next one waits longer each time, so that one bad range holds up no other. */
export function withFailure(known: CodeArchive, now: UtcMillis): CodeArchive {
  const failures = known.failures + 1;
  return { ...known, failures, notBefore: (now + Math.min(HOUR_MS * 2 ** (failures - 1), DAY_MS)) as UtcMillis };
}

function merged(ranges: readonly DayRange[]): DayRange[] {
  const joined: DayRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && range.from <= last.to + 1) joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else joined.push(range);
  }
  return joined;
}
