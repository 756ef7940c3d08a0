import { isPending, isSameRecord, keyOf } from "../../../core/internal.ts";
import type { AssetCode, UtcMillis } from "../../../core/mod.ts";
import {
  type Decision,
  type Import,
  type ImportOutcome,
  type Matching,
  NOTHING_DONE,
  type PendingRecords,
  type Selection,
  type StoredRecord,
} from "../shared/imports.ts";
import type { Decided } from "./draft.ts";
import { type Entry, entriesByOrigin, removalEntries } from "./entries.ts";
import { inTurns, TURN_CHANGES, TURN_RECORDS } from "./in_turns.ts";
import type { PriceState, PriceView } from "./price_state.ts";

/** A decision about a selection, as part of an import. */
interface Deciding {
  readonly selection: Selection;
  readonly decision: Decision;
  readonly by: Import;
}

/** Where the search in a selection continues. */
export interface Place {
  readonly status: "ACCEPTED" | "PENDING";
  readonly time: UtcMillis;
}

/** The records that may need a decision: accepted records, unless the selection excludes them, then pending records. */
function* matchingRecords(
  { records }: Pick<PriceState, "records">,
  { code, from, to, pending }: Selection,
  place: Place = { status: pending ? "PENDING" : "ACCEPTED", time: from },
): Generator<StoredRecord> {
  yield* records(place.status, code, { from: place.time, to });
  if (place.status === "ACCEPTED") yield* records("PENDING", code, { from, to });
}

function isOfProvider({ provider }: Selection): (one: StoredRecord) => boolean {
  return (one) => provider === null || one.provider === provider;
}

/** Finds undecided records after `from`, enough for one turn of the event loop, and where to continue. */
export function findUndecided(
  state: PriceState,
  { selection, decision, by }: Deciding,
  from: Place | undefined,
): { readonly records: readonly StoredRecord[]; readonly next: Place | undefined } {
  const isWanted = isOfProvider(selection);
  const found: StoredRecord[] = [];
  let visited = 0;
  let last: StoredRecord | undefined;
  for (const one of matchingRecords(state, selection, from)) {
    const isFull = visited >= TURN_RECORDS || found.length >= TURN_CHANGES;
    // Records of the same time are decided together, because one of them replaces the others.
    if (isFull && one.businessTime !== last?.businessTime)
      return { records: found, next: { status: isPending(one) ? "PENDING" : "ACCEPTED", time: one.businessTime } };
    last = one;
    visited++;
    if (one.import === by.id && one.qualityStatus === decision.qualityStatus) continue;
    if (isWanted(one)) found.push(one);
  }
  return { records: found, next: undefined };
}

/** Counts the records of a selection. */
export async function countMatching(state: PriceState, selection: Selection): Promise<Matching> {
  let [records, first, last] = [0, Infinity, -Infinity];
  for await (const part of inTurns(matchingRecords(state, selection), isOfProvider(selection))) {
    for (const { businessTime } of part) {
      records++;
      first = Math.min(first, businessTime);
      last = Math.max(last, businessTime);
    }
  }
  return records === 0
    ? { records, first: null, last: null }
    : { records, first: first as UtcMillis, last: last as UtcMillis };
}

/** The pending records of one asset, or of all assets (`null`), with at most `atMost` values. */
export function listPending(
  { records }: Pick<PriceState, "records">,
  code: AssetCode | null,
  atMost: number,
): PendingRecords {
  const assets = new Map<AssetCode, PendingRecords["assets"][number]>();
  const values: StoredRecord[] = [];
  for (const one of records("PENDING", code ?? undefined)) {
    const { records: count, first } = assets.get(one.code) ?? { records: 0, first: one.businessTime };
    assets.set(one.code, { code: one.code, records: count + 1, first, last: one.businessTime });
    if (values.length < atMost) values.push(one);
  }
  return { assets: [...assets.values()], values };
}

/** Decides about these records. Does not change records that have changed meanwhile. */
export function decideAbout(
  view: PriceView,
  found: readonly StoredRecord[],
  { decision, by: { id, time } }: Deciding,
): Decided<ImportOutcome> {
  const current = found.filter((one) => {
    const { code, businessTime, source } = one;
    const now = view.find(code, businessTime, isPending(one) ? source : null);
    return (
      now !== undefined && now.import === one.import && now.insertTime === one.insertTime && isSameRecord(now, one)
    );
  });
  const decided = new Map<string, StoredRecord>();
  const seen = new Set<string>();
  const sorted = current.toSorted(inOrder);
  let repeated = 0;
  // If several pending records have the same time, accepting keeps only the last, and rejecting only the first.
  for (const one of sorted) {
    const { code, businessTime } = one;
    const held = view.find(code, businessTime, null);
    if (seen.has(keyOf(one)) || held?.import === id || one.import === id) repeated++;
    seen.add(keyOf(one));
    const isOther = held && (held.qualityStatus === "REJECTED" || held.value !== one.value);
    if (isPending(one) && decision.qualityStatus === "REJECTED" && (isOther || decided.has(keyOf(one)))) continue;
    decided.set(keyOf(one), { ...one, ...decision, insertTime: time, import: id });
  }
  const entries: Entry[] = [
    ...removalEntries(sorted.filter(isPending), id),
    ...entriesByOrigin("decision", decided.values()),
  ];
  return { entries, result: { ...NOTHING_DONE, replaced: current.length, repeated } };
}

/** Decided records first, then pending records in the order of insertion. */
function inOrder(a: StoredRecord, b: StoredRecord): number {
  return Number(isPending(a)) - Number(isPending(b)) || a.insertTime - b.insertTime || (a.source < b.source ? -1 : 1);
}
