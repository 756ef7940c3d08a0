import { createDraft, type Decided, type Draft } from "../price_state/draft.ts";
import type { Entry } from "../price_state/entries.ts";
import type { PriceState } from "../price_state/price_state.ts";
import { encodeEntries } from "./log/entry_line.ts";
import type { Log } from "./log/log.ts";

/**
 * Makes the writer of a log of prices. Calls during a write are stored together in the next write. Each call is decided
 * on the state as it will be after the previous call.
 */
export function createPriceWriter(state: PriceState, log: Log) {
  let draft = createDraft(state);
  /** The entries of the previous call, which the draft needs only for a further call in the same group. */
  let last: readonly Entry[] = [];

  return <T>(decide: (draft: Draft) => Decided<T>): Promise<T> =>
    log.append((isFirst) => {
      if (isFirst) draft = createDraft(state);
      else draft.add(last);
      last = [];
      const { entries, result } = decide(draft);
      const lines = encodeEntries(entries);
      last = entries;
      return {
        lines,
        publish(first) {
          for (const [i, entry] of entries.entries()) state.load(entry, first + i);
          state.finishLoading();
          return result;
        },
      };
    });
}
