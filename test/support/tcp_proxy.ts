import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** A network between a client and a server on this machine, which a test can break. */
export interface TcpProxy {
  readonly port: number;
  /** Forwards nothing more, in both directions; connections stay, and new ones are taken and get no answer. */
  freeze(): void;
  /** Forwards nothing more on the connections that are there, as when their machine is gone; new ones work. */
  strand(): void;
  /** Forwards again, also what came meanwhile. */
  thaw(): void;
  /** Cuts all connections. */
  cut(): void;
  close(): Promise<void>;
}

/** Starts a proxy to a port of 127.0.0.1. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isFrozen = false;

  function keep(socket: Socket, other: Socket): void {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (bytes) => void other.write(bytes));
    socket.on("close", () => {
      sockets.delete(socket);
      other.destroy();
    });
    if (isFrozen) socket.pause();
  }

  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    keep(client, upstream);
    keep(upstream, client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    strand() {
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
