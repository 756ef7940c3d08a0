import { demandObservations, EMBEDDER } from "../../../core/internal.ts";
import type { AppendOutcome, MaybePromise, Observation } from "../../../core/mod.ts";
import { demandSource } from "../shared/imports.ts";
import { decideAppend } from "./decide_append.ts";
import { createDraft, type Decided, type Draft } from "./draft.ts";
import { copyOf } from "./entries.ts";
import type { PriceState } from "./price_state.ts";

/** Calls `decide` with a draft, and resolves to the result once the entries are safe. Throws what `decide` throws. */
export type Write = <T>(decide: (draft: Draft) => Decided<T>) => MaybePromise<T>;

/** Makes the `append` of a store, for any kind of log. */
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

/** Makes the writer of a state that is only in memory. Each write is done when the call returns. */
export function writeAtOnce(state: PriceState): Write {
  let sequence = 0;
  return (decide) => {
    const { entries, result } = decide(createDraft(state));
    for (const entry of entries) state.apply(entry, ++sequence);
    return result;
  };
}
