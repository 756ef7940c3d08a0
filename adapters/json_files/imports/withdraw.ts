import type { AssetCode, Observation, UtcMillis } from "../../../core/mod.ts";
import type { ActOutcome } from "./act.ts";

/** Which records are withdrawn. */
export interface Selection {
  readonly code: AssetCode;
  /** From this business time on. */
  readonly from: UtcMillis;
  /** Up to this business time, excluded. */
  readonly to: UtcMillis;
  /** Only records of this provider; `null` for those of all. */
  readonly provider: string | null;
}

/** The records of a selection that are not withdrawn yet. */
export interface Matching {
  readonly records: number;
  /** Business times of the earliest and the latest; `null` where there is none. */
  readonly first: UtcMillis | null;
  readonly last: UtcMillis | null;
}

/** What a step of a withdrawal did. */
export interface WithdrawalStep {
  readonly outcome: ActOutcome;
  /** Whether another step is needed. */
  readonly more: boolean;
}

/** Counts the records of a selection that are not rejected. */
export function findMatching(records: Iterable<Observation>, selection: Selection): Matching {
  let [count, first, last] = [0, Infinity, -Infinity];
  for (const { businessTime } of matching(records, selection)) {
    count++;
    first = Math.min(first, businessTime);
    last = Math.max(last, businessTime);
  }
  return count === 0 ? { records: 0, first: null, last: null } : { records: count, first: first as UtcMillis, last: last as UtcMillis };
}

/** The first records of a selection that are not rejected, as they are when they are: kept, with the reason. */
export function rejected(records: Iterable<Observation>, selection: Selection, { reason, atMost }: { readonly reason: string; readonly atMost: number }): Observation[] {
  const found: Observation[] = [];
  for (const observation of matching(records, selection)) {
    if (found.length === atMost) break;
    found.push({ ...observation, qualityStatus: "REJECTED", qualityMessage: reason });
  }
  return found;
}

function* matching(records: Iterable<Observation>, { code, from, to, provider }: Selection): Generator<Observation> {
  for (const observation of records) {
    const { businessTime } = observation;
    if (observation.code !== code || businessTime < from || businessTime >= to) continue;
    if (observation.qualityStatus === "REJECTED" || (provider !== null && observation.provider !== provider)) continue;
    yield observation;
  }
}
