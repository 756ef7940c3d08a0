import type { AssetCode } from "../../core/mod.ts";
import type { Connection, Query } from "./connection.ts";
import { createFollowedState } from "./followed_state.ts";
import type { DatabaseState } from "./followed_state.ts";
import type { Listening } from "./listen.ts";
import { createWaits } from "./waits.ts";

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
  /** Notes counters that this process has just raised, by code as it is stored. */
  noteVersions(counters: Readonly<Record<string, number>>): void;
  /** Notes that this process may have changed something: what is in memory does not count until all was read anew. */
  noteWrite(): void;
  /** Ends it; leaves no timer and no connection. */
  close(): Promise<void>;
}

/** What a follower follows. */
export interface FollowOptions {
  readonly connection: Pick<Connection, "listen">;
  readonly channel: string;
  /** Reads the state as one statement. */
  readonly readState: (query: Query) => Promise<DatabaseState>;
}

/** How old what is in memory can be when it is used. */
export const BOUND_MS = 1_000;
/** Time from one reading of the state to the next: each has the rest of `BOUND_MS` for its answer. */
const READ_EVERY_MS = 500;
/** A connection that has not answered for so long is given up. */
const GIVE_UP_MS = 3_000;
/** After a reading that took too long, or that a change has overtaken: so many changes do not make as many readings. */
const READ_AGAIN_MS = 5;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

/**
 * Begins to follow. Notifications bring changes within milliseconds; that nothing is missed does not depend on them, as
 * each half second the state is read, and a message to itself shows that the connection still hears.
 */
export function follow({ connection, channel, readState }: FollowOptions): Follower {
  const state = createFollowedState();
  /** When the last reading began of which all has been heard. Both clocks, as the first one stands still while a machine is suspended, and the other one can be set back. */
  let currentAt = { steady: -Infinity, wall: -Infinity };
  /** Raised when something was missed: a reading that began before that proves nothing. */
  let misses = 0;
  let isClosed = false;
  let isLost = false;
  const waits = createWaits();

  function isCurrent(): boolean {
    return performance.now() - currentAt.steady < BOUND_MS && Date.now() - currentAt.wall < BOUND_MS;
  }

  function forget(): void {
    currentAt = { steady: -Infinity, wall: -Infinity };
    misses++;
  }

  function miss(): void {
    forget();
    waits.wake();
  }

  function hear(payload: string): void {
    if (!state.hear(payload)) miss();
  }

  function lose(): void {
    isLost = true;
    miss();
  }

  async function readOnce(listening: Listening): Promise<void> {
    const begun = { steady: performance.now(), wall: Date.now(), misses };
    state.begin();
    const [read] = await Promise.all([readState(listening.query), listening.check()]);
    state.adopt(read);
    if (begun.misses === misses) currentAt = begun;
  }

  /** Reads again and again, until the connection is lost or gives no answer. */
  async function keepUp(onRead: () => void): Promise<void> {
    isLost = false;
    const listening = await waits.inTime(GIVE_UP_MS, connection.listen(channel, hear, lose), (late) => late.close());
    try {
      while (!isClosed && !isLost) {
        const begun = performance.now();
        await waits.inTime(GIVE_UP_MS, readOnce(listening));
        onRead();
        await waits.sleep(isCurrent() ? begun + READ_EVERY_MS - performance.now() : READ_AGAIN_MS);
      }
    } finally {
      forget();
      await listening.close();
    }
  }

  async function run(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!isClosed) {
      // What goes wrong is told to those who ask the database meanwhile.
      await keepUp(() => (pause = FIRST_PAUSE_MS)).catch(() => {});
      await waits.sleep(pause);
      pause = Math.min(2 * pause, MAX_PAUSE_MS);
    }
  }

  const running = run();
  return {
    isCurrent,
    version: (codes) => (isCurrent() ? state.version(codes) : undefined),
    accountsState: state.accounts,
    noteVersions: state.raise,
    noteWrite: miss,
    close() {
      isClosed = true;
      waits.end();
      return running;
    },
  };
}
