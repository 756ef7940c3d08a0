import type { Server } from "node:http";
import { endAfter } from "./listener.ts";
import type { Connections } from "./connections.ts";
import type { InFlight } from "./in_flight.ts";

/**
 * Closes a server: accepts no connections, ends each after its open answer, and cuts what is left after `drainMs`.
 * Settles when all connections are closed and, within that time, all requests are done.
 */
export async function drain(server: Server, connections: Connections, inFlight: InFlight, drainMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, drainMs)));
  // Otherwise the next request of the connection would be served, too, and the one after it.
  for (const res of inFlight.open()) endAfter(res);
  // Closes idle connections as well. The callback gets an error if the server did not listen: it is closed then.
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  connections.closeUnused();
  await Promise.race([closed, late]);
  server.closeAllConnections();
  await closed;
  await Promise.race([inFlight.empty(), late]);
  clearTimeout(timer);
  inFlight.stop();
}
