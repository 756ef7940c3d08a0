import { demandObservations, EMBEDDER } from "../../../core/internal.ts";
import type { AppendOutcome, MaybePromise, Observation } from "../../../core/mod.ts";
import { demandSource } from "../shared/imports.ts";
import { copyOf } from "./copy_observation.ts";
import { decideAppend } from "./decide_append.ts";
import type { Decided, Draft } from "./draft.ts";

/** Decides on a draft, and returns the result when what was decided is safe. Throws what `decide` throws. */
export type Write = <T>(decide: (draft: Draft) => Decided<T>) => MaybePromise<T>;

/** Makes the `append` of a state, whatever keeps its log. */
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
