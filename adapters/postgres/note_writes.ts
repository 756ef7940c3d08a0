import type { Connection } from "./connection.ts";
import type { Follower } from "./follow.ts";

/**
 * A connection whose transactions a follower learns of before their callers do, so that nobody who has changed something
 * is then told from memory what was before it. For changes that are rare: whoever knows the counters that he has raised
 * tells the follower those.
 */
export function noteWrites(connection: Connection, follower: Follower): Connection {
  return {
    ...connection,
    // Also after a failure: whether a commit without an answer was carried out is not known.
    transaction: (act) => connection.transaction(act).finally(follower.noteWrite),
  };
}
