import { connect } from "node:net";
import { rawRequest } from "./raw_http.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"];

/** Requests without a key: every method, Upgrade, 100-continue, and pipelines that end with one of these requests. */
export const RESET_REQUESTS: readonly Buffer[] = [
  ...METHODS.map((method) => rawRequest({ method, target: method === "CONNECT" ? "a:1" : "/docs" })),
  rawRequest({ method: "POST", body: "{}" }),
  rawRequest({ method: "POST", chunks: [Buffer.from("{}")] }),
  rawRequest({ method: "POST", headers: ["Expect: 100-continue", "Content-Length: 2"] }),
  rawRequest({ headers: ["Connection: Upgrade", "Upgrade: websocket"] }),
  rawRequest({ method: "CONNECT", target: "a:1", headers: ["Connection: Upgrade", "Upgrade: websocket"] }),
  Buffer.from("\x16\x03\x01\r\n\r\n"),
].flatMap((request) => [request, Buffer.concat([rawRequest({ target: "/docs" }), request])]);

const AT_A_TIME = 50;

/** Sends `count` requests, each cut after a different byte, and resets the connections, some at once, some later. */
export async function resetFlood(origin: string, count: number): Promise<void> {
  const { hostname: host, port } = new URL(origin);
  let sent = 0;
  async function worker(): Promise<void> {
    while (sent < count) {
      const number = sent++;
      const request = RESET_REQUESTS[number % RESET_REQUESTS.length]!;
      const round = Math.floor(number / RESET_REQUESTS.length);
      // In every second round, requests are sent completely, so that the reset happens while the answer is sent.
      const end = round % 2 === 0 ? request.length : 1 + ((round * 7) % request.length);
      await reset({ host, port: Number(port) }, request.subarray(0, end), round % 5);
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}

/** @param waitMs With 0, resets the connection as soon as the kernel has the bytes. */
function reset(address: { host: string; port: number }, bytes: Buffer, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.write(bytes, () => {
        if (waitMs === 0) socket.resetAndDestroy();
        else setTimeout(() => socket.resetAndDestroy(), waitMs - 1);
      });
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve());
  });
}
