import { Unavailable } from "../../../core/mod.ts";
import { StoreError } from "../shared/store_error.ts";

/** The process that owns a directory: it has the lock, and alone may write. */
export interface Owner {
  readonly pid: number;
  readonly host: string;
  /** When it took the lock, ISO 8601. */
  readonly since: string;
}

/** Another process owns the directory. */
export class DirectoryInUse extends StoreError {
  override readonly name = "DirectoryInUse";
  readonly owner: Owner;

  constructor(directory: string, owner: Owner) {
    super(
      `Cannot open the store "${directory}" as it is in use by process ${owner.pid} on host "${owner.host}" since ${owner.since}`,
      69,
    );
    this.owner = owner;
  }
}

/** The connection to the process that owns the directory has ended: the last request may or may not have been carried out. */
export class OwnerGone extends Unavailable {}

/** Damaged data about which somebody has to decide before the store may be opened. */
export class DataDamaged extends StoreError {
  override readonly name = "DataDamaged";
  readonly file: string;

  /**
   * @param problem What is wrong, as the end of a sentence that begins with the file.
   * @param remedy What the owner can do about it, as a sentence without a full stop.
   */
  constructor(file: string, problem: string, remedy: string) {
    super(`Cannot open the store as "${file}" ${problem}. Nothing was changed. ${remedy}`, 65);
    this.file = file;
  }
}

/** A file that a later version of this program wrote. */
export class SchemaTooNew extends StoreError {
  override readonly name = "SchemaTooNew";

  constructor(file: string, wanted: number, known: number) {
    super(
      `Cannot open the store as "${file}" has schema ${wanted}, and this version reads schemas up to ${known}. Nothing was changed. Use the version that wrote it, or a later one`,
      78,
    );
  }
}

/** Why a store cannot write just now. */
export interface StoreProblem {
  /** `failed`: never again; `writes-failing`: until one succeeds; `read-only`: since it was opened. */
  readonly kind: "failed" | "writes-failing" | "read-only";
  /** A sentence without a full stop. */
  readonly message: string;
}

/** The present condition of an open store. */
export interface StoreCondition {
  /** A later failure of the same kind makes another object. */
  readonly problem: StoreProblem | undefined;
  /** Syncs that succeeded since the store was opened, and the time that they took in all. */
  readonly syncs: number;
  readonly syncSeconds: number;
}

/** Whether the store may still write. All parts of a store share one: when one part fails for good, all stop. */
export interface Health {
  /** Throws `Unavailable` when the store has failed or is closed. */
  demand(): void;
  /** Stops the store for good, reports the error to the owner once, and returns the error for callers. */
  fail(error: unknown): Unavailable;
  /**
   * Waits for a sync. A failed one stops the store: the kernel has dropped the pages, so a second sync would
   * report success for lost data. Only this call is refused where a directory could not be opened for want of a file descriptor,
   * and where the file system takes no changes any more: then the next one fails before it changes anything.
   */
  synced(sync: Promise<void>): Promise<void>;
  /** Notes that a write to a log was refused, e.g. by a full disk; a later one may succeed. */
  refused(message: string, kind?: StoreProblem["kind"]): void;
  /** Notes that a write to a log has succeeded. */
  written(): void;
  close(): void;
  readonly failed: boolean;
  readonly condition: StoreCondition;
}

/** Codes of what has not begun: no sync fails with the first two, which tell that a directory could not be opened. */
const REFUSED: ReadonlySet<string | undefined> = new Set(["EMFILE", "ENFILE", "EROFS"]);

/** Makes the state of a store that works. Calls `onFatal` at most once. */
export function createHealth(onFatal: (error: StoreError) => void = () => undefined): Health {
  let failure: StoreError | undefined;
  let closed = false;
  let syncs = 0;
  let syncSeconds = 0;
  /** Present where the last write was refused. */
  let refusal: StoreProblem | undefined;

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
    demand() {
      if (failure) throw fail(failure);
      if (closed) throw new Unavailable("The store is closed");
    },
    fail,
    async synced(sync) {
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
    refused(message, kind = "writes-failing") {
      refusal = { kind, message };
    },
    written() {
      refusal = undefined;
    },
    close() {
      closed = true;
    },
    get failed() {
      return failure !== undefined;
    },
    get condition() {
      const problem = failure ? ({ kind: "failed", message: failure.message } as const) : refusal;
      return { problem, syncs, syncSeconds };
    },
  };
}

/** The `code` of a failed system call, e.g. `ENOSPC`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
