import {
  CONFIRM,
  createZone,
  dayNumber,
  HOUR_MS,
  isPending,
  isSameRecord,
  keyOf,
  type Neighbours,
} from "../../../core/internal.ts";
import type {
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
import { createFeedRule, type FeedRuleOptions } from "../../intake/levels/feed_rule.ts";
import { completed } from "../../stores/shared/complete_from_stored.ts";
import { createImportWriter, type ImportWriter } from "../../stores/shared/import_writer.ts";
import {
  addOutcomes,
  type ImportAccess,
  type ImportOutcome,
  NO_PROCESS,
  NOTHING_DONE,
  USUAL_BATCH,
} from "../../stores/shared/imports.ts";
import { inBatches } from "../../stores/shared/store_copying.ts";

/** What pushed prices need of a store: its imports or, where it has none, what is stored around a time. */
export interface IngestStore {
  readonly observations: Pick<ObservationWriter, "append"> &
    Partial<ReferenceAccess> & {
      around?(code: AssetCode, businessTime: UtcMillis): MaybePromise<Neighbours>;
    };
  readonly imports?: Pick<ImportAccess, "begin" | "append" | "finish" | "around" | "references" | "countPending">;
}

/** A record that was checked, and its place in the body. */
export interface CheckedRecord {
  readonly place: number;
  readonly record: RawRecord;
  readonly observation: Observation;
}

/** A record that is not stored. */
export interface RejectedPushRecord {
  readonly place: number;
  readonly reason: string;
}

/** The records of a body that are right, and those that are not. */
type CheckedBody = Readonly<{ records: readonly CheckedRecord[]; refused: readonly RejectedPushRecord[] }>;

/** What became of the records of a body: each is counted once. */
export interface PushOutcome {
  /** New records. */
  readonly accepted: number;
  readonly replaced: number;
  /** Records that were there already. */
  readonly unchanged: number;
  /** Records that are pending until a person decides. */
  readonly pending: number;
  /** In the order of their places. */
  readonly refused: readonly RejectedPushRecord[];
}

/** How values are judged, and who hears of it. */
export interface PushRules extends Omit<FeedRuleOptions, "store"> {
  readonly onJudged?: ((records: readonly Observation[]) => void) | undefined;
}

/** A record that a key has added where none was. */
type AddedRecord = { readonly by: KeyId; readonly record: Observation; readonly at: UtcMillis };
/** The import of a key and an hour. */
type HourImport = { readonly begun: number; readonly writer: ImportWriter; refused: number };

const OTHER_FOLLOWS = "another value of its time follows in the same body";
const REJECTED_BY_SOURCE = `${CONFIRM}its source rejects it`;
/** From how many pending values on a key may have reached its limit, and has for sure. The limit is drawn, so that its end tells nobody how many of its values are pending, and so a price. */
const [LEAST_LIMIT, MOST_LIMIT] = [10_000, 20_000];
/** For so long a key may reject what it has added, and of how many records that is remembered. */
const [WITHDRAWAL_MS, MAX_ADDED] = [HOUR_MS, 100_000];

/**
 * Makes the way of pushed prices into a store, one body after the other. A body whose key has as many pending values as the store
 * keeps is not stored, or only in part: its outcome is `undefined`.
 *
 * @throws TypeError for a store that can neither import nor tell what is stored around a time.
 */
export function createPushStore({ observations, imports }: IngestStore, { onJudged, ...rules }: PushRules) {
  const { around: aroundOne, references, countPending } = observations;
  const access = imports ?? (references && countPending && { references, countPending });
  if (!access || (!imports && !aroundOne))
    throw new TypeError("Cannot take pushed prices as the store has neither imports nor references");
  const rule = createFeedRule({ ...rules, store: access });
  const { startOfDay, dateAt } = createZone(rules.marketTimeZone ?? "Asia/Tehran");
  const open = new Map<KeyId, HourImport>();
  /** By time and asset, the earliest first. Of a record that another key has sent as well, no key is the only source. */
  const added = new Map<string, AddedRecord>();
  /** The limit of pending values of a key, until a person has decided about some. */
  const limits = new Map<KeyId, { limit: number; pending: number }>();
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: what a body is compared with must not change until it is stored. */
  function inTurn<T>(act: () => Promise<T>): Promise<T> {
    const result = last.then(act);
    last = result.catch(() => undefined);
    return result;
  }

  /** What there is at the times of records; of what is pending, only what the same source has sent. */
  async function around(records: readonly CheckedRecord[], source: string): Promise<readonly Neighbours[]> {
    const keys = records.map(({ observation: { code, businessTime } }) => ({ code, businessTime }));
    const found: Neighbours[] = [];
    for await (const batch of inBatches(keys, USUAL_BATCH))
      found.push(
        ...(await (imports?.around(batch) ??
          Promise.all(batch.map(({ code, businessTime }) => aroundOne!(code, businessTime))))),
      );
    return found.map((near) => ({ ...near, pending: (near.pending ?? []).filter((one) => one.source === source) }));
  }

  /** An import ends with its hour, and with the market day: the insert time of its records is its beginning. */
  async function importOf({ key, account }: KeyHolder, now: UtcMillis): Promise<HourImport> {
    const begun = Math.max(Math.floor(now / HOUR_MS) * HOUR_MS, startOfDay(dayNumber(dateAt(now))));
    for (const [id, one] of open) if (one.begun !== begun) await end(id, one);
    let current = open.get(key.id);
    if (!current) {
      const subjects = [`key ${key.id} of ${account.id}`];
      const plan = { type: "import", subjects, source: sourceOf(key.id), by: NO_PROCESS } as const;
      const writer = createImportWriter(imports!, plan, { keepExisting: false });
      open.set(key.id, (current = { begun, writer, refused: 0 }));
    }
    return current;
  }

  async function end(id: KeyId, { writer, refused }: HourImport): Promise<void> {
    open.delete(id);
    // Where it was undone meanwhile, it stays so.
    await writer.finish({ refused, complete: true });
  }

  async function appendBatch(batch: readonly Observation[], by: KeyHolder, now: UtcMillis): Promise<ImportOutcome> {
    if (!imports) return { ...NOTHING_DONE, ...(await observations.append(batch, sourceOf(by.key.id))) };
    try {
      return await (await importOf(by, now)).writer.append(batch);
    } catch (error) {
      // Its import was undone: the next one begins. Any other reason comes again.
      if (!(error instanceof RangeError)) throw error;
      open.delete(by.key.id);
      return (await importOf(by, now)).writer.append(batch);
    }
  }

  async function append(records: readonly Observation[], by: KeyHolder, now: UtcMillis): Promise<ImportOutcome> {
    let outcome = NOTHING_DONE;
    for await (const batch of inBatches(records, USUAL_BATCH))
      outcome = addOutcomes(outcome, await appendBatch(batch, by, now));
    return outcome;
  }

  /** What a record is to be stored as. That its sender accepts it decides nothing, and neither does that it rejects another's record. */
  function meantBy({ observation, record }: CheckedRecord, near: Neighbours, { key }: KeyHolder): Observation {
    const isAccepted = observation.qualityStatus === "ACCEPTED";
    const one = completed(observation, isAccepted ? { ...record, qualityStatus: undefined } : record, near);
    const isRejection = one.qualityStatus === "REJECTED" && near.at?.qualityStatus === "ACCEPTED";
    const own = added.get(keyOf(one));
    if (!isRejection || (own?.by === key.id && isSameRecord(own.record, near.at!))) return one;
    return { ...near.at!, insertTime: one.insertTime, qualityStatus: "PENDING", qualityMessage: REJECTED_BY_SOURCE };
  }

  function rememberAdded(records: readonly Observation[], by: KeyId, at: UtcMillis): void {
    for (const record of records) {
      added.delete(keyOf(record));
      added.set(keyOf(record), { by, record, at });
    }
  }

  function forgetAdded(records: readonly CheckedRecord[], { key }: KeyHolder, now: UtcMillis): void {
    for (const { observation } of records)
      if (added.get(keyOf(observation))?.by !== key.id) added.delete(keyOf(observation));
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

  /** Stores records of as many times. */
  async function store(records: readonly CheckedRecord[], by: KeyHolder, now: UtcMillis) {
    forgetAdded(records, by, now);
    const source = sourceOf(by.key.id);
    const found = await around(records, source);
    const all = records.map((record, i) => {
      const near = found[i]!;
      const meant = meantBy(record, near, by);
      const isKnown = near.pending!.some((one) => isSameRecord(meant, one));
      return { near, meant, isKnown, isUnchanged: near.at !== undefined && saysNothingNew(meant, near.at) };
    });
    const others = all.filter(({ isKnown, isUnchanged }) => !isKnown && !isUnchanged);
    const judged = await rule(
      others.map(({ meant }) => meant),
      source,
    );
    onJudged?.(judged);
    const decided = judged.filter((one) => !isPending(one));
    const { accepted, replaced, unchanged } = await append(decided, by, now);
    const isNew = new Set(others.filter(({ near }) => !near.at).map(({ meant }) => keyOf(meant)));
    rememberAdded(
      decided.filter((one) => isNew.has(keyOf(one))),
      by.key.id,
      now,
    );
    const { kept } = await append(judged.filter(isPending), by, now);
    const same = all.filter(({ isUnchanged }) => isUnchanged).length;
    return {
      accepted,
      replaced,
      unchanged: unchanged + same,
      pending: records.length - decided.length - same,
      isFull: kept > 0,
    };
  }

  async function push(
    { records, refused: before }: CheckedBody,
    by: KeyHolder,
    now: UtcMillis,
  ): Promise<PushOutcome | undefined> {
    const pending = await access!.countPending(sourceOf(by.key.id));
    if (pending >= limitOf(by.key.id, pending)) return undefined;
    const lastOf = new Map(records.map((one) => [keyOf(one.observation), one]));
    const others = records.filter((one) => lastOf.get(keyOf(one.observation)) !== one);
    const another = others.filter(
      ({ observation }) => !isSameRecord(observation, lastOf.get(keyOf(observation))!.observation),
    );
    const refused = [...before, ...another.map(({ place }) => ({ place, reason: OTHER_FOLLOWS }))];
    const { isFull, unchanged, ...counts } = await store([...lastOf.values()], by, now);
    if (isFull) return undefined;
    const current = open.get(by.key.id);
    if (current) current.refused += refused.length;
    return {
      ...counts,
      unchanged: unchanged + others.length - another.length,
      refused: refused.sort((a, b) => a.place - b.place),
    };
  }

  return {
    push: (body: CheckedBody, by: KeyHolder, now: UtcMillis) => inTurn(() => push(body, by, now)),
    /** Ends the imports that are open. */
    finish: () =>
      inTurn(async () => {
        for (const [id, one] of open) await end(id, one);
      }),
  };
}

/** Whether a store that has one record learns nothing from another one of its time. */
function saysNothingNew(one: Observation, stored: Observation): boolean {
  const isAccepted = stored.qualityStatus === "ACCEPTED" && one.value === stored.value;
  return isSameRecord(one, stored) || (isPending(one) && isAccepted && !one.qualityMessage.startsWith(CONFIRM));
}

/** The source of what a key pushes. */
function sourceOf(id: KeyId): string {
  return `key:${id}`;
}
