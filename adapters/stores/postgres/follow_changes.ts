import type { AssetCode, KeyHolder, KeyId } from "../../../core/mod.ts";
import type { Connection } from "./connection.ts";
import { type StoreState, versionOf } from "./store_state.ts";

/**
 * Follows the changes of a database, so that versions and accounts are known in memory. This data is at most `BOUND_MS`
 * old, whatever happens to the connection, the process or the database. If the age of the data is uncertain, the
 * database is asked.
 */
export type Follower = ReturnType<typeof follow>;

/** The greatest age of data that is used from memory. */
export const BOUND_MS = 1_000;
/** How often the state is read. If an answer takes longer than half a second, the data in memory gets too old. */
const READ_EVERY_MS = 500;
/** The shortest pause between two readings, so that frequent writes do not cause too many readings. */
const READ_AGAIN_MS = 5;
const NEVER = { steady: -Infinity, wall: -Infinity };

/** Starts to follow: the state is read every half second, with one statement. */
export function follow(readState: () => Promise<StoreState>) {
  let state: StoreState | undefined;
  let holders = new Map<KeyId, KeyHolder>();
  /** When the last valid reading began, by two clocks: one stops during suspension, the other may be set back. */
  let readAt = NEVER;
  /** Number of writes. A reading that began before the last write may not include that write. */
  let writes = 0;
  let isClosed = false;
  /** Starts the next reading; `undefined` during a reading. */
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Whether the data in memory is at most `BOUND_MS` old. */
  function isCurrent(): boolean {
    return performance.now() - readAt.steady < BOUND_MS && Date.now() - readAt.wall < BOUND_MS;
  }

  async function read(): Promise<void> {
    const begun = { steady: performance.now(), wall: Date.now() };
    const writesBefore = writes;
    const found = await readState();
    if (found.storeId !== state?.storeId || found.book !== state.book) holders = new Map();
    state = found;
    if (writes === writesBefore) readAt = begun;
  }

  async function run(): Promise<void> {
    timer = undefined;
    const begun = performance.now();
    const writesBefore = writes;
    // No error is handled here, because callers that ask the database get the same error.
    await read().catch(() => {});
    const next = writes === writesBefore ? begun + READ_EVERY_MS - performance.now() : 0;
    if (!isClosed) timer = setTimeout(run, Math.max(READ_AGAIN_MS, next));
  }

  void run();
  return {
    isCurrent,
    /** The version of the data of these (or all) assets, or `undefined` if the database has to be asked. */
    version: (codes?: readonly AssetCode[]): string | undefined =>
      state && isCurrent() ? versionOf(state, codes) : undefined,
    /** A map for known keys. Replaced by an empty map whenever an account or key has changed, or may have changed. */
    holders: () => holders,
    /** Notes that this process may have changed something. The data in memory is not used until it is read again. */
    noteWrite(): void {
      readAt = NEVER;
      writes++;
      if (timer === undefined) return;
      clearTimeout(timer);
      void run();
    },
    /** Stops following, and leaves no timer. A statement that is still running ends with its connection. */
    close(): void {
      isClosed = true;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** Notifies the follower of each transaction before the caller gets the result, so writers read their own changes. */
export function noteWrites(connection: Connection, { noteWrite }: Pick<Follower, "noteWrite">): Connection {
  return {
    ...connection,
    // Also notifies after an error, because a commit without an answer may have been carried out.
    transaction: (work) => connection.transaction(work).finally(noteWrite),
    byKey: (work) => connection.byKey(work).finally(noteWrite),
  };
}
