import type { Server } from "node:http";

/** Where a server listens. */
export interface Address {
  readonly host: string;
  /** 0 asks for any free port. */
  readonly port: number;
}

/** Connections that the system may accept before Node does; with Node's 511, bursts would wait for seconds. */
const BACKLOG = 4_096;

/** Starts to listen; returns the actual address. Rejects when the address cannot be had. */
export function listen(server: Server, { host, port }: Address): Promise<Address> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off("error", reject);
      // A connection that cannot be accepted, for want of file descriptors, is no reason to end.
      server.on("error", () => undefined);
      const address = server.address();
      if (address === null || typeof address === "string")
        reject(new TypeError(`Cannot listen on a port: the address is "${address}"`));
      else resolve({ host: address.address, port: address.port });
    });
  });
}
