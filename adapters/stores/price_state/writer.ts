import { demandObservations, EMBEDDER } from "../../../core/internal.ts";
import type { AppendOutcome, MaybePromise, Observation } from "../../../core/mod.ts";
import { demandSource } from "../shared/imports.ts";
import { decideAppend } from "./decide_append.ts";
import { createDraft, type Decided, type Draft } from "./draft.ts";
import { copyOf, type Entry } from "./entries.ts";
import type { PriceState } from "./price_state.ts";

/** Decides on a draft, and returns the result once the entries are safe. Throws what `decide` throws. */
export type Write = <T>(decide: (draft: Draft) => Decided<T>) => MaybePromise<T>;

/** Makes the `append` of a store, whatever keeps its log. */
export function createAppend(write: Write) {
  return (batch: readonly Observation[], source = EMBEDDER): MaybePromise<AppendOutcome> => {
    demandObservations(batch);
    demandSource(source);
    const copies = batch.map(copyOf);
    return write((draft): Decided<AppendOutcome> => {
      const { entries, result } = decideAppend(draft, copies, { origin: { source, import: null } });
      const { accepted, replaced, unchanged, kept } = result;
      return { entries, result: { accepted, replaced, unchanged, ...(kept > 0 && { kept }) } };
    });
  };
}

/** A log of entries. */
export interface EntryStorage {
  /** Throws if nothing can be written. */
  demand(): void;
  /** The lines of one or more entries. Throws `RangeError` if they are too large. */
  encode(entries: readonly Entry[]): readonly string[];
  /** Stores lines, all or none. Once they are safe, calls `publish` with the number of the first one. */
  commit(lines: readonly string[], publish: (first: number) => void): Promise<void>;
}

/** The writer of a log. */
export interface Writer {
  readonly write: <T>(decide: (draft: Draft) => Decided<T>) => Promise<T>;
  /** Waits for writes that have begun. */
  close(): Promise<void>;
}

/** Lines of this total length are stored together; the remaining calls wait for the next write. */
const ENOUGH = 1 << 20;

interface Call {
  readonly decide: (draft: Draft) => Decided<unknown>;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes the writer of a state. Calls during a write are stored together next, each decided on the state that the one
 * before will leave.
 */
export function createWriter(state: PriceState, { demand, encode, commit }: EntryStorage): Writer {
  const queue: Call[] = [];
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    await undefined; // So that all calls of this turn share the first write.
    while (queue.length > 0) await storeSome();
    running = undefined;
  }

  async function storeSome(): Promise<void> {
    const draft = createDraft(state);
    const entries: Entry[] = [];
    const lines: string[] = [];
    let last: readonly Entry[] = [];
    const decided: { readonly call: Call; readonly result: unknown }[] = [];
    for (let length = 0; queue.length > 0 && length < ENOUGH; ) {
      const call = queue.shift()!;
      try {
        demand();
        // Added only for the next call: a single one needs no more than the state.
        draft.add(last);
        last = [];
        const made = call.decide(draft);
        const more = made.entries.length > 0 ? encode(made.entries) : [];
        lines.push(...more);
        for (const line of more) length += line.length;
        entries.push(...made.entries);
        last = made.entries;
        decided.push({ call, result: made.result });
      } catch (error) {
        call.reject(error);
      }
    }
    try {
      if (entries.length > 0)
        await commit(lines, (first) => {
          for (const [i, entry] of entries.entries()) state.load(entry, first + i);
          state.finishLoading();
        });
      for (const { call, result } of decided) call.resolve(result as never);
    } catch (error) {
      for (const { call } of decided) call.reject(error);
    }
  }

  return {
    write: (decide) =>
      new Promise((resolve, reject) => {
        demand();
        queue.push({ decide, resolve, reject });
        running ??= run();
      }),
    close: async () => running,
  };
}

/** Makes the writer of a state that is kept in memory only: everything is done when it returns. */
export function writeAtOnce(state: PriceState): Write {
  let sequence = 0;
  return (decide) => {
    const { entries, result } = decide(createDraft(state));
    for (const entry of entries) state.apply(entry, ++sequence);
    return result;
  };
}
