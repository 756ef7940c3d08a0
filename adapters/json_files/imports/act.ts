import type { AssetCode, UtcMillis } from "../../../core/mod.ts";

/** A change of many observations under one number: an import, or the withdrawal of records. */
export interface Act {
  /** Counts from 1 in each store. */
  readonly id: number;
  readonly type: "import" | "withdrawal";
  /** When it began. It is the insert time of all observations that the act stored, and of no others. */
  readonly time: UtcMillis;
  /** What was imported or withdrawn, for people, e.g. the names of files. */
  readonly subjects: readonly string[];
  /** The process that carries it out, by which one that was interrupted is told from one that still runs. */
  readonly by: Worker;
  /** What it did; `null` while it is not finished. */
  readonly summary: ActSummary | null;
  /** What of it was undone; `null` where nothing was. */
  readonly undone: ActUndone | null;
}

/** A process. */
export interface Worker {
  readonly pid: number;
  readonly host: string;
}

/** What is known of an act before it begins. */
export type ActPlan = Pick<Act, "type" | "subjects" | "by">;

/** What a part of an act did. */
export interface ActOutcome {
  /** Records that were new. */
  readonly accepted: number;
  /** Records that replaced another one. */
  readonly replaced: number;
  /** Records that were there already. */
  readonly unchanged: number;
  /** Records that were not stored as another one is there, and was to stay. */
  readonly kept: number;
  /** How many of `replaced` took the place of a record of the same act. */
  readonly repeated: number;
  /** The largest change of a value; `null` where none has changed. */
  readonly largest: ValueChange | null;
}

/** What an act did. */
export interface ActSummary extends ActOutcome {
  /** Records that were refused. */
  readonly refused: number;
  /** Names of providers of its records, at most a few. */
  readonly providers: readonly string[];
  /** Whether it came to its end; if not, it was stopped. */
  readonly complete: boolean;
}

/** The change of the value of a record. */
export interface ValueChange {
  readonly code: AssetCode;
  readonly businessTime: UtcMillis;
  readonly from: number;
  readonly to: number;
}

/** What the undoing of an act did, all its runs together. */
export interface ActUndone {
  /** When it was undone last. */
  readonly time: UtcMillis;
  /** Records that are as they were before. */
  readonly restored: number;
  /** Records that were new, and are not there any more. */
  readonly removed: number;
}

/** Nothing done yet. */
export const NOTHING_DONE: ActOutcome = { accepted: 0, replaced: 0, unchanged: 0, kept: 0, repeated: 0, largest: null };

/** The outcome of two parts of an act together. */
export function addOutcomes(a: ActOutcome, b: ActOutcome): ActOutcome {
  return {
    accepted: a.accepted + b.accepted,
    replaced: a.replaced + b.replaced,
    unchanged: a.unchanged + b.unchanged,
    kept: a.kept + b.kept,
    repeated: a.repeated + b.repeated,
    largest: b.largest && (!a.largest || sizeOfChange(b.largest) > sizeOfChange(a.largest)) ? b.largest : a.largest,
  };
}

/** How large a change is: the same for a tenth as for the tenfold; 0 for none. */
export function sizeOfChange({ from, to }: Pick<ValueChange, "from" | "to">): number {
  return Math.abs(Math.log(to / from));
}

/** How many records of an act were stored under its time, unless something newer has taken their place since. */
export function storedBy({ accepted, replaced, repeated }: ActOutcome): number {
  return accepted + replaced - repeated;
}
