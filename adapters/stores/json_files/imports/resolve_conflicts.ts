import { isPending, isSameRecord, keyOf } from "../../../../core/internal.ts";
import type { AssetCode, Observation, UtcMillis } from "../../../../core/mod.ts";
import { type ImportOutcome, sizeOfChange, type ValueChange } from "../../shared/imports.ts";

/** What an import is to do with a batch, by what is stored. */
export interface Resolved {
  /** What is to be appended. */
  readonly batch: readonly Observation[];
  /** What that replaces, as it is now, without what the same import has stored. */
  readonly before: readonly Observation[];
  /** What becomes of the batch, besides what the store tells when the rest is appended. */
  readonly outcome: Omit<ImportOutcome, "accepted" | "replaced">;
}

/** How conflicts with what is stored are resolved. */
export interface ConflictOptions {
  /** Whether a record that is there stays. */
  readonly keepExisting: boolean;
  readonly find: (code: AssetCode, businessTime: UtcMillis) => Observation | undefined;
}

/** Resolves the conflicts of a batch, all of whose observations have the import's insert time, with what is stored. */
export function resolveConflicts(batch: readonly Observation[], { keepExisting, find }: ConflictOptions): Resolved {
  const taken = new Map<string, Observation>();
  const appended: Observation[] = [];
  const before: Observation[] = [];
  let [unchanged, kept, repeated] = [0, 0, 0];
  let largest: ValueChange | null = null;
  for (const observation of batch) {
    const { code, businessTime, insertTime } = observation;
    const key = keyOf(observation);
    const earlier = taken.get(key) ?? find(code, businessTime);
    const isSame = earlier !== undefined && isSameRecord(earlier, observation);
    if (earlier && !isSame && (keepExisting || (isPending(observation) && earlier.qualityStatus === "ACCEPTED"))) {
      kept++;
      continue;
    }
    if (isSame && taken.has(key)) {
      unchanged++;
      continue;
    }
    // Also what is stored already, as only the store knows what other writers do meanwhile. It counts such records as unchanged.
    appended.push(observation);
    if (isSame) continue;
    if (earlier?.insertTime === insertTime) repeated++;
    else if (earlier) before.push(earlier);
    if (earlier) largest = largerChange(largest, earlier, observation);
    taken.set(key, observation);
  }
  return { batch: appended, before, outcome: { unchanged, kept, repeated, largest } };
}

function largerChange(
  largest: ValueChange | null,
  { value: from }: Observation,
  { code, businessTime, value: to }: Observation,
): ValueChange | null {
  const change = { code, businessTime, from, to };
  const size = sizeOfChange(change);
  return size > 0 && (!largest || size > sizeOfChange(largest)) ? change : largest;
}
