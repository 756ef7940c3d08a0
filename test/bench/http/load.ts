// The client: a process of its own that keeps some connections busy. It sends prepared bytes and reads only the
// status and the length of an answer, so that the server has more to do than the client.
import { createConnection } from "node:net";
import type { Socket } from "node:net";

/** What to send, and for how long. */
export interface LoadOrder {
  readonly port: number;
  readonly seconds: number;
  readonly connections: number;
  /** Sent in turn on each connection. */
  readonly requests: readonly { readonly text: string; readonly status: number }[];
}

/** The number of answers, and of those with another status than expected. */
export interface LoadOutcome {
  readonly answers: number;
  readonly wrong: number;
}

const READ_BYTES = 65_536;
const MOST_HEAD = 2_048;
const HEAD_END = "\r\n\r\n";
const LENGTH = /\r\ncontent-length: *(\d+)/i;

process.on("message", (message) => {
  if (message === "cpu") return;
  run(message as LoadOrder).then(
    (outcome) => process.send!(outcome),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.channel?.ref();
// An order that comes before this listener would be lost.
process.send!("ready");

async function run({ port, seconds, connections, requests }: LoadOrder): Promise<LoadOutcome> {
  const prepared = requests.map(({ text, status }) => ({ bytes: Buffer.from(text, "latin1"), status: `${status}` }));
  const count = { answers: 0, wrong: 0 };
  const state = { ending: false };
  const timer = setTimeout(() => (state.ending = true), seconds * 1_000);
  stayAwake(state);
  await Promise.all(Array.from({ length: connections }, (_, i) => keepBusy(port, prepared, i, count, state)));
  clearTimeout(timer);
  return count;
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
  count: { answers: number; wrong: number },
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
      const onread = { buffer: Buffer.allocUnsafe(READ_BYTES), callback };
      const socket: Socket = createConnection({ port, host: "127.0.0.1", noDelay: true, onread });
      socket.once("connect", () => socket.write(requests[turn]!.bytes));
      socket.once("error", reject);
      socket.once("close", () => {
        if (state.ending) resolve();
        else if (isLast) connect();
        else reject(new Error("The server closed a connection without saying so before"));
      });

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
        turn = (turn + 1) % requests.length;
        if (state.ending || isLast) socket.destroy();
        else socket.write(requests[turn]!.bytes);
      }
    }
  });
}
