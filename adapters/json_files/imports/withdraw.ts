import type { Observation, UtcMillis } from "../../../core/mod.ts";
import type { Matching, Selection } from "../../store/imports.ts";

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
