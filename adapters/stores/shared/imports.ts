import type { Neighbours } from "../../../core/internal.ts";
import type { AssetCode, Observation, ObservationKey, ReferenceAccess, UtcMillis } from "../../../core/mod.ts";

/** A change of many observations under one number: an import, or the withdrawal of records. */
export interface Import {
  /** Counts from 1 in each store. */
  readonly id: number;
  readonly type: "import" | "withdrawal";
  /** When it began. It is the insert time of all observations that the import stored; others may have it, too. */
  readonly time: UtcMillis;
  /** What was imported or withdrawn, for people, e.g. the names of files. */
  readonly subjects: readonly string[];
  /** Where its records come from, as `append` of a store takes it: `import`, `key:4kT9xQ2a`. */
  readonly source: string;
  /** The process that carries it out: it shows whether the import was interrupted or still runs. */
  readonly by: Worker;
  /** What it did; `null` while it is not finished. */
  readonly summary: ImportSummary | null;
  /** What of it was undone; `null` where nothing was. */
  readonly undone: ImportUndone | null;
}

/** A process. */
export interface Worker {
  readonly pid: number;
  readonly host: string;
}

/** Behind an import of what is pushed in an hour stands no process: it is open between two requests, and can be undone then. */
export const NO_PROCESS: Worker = { pid: 0, host: "" };

/** Whether an import is of pushed prices. */
export function isPushed({ by }: Pick<Import, "by">): boolean {
  return by.pid === NO_PROCESS.pid;
}

/** What is known of an import before it begins. */
export type ImportPlan = Pick<Import, "type" | "subjects" | "by" | "source">;

/** A record as a store keeps it. */
export interface StoredRecord extends Observation {
  readonly source: string;
  /** The import that has stored it; `null` where none has. */
  readonly import: number | null;
}

/** What a part of an import did. */
export interface ImportOutcome {
  /** Records that were new. */
  readonly accepted: number;
  /** Records that replaced another one. */
  readonly replaced: number;
  /** Records that were there already. */
  readonly unchanged: number;
  /** Records that were not stored: with `keepExisting`, as another one is there, and pending ones of a source that has `MAX_PENDING`. */
  readonly kept: number;
  /** How many of `replaced` took the place of a record of the same import. */
  readonly repeated: number;
  /** The largest change of a value; `null` where none has changed. */
  readonly largest: ValueChange | null;
}

/** What an import did. */
export interface ImportSummary extends ImportOutcome {
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

/** What the undoing of an import did, all its runs together. */
export interface ImportUndone {
  /** When it was undone last. */
  readonly time: UtcMillis;
  /** Records that are as they were before. */
  readonly restored: number;
  /** Records that were new, and are not there any more. */
  readonly removed: number;
}

/** An import in the list of all. */
export interface ImportEntry {
  readonly imported: Import;
  /** How many records stand as an unfinished import has stored them; `null` for all other imports, whose summary says it. */
  readonly stored: number | null;
}

/** About which records is decided. */
export interface Selection {
  readonly code: AssetCode;
  /** From this business time on. */
  readonly from: UtcMillis;
  /** Up to this business time, excluded. */
  readonly to: UtcMillis;
  /** Only records of this provider; `null` for those of all. */
  readonly provider: string | null;
  /** Whether only pending records are meant. If not, those that are accepted and those that are pending. */
  readonly pending: boolean;
}

/**
 * What becomes of the records of a selection. A pending one that is accepted takes the place of what stands at its time;
 * of several at one time, the one with the latest insert time stands then. One that is rejected stays as rejected where nothing
 * else stands at its time, or where its own value is accepted there, and is gone where another value is.
 */
export interface Decision {
  readonly qualityStatus: "ACCEPTED" | "REJECTED";
  /** Why. */
  readonly qualityMessage: string;
}

/** The records of a selection that are not rejected yet. */
export interface Matching {
  readonly records: number;
  /** Business times of the earliest and the latest; `null` where there is none. */
  readonly first: UtcMillis | null;
  readonly last: UtcMillis | null;
}

/** The records that wait for a decision. */
export interface PendingRecords {
  /** The assets that have some. */
  readonly assets: readonly (Matching & { readonly code: AssetCode })[];
  /** The first of them: by asset, then by business time, then by source. */
  readonly values: readonly StoredRecord[];
}

/** What a step of a decision did. */
export interface DecisionStep {
  readonly outcome: ImportOutcome;
  /** Whether another step is needed. */
  readonly more: boolean;
}

/** Changes of many observations, each under a number by which it can be undone. */
export interface ImportAccess extends ReferenceAccess {
  /** How many records a part of an import has at best, where it is not `USUAL_BATCH`. */
  readonly bestBatch?: number;
  begin(plan: ImportPlan): Promise<Import>;
  /**
   * Stores a part of an import, as `append` of the store does, under the insert time and the source of the import. `undo`
   * can bring back what it replaces. Safe to call again.
   *
   * @param keepExisting Whether records that are there stay, and are counted as `kept`.
   */
  append(id: number, batch: readonly Observation[], keepExisting: boolean): Promise<ImportOutcome>;
  /** Ends an import, to which nothing can be added then. */
  finish(id: number, summary: ImportSummary): Promise<Import>;
  /** All imports that are remembered, the last one first. */
  list(): Promise<readonly ImportEntry[]>;
  /**
   * Brings back what an import has replaced, and removes what was new, as far as nothing newer stands there. May be called
   * again. After a few seconds it resolves to `pending`: the undoing goes on, and the next call waits for it.
   */
  undo(id: number): Promise<Undoing>;
  /** About which records would be decided. */
  matching(selection: Selection): Promise<Matching>;
  /** Accepts or rejects some of the records of a selection, as a part of an import. What something newer replaces meanwhile is left. Called until there are no more. */
  decide(id: number, selection: Selection, decision: Decision): Promise<DecisionStep>;
  /**
   * The records that wait for a decision: of one asset, or `null` for all.
   *
   * @param atMost How many of the values are wanted.
   */
  pending(code: AssetCode | null, atMost: number): Promise<PendingRecords>;
  /** What there is at these business times, and next to them. */
  around(keys: readonly ObservationKey[]): Promise<readonly Neighbours[]>;
}

/** What undoing an import did. */
export interface UndoOutcome extends Omit<ImportUndone, "time"> {
  readonly imported: Import;
  /** Records that were left, as something newer stands there or they are gone; `null` for an import that was interrupted. */
  readonly replacedSince: number | null;
  /** Records that were left, as the data is damaged and does not tell whether they have replaced others. */
  readonly unknown: number;
}

/** The state of an undoing. */
export type Undoing = { readonly pending: true } | ({ readonly pending: false } & UndoOutcome);

/** How many pending values a store keeps of one source. */
export const MAX_PENDING = 30_000;

/** Throws `RangeError` for a source that no store takes. */
export function demandSource(source: string): void {
  if (typeof source !== "string" || !/^[ -~]{1,64}$/.test(source))
    throw new RangeError(
      `Cannot store observations as their source must be 1 to 64 printable ASCII characters: received ${JSON.stringify(source)}`,
    );
}

/** How many imports a store remembers, and how many of pushed prices; fewer where these have replaced very much. */
export const REMEMBERED_IMPORTS = 1_000;

/** How many records the remembered imports may have replaced, besides those of the last one. */
export const REMEMBERED_RECORDS = 2_000_000;

/** How many records a part of an import has: as many as one message to a server takes. */
export const USUAL_BATCH = 2_000;

/** Nothing done yet. */
export const NOTHING_DONE: ImportOutcome = {
  accepted: 0,
  replaced: 0,
  unchanged: 0,
  kept: 0,
  repeated: 0,
  largest: null,
};

/** The outcome of two parts of an import together. */
export function addOutcomes(a: ImportOutcome, b: ImportOutcome): ImportOutcome {
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

/** How many records of an import were stored under its time, unless something newer has taken their place since. */
export function storedBy({ accepted, replaced, repeated }: ImportOutcome): number {
  return accepted + replaced - repeated;
}
