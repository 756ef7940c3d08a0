import { createDraft, type Decided, type Draft } from "./draft.ts";
import type { Entry } from "./entries.ts";
import type { PriceState } from "./price_state.ts";
import type { Write } from "./write_records.ts";

/** Where a log of entries is kept. */
export interface EntryStorage {
  /** Throws where nothing can be written. */
  demand(): void;
  /** At least one entry as lines. Throws `RangeError` for too large ones. */
  encode(entries: readonly Entry[]): readonly string[];
  /** Stores entries, all or none; when they are safe, calls `publish` with the number of the first one. */
  commit(lines: readonly string[], publish: (first: number) => void): Promise<void>;
}

/** The writer of a log. */
export interface Writer {
  readonly write: <T>(decide: (draft: Draft) => Decided<T>) => Promise<T>;
  /** Waits for what was begun. */
  close(): Promise<void>;
}

/** With lines of this length in all, the rest is stored next. */
const ENOUGH = 1 << 20;

interface Call {
  readonly decide: (draft: Draft) => Decided<unknown>;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes the writer of a state. The calls that come while something is stored are decided in their order, each on the state that
 * the one before will leave, and are stored together then.
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
        // A call that is alone needs no more than the state.
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

/** A writer for a state that no storage keeps: all is done when it returns. */
export function writeAtOnce(state: PriceState): Write {
  let sequence = 0;
  return (decide) => {
    const { entries, result } = decide(createDraft(state));
    for (const entry of entries) state.apply(entry, ++sequence);
    return result;
  };
}
