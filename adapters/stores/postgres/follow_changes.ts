import type { AssetCode } from "../../../core/mod.ts";
import type { Connection } from "./connection.ts";
import { type StoreState, versionOf } from "./store_state.ts";

/**
 * Follows the changes of a database, so that versions and accounts are known in memory. What it tells is at most
 * `BOUND_MS` old, whatever happens to the connection, the process or the database; where it cannot promise that, it says
 * so, and the database is asked.
 */
export interface Follower {
  /** Whether what is in memory is at most `BOUND_MS` old just now. */
  isCurrent(): boolean;
  /** The version of these assets' data, or of all; `undefined` where the database has to be asked. */
  version(codes?: readonly AssetCode[]): string | undefined;
  /** Another object after each change of an account, and after what may have been one. */
  accountsState(): object;
  /** Notes that this process may have changed something: what is in memory does not count until all was read anew. */
  noteWrite(): void;
  /** Ends it, and leaves no timer; a reading under way ends with its connection. */
  close(): void;
}

/** How old what is in memory can be when it is used. */
export const BOUND_MS = 1_000;
/** Time from one reading of the state to the next: each has the rest of `BOUND_MS` for its answer. */
const READ_EVERY_MS = 500;
/** After a reading that a write has overtaken, so that many writes do not make as many readings. */
const READ_AGAIN_MS = 5;
const NEVER = { steady: -Infinity, wall: -Infinity };

/** Begins to follow: each half second the state is read, with one statement. */
export function follow(readState: () => Promise<StoreState>): Follower {
  let state: StoreState | undefined;
  let accounts = {};
  /** When the reading began whose state is known. Both clocks, as the first one stands still while a machine is suspended, and the other one can be set back. */
  let readAt = NEVER;
  /** A reading that began before the last write proves nothing. */
  let writes = 0;
  let isClosed = false;
  let wake = (): void => {};

  function isCurrent(): boolean {
    return performance.now() - readAt.steady < BOUND_MS && Date.now() - readAt.wall < BOUND_MS;
  }

  async function read(): Promise<void> {
    const begun = { steady: performance.now(), wall: Date.now() };
    const writesBefore = writes;
    const found = await readState();
    if (found.storeId !== state?.storeId || found.book !== state.book) accounts = {};
    state = found;
    if (writes === writesBefore) readAt = begun;
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      const begun = performance.now();
      const writesBefore = writes;
      // Those who ask the database meanwhile get the error.
      await read().catch(() => {});
      if (isClosed) return;
      await sleep(
        writes === writesBefore ? Math.max(READ_AGAIN_MS, begun + READ_EVERY_MS - performance.now()) : READ_AGAIN_MS,
      );
    }
  }

  void run();
  return {
    isCurrent,
    version: (codes) => (state && isCurrent() ? versionOf(state, codes) : undefined),
    accountsState: () => accounts,
    noteWrite() {
      readAt = NEVER;
      writes++;
      wake();
    },
    close() {
      isClosed = true;
      wake();
    },
  };
}

/**
 * A connection whose transactions a follower learns of before their callers do, so that nobody who has changed something
 * then gets from memory what was before it.
 */
export function noteWrites(connection: Connection, { noteWrite }: Pick<Follower, "noteWrite">): Connection {
  return {
    ...connection,
    // Also after a failure: whether a commit without an answer was carried out is not known.
    transaction: (work) => connection.transaction(work).finally(noteWrite),
    byKey: (work) => connection.byKey(work).finally(noteWrite),
  };
}
