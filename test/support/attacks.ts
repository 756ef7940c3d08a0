// Attacks of hostile clients on a server, or on a proxy in front of it.
import type { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { rawRequest } from "./raw_http.ts";

/** The host name in the requests of the clients. */
export const NAME = "api.example.org";

/** Opens a connection from an address in 127.0.0.0/8. */
export type Open = (localAddress: string) => Duplex;

const ASSET = "/api/v1/assets/USD_RLS";
const DOCS = rawRequest({ target: "/docs", headers: [`Host: ${NAME}`] });
const FAT = rawRequest({ target: "/docs", headers: [`Host: ${NAME}`, `X-A: ${"a".repeat(6_000)}`] });

/** The kinds of clients. A client writes `first` once, and then `again` every 100 ms. */
const KINDS: Readonly<
  Record<
    string,
    (key: string) => {
      readonly first: Uint8Array | string;
      readonly again?: Uint8Array | string;
      readonly reads?: boolean;
    }
  >
> = {
  "unread pipelines": () => ({ first: DOCS, again: Buffer.concat([DOCS, DOCS, DOCS, DOCS]) }),
  "fat pipelines": () => ({
    first: Buffer.concat(Array.from({ length: 60 }, () => FAT)),
    again: Buffer.concat([FAT, FAT, FAT]),
  }),
  "unfinished bodies with a key": (key) => ({ first: unfinished([`X-API-Key: ${key}`]), reads: true }),
  "unfinished bodies without a key": () => ({ first: unfinished([]), reads: true }),
  "unfinished chunks": () => ({
    first: `POST ${ASSET} HTTP/1.1\r\nHost: ${NAME}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"f`,
    reads: true,
  }),
  "empty lines": () => ({ first: DOCS, again: "\r\n", reads: true }),
  "slow headers": () => ({ first: `GET /docs HTTP/1.1\r\nHost: ${NAME}\r\nX-A: `, again: "a", reads: true }),
  "no request": () => ({ first: "", reads: true }),
  "huge headers": () => ({
    first: rawRequest({ headers: [`Host: ${NAME}`, `X-A: ${"a".repeat(60_000)}`] }),
    reads: true,
  }),
  "many headers": () => ({
    first: rawRequest({ headers: [`Host: ${NAME}`, ...Array.from({ length: 2_000 }, (_, i) => `X-${i}: a`)] }),
    reads: true,
  }),
};

/** The number of answers with each status, by kind of client. */
export type AttackAnswer = Record<string, Record<string, number>>;

interface Attack {
  /** The number of clients of each kind. The clients of a kind share an address. */
  readonly count: number;
  readonly seconds: number;
  readonly key: string;
  /** Default: all. */
  readonly kinds?: readonly string[];
  /** Whether a client reconnects when its connection is closed. */
  readonly comesAgain?: boolean;
}

/** Runs the attacks for some seconds. */
export async function attack(
  open: Open,
  { count, seconds, key, kinds = Object.keys(KINDS), comesAgain = false }: Attack,
): Promise<AttackAnswer> {
  const seen: AttackAnswer = {};
  const sockets = new Set<Duplex>();
  let going = true;
  function come(at: number, statuses: Record<string, number>): void {
    const socket = start(open(`127.0.0.${10 + at}`), KINDS[kinds[at]!]!(key), statuses);
    sockets.add(socket);
    socket.on("close", () => {
      sockets.delete(socket);
      if (going && comesAgain) setTimeout(() => going && come(at, statuses), 100);
    });
  }
  for (const [at, kind] of kinds.entries())
    for (let client = 0; client < count; client++) come(at, (seen[kind] ??= {}));
  await wait(seconds * 1_000);
  going = false;
  for (const socket of sockets) socket.destroy();
  return seen;
}

function start(
  socket: Duplex,
  { first, again, reads = false }: ReturnType<(typeof KINDS)[string]>,
  statuses: Record<string, number>,
): Duplex {
  socket.on("error", () => undefined);
  socket.write(first);
  if (again !== undefined) {
    const timer = setInterval(() => socket.writableLength < 100_000 && socket.write(again), 100);
    socket.on("close", () => clearInterval(timer));
  }
  if (!reads) return socket.pause();
  socket.on("data", (chunk: Buffer) => {
    for (const [, status] of chunk.toString("latin1").matchAll(/HTTP\/1\.1 (\d{3}) /g))
      statuses[status!] = (statuses[status!] ?? 0) + 1;
  });
  return socket;
}

function unfinished(headers: readonly string[]): string {
  return [
    `POST ${ASSET} HTTP/1.1`,
    `Host: ${NAME}`,
    ...headers,
    "Content-Type: application/json",
    "Content-Length: 100",
    "",
    '{"from',
  ].join("\r\n");
}
