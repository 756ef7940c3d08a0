// Attacks of hostile clients on a server. Each attack runs in its own thread.

import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { attack } from "../support/attacks.ts";
import { rawRequest } from "../support/raw_http.ts";
import { CANDLE_MS, CODE, LONGEST } from "./attacked_server.ts";

/** A server, and the size of the attack. */
export interface Attack {
  readonly origin: string;
  readonly key: string;
  readonly firstMs: number;
  readonly count: number;
  readonly seconds: number;
}

/** The number of answers with each status; `closed` counts connections that ended without an answer. */
export type Statuses = Record<string, number>;

/** Keeps `count` clients of each kind connected for some time. A client reconnects when its connection is closed. */
export async function hostileClients({ origin, ...how }: Attack): Promise<Statuses> {
  const seen = await attack(() => open(origin), { ...how, comesAgain: true });
  const statuses: Statuses = {};
  for (const [status, count] of Object.values(seen).flatMap(Object.entries<number>))
    statuses[status] = (statuses[status] ?? 0) + count;
  return statuses;
}

/** Pipelines requests with large fields and without a key, and does not read the answers. */
export async function fatPipelines({ origin, ...how }: Attack): Promise<Statuses> {
  await attack(() => open(origin), { ...how, kinds: ["fat pipelines"] });
  return {};
}

/** Requests different candle answers of the maximum length, all at once, compressed with brotli. */
export async function longestAnswers(how: Attack): Promise<Statuses> {
  const statuses: Statuses = {};
  await Promise.all(Array.from({ length: how.count }, (_, i) => ask(how.origin, longestCandles(how, i), statuses)));
  return statuses;
}

/** Requests answers of the maximum length, and reads none of them. */
export async function unreadAnswers(how: Attack): Promise<Statuses> {
  const sockets = Array.from({ length: how.count }, (_, i) => {
    const socket = open(how.origin).pause();
    // More than the operating system's buffers hold.
    for (let asked = 0; asked < 4; asked++) socket.write(longestCandles(how, i % 300, "identity"));
    return socket;
  });
  await wait(how.seconds * 1_000);
  for (const socket of sockets) socket.destroy();
  return {};
}

function longestCandles({ firstMs, key }: Attack, shift: number, encoding = "br"): Buffer {
  const [from, to] = [shift, shift + LONGEST].map((candle) => new Date(firstMs + candle * CANDLE_MS).toISOString());
  return rawRequest({
    target: `/api/v1/assets/${CODE}/ohlc?interval=15m&from=${from}&to=${to}`,
    headers: [`X-API-Key: ${key}`, `Accept-Encoding: ${encoding}`],
  });
}

function open(origin: string): Socket {
  const { hostname: host, port } = new URL(origin);
  return connect({ host, port: Number(port) }).on("error", () => undefined);
}

/** Sends one request, reads its whole answer, and counts its status. */
function ask(origin: string, request: Buffer, statuses: Statuses): Promise<void> {
  return new Promise((resolve) => {
    const socket = open(origin);
    let [status, expected, received] = ["closed", Infinity, 0];
    socket.write(request);
    socket.on("data", (chunk) => {
      if (received === 0) {
        const head = chunk.toString("latin1");
        status = head.slice(9, 12);
        const encoding = /\r\ncontent-encoding: (\w+)/i.exec(head)?.[1];
        if (encoding) status += ` ${encoding}`;
        expected = head.indexOf("\r\n\r\n") + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
      }
      received += chunk.length;
      if (received >= expected) socket.destroy();
    });
    socket.on("close", () => {
      const name = received >= expected ? status : "closed";
      statuses[name] = (statuses[name] ?? 0) + 1;
      resolve();
    });
  });
}
