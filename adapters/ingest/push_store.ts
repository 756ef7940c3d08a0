import { HOUR_MS, isHeld, isSameRecord, keyOf } from "../../core/internal.ts";
import type { Neighbours } from "../../core/internal.ts";
import type { AssetCode, KeyHolder, KeyId, MaybePromise, Observation, ObservationKey, ObservationWriter, RawRecord, UtcMillis } from "../../core/mod.ts";
import { completed } from "../store/completed.ts";
import { siftDoubtful } from "../store/doubts.ts";
import { createImportWriter } from "../store/import_writer.ts";
import type { ImportWriter } from "../store/import_writer.ts";
import { NOTHING_DONE, USUAL_BATCH, addOutcomes } from "../store/imports.ts";
import type { ImportAccess, ImportOutcome } from "../store/imports.ts";

/** What pushed prices need of a store: its imports, or, where it has none, what is stored around a time. */
export interface IngestStore {
  readonly observations: Pick<ObservationWriter, "append"> & { around?(code: AssetCode, businessTime: UtcMillis): MaybePromise<Neighbours> };
  readonly imports?: Pick<ImportAccess, "begin" | "append" | "finish" | "around">;
}

/** The records of a body that are right, and those that are not. */
export interface CheckedBody {
  readonly records: readonly CheckedRecord[];
  readonly refused: readonly Refused[];
}

/** A record that was checked, and its place in the body. */
export interface CheckedRecord {
  readonly place: number;
  readonly record: RawRecord;
  readonly observation: Observation;
}

/** A record that is not stored. */
export interface Refused {
  readonly place: number;
  readonly reason: string;
}

/** What became of the records of a body: each is counted once. */
export interface PushOutcome {
  /** New records. */
  readonly accepted: number;
  readonly replaced: number;
  /** Records that were there already. */
  readonly unchanged: number;
  /** Records that wait for a decision. */
  readonly held: number;
  /** In the order of their places. */
  readonly refused: readonly Refused[];
}

/** Stores what is pushed, one body after the other. */
export interface PushStore {
  push(body: CheckedBody, by: KeyHolder, now: UtcMillis): Promise<PushOutcome>;
  /** Ends the imports that are open. */
  finish(): Promise<void>;
}

/** The import of a key and an hour. */
interface HourImport {
  readonly hour: number;
  readonly writer: ImportWriter;
  refused: number;
}

/** No process stands behind such an import, which is open between two requests: it can be undone then. */
const NO_PROCESS = { pid: 0, host: "" };
const OTHER_CHOSEN = "another value of its time in the same body is stored";
const STAYS = "it is in doubt or PENDING, and another value of its time is accepted, which stays";

/**
 * Makes the way of pushed prices into a store.
 *
 * @throws TypeError for a store that can neither import nor tell what is stored around a time.
 */
export function createPushStore({ observations, imports }: IngestStore): PushStore {
  if (!imports && !observations.around) throw new TypeError("Cannot take pushed prices as the store has neither imports nor observations.around");
  const open = new Map<KeyId, HourImport>();
  /** Of all keys: what one pushes, another may confirm. */
  let waiting: readonly Observation[] = [];
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
      const plan = { type: "import", subjects: [`key ${key.id} of ${account.id}`], by: NO_PROCESS } as const;
      open.set(key.id, (current = { hour, writer: createImportWriter(imports!, plan, { keepExisting: false }), refused: 0 }));
    }
    return current;
  }

  async function end(id: KeyId, { writer, refused }: HourImport): Promise<void> {
    open.delete(id);
    // Where it was undone meanwhile, it stays so.
    await writer.finish({ refused, complete: true });
  }

  async function append(batch: readonly Observation[], by: KeyHolder, now: UtcMillis): Promise<ImportOutcome> {
    let outcome = NOTHING_DONE;
    for (let at = 0; at < batch.length; at += USUAL_BATCH) outcome = addOutcomes(outcome, await appendPart(batch.slice(at, at + USUAL_BATCH), by, now));
    return outcome;
  }

  async function appendPart(part: readonly Observation[], by: KeyHolder, now: UtcMillis): Promise<ImportOutcome> {
    if (!imports) return { ...NOTHING_DONE, ...(await observations.append(part)) };
    try {
      return await (await importOf(by, now)).writer.append(part);
    } catch (error) {
      // Its import was undone: the next one begins. Any other reason comes again.
      if (!(error instanceof RangeError)) throw error;
      open.delete(by.key.id);
      return (await importOf(by, now)).writer.append(part);
    }
  }

  /** Records with all others of their times in the body. */
  async function pushPart(records: readonly CheckedRecord[], by: KeyHolder, now: UtcMillis): Promise<PushOutcome> {
    const found = await around(records.map(({ observation }) => observation));
    const meant = records.map(({ record, observation }, i) => {
      const { at } = found[i]!;
      if (!at) return observation;
      return completed(observation, observation.qualityStatus === "ACCEPTED" ? { ...record, qualityStatus: undefined } : record, at);
    });
    const isKnown = meant.map((one, i) => found[i]!.at !== undefined && isSameRecord(one, found[i]!.at));
    const judged = meant.filter((_, i) => !isKnown[i]);
    const sifted = await siftDoubtful(judged, { waiting, around, found: found.filter((_, i) => !isKnown[i]) });
    const released = sifted.batch.slice(0, sifted.batch.length - judged.length);
    const siftedOwn = sifted.batch.slice(released.length).values();
    const own = meant.map((one, i) => (isKnown[i] ? one : siftedOwn.next().value!));

    // Of one time, the last value that does not wait is stored, whatever else the body has.
    const chosen = new Map<string, Observation>();
    for (const one of own) {
      const other = chosen.get(keyOf(one));
      if (!other || isHeld(other) || !isHeld(one)) chosen.set(keyOf(one), one);
    }
    const refused: Refused[] = [];
    const [changed, held]: [Observation[], Observation[]] = [[], []];
    let [unchanged, waits] = [0, 0];
    for (const [i, one] of own.entries()) {
      const { place } = records[i]!;
      const winner = chosen.get(keyOf(one))!;
      if (one !== winner && !isSameRecord(one, winner)) refused.push({ place, reason: OTHER_CHOSEN });
      else if (one !== winner || (isKnown[i] && !isHeld(one))) unchanged++;
      else if (isKnown[i]) waits++;
      else if (!isHeld(one)) changed.push(one);
      else if (found[i]!.at?.qualityStatus === "ACCEPTED") refused.push({ place, reason: STAYS });
      else held.push(one);
    }
    await append(released, by, now);
    const stored = await append(changed, by, now);
    const { kept } = await append(held, by, now);
    waiting = sifted.waiting;
    return { accepted: stored.accepted, replaced: stored.replaced, unchanged: unchanged + stored.unchanged + kept, held: waits + held.length - kept, refused };
  }

  async function push({ records, refused: before }: CheckedBody, by: KeyHolder, now: UtcMillis): Promise<PushOutcome> {
    const sorted = records.toSorted((a, b) => a.observation.businessTime - b.observation.businessTime);
    let [accepted, replaced, unchanged, held] = [0, 0, 0, 0];
    const refused = [...before];
    for (let from = 0, end = 0; from < sorted.length; from = end) {
      end = Math.min(from + USUAL_BATCH, sorted.length);
      while (end < sorted.length && sorted[end]!.observation.businessTime === sorted[end - 1]!.observation.businessTime) end++;
      const part = await pushPart(sorted.slice(from, end), by, now);
      accepted += part.accepted;
      replaced += part.replaced;
      unchanged += part.unchanged;
      held += part.held;
      refused.push(...part.refused);
    }
    const current = open.get(by.key.id);
    if (current) current.refused += refused.length;
    return { accepted, replaced, unchanged, held, refused: refused.sort((a, b) => a.place - b.place) };
  }

  return {
    push: (body, by, now) => inTurn(() => push(body, by, now)),
    finish: () => inTurn(async () => {
      for (const [id, one] of open) await end(id, one);
    }),
  };
}
