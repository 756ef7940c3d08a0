import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import type { Connections } from "./connections.ts";

/**
 * After this long without a request, none is still on its way. A round trip around the world takes a third of a second,
 * and a client on a busy machine may be slow.
 */
const QUIET_MS = 500;
/** The maximum number of these waits before idle connections are closed. */
const MAX_WAITS = 4;

interface DrainOptions {
  readonly drainMs: number;
  /** Settles when no request is in progress. */
  readonly answered: () => Promise<void>;
}

/**
 * Closes a server: accepts no connections, ends each one after its next answer, closes idle ones when no more requests
 * arrive, and cuts the rest after `drainMs`. Settles when all connections are closed and all requests done, or after
 * `drainMs`.
 */
export async function drain(server: Server, connections: Connections, options: DrainOptions): Promise<void> {
  const { drainMs, answered } = options;
  const end = new AbortController();
  const after = (ms: number): Promise<void> => wait(ms, undefined, { signal: end.signal }).catch(() => undefined);
  const late = after(drainMs);
  connections.drain();
  // Connections that only the system has accepted so far would be reset.
  await twoTurns();
  // `close` of `node:http` would close idle connections at once, and reset those whose next request is on its way. The
  // callback gets an error if the server did not listen, and is then closed.
  const closed = new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()));
  const over = Promise.race([closed, late]);
  let isOver = false;
  void over.then(() => (isOver = true));
  for (let [waits, seen] = [0, -1]; !isOver && waits < MAX_WAITS && seen !== connections.begun(); waits++) {
    seen = connections.begun();
    await Promise.race([over, after(QUIET_MS)]);
    // After a suspended process resumes, its timer fires before the requests that have arrived meanwhile.
    await twoTurns();
  }
  server.close(() => undefined);
  connections.closeUnused();
  await over;
  server.closeAllConnections();
  await closed;
  await Promise.race([answered(), late]);
  end.abort();
}

async function twoTurns(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await nextTurn();
}
