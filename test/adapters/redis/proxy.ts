import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { after } from "node:test";

/** A TCP proxy that loses what it is told to lose. */
export interface LossyProxy {
  readonly port: number;
  /** What becomes of answers: passed on; swallowed while the connection stays; or swallowed with the connection cut after the first. */
  answers: "pass" | "swallow" | "cut";
  /** Bytes of answers that were swallowed. */
  readonly swallowed: number;
  /** Where new connections lead. */
  target: number;
  /** Cuts all connections. */
  cut(): void;
}

/** Starts a proxy before a server on 127.0.0.1; it ends with the test file. */
export async function startProxy(target: number): Promise<LossyProxy> {
  const sockets = new Set<Socket>();
  let swallowed = 0;
  const server = createServer((near) => {
    const far = connect(proxy.target, "127.0.0.1");
    for (const [one, other] of [[near, far], [far, near]] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    near.on("data", (bytes) => far.write(bytes));
    far.on("data", (bytes) => {
      if (proxy.answers === "pass") return near.write(bytes);
      swallowed += bytes.length;
      if (proxy.answers === "cut") near.destroy();
      return undefined;
    });
  });
  const proxy: LossyProxy = {
    port: 0,
    target,
    answers: "pass",
    get swallowed() {
      return swallowed;
    },
    cut: () => sockets.forEach((socket) => socket.destroy()),
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => {
    proxy.cut();
    server.close();
  });
  return Object.assign(proxy, { port: (server.address() as AddressInfo).port });
}
