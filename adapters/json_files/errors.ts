import { Unavailable } from "../../core/mod.ts";

/** A store that cannot be opened or go on. `exitCode` is what a program that ends for it should end with. */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Who holds a directory. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When it took the directory, ISO 8601. */
  readonly since: string;
}

/** Another process holds the directory. */
export class DirectoryInUse extends StoreError {
  override readonly name = "DirectoryInUse";
  readonly holder: Holder;

  constructor(directory: string, holder: Holder) {
    super(
      `Cannot open the store "${directory}" as another process holds it: pid ${holder.pid} on host "${holder.host}" since ${holder.since}`,
      69,
    );
    this.holder = holder;
  }
}

/** The process that holds the directory has ended the connection: what was asked last may or may not be done. */
export class HolderGone extends Unavailable {}

/** Data that the store must not go on with before somebody has decided what to do about it. */
export class DataDamaged extends StoreError {
  override readonly name = "DataDamaged";

  constructor(file: string, what: string, todo: string) {
    super(`Cannot open the store as "${file}" ${what}. Nothing was changed. ${todo}`, 65);
  }
}

/** A file written by a later version of this program. */
export class SchemaTooNew extends StoreError {
  override readonly name = "SchemaTooNew";

  constructor(file: string, wanted: number, known: number) {
    super(
      `Cannot open the store as "${file}" has schema ${wanted}, and this version reads schemas up to ${known}. Nothing was changed. Use the version that wrote it, or a later one`,
      78,
    );
  }
}

/** Whether the store may still write. Shared by all its parts: when one fails for good, all stop. */
export interface Health {
  /** Throws `Unavailable` once the store has failed or was closed. */
  demand(): void;
  /** Stops the store for good, tells the owner once, and gives the error to answer callers with. */
  fail(error: unknown): Unavailable;
  /** Waits for a sync. Its failure stops the store: the kernel has dropped the pages, so trying again would lie. */
  synced(sync: Promise<void>): Promise<void>;
  close(): void;
  readonly failed: boolean;
}

/** Makes the state of a store that works. `onFatal` is called at most once. */
export function createHealth(onFatal: (error: StoreError) => void): Health {
  let failure: StoreError | undefined;
  let closed = false;

  function fail(error: unknown): Unavailable {
    if (!failure) {
      const reason = error instanceof Error ? error.message : String(error);
      failure = error instanceof StoreError ? error : new StoreError(`The store has failed: ${reason}`, 70, { cause: error });
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
      try {
        await sync;
      } catch (error) {
        throw fail(error);
      }
    },
    close() {
      closed = true;
    },
    get failed() {
      return failure !== undefined;
    },
  };
}
