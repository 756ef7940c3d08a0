import { CONFIRM, HOUR_MS, isPending, isSameRecord, keyOf, type Neighbours } from "../../../core/internal.ts";
import type {
  Asset,
  AssetCode,
  KeyHolder,
  KeyId,
  MaybePromise,
  Observation,
  ObservationWriter,
  RawRecord,
  ReferenceAccess,
  UtcMillis,
} from "../../../core/mod.ts";
import { randomBytes } from "../../http/web_system.ts";
import { createFeedRule } from "../../intake/levels/feed_rule.ts";
import { completed } from "../../stores/shared/complete_from_stored.ts";
import { type ImportAccess, USUAL_BATCH } from "../../stores/shared/imports.ts";
import { createQueue } from "../../stores/shared/queue.ts";
import { inBatches } from "../../stores/shared/store_copying.ts";
import { createHourlyImports, sourceOf } from "./hourly_imports.ts";
import type { RejectedPushRecord } from "./read_body.ts";

/** The parts of a store that the route uses: `imports` or, without imports, `observations` with `around`. */
export interface IngestStore {
  readonly observations: Pick<ObservationWriter, "append"> &
    Partial<ReferenceAccess> & {
      around?(code: AssetCode, businessTime: UtcMillis): MaybePromise<Neighbours>;
    };
  readonly imports?: Pick<ImportAccess, "begin" | "append" | "finish" | "around" | "references" | "countPending">;
}

/** Settings of the API that the route shares. */
export interface IngestRouteSettings {
  /** The catalog. Default: the assets of the contract. */
  readonly assets?: readonly Asset[] | undefined;
  /** The zone of market days: a value may change by a certain factor per market day. Default: `Asia/Tehran`. */
  readonly marketTimeZone?: string | undefined;
  /** Called with the new records of each body once they are accepted or pending. */
  readonly onJudged?: ((records: readonly Observation[]) => void) | undefined;
}

/** A valid record, and its place in the body. */
export type CheckedRecord = { readonly place: number; readonly record: RawRecord; readonly observation: Observation };

type CheckedBody = Readonly<{ records: readonly CheckedRecord[]; refused: readonly RejectedPushRecord[] }>;
/** A record that a key has added, for a time that had no stored record. */
type AddedRecord = { readonly by: KeyId; readonly record: Observation; readonly at: UtcMillis };

const OTHER_FOLLOWS = "the same body has a later value for this time";
/** Removed from senders' messages, because only the rule for feeds may ask an operator to confirm a value. */
const QUESTION = new RegExp(`^(?:${CONFIRM})+`);
const REJECTED_BY_SOURCE = `${CONFIRM}its source rejects it`;
/**
 * The limit of a key's pending values is a random number in this range. If a sender knew the limit, it could tell from
 * the first 429 which of its values are pending, and so find the price.
 */
const [LEAST_LIMIT, MOST_LIMIT] = [10_000, 20_000];
/** How long a key may reject a record that it has added, and how many such records are remembered. */
const [WITHDRAWAL_MS, MAX_ADDED] = [HOUR_MS, 100_000];

/**
 * Returns `inTurn`, which handles bodies one after the other; `push`, which judges and stores a body during its turn;
 * and `finish`, which ends open imports. `push` returns `undefined` if too many values of the key are pending; the body
 * is then stored only in part or not at all.
 *
 * @throws TypeError for a store that has neither imports nor references.
 */
export function createPushStore(target: IngestStore, { onJudged, ...rules }: IngestRouteSettings) {
  const { observations, imports } = target;
  const { around: aroundOne, references, countPending } = observations;
  const access = imports ?? (references && countPending && { references, countPending });
  if (!access || (!imports && !aroundOne))
    throw new TypeError("Cannot take pushed prices because the store has neither imports nor references");
  const aroundAll: ImportAccess["around"] =
    imports?.around ?? ((keys) => Promise.all(keys.map(({ code, businessTime }) => aroundOne!(code, businessTime))));
  const rule = createFeedRule({ ...rules, store: access });
  const { append, countRefused, finish } = createHourlyImports(target, rules.marketTimeZone ?? "Asia/Tehran");
  /** Records that only one key has sent, by time and asset, in the order in which they were added. */
  const added = new Map<string, AddedRecord>();
  /** The limit of each key. A new limit is drawn once an operator has decided about some pending values of the key. */
  const limits = new Map<KeyId, { limit: number; pending: number }>();
  /** Bodies are handled in order, because stored records must not change between judging and storing. */
  const { inTurn } = createQueue();

  /** The stored records at and next to these times, and the pending records of the same source. */
  async function around(records: readonly CheckedRecord[], source: string) {
    const keys = records.map(({ observation: { code, businessTime } }) => ({ code, businessTime }));
    const found: Neighbours[] = [];
    for await (const batch of inBatches(keys, USUAL_BATCH)) found.push(...(await aroundAll(batch)));
    return found.map((near) => ({ ...near, pending: (near.pending ?? []).filter((one) => one.source === source) }));
  }

  /** The record to store. A sender can neither accept a value nor reject another sender's record. */
  function recordToStore({ observation, record }: CheckedRecord, near: Neighbours, key: KeyId): Observation {
    const isAccepted = observation.qualityStatus === "ACCEPTED";
    const sent = { ...observation, qualityMessage: observation.qualityMessage.replace(QUESTION, "") };
    const one = completed(sent, isAccepted ? { ...record, qualityStatus: undefined } : record, near);
    const isRejection = one.qualityStatus === "REJECTED" && near.at?.qualityStatus === "ACCEPTED";
    const own = added.get(keyOf(one));
    if (!isRejection || (own?.by === key && isSameRecord(own.record, near.at!))) return one;
    return { ...near.at!, insertTime: one.insertTime, qualityStatus: "PENDING", qualityMessage: REJECTED_BY_SOURCE };
  }

  function forgetAdded(records: readonly CheckedRecord[], key: KeyId, now: UtcMillis): void {
    for (const { observation } of records)
      if (added.get(keyOf(observation))?.by !== key) added.delete(keyOf(observation));
    for (const [name, { at }] of added) {
      if (added.size <= MAX_ADDED && now - at < WITHDRAWAL_MS) break;
      added.delete(name);
    }
  }

  function limitOf(key: KeyId, pending: number): number {
    let known = limits.get(key);
    if (!known || pending < known.pending) {
      const [random = 0] = new Uint32Array(randomBytes(4).buffer);
      known = { limit: LEAST_LIMIT + (random % (MOST_LIMIT - LEAST_LIMIT)), pending };
      limits.set(key, known);
    }
    known.pending = pending;
    return known.limit;
  }

  /** Stores records that all have different times. */
  async function store(records: readonly CheckedRecord[], by: KeyHolder, now: UtcMillis) {
    const key = by.key.id;
    forgetAdded(records, key, now);
    const found = await around(records, sourceOf(key));
    const toJudge: Observation[] = [];
    const additions = new Set<string>();
    let unchanged = 0;
    for (const [i, record] of records.entries()) {
      const near = found[i]!;
      const one = recordToStore(record, near, key);
      if (near.at && addsNothing(one, near.at)) unchanged++;
      else if (!near.pending.some((pending) => isSameRecord(one, pending))) {
        toJudge.push(one);
        if (!near.at) additions.add(keyOf(one));
      }
    }
    const judged = await rule(toJudge, sourceOf(key));
    onJudged?.(judged);
    const decided = judged.filter((one) => !isPending(one));
    const outcome = await append(decided, by, now);
    for (const record of decided.filter((one) => additions.has(keyOf(one)))) {
      added.delete(keyOf(record));
      added.set(keyOf(record), { by: key, record, at: now });
    }
    const { kept } = await append(judged.filter(isPending), by, now);
    return {
      accepted: outcome.accepted,
      replaced: outcome.replaced,
      unchanged: outcome.unchanged + unchanged,
      pending: records.length - decided.length - unchanged,
      isFull: kept > 0,
    };
  }

  async function push({ records, refused: invalid }: CheckedBody, by: KeyHolder, now: UtcMillis) {
    const pending = await access!.countPending(sourceOf(by.key.id));
    if (pending >= limitOf(by.key.id, pending)) return undefined;
    const lastOf = new Map(records.map((one) => [keyOf(one.observation), one]));
    const earlier = records.filter((one) => lastOf.get(keyOf(one.observation)) !== one);
    const others = earlier.filter(
      ({ observation }) => !isSameRecord(observation, lastOf.get(keyOf(observation))!.observation),
    );
    const refused = [...invalid, ...others.map(({ place }) => ({ place, reason: OTHER_FOLLOWS }))];
    const { isFull, unchanged, ...counts } = await store([...lastOf.values()], by, now);
    if (isFull) return undefined;
    countRefused(by.key.id, refused.length);
    return {
      ...counts,
      unchanged: unchanged + earlier.length - others.length,
      refused: refused.sort((a, b) => a.place - b.place),
    };
  }

  return { inTurn, push, finish: () => inTurn(finish) };
}

/** Whether a record adds nothing to the stored record for the same time. */
function addsNothing(one: Observation, stored: Observation): boolean {
  const isAccepted = stored.qualityStatus === "ACCEPTED" && one.value === stored.value;
  return isSameRecord(one, stored) || (isPending(one) && isAccepted && !one.qualityMessage.startsWith(CONFIRM));
}
