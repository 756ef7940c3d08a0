import { Unavailable } from "../../../core/mod.ts";
import { codeOf, StoreError } from "../shared/store_error.ts";

/** The process that owns a directory. Only the owner may write. */
export interface Owner {
  readonly pid: number;
  readonly host: string;
  /** When the process took the lock, ISO 8601. */
  readonly since: string;
}

/** Another process owns the directory. */
export class DirectoryInUse extends StoreError {
  override readonly name = "DirectoryInUse";
  readonly owner: Owner;

  constructor(directory: string, owner: Owner) {
    super(
      `Cannot open the store "${directory}" because it is in use by process ${owner.pid} on host "${owner.host}" since ${owner.since}`,
      69,
    );
    this.owner = owner;
  }
}

/** The connection to the owner of the directory has ended. The last request may or may not have been carried out. */
export class OwnerGone extends Unavailable {}

/** Damaged data. The store cannot be opened until a person decides what to do. */
export class DataDamaged extends StoreError {
  override readonly name = "DataDamaged";
  readonly file: string;

  /**
   * @param problem Completes a sentence that begins with the name of the file.
   * @param remedy Advice for the operator, as a sentence without a full stop.
   */
  constructor(file: string, problem: string, remedy: string) {
    super(`Cannot open the store because "${file}" ${problem}. Nothing was changed. ${remedy}`, 65);
    this.file = file;
  }
}

/** A file written by a later version of this program. */
export class SchemaTooNew extends StoreError {
  override readonly name = "SchemaTooNew";

  constructor(file: string, wanted: number, known: number) {
    super(
      `Cannot open the store because "${file}" has schema ${wanted}, but this version only reads schemas up to ${known}. Nothing was changed. Use the version that wrote it, or a later one`,
      78,
    );
  }
}

/** Why a store cannot write. */
export interface StoreProblem {
  /** `failed` and `read-only` last as long as the store is open, `writes-failing` until a write succeeds. */
  readonly kind: "failed" | "writes-failing" | "read-only";
  /** A sentence without a full stop. */
  readonly message: string;
}

/** The condition of an open store. */
export interface StoreCondition {
  /** Each failure is a new object, even if the last failure was of the same kind. */
  readonly problem: StoreProblem | undefined;
  /** Successful syncs since the store was opened, and their total time. */
  readonly syncs: number;
  readonly syncSeconds: number;
}

/** Whether the store may still write. All parts share this object: if one part fails for good, all parts stop. */
export type Health = ReturnType<typeof createHealth>;

/** Codes of errors that do not stop the store: no file descriptor was free, or the file system is read-only. */
const REFUSED: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "EROFS"]);

/** Makes the health object of a working store. Calls `onFatal` at most once. */
export function createHealth(onFatal: (error: StoreError) => void = () => undefined) {
  let failure: StoreError | undefined;
  let closed = false;
  let syncs = 0;
  let syncSeconds = 0;
  let refusal: StoreProblem | undefined;

  /** Stops the store for good, reports the error once, and returns the error for callers. */
  function fail(error: unknown): Unavailable {
    if (!failure) {
      const reason = error instanceof Error ? error.message : String(error);
      failure =
        error instanceof StoreError ? error : new StoreError(`The store has failed: ${reason}`, 70, { cause: error });
      onFatal(failure);
    }
    return new Unavailable(failure.message, 5, { cause: failure });
  }

  return {
    /** Throws `Unavailable` if the store has failed or is closed. */
    demand(): void {
      if (failure) throw fail(failure);
      if (closed) throw new Unavailable("The store is closed");
    },
    fail,
    /**
     * Waits for a sync. A failed sync stops the store, because the kernel has dropped the pages: a second sync would
     * succeed although data is lost. Two errors fail only this call: no file descriptor was left to open a directory, or
     * the file system has become read-only. In both cases, the next write fails before it changes anything.
     */
    async synced(sync: Promise<void>): Promise<void> {
      const begun = performance.now();
      try {
        await sync;
        syncs++;
        syncSeconds += (performance.now() - begun) / 1_000;
      } catch (error) {
        throw REFUSED.has(codeOf(error))
          ? new Unavailable(`Cannot sync: ${String(error)}`, 5, { cause: error })
          : fail(error);
      }
    },
    /** Notes that a write to a log was refused, e.g. by a full disk. A later write may succeed. */
    refused(message: string): void {
      refusal = { kind: "writes-failing", message };
    },
    written(): void {
      refusal = undefined;
    },
    close(): void {
      closed = true;
    },
    get failed(): boolean {
      return failure !== undefined;
    },
    get condition(): StoreCondition {
      const problem = failure ? ({ kind: "failed", message: failure.message } as const) : refusal;
      return { problem, syncs, syncSeconds };
    },
  };
}
