import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The address of a server. */
export interface Address {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** Length of the system's queue of connections. With Node's default of 511, a larger burst would wait for seconds. */
const BACKLOG = 4_096;

/** Starts to listen. Returns the actual address; rejects if the address is not available. */
export async function listen(server: Server, { host, port }: Address): Promise<Address> {
  server.listen({ host, port, backlog: BACKLOG });
  await once(server, "listening"); // Rejects with the error that the server emits instead.
  // If a connection cannot be accepted, e.g. for lack of file descriptors, the process must not end.
  server.on("error", () => undefined);
  const { address, port: actual } = server.address() as AddressInfo;
  return { host: address, port: actual };
}
