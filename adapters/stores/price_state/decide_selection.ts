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
import { inTurns } from "./in_turns.ts";
import type { PriceState, PriceView } from "./price_state.ts";

/** The records of a selection about which can be decided, in parts: accepted ones, unless only pending ones are meant, and pending ones. */
export async function* matchingRecords(
  { records }: Pick<PriceState, "records">,
  { code, from, to, provider, pending }: Selection,
): AsyncGenerator<readonly StoredRecord[]> {
  for (const status of pending ? (["PENDING"] as const) : (["ACCEPTED", "PENDING"] as const))
    yield* inTurns(records(status, code, { from, to }), (one) => provider === null || one.provider === provider);
}

/** Counts the records of a selection. */
export async function countMatching(state: PriceState, selection: Selection): Promise<Matching> {
  let [records, first, last] = [0, Infinity, -Infinity];
  for await (const part of matchingRecords(state, selection)) {
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

/** The pending records of one asset, or `null` for all: at most so many values. */
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

/** Decides about records that were found; what was changed meanwhile is left. */
export function decideAbout(
  view: PriceView,
  found: readonly StoredRecord[],
  { decision, by: { id, time } }: { readonly decision: Decision; readonly by: Import },
): Decided<ImportOutcome> {
  const current = found.filter((one) => {
    const { code, businessTime, source } = one;
    const now = isPending(one) ? view.findPending(code, businessTime, source) : view.find(code, businessTime);
    return (
      now !== undefined && now.import === one.import && now.insertTime === one.insertTime && isSameRecord(now, one)
    );
  });
  const taken = new Map<string, StoredRecord[]>();
  const decided = new Map<string, StoredRecord>();
  const seen = new Set<string>();
  let repeated = 0;
  // Of several pending ones of one time, the last one stands when they are accepted, and the first one when they are rejected.
  for (const one of current.toSorted(inOrder)) {
    const { code, businessTime, source } = one;
    const stands = view.find(code, businessTime);
    if (seen.has(keyOf(one)) || stands?.import === id || one.import === id) repeated++;
    seen.add(keyOf(one));
    if (isPending(one)) taken.set(source, [...(taken.get(source) ?? []), one]);
    const isOther = stands && (stands.qualityStatus === "REJECTED" || stands.value !== one.value);
    if (isPending(one) && decision.qualityStatus === "REJECTED" && (isOther || decided.has(keyOf(one)))) continue;
    decided.set(keyOf(one), { ...one, ...decision, insertTime: time, import: id });
  }
  const entries: Entry[] = [
    ...[...taken].flatMap(([source, records]) => removalEntries(records, { source, import: id })),
    ...entriesByOrigin("decision", decided.values()),
  ];
  return { entries, result: { ...NOTHING_DONE, replaced: current.length, repeated } };
}

/** Decided records first, then pending ones as they came. */
function inOrder(a: StoredRecord, b: StoredRecord): number {
  return Number(isPending(a)) - Number(isPending(b)) || a.insertTime - b.insertTime || (a.source < b.source ? -1 : 1);
}
