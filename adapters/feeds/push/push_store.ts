import { HOUR_MS, isPending, isSameRecord, keyOf, type Neighbours } from "../../../core/internal.ts";
import type {
  AssetCode,
  KeyHolder,
  KeyId,
  MaybePromise,
  Observation,
  ObservationKey,
  ObservationWriter,
  RawRecord,
  UtcMillis,
} from "../../../core/mod.ts";
import { completed } from "../../stores/shared/complete_from_stored.ts";
import { createImportWriter, type ImportWriter } from "../../stores/shared/import_writer.ts";
import {
  type ImportAccess,
  type ImportOutcome,
  MAX_PENDING,
  NO_PROCESS,
  NOTHING_DONE,
  USUAL_BATCH,
} from "../../stores/shared/imports.ts";
import { siftSuspicious } from "../suspicious_prices.ts";

/** What pushed prices need of a store: its imports, or, where it has none, what is stored around a time. */
export interface IngestStore {
  readonly observations: Pick<ObservationWriter, "append"> & {
    around?(code: AssetCode, businessTime: UtcMillis): MaybePromise<Neighbours>;
  };
  readonly imports?: Pick<ImportAccess, "begin" | "append" | "finish" | "around">;
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
  /** Records that wait for a decision. */
  readonly pending: number;
  /** In the order of their places. */
  readonly refused: readonly RejectedPushRecord[];
}

/** The import of a key and an hour. */
type HourImport = { readonly hour: number; readonly writer: ImportWriter; refused: number };

const OTHER_FOLLOWS = "another value of its time follows in the same body";
const FULL = `it is in doubt or PENDING, and ${MAX_PENDING} values of this key wait for a decision`;

/**
 * Makes the way of pushed prices into a store, one body after the other.
 *
 * @throws TypeError for a store that can neither import nor tell what is stored around a time.
 */
export function createPushStore({ observations, imports }: IngestStore) {
  if (!imports && !observations.around)
    throw new TypeError("Cannot take pushed prices as the store has neither imports nor observations.around");
  const open = new Map<KeyId, HourImport>();
  /** Of all keys: what one pushes, another may confirm. */
  let waiting: readonly Observation[] = [];
  /** Who has pushed what waits: where it is believed later, it is stored as theirs. */
  const holders = new WeakMap<Observation, KeyHolder>();
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: what a body is compared with must not change until it is stored. */
  function inTurn<T>(act: () => Promise<T>): Promise<T> {
    const result = last.then(act);
    last = result.catch(() => undefined);
    return result;
  }

  async function around(keys: readonly ObservationKey[]): Promise<readonly Neighbours[]> {
    if (imports) return imports.around(keys.map(({ code, businessTime }) => ({ code, businessTime })));
    return Promise.all(keys.map(({ code, businessTime }) => observations.around!(code, businessTime)));
  }

  async function importOf({ key, account }: KeyHolder, now: UtcMillis): Promise<HourImport> {
    const hour = Math.floor(now / HOUR_MS);
    for (const [id, one] of open) if (one.hour !== hour) await end(id, one);
    let current = open.get(key.id);
    if (!current) {
      const subjects = [`key ${key.id} of ${account.id}`];
      const plan = { type: "import", subjects, source: `key:${key.id}`, by: NO_PROCESS } as const;
      open.set(
        key.id,
        (current = { hour, writer: createImportWriter(imports!, plan, { keepExisting: false }), refused: 0 }),
      );
    }
    return current;
  }

  async function end(id: KeyId, { writer, refused }: HourImport): Promise<void> {
    open.delete(id);
    // Where it was undone meanwhile, it stays so.
    await writer.finish({ refused, complete: true });
  }

  async function append(batch: readonly Observation[], by: KeyHolder, now: UtcMillis): Promise<ImportOutcome> {
    if (batch.length === 0) return NOTHING_DONE;
    if (!imports) return { ...NOTHING_DONE, ...(await observations.append(batch, `key:${by.key.id}`)) };
    try {
      return await (await importOf(by, now)).writer.append(batch);
    } catch (error) {
      // Its import was undone: the next one begins. Any other reason comes again.
      if (!(error instanceof RangeError)) throw error;
      open.delete(by.key.id);
      return (await importOf(by, now)).writer.append(batch);
    }
  }

  /** Records of as many times. */
  async function pushPart(records: readonly CheckedRecord[], by: KeyHolder, now: UtcMillis): Promise<PushOutcome> {
    const found = await around(records.map(({ observation }) => observation));
    const all = records.map(({ place, record, observation }, i) => {
      const near = found[i]!;
      // Who says of a value that it is accepted has not decided about it.
      const meant = completed(
        observation,
        observation.qualityStatus === "ACCEPTED" ? { ...record, qualityStatus: undefined } : record,
        near,
      );
      const stored = [near.at, ...(near.pending ?? [])];
      return { place, near, meant, isKnown: stored.some((one) => one && isSameRecord(meant, one)) };
    });
    const known = all.filter(({ isKnown }) => isKnown);
    const others = all.filter(({ isKnown }) => !isKnown);
    const sifted = await siftSuspicious(
      others.map(({ meant }) => meant),
      { pending: waiting, around, found: others.map(({ near }) => near) },
    );
    const released = sifted.batch.slice(0, sifted.batch.length - others.length);
    const own = sifted.batch.slice(released.length);
    const isAccepted = (one: Observation, { at }: Neighbours): boolean =>
      at?.qualityStatus === "ACCEPTED" && at.value === one.value;
    const pending = own.flatMap((one, i) =>
      isPending(one) && !isAccepted(one, others[i]!.near) ? [{ one, place: others[i]!.place }] : [],
    );
    const decided = own.filter((one) => !isPending(one));

    const holderOf = (one: Observation): KeyHolder => holders.get(one) ?? by;
    for (const holder of new Set(released.map(holderOf)))
      await append(
        released.filter((one) => holderOf(one) === holder),
        holder,
        now,
      );
    const { accepted, replaced, unchanged } = await append(decided, by, now);
    const doubtful = pending.map(({ one }) => one);
    const { kept } = await append(doubtful, by, now);
    const stored = kept > 0 ? await around(doubtful) : [];
    const full = pending.filter(
      ({ one }, i) => stored[i] && !stored[i].pending?.some(({ value }) => value === one.value),
    );
    waiting = sifted.pending;
    for (const one of waiting) holders.set(one, holderOf(one));
    const waits = known.filter(({ meant }) => isPending(meant)).length;
    return {
      accepted,
      replaced,
      unchanged: unchanged + all.length - decided.length - pending.length - waits,
      pending: pending.length - full.length + waits,
      refused: full.map(({ place }) => ({ place, reason: FULL })),
    };
  }

  async function push({ records, refused: before }: CheckedBody, by: KeyHolder, now: UtcMillis): Promise<PushOutcome> {
    const lastOf = new Map(records.map((one) => [keyOf(one.observation), one]));
    const others = records.filter((one) => lastOf.get(keyOf(one.observation)) !== one);
    const another = others.filter(
      ({ observation }) => !isSameRecord(observation, lastOf.get(keyOf(observation))!.observation),
    );
    const refused = [...before, ...another.map(({ place }) => ({ place, reason: OTHER_FOLLOWS }))];
    const parts: PushOutcome[] = [];
    const sorted = [...lastOf.values()].sort((a, b) => a.observation.businessTime - b.observation.businessTime);
    for (let at = 0; at < sorted.length; at += USUAL_BATCH) {
      parts.push(await pushPart(sorted.slice(at, at + USUAL_BATCH), by, now));
    }
    refused.push(...parts.flatMap((part) => part.refused));
    const current = open.get(by.key.id);
    if (current) current.refused += refused.length;
    const sum = (name: "accepted" | "replaced" | "unchanged" | "pending"): number =>
      parts.reduce((all, part) => all + part[name], 0);
    const unchanged = sum("unchanged") + others.length - another.length;
    return {
      accepted: sum("accepted"),
      replaced: sum("replaced"),
      unchanged,
      pending: sum("pending"),
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
