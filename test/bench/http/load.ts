// The client: a process of its own that keeps some connections busy. It sends prepared bytes and reads only the
// status and the length of an answer, so that the server has more to do than the client.
import { createConnection } from "node:net";
import type { Socket } from "node:net";
import { answerOrders } from "../support/orders.ts";

/** What to send, and for how long. */
export interface LoadOrder {
  /** Where connections lead, in turn. */
  readonly ports: readonly number[];
  readonly seconds: number;
  readonly connections: number;
  /** Sent in turn on each connection. */
  readonly requests: readonly { readonly text: string; readonly status: number }[];
}

/** What has come back. */
export interface LoadOutcome {
  readonly answers: number;
  /** How many had another status than expected. */
  readonly wrong: number;
  /** In 99 of 100 cases the answer came within so many microseconds. */
  readonly p99: number;
}

interface Count {
  answers: number;
  wrong: number;
  readonly micros: number[];
}

const READ_BYTES = 65_536;
const MOST_HEAD = 2_048;
const HEAD_END = "\r\n\r\n";
const LENGTH = /\r\ncontent-length: *(\d+)/i;

answerOrders((order) => run(order as LoadOrder));

async function run({ ports, seconds, connections, requests }: LoadOrder): Promise<LoadOutcome> {
  const prepared = requests.map(({ text, status }) => ({ bytes: Buffer.from(text, "latin1"), status: `${status}` }));
  const count: Count = { answers: 0, wrong: 0, micros: [] };
  const state = { ending: false };
  const timer = setTimeout(() => (state.ending = true), seconds * 1_000);
  stayAwake(state);
  await Promise.all(Array.from({ length: connections }, (_, i) => keepBusy(ports[i % ports.length]!, prepared, i, count, state)));
  clearTimeout(timer);
  const sorted = Float64Array.from(count.micros).sort();
  return { answers: count.answers, wrong: count.wrong, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0 };
}

/** The client never sleeps while it waits: waking it would cost the server time, and a slow server more of it. */
function stayAwake(state: { readonly ending: boolean }): void {
  if (!state.ending) setImmediate(stayAwake, state);
}

interface Prepared {
  readonly bytes: Buffer;
  readonly status: string;
}

/** Sends one request after another until the time is over and the last answer has arrived. */
function keepBusy(
  port: number,
  requests: readonly Prepared[],
  first: number,
  count: Count,
  state: { readonly ending: boolean },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let turn = first % requests.length;
    connect();

    function connect(): void {
      /** Bytes that the current answer still lacks; -1 while its head is not complete. */
      let missing = -1;
      let head = "";
      let isLast = false;
      let sentAt = 0;
      const onread = { buffer: Buffer.allocUnsafe(READ_BYTES), callback };
      const socket: Socket = createConnection({ port, host: "127.0.0.1", noDelay: true, onread });
      socket.once("connect", send);
      socket.once("error", reject);
      socket.once("close", () => {
        if (state.ending) resolve();
        else if (isLast) connect();
        else reject(new Error("The server closed a connection without saying so before"));
      });

      function send(): void {
        sentAt = performance.now();
        socket.write(requests[turn]!.bytes);
      }

      function callback(read: number, buffer: Uint8Array): boolean {
        if (missing >= 0) missing -= read;
        else readHead(read, buffer as Buffer);
        if (missing === 0) next();
        return true;
      }

      function readHead(read: number, buffer: Buffer): void {
        head += buffer.toString("latin1", 0, Math.min(read, MOST_HEAD));
        const end = head.indexOf(HEAD_END);
        if (end === -1) return;
        const [, length] = LENGTH.exec(head) ?? [];
        if (length === undefined) throw new Error(`An answer without a length: ${head}`);
        if (!head.startsWith(requests[turn]!.status, 9)) count.wrong++;
        // Some servers close a connection after a number of requests.
        isLast = head.includes("onnection: close");
        missing = Number(length) + end + HEAD_END.length - read;
        head = "";
      }

      function next(): void {
        missing = -1;
        count.answers++;
        count.micros.push((performance.now() - sentAt) * 1_000);
        turn = (turn + 1) % requests.length;
        if (state.ending || isLast) socket.destroy();
        else send();
      }
    }
  });
}
