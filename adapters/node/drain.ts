import type { Server } from "node:http";
import { endAfter } from "./listener.ts";
import type { Lanes } from "./connections.ts";
import type { Work } from "./in_flight.ts";

/**
 * Closes a server: no new connections, an end after each open answer, and after `drainMs` an end to
 * what is left. Settles when all connections are closed and, within that time, all requests are done.
 */
export async function drain(server: Server, lanes: Lanes, work: Work, drainMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, drainMs)));
  // Else the next request of a kept connection would be served, and kept, too.
  for (const res of work.open()) endAfter(res);
  // Closes kept connections between two requests as well. An error says that it did not listen: closed it is.
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  lanes.closeUnused();
  await Promise.race([closed, late]);
  server.closeAllConnections();
  await closed;
  await Promise.race([work.empty(), late]);
  clearTimeout(timer);
  work.stop();
}
