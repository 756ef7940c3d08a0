import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { after } from "node:test";

/** A network between a client and a server on this machine, which a test can break. */
export interface TcpProxy {
  readonly port: number;
  /** What becomes of answers: passed on; swallowed while the connection stays; or swallowed with the connection cut after the first. */
  answers: "pass" | "swallow" | "cut";
  /** How long each answer is on its way besides. Default 0. */
  answerDelayMs: number;
  /** Bytes of answers that were swallowed. */
  readonly swallowed: number;
  /** How many connections are open through it. */
  connections(): number;
  /** Forwards nothing more, in both directions; connections stay, and new ones are taken and get no answer. */
  freeze(): void;
  /** Forwards again, also what came meanwhile. */
  thaw(): void;
  /** Loses all connections, and each new one, as when a machine is gone: they stay open, and nobody learns of it. */
  lose(): void;
  /** Cuts all connections, but those that are lost; new ones are let through. */
  cut(): void;
  /** The same; new ones lead to this port from now on, or are cut at once where there is none. */
  leadTo(port: number | undefined): void;
  close(): void;
}

/** Starts a proxy to a port of 127.0.0.1. It ends with the tests. */
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
    // Read and thrown away, so that an end that gives the connection up is noticed.
    socket.removeAllListeners("data").resume();
  }

  const server = createServer((near) => {
    if (isLost) return lose(near);
    if (target === undefined) return void near.resetAndDestroy();
    const far = connect(target, "127.0.0.1");
    keep(near, far, (bytes) => void far.write(bytes));
    keep(far, near, (bytes) => {
      if (proxy.answers === "pass" && proxy.answerDelayMs > 0)
        return void setTimeout(() => near.write(bytes), proxy.answerDelayMs);
      if (proxy.answers === "pass") return void near.write(bytes);
      swallowed += bytes.length;
      if (proxy.answers === "cut") near.destroy();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  const proxy: TcpProxy = {
    port: (server.address() as AddressInfo).port,
    answers: "pass",
    answerDelayMs: 0,
    get swallowed() {
      return swallowed;
    },
    connections: () => sockets.size / 2,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
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
