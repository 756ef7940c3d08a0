// Attacks of hostile clients on a server. Each attack runs in its own thread.

import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import * as clients from "../support/attacks.ts";
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
export function hostileClients(how: Attack): Promise<Statuses> {
  return attack(how, clients.hostileClients(how.key), true);
}

/** Pipelines requests with large fields and without a key, and does not read the answers. */
export function fatPipelines(how: Attack): Promise<Statuses> {
  return attack(how, [clients.FAT_PIPELINES], false);
}

/** Requests different candle answers of the maximum length, all at once, compressed with brotli. */
export async function longestAnswers(how: Attack): Promise<Statuses> {
  const statuses: Statuses = {};
  async function ask(shift: number): Promise<void> {
    const headers = { "X-API-Key": how.key, "Accept-Encoding": "br" };
    const answer = await fetch(how.origin + longestCandles(how, shift), { headers }).catch(() => undefined);
    const isComplete = await answer?.arrayBuffer().then(
      () => true,
      () => false,
    );
    count(statuses, isComplete ? String(answer?.status) : "closed");
  }
  await Promise.all(Array.from({ length: how.count }, (_, i) => ask(i)));
  return statuses;
}

/** Requests answers of the maximum length, and reads none of them. */
export async function unreadAnswers(how: Attack): Promise<Statuses> {
  const sockets = Array.from({ length: how.count }, (_, i) => {
    const socket = open(how.origin).pause();
    const headers = [`X-API-Key: ${how.key}`, "Accept-Encoding: identity"];
    // More than the operating system's buffers hold.
    for (let asked = 0; asked < 4; asked++) socket.write(rawRequest({ target: longestCandles(how, i % 300), headers }));
    return socket;
  });
  await wait(how.seconds * 1_000);
  for (const socket of sockets) socket.destroy();
  return {};
}

async function attack(
  { origin, count: clientsOfAKind, seconds }: Attack,
  kinds: readonly clients.HostileClient[],
  comesAgain: boolean,
): Promise<Statuses> {
  const statuses: Statuses = {};
  const sockets = new Set<Socket>();
  let going = true;
  function come(kind: clients.HostileClient): void {
    const socket = open(origin);
    sockets.add(socket);
    socket.write(kind.first);
    const writing = setInterval(() => {
      if (kind.again !== undefined && socket.writableLength < 100_000) socket.write(kind.again);
    }, 100);
    if (kind.reads) {
      socket.on("data", (chunk) => {
        for (const [, status] of chunk.toString("latin1").matchAll(/HTTP\/1\.1 (\d{3}) /g)) count(statuses, status!);
      });
    } else socket.pause();
    socket.on("close", () => {
      clearInterval(writing);
      sockets.delete(socket);
      if (comesAgain) setTimeout(() => going && come(kind), 100);
    });
  }
  for (const kind of kinds) for (let client = 0; client < clientsOfAKind; client++) come(kind);
  await wait(seconds * 1_000);
  going = false;
  for (const socket of sockets) socket.destroy();
  return statuses;
}

function longestCandles({ firstMs }: Attack, shift: number): string {
  const [from, to] = [shift, shift + LONGEST].map((candle) => new Date(firstMs + candle * CANDLE_MS).toISOString());
  return `/api/v1/assets/${CODE}/ohlc?interval=15m&from=${from}&to=${to}`;
}

function open(origin: string): Socket {
  const { hostname: host, port } = new URL(origin);
  return connect({ host, port: Number(port) }).on("error", () => undefined);
}

function count(statuses: Statuses, status: string): void {
  statuses[status] = (statuses[status] ?? 0) + 1;
}
