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
  /** Loses all that is sent from now on, on connections that stay open: nobody is told, as when a machine is gone. */
  lose(): void;
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
  let isLost = false;
  const lost = new Set<Socket>();

  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const server = createServer((near) => {
    if (target === undefined) return void near.resetAndDestroy();
    if (isLost) return void lose(near);
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

  function lose(socket: Socket): void {
    lost.add(socket.on("error", () => {}));
    socket.unpipe();
    socket.removeAllListeners("data").resume();
  }

  return {
    port: (server.address() as AddressInfo).port,
    cut,
    block() {
      target = undefined;
      cut();
    },
    lose() {
      isLost = true;
      for (const socket of sockets) lose(socket);
      sockets.clear();
    },
    leadTo(port) {
      target = port;
      isLost = false;
      cut();
    },
    connections: () => sockets.size / 2,
    close() {
      server.close();
      cut();
      for (const socket of lost) socket.destroy();
    },
  };
}
