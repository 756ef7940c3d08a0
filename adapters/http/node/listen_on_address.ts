import type { Server } from "node:http";

/** The address of a server. */
export interface Address {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** Length of the system's queue of connections. With Node's default of 511, a larger burst would wait for seconds. */
const BACKLOG = 4_096;

/** Starts to listen. Returns the actual address; rejects if the address is not available. */
export function listen(server: Server, { host, port }: Address): Promise<Address> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off("error", reject);
      // If a connection cannot be accepted, e.g. for lack of file descriptors, the process must not end.
      server.on("error", () => undefined);
      const address = server.address();
      if (address === null || typeof address === "string")
        reject(new TypeError(`Cannot listen on a port: the address is "${address}"`));
      else resolve({ host: address.address, port: address.port });
    });
  });
}
