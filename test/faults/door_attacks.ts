// What hostile clients do to a server, each for a thread of its own.
import { connect } from "node:net";
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { rawRequest } from "../support/raw_http.ts";
import { CANDLE_MS, CODE, LONGEST } from "./door_server.ts";

/** A server, and how much is to be done to it. */
export interface Attack {
  readonly origin: string;
  readonly key: string;
  readonly firstMs: number;
  readonly count: number;
  readonly seconds: number;
}

/** How often each status came; `closed` for connections that ended without an answer. */
export type Statuses = Record<string, number>;

const DOCS = rawRequest({ target: "/docs" });

/** Keeps `count` clients of five kinds connected for some time: each that is closed comes again. */
export async function slowClients({ origin, key, count, seconds }: Attack): Promise<Statuses> {
  const kinds: readonly ((socket: Socket) => NodeJS.Timeout | undefined)[] = [
    // Sends nothing.
    () => undefined,
    // Sends its fields letter by letter.
    (socket) => drip(socket, Buffer.concat([Buffer.from("GET / HTTP/1.1\r\nX-A: "), Buffer.alloc(8_000, "a")]), 500),
    // Sends its body letter by letter.
    (socket) => {
      socket.write(rawRequest({ method: "POST", target: `/api/v1/assets/${CODE}`, headers: [`X-API-Key: ${key}`, "Content-Type: application/json", "Content-Length: 8000"] }));
      return drip(socket, Buffer.alloc(8_000, "a"), 500);
    },
    // Asks, and reads nothing.
    (socket) => {
      socket.pause();
      return setInterval(() => socket.writableLength < 10_000 && socket.write(Buffer.concat([DOCS, DOCS, DOCS, DOCS])), 1_000);
    },
    // Asks once, then sends empty lines.
    (socket) => {
      socket.write(DOCS);
      return setInterval(() => socket.write("\r\n"), 5_000);
    },
  ];
  const statuses: Statuses = {};
  const end = Date.now() + seconds * 1_000;
  const clients = Array.from({ length: count }, async (_, i) => {
    await wait(i % 2_000);
    while (Date.now() < end) await stay(origin, kinds[i % kinds.length]!, end - Date.now(), statuses);
  });
  await Promise.all(clients);
  return statuses;
}

/** Asks for the longest candle answers, all different, all at once, compressed with brotli. */
export async function longestAnswers({ origin, key, firstMs, count }: Attack): Promise<Statuses> {
  const statuses: Statuses = {};
  await Promise.all(Array.from({ length: count }, (_, i) => ask(origin, longestCandles(firstMs, i, key), statuses)));
  return statuses;
}

/** Asks for the longest answers and reads none of them. */
export async function unreadAnswers({ origin, key, firstMs, count, seconds }: Attack): Promise<Statuses> {
  const sockets = Array.from({ length: count }, (_, i) => {
    const socket = open(origin);
    socket.pause();
    // More than the systems' buffers take.
    for (let asked = 0; asked < 4; asked++) socket.write(longestCandles(firstMs, i % 300, key, "identity"));
    return socket;
  });
  return hold(sockets, seconds);
}

/** Pipelines requests with large fields behind answers that nobody reads, without a key. */
export async function fatPipelines({ origin, count, seconds }: Attack): Promise<Statuses> {
  const fat = rawRequest({ target: "/docs", headers: [`X-A: ${"a".repeat(7_900)}`] });
  const sockets = Array.from({ length: count }, () => {
    const socket = open(origin);
    socket.pause();
    let sent = 0;
    // A server cuts whoever sends more than it lets wait.
    const timer = setInterval(() => socket.write(sent++ < 400 ? DOCS : Buffer.concat([fat, fat, fat])), 5);
    socket.on("close", () => clearInterval(timer));
    return socket;
  });
  return hold(sockets, seconds);
}

function longestCandles(firstMs: number, shift: number, key: string, encoding = "br"): Buffer {
  const [from, to] = [shift, shift + LONGEST].map((candle) => new Date(firstMs + candle * CANDLE_MS).toISOString());
  return rawRequest({ target: `/api/v1/assets/${CODE}/ohlc?interval=15m&from=${from}&to=${to}`, headers: [`X-API-Key: ${key}`, `Accept-Encoding: ${encoding}`] });
}

function open(origin: string): Socket {
  const { hostname: host, port } = new URL(origin);
  return connect({ host, port: Number(port) }).on("error", () => undefined);
}

/** One connection until it is closed or its time is over; counts the statuses that it got. */
function stay(origin: string, behave: (socket: Socket) => NodeJS.Timeout | undefined | void, forMs: number, statuses: Statuses): Promise<void> {
  return new Promise((resolve) => {
    const socket = open(origin);
    let [timer, end]: (NodeJS.Timeout | undefined)[] = [];
    socket.on("connect", () => {
      timer = behave(socket) ?? undefined;
      end = setTimeout(() => socket.destroy(), forMs);
    });
    socket.on("data", (chunk) => count(chunk, statuses));
    socket.on("close", () => {
      clearInterval(timer);
      clearTimeout(end);
      resolve();
    });
  });
}

/** One request and its whole answer; counts its status. */
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

function drip(socket: Socket, bytes: Buffer, everyMs: number): NodeJS.Timeout {
  let at = 0;
  return setInterval(() => socket.write(bytes.subarray(at, ++at)), everyMs);
}

function count(chunk: Buffer, statuses: Statuses): void {
  for (const [, status = ""] of chunk.toString("latin1").matchAll(/HTTP\/1\.1 (\d{3}) /g)) statuses[status] = (statuses[status] ?? 0) + 1;
}

/** Keeps clients connected for some time. */
async function hold(sockets: readonly Socket[], seconds: number): Promise<Statuses> {
  await wait(seconds * 1_000);
  for (const socket of sockets) socket.destroy();
  return { clients: sockets.length };
}
