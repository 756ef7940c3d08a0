import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** A network between an instance and a server, which the test breaks. */
export interface Network {
  readonly port: number;
  /** Cuts all connections; new ones are let through. */
  cut(): void;
  /** Cuts all connections, and each new one at once. */
  block(): void;
  /** Lets connections through, from now on to this port. */
  leadTo(port: number): void;
  /** How many connections are open through it. */
  connections(): number;
  close(): void;
}

/** Puts a network before a port of 127.0.0.1. */
export async function networkTo(port: number): Promise<Network> {
  const sockets = new Set<Socket>();
  let target: number | undefined = port;

  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const server = createServer((near) => {
    if (target === undefined) return void near.resetAndDestroy();
    const far = connect(target, "127.0.0.1");
    for (const [one, other] of [[near, far], [far, near]] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.once("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.setNoDelay(true).pipe(other);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    port: (server.address() as AddressInfo).port,
    cut,
    block() {
      target = undefined;
      cut();
    },
    leadTo(port) {
      target = port;
      cut();
    },
    connections: () => sockets.size / 2,
    close() {
      server.close();
      cut();
    },
  };
}
