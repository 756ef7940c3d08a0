import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import type { Connections } from "./connections.ts";

/**
 * If no request has arrived for this long, probably none is in transit any more. A round trip around the world takes a
 * third of a second, and a client on a busy machine may be slow.
 */
const QUIET_MS = 500;
/** Idle connections are closed after at most this many waits of `QUIET_MS`. */
const MAX_WAITS = 4;
/** How long requests whose connections were cut may take to end. For example, they give their units back. */
const CUT_MS = 500;

/**
 * Closes a server. The server accepts no more connections, and ends each open connection after its next answer. Idle
 * connections are closed when no more requests arrive, and the rest are cut after `drainMs`. Settles when all
 * connections are closed and all requests are done, at the latest `CUT_MS` after `drainMs`.
 *
 * @param answered Settles when no request is in progress.
 */
export async function drain(
  server: Server,
  connections: Connections,
  { drainMs, answered }: Readonly<{ drainMs: number; answered: () => Promise<void> }>,
): Promise<void> {
  const end = new AbortController();
  const after = (ms: number): Promise<void> => wait(ms, undefined, { signal: end.signal }).catch(() => undefined);
  const late = after(drainMs);
  connections.drain();
  // Closing at once would reset connections that the system has accepted but Node has not.
  await twoTurns();
  // `close` of `node:http` would close idle connections at once, even if their next request is already in transit.
  // If the server did not listen, the callback gets an error, and the server is closed.
  const closed = new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()));
  const over = Promise.race([closed, late]);
  let isOver = false;
  void over.then(() => (isOver = true));
  for (let [waits, seen] = [0, -1]; !isOver && waits < MAX_WAITS && seen !== connections.begun(); waits++) {
    seen = connections.begun();
    await Promise.race([over, after(QUIET_MS)]);
    // When a suspended process resumes, its timer fires before it sees the requests that have arrived meanwhile.
    await twoTurns();
  }
  server.close(() => undefined);
  connections.closeUnused();
  await over;
  server.closeAllConnections();
  await closed;
  await Promise.race([answered(), late.then(() => after(CUT_MS))]);
  end.abort();
}

async function twoTurns(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await nextTurn();
}
