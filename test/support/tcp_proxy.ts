import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { after } from "node:test";

/** A breakable network: a proxy between a client and a server on this machine. */
export interface TcpProxy {
  readonly port: number;
  /** `pass` forwards answers, `swallow` drops them, and `cut` drops the first answer and closes the connection. */
  answers: "pass" | "swallow" | "cut";
  /** The bytes of answers that were dropped. */
  readonly swallowed: number;
  /** The number of open connections through the proxy. */
  connections(): number;
  /** Stops forwarding in both directions. Connections stay open; new ones are accepted and get no answer. */
  freeze(): void;
  /** Acts as if the other machine had vanished: all current and new connections stay open, but nothing is forwarded. */
  lose(): void;
  /** Cuts all connections that `lose` has not affected. Forwards new connections. */
  cut(): void;
  /** Cuts connections that `lose` has not affected. Forwards new ones to this port, or cuts them if it is missing. */
  leadTo(port: number | undefined): void;
  close(): void;
}

/** Starts a proxy to a port of 127.0.0.1. The proxy ends with the tests. */
export async function startTcpProxy(to: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const lost = new Set<Socket>();
  let target: number | undefined = to;
  let [isFrozen, isLost, swallowed] = [false, false, 0];

  function keep(socket: Socket, other: Socket, forward: (bytes: Buffer) => void): void {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.setNoDelay(true).on("data", forward);
    socket.on("close", () => {
      sockets.delete(socket);
      other.destroy();
    });
    if (isFrozen) socket.pause();
  }

  function lose(socket: Socket): void {
    lost.add(socket.on("error", () => {}));
    // Reads and discards bytes, to notice when the client or the server closes the connection.
    socket.removeAllListeners("data").resume();
  }

  const server = createServer((near) => {
    if (isLost) return lose(near);
    if (target === undefined) return void near.resetAndDestroy();
    const far = connect(target, "127.0.0.1");
    keep(near, far, (bytes) => void far.write(bytes));
    keep(far, near, (bytes) => {
      if (proxy.answers === "pass") return void near.write(bytes);
      swallowed += bytes.length;
      if (proxy.answers === "cut") near.destroy();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  const proxy: TcpProxy = {
    port: (server.address() as AddressInfo).port,
    answers: "pass",
    get swallowed() {
      return swallowed;
    },
    connections: () => sockets.size / 2,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    lose() {
      isLost = true;
      for (const socket of sockets) lose(socket);
      sockets.clear();
    },
    cut() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    leadTo(port) {
      target = port;
      isLost = false;
      proxy.cut();
    },
    close() {
      server.close();
      for (const socket of [...sockets, ...lost]) socket.destroy();
    },
  };
  after(() => proxy.close());
  return proxy;
}
