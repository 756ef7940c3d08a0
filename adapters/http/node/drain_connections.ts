import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import type { Connections } from "./connections.ts";

/**
 * Without a request for so long, none is on its way any more. A client that asks again and again is this late at most:
 * the way to it and back takes a third of a second around the world, and on a busy machine it may have to wait for a turn.
 */
const QUIET_MS = 500;
/** How often that is awaited before idle connections are closed. */
const MAX_WAITS = 4;

/** What a stop waits for, and how long. */
interface DrainOptions {
  readonly drainMs: number;
  /** Settles when no request is in progress. */
  readonly answered: () => Promise<void>;
}

/**
 * Closes a server: accepts no connections, ends each after its next answer, closes the idle ones when no more
 * requests arrive, and cuts what is left after `drainMs`. Settles when all connections are closed and, within that
 * time, all requests are done.
 */
export async function drain(
  server: Server,
  connections: Connections,
  { drainMs, answered }: DrainOptions,
): Promise<void> {
  const end = new AbortController();
  const after = (ms: number): Promise<void> => wait(ms, undefined, { signal: end.signal }).catch(() => undefined);
  const late = after(drainMs);
  connections.drain();
  // The system would reset connections that it has accepted, but Node has not.
  await twoTurns();
  // The `close` of a server of `node:http` would close idle connections at once, and reset those whose next request is
  // on its way. The callback gets an error if the server did not listen: it is closed then.
  const closed = new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()));
  const over = Promise.race([closed, late]);
  let isOver = false;
  void over.then(() => (isOver = true));
  for (let [waits, seen] = [0, -1]; !isOver && waits < MAX_WAITS && seen !== connections.begun(); waits++) {
    seen = connections.begun();
    await Promise.race([over, after(QUIET_MS)]);
    // A process that was stopped for a while finds its timer before the requests that have arrived meanwhile.
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
