import type { AssetCode, Observation, ObservationKey, UtcMillis } from "../../../../core/mod.ts";
import type { Matching, PendingRecords, Selection } from "../../shared/imports.ts";
import type { ObservationLog } from "../observation_log.ts";

/** As many as one append takes. */
export const BATCH = 2_000;

/** How many observations of each of these insert times there are. */
export function countCurrent(
  records: Iterable<Observation>,
  times: ReadonlySet<UtcMillis>,
): ReadonlyMap<UtcMillis, number> {
  const counts = new Map<UtcMillis, number>();
  if (times.size === 0) return counts;
  for (const { insertTime } of records)
    if (times.has(insertTime)) counts.set(insertTime, (counts.get(insertTime) ?? 0) + 1);
  return counts;
}

/** What undoing an import does to the observations that are still as the import stored them. */
export interface Reversal {
  /** The observations that come back. */
  readonly restored: readonly Observation[];
  /** Those that were new. */
  readonly added: readonly ObservationKey[];
}

/** Finds all observations with the insert time of an import, and what was there before. */
export function findReversal(
  records: Iterable<Observation>,
  time: UtcMillis,
  before: (code: AssetCode, businessTime: UtcMillis) => Observation | undefined,
): Reversal {
  const restored: Observation[] = [];
  const added: ObservationKey[] = [];
  for (const { code, businessTime, insertTime } of records) {
    if (insertTime !== time) continue;
    const earlier = before(code, businessTime);
    if (earlier) restored.push(earlier);
    else added.push({ code, businessTime });
  }
  return { restored, added };
}

/**
 * Carries a reversal out in batches. Leaves what was replaced since it was found.
 * Stopped in between, it can be found and carried out anew.
 *
 * @param proceed Called before each batch; throws where it is to be stopped.
 */
export async function reverse(
  { restore, writing, find, remove }: Pick<ObservationLog, "restore" | "writing" | "find" | "remove">,
  { time, restored, added }: Reversal & { readonly time: UtcMillis },
  proceed: () => void,
): Promise<{ restored: number; removed: number }> {
  const isCurrent = ({ code, businessTime }: ObservationKey): boolean => find(code, businessTime)?.insertTime === time;
  const done = { restored: 0, removed: 0 };
  for (let at = 0; at < restored.length; at += BATCH) {
    const found = restored.slice(at, at + BATCH);
    for (let wait = writing(found); wait; wait = writing(found)) await wait;
    const batch = found.filter(isCurrent);
    proceed();
    await restore(batch);
    done.restored += batch.length;
  }
  for (let at = 0; at < added.length; at += BATCH) {
    const found = added.slice(at, at + BATCH);
    for (let wait = writing(found); wait; wait = writing(found)) await wait;
    const batch = found.filter(isCurrent);
    proceed();
    await remove(batch);
    done.removed += batch.length;
  }
  return done;
}

/** The records that wait for a decision among these, which come by asset: at most so many values. */
export function findPending(records: Iterable<Observation>, code: AssetCode | null, atMost: number): PendingRecords {
  const assets = new Map<AssetCode, PendingRecords["assets"][number]>();
  const values: Observation[] = [];
  for (const one of records) {
    if (code !== null && one.code !== code) continue;
    const { records, first } = assets.get(one.code) ?? { records: 0, first: one.businessTime };
    assets.set(one.code, { code: one.code, records: records + 1, first, last: one.businessTime });
    if (values.length < atMost) values.push(one);
  }
  return { assets: [...assets.values()], values };
}

/** Counts the records of a selection that are not rejected. */
export function findMatching(records: Iterable<Observation>, selection: Selection): Matching {
  let [count, first, last] = [0, Infinity, -Infinity];
  for (const { businessTime } of matching(records, selection)) {
    count++;
    first = Math.min(first, businessTime);
    last = Math.max(last, businessTime);
  }
  return count === 0
    ? { records: 0, first: null, last: null }
    : { records: count, first: first as UtcMillis, last: last as UtcMillis };
}

/** The first records of a selection that are not rejected. */
export function firstMatching(records: Iterable<Observation>, selection: Selection, atMost: number): Observation[] {
  const found: Observation[] = [];
  for (const observation of matching(records, selection)) {
    if (found.length === atMost) break;
    found.push(observation);
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
