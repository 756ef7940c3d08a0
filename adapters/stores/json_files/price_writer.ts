import { createDraft, type Decided, type Draft } from "../price_state/draft.ts";
import type { Entry } from "../price_state/entries.ts";
import type { PriceState } from "../price_state/price_state.ts";
import type { Health } from "./errors.ts";
import { encodeEntries } from "./log/entry_line.ts";
import type { Log } from "./log/log.ts";

/** When the lines of a write reach this total length, further calls wait for the next write. */
const ENOUGH = 1 << 20;

interface Call {
  readonly decide: (draft: Draft) => Decided<unknown>;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes the writer of a log of prices. Calls during a write are stored together in the next write. Each call is decided
 * on the state as it will be after the previous call.
 */
export function createPriceWriter(state: PriceState, log: Log, health: Health) {
  const queue: Call[] = [];
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    await undefined; // Lets all calls of this turn share the first write.
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
        health.demand();
        // The previous call's entries are added only now, because without a further call, the draft does not need them.
        draft.add(last);
        last = [];
        const made = call.decide(draft);
        const more = made.entries.length > 0 ? encodeEntries(made.entries) : [];
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
        await log.append(lines, (first) => {
          for (const [i, entry] of entries.entries()) state.load(entry, first + i);
          state.finishLoading();
        });
      for (const { call, result } of decided) call.resolve(result as never);
    } catch (error) {
      for (const { call } of decided) call.reject(error);
    }
  }

  return {
    write: <T>(decide: (draft: Draft) => Decided<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        health.demand();
        queue.push({ decide, resolve, reject });
        running ??= run();
      }),
    close: async () => running,
  };
}
