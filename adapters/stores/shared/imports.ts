import type { Neighbours } from "../../../core/internal.ts";
import type {
  AppendOutcome,
  AssetCode,
  Observation,
  ObservationKey,
  ReferenceAccess,
  TimeWindow,
  UtcMillis,
} from "../../../core/mod.ts";

/** An import, a withdrawal, or a decision about pending values. All changes of an import share its number. */
export interface Import {
  /** The first import of a store has the number 1. */
  readonly id: number;
  readonly type: "import" | "withdrawal";
  /** When the import began. Its records have this insert time, which other records may also have. */
  readonly time: UtcMillis;
  /** What was imported or withdrawn, as shown to users, e.g. file names. */
  readonly subjects: readonly string[];
  /** The source of the records, as in `append` of a store, such as `import` or `key:4kT9xQ2a`. */
  readonly source: string;
  /** The process that carries out the import. Shows whether an unfinished import is still running. */
  readonly by: Worker;
  /** What the import did, or `null` until it is finished. */
  readonly summary: ImportSummary | null;
  /** What was undone, or `null` if the import was never undone. */
  readonly undone: ImportUndone | null;
}

/** A process. */
export interface Worker {
  readonly pid: number;
  readonly host: string;
}

/** The `by` of each import of pushed prices. Such an import collects an hour of requests and can always be undone. */
export const NO_PROCESS: Worker = { pid: 0, host: "" };

/** Whether an import consists of pushed prices. */
export function isPushed({ by }: Pick<Import, "by">): boolean {
  return by.pid === NO_PROCESS.pid;
}

/** The initial data of an import. */
export type ImportPlan = Pick<Import, "type" | "subjects" | "by" | "source">;

/** A record as a store keeps it. */
export interface StoredRecord extends Observation {
  readonly source: string;
  /** The import that stored the record, or `null` if no import did. */
  readonly import: number | null;
}

/** The outcome of a part of an import. */
export interface ImportOutcome extends AppendOutcome {
  /** Records not stored because of `keepExisting`, or because their source has `MAX_PENDING` pending records. */
  readonly kept: number;
  /** How many of the `replaced` records had been stored by this import itself. */
  readonly repeated: number;
  /** The largest change of a value, or `null` if no value changed. */
  readonly largest: ValueChange | null;
}

/** What an import did. */
export interface ImportSummary extends ImportOutcome {
  readonly refused: number;
  /** The names of the first few providers. */
  readonly providers: readonly string[];
  /** Whether the import ran to its end. If false, it was stopped. */
  readonly complete: boolean;
}

/** A changed value of a record. */
export interface ValueChange {
  readonly code: AssetCode;
  readonly businessTime: UtcMillis;
  readonly from: number;
  readonly to: number;
}

/** The outcome of all runs of an undo. */
export interface ImportUndone {
  /** The time of the last undo. */
  readonly time: UtcMillis;
  /** Records that were restored to their earlier state. */
  readonly restored: number;
  /** New records that were removed. */
  readonly removed: number;
}

/** An import in the list of all imports. */
export interface ImportEntry {
  readonly imported: Import;
  /** How many records of an unfinished import still exist. `null` if the import is finished: see its summary. */
  readonly stored: number | null;
}

/** Which records a decision concerns. */
export interface Selection extends TimeWindow {
  readonly code: AssetCode;
  /** Selects only records of this provider, or all records if `null`. */
  readonly provider: string | null;
  /** Whether to select only pending records. */
  readonly pending: boolean;
}

/**
 * A decision about the records of a selection. Accepting: a pending value replaces the record at its time. If there are
 * several pending values, the one inserted last is accepted. Rejecting: a value is stored as rejected if there is no
 * other record at its time, or if an accepted record there has the same value. Otherwise it is removed.
 */
export interface Decision {
  readonly qualityStatus: "ACCEPTED" | "REJECTED";
  readonly qualityMessage: string;
}

/** The records of a selection that are not rejected yet. */
export interface Matching {
  readonly records: number;
  /** The earliest and the latest business time, or `null` if there are no records. */
  readonly first: UtcMillis | null;
  readonly last: UtcMillis | null;
}

/** The pending records. */
export interface PendingRecords {
  readonly assets: readonly (Matching & { readonly code: AssetCode })[];
  /** The first few of these records, by asset, then by business time, then by source. */
  readonly values: readonly StoredRecord[];
}

/** The outcome of a step of a decision. */
export interface DecisionStep {
  readonly outcome: ImportOutcome;
  /** Whether another step is needed. */
  readonly more: boolean;
}

/** Changes of many observations, each with a number for undoing it. */
export interface ImportAccess extends ReferenceAccess {
  /** How many records a part of an import should have. Default: `USUAL_BATCH`. */
  readonly bestBatch?: number;
  begin(plan: ImportPlan): Promise<Import>;
  /**
   * Stores a part of an import, as `append` of the store does, with the insert time and source of the import. May be
   * repeated.
   *
   * @param keepExisting If true, no stored record is replaced. Records that would do this are counted as `kept`.
   * @param begun The `time` of the import. After a restore, another import may have the same number, and is not changed.
   */
  append(id: number, batch: readonly Observation[], keepExisting: boolean, begun?: UtcMillis): Promise<ImportOutcome>;
  /** Ends an import. Afterwards, nothing can be added to the import. `begun` is as in `append`. */
  finish(id: number, summary: ImportSummary, begun?: UtcMillis): Promise<Import>;
  /** All remembered imports, newest first. */
  list(): Promise<readonly ImportEntry[]>;
  /**
   * Restores the records that an import has replaced, and removes the records that it added. Does not change newer
   * records. Can be repeated. After a few seconds, resolves to `pending`; the next call waits for the same undo.
   */
  undo(id: number): Promise<Undoing>;
  /** Counts the records that a decision would affect. */
  matching(selection: Selection): Promise<Matching>;
  /**
   * Decides about a part of a selection. Repeat the call while `more` is true. Skips records that change meanwhile.
   * `begun` is as in `append`.
   */
  decide(id: number, selection: Selection, decision: Decision, begun?: UtcMillis): Promise<DecisionStep>;
  /** The pending records of one asset, or of all assets (`null`), with at most `atMost` values. */
  pending(code: AssetCode | null, atMost: number): Promise<PendingRecords>;
  /** The records at these business times, and the nearest records before and after them. */
  around(keys: readonly ObservationKey[]): Promise<readonly Neighbours[]>;
}

/** The outcome of an undo. */
export interface UndoOutcome extends Omit<ImportUndone, "time"> {
  readonly imported: Import;
  /** Records that were not changed, because they were replaced or removed later. `null` for an interrupted import. */
  readonly replacedSince: number | null;
  /** Records that were not changed, because damaged data does not show which records they replaced. */
  readonly unknown: number;
}

/** The state of an undo. */
export type Undoing = { readonly pending: true } | ({ readonly pending: false } & UndoOutcome);

/** How many pending values a store keeps for one source. */
export const MAX_PENDING = 30_000;

/** Throws `RangeError` for an invalid source. */
export function demandSource(source: string): void {
  if (typeof source !== "string" || !/^[ -~]{1,64}$/.test(source))
    throw new RangeError(
      `Cannot store observations because their source must be 1 to 64 printable ASCII characters: received ${JSON.stringify(source)}`,
    );
}

/** How many imports are remembered; imports of pushed prices are counted separately. See also `REMEMBERED_RECORDS`. */
export const REMEMBERED_IMPORTS = 1_000;

/** An import is forgotten when the newer imports together have replaced more than this many records. */
export const REMEMBERED_RECORDS = 2_000_000;

/** How many records a part of an import has, so that it fits into one message to a server. */
export const USUAL_BATCH = 2_000;

export const NOTHING_DONE: ImportOutcome = {
  accepted: 0,
  replaced: 0,
  unchanged: 0,
  kept: 0,
  repeated: 0,
  largest: null,
};

/** The combined outcome of two parts of an import. */
export function addOutcomes(a: ImportOutcome, b: ImportOutcome): ImportOutcome {
  return {
    accepted: a.accepted + b.accepted,
    replaced: a.replaced + b.replaced,
    unchanged: a.unchanged + b.unchanged,
    kept: a.kept + b.kept,
    repeated: a.repeated + b.repeated,
    largest: largerChange(a.largest, b.largest),
  };
}

/** The larger of two changes. */
export function largerChange(a: ValueChange | null, b: ValueChange | null): ValueChange | null {
  return b && (!a || sizeOfChange(b) > sizeOfChange(a)) ? b : a;
}

/** The size of a change, 0 for no change. A change to a tenth is as large as a change to ten times the value. */
export function sizeOfChange({ from, to }: Pick<ValueChange, "from" | "to">): number {
  return Math.abs(Math.log(to / from));
}

/** How many records an import stored, each counted once. */
export function storedBy({ accepted, replaced, repeated }: ImportOutcome): number {
  return accepted + replaced - repeated;
}
