import { createSeriesStore, isSameRecord, jumpOf } from "../../../core/internal.ts";
import type { Jump, Neighbours } from "../../../core/internal.ts";
import type { AssetCode, Observation } from "../../../core/mod.ts";
import { sizeOfChange } from "../../store/imports.ts";
import type { ImportOutcome, ImportAccess, ValueChange } from "../../store/imports.ts";
import { findShifts, isDoubtfulShift } from "./shifts.ts";
import type { Shift } from "./shifts.ts";

/** What an import would do, found out without doing it. */
export interface Forecast {
  /** Foresees what becomes of a batch, with regard to what was foreseen before. */
  append(batch: readonly Observation[]): Promise<ImportOutcome>;
  /**
   * What a person should look at before the import goes on.
   *
   * @param isEnd Whether the import ends here. Default: true.
   */
  concerns(isEnd?: boolean): Concerns;
}

/** What may be wrong with an import. */
export interface Concerns {
  /** Accepted records that are stored of the assets of the import. */
  readonly existing: number;
  /** Existing records whose value changes. */
  readonly changed: number;
  /** The largest of these changes, at most three. */
  readonly largest: readonly ValueChange[];
  /** Records whose value jumps against the one before or after them, and did not before the import. */
  readonly jumps: number;
  /** How many of them jump against a record that is stored already. */
  readonly jumpsAgainstStored: number;
  /** Records that the import adds or replaces. */
  readonly written: number;
  /** The largest of these jumps, at most three. */
  readonly largestJumps: readonly ValueChange[];
  /** The assets that have records on another level. */
  readonly shifts: readonly Shift[];
}

/** Ends an import that may be wrong before it has stored the batch that looks so. */
export class DoubtfulImport extends Error {
  override readonly name = "DoubtfulImport";
}

/** The share of existing values above which a change of them is doubtful. */
const DOUBTFUL_SHARE = 0.01;
/** How many differences are shown. */
const SHOWN = 3;
/** Limits the memory for what may be jumps; an import with more of them is doubtful whatever the rest says. */
const MAX_JUMPS = 10_000;

/**
 * Whether an import should not go on before somebody has looked at it: it changes many values, its values do not go on
 * from those that are stored, or those of an asset go over to another level. Archives hold single wrong values, so a few
 * jumps within the import that lead back do not stop it.
 */
export function isDoubtful({ existing, changed, jumps, jumpsAgainstStored, written, shifts }: Concerns): boolean {
  return jumpsAgainstStored > 0 || jumps > DOUBTFUL_SHARE * written || changed > DOUBTFUL_SHARE * existing || shifts.some(isDoubtfulShift);
}

/**
 * Makes the forecast of an import into a store.
 *
 * @param keepExisting Whether records that are there stay.
 */
export function createForecast({ around }: Pick<ImportAccess, "around">, { keepExisting }: { readonly keepExisting: boolean }): Forecast {
  /** The records of this import, as they would be stored. */
  const own = createSeriesStore();
  const counts = new Map<AssetCode, number>();
  const ownCounts = new Map<AssetCode, number>();
  const ends = new Map<AssetCode, End>();
  const jumps: Jump[] = [];
  let largest: readonly ValueChange[] = [];
  let [written, changed] = [0, 0];

  function take(observation: Observation, stored: Neighbours, outcome: Counts): void {
    const { code, businessTime, value } = observation;
    if (!counts.has(code)) counts.set(code, stored.count);
    const end = ends.get(code);
    // Most records come in the order of their times: nothing has to be looked up then.
    const isNext = end === undefined || businessTime > end.time;
    const earlier = isNext ? undefined : own.find(code, businessTime);
    const before = earlier ?? stored.at;
    if (before && isSameRecord(before, observation)) {
      outcome.unchanged++;
      return;
    }
    if (before && keepExisting) {
      outcome.kept++;
      return;
    }
    own.putAll([observation], ++written);
    if (!earlier) ownCounts.set(code, (ownCounts.get(code) ?? 0) + 1);
    if (!before) outcome.accepted++;
    else outcome.replaced++;
    if (earlier) outcome.repeated++;
    if (before && before.value !== value) {
      const change = { code, businessTime, from: before.value, to: value };
      largest = withLargest(largest, change);
      if (!earlier && stored.at?.qualityStatus === "ACCEPTED") changed++;
    }
    const jump = { observation, stored };
    const around = isNext ? { at: undefined, before: end?.accepted, after: undefined, count: 0 } : own.around(code, businessTime);
    if (jumps.length < MAX_JUMPS && jumpOf(jump, around)) jumps.push(jump);
    if (!isNext) ends.set(code, { time: end.time, accepted: own.latest([code])[0] });
    else ends.set(code, { time: businessTime, accepted: observation.qualityStatus === "ACCEPTED" ? observation : end?.accepted });
  }

  return {
    async append(batch) {
      const found = await around(batch.map(({ code, businessTime }) => ({ code, businessTime })), counts);
      const outcome = { accepted: 0, replaced: 0, unchanged: 0, kept: 0, repeated: 0 };
      const before = largest;
      batch.forEach((observation, i) => take(observation, found[i]!, outcome));
      return { ...outcome, largest: largest === before ? null : largest[0]! };
    },
    concerns(isEnd = true) {
      // What the import has brought since may have smoothed some of them.
      const found = jumps.flatMap((jump) => jumpOf(jump, own.around(jump.observation.code, jump.observation.businessTime)) ?? []);
      const existing = [...counts.values()].reduce((sum, count) => sum + count, 0);
      const jumpsAgainstStored = found.filter((jump) => jump.isAgainstStored).length;
      const all = { existing, changed, largest, jumps: found.length, jumpsAgainstStored, written };
      return { ...all, largestJumps: found.reduce(withLargest, []), shifts: findShifts(found, { own, counts: ownCounts, isEnd }) };
    },
  };
}

/** Where the records of an asset end: the time of the last one, and the last one that was accepted. */
interface End {
  readonly time: number;
  readonly accepted: Observation | undefined;
}

type Counts = { -readonly [Name in Exclude<keyof ImportOutcome, "largest">]: number };

function withLargest(largest: readonly ValueChange[], { code, businessTime, from, to }: ValueChange): readonly ValueChange[] {
  const change = { code, businessTime, from, to };
  if (largest.length === SHOWN && sizeOfChange(change) <= sizeOfChange(largest[SHOWN - 1]!)) return largest;
  return [...largest, change].sort((a, b) => sizeOfChange(b) - sizeOfChange(a)).slice(0, SHOWN);
}
