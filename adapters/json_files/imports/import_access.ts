import type { Surroundings } from "../../../core/internal.ts";
import type { Observation, ObservationKey } from "../../../core/mod.ts";
import type { Act, ActOutcome, ActPlan, ActSummary } from "./act.ts";
import type { ActEntry } from "./list.ts";
import type { Matching, Selection, WithdrawalStep } from "./withdraw.ts";

/** Changes of many observations, each under a number by which it can be undone. */
export interface ImportAccess {
  begin(plan: ActPlan): Promise<Act>;
  /**
   * Stores a part of an act, as `append` of the store does, under the insert time of the act. Notes of what it
   * replaces are on the device before.
   *
   * @param keepExisting Whether records that are there stay, and are counted as `kept`.
   */
  append(id: number, batch: readonly Observation[], keepExisting: boolean): Promise<ActOutcome>;
  /** Ends an act, to which nothing can be added then. */
  finish(id: number, summary: ActSummary): Promise<Act>;
  /** All acts that are remembered, the last one first. */
  list(): Promise<readonly ActEntry[]>;
  /**
   * Brings back what an act has replaced, and removes what was new, as far as nothing newer stands there. May be called
   * again. After a few seconds it resolves to `pending`: the undoing goes on, and the next call waits for it.
   */
  undo(id: number): Promise<Undoing>;
  /** What a withdrawal of these records would reject. */
  matching(selection: Selection): Promise<Matching>;
  /** Rejects some of the records of a selection, as a part of an act. Called until there are no more. */
  withdraw(id: number, selection: Selection, reason: string): Promise<WithdrawalStep>;
  /** What there is at these business times, and next to them. */
  around(keys: readonly ObservationKey[]): Promise<readonly Surroundings[]>;
}

/** What undoing an act did. */
export interface UndoOutcome {
  readonly act: Act;
  /** Records that are as they were before. */
  readonly restored: number;
  /** Records that were new, and are not there any more. */
  readonly removed: number;
  /** Records that were left, as something newer stands there or they are gone; `null` for an act that was interrupted. */
  readonly replacedSince: number | null;
  /** Records that were left, as damaged notes do not tell what was there before. */
  readonly unknown: number;
}

/** The state of an undoing. */
export type Undoing = { readonly pending: true } | ({ readonly pending: false } & UndoOutcome);
