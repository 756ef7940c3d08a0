// The client: a separate process that keeps some connections busy.
// To have less work than the server, it sends prepared bytes, and parses only the status and length of an answer.
import { createConnection } from "node:net";
import type { BenchRequest } from "../support/market.ts";
import { answerMessages, start } from "../support/processes.ts";

/** The requests to send, and how long to send them. */
export interface Load {
  /** The server's ports, used in turn by the connections. */
  readonly ports: readonly number[];
  readonly seconds: number;
  readonly connections: number;
  /** Sent in turn on each connection. */
  readonly requests: readonly BenchRequest[];
}

/** Resolves to the number of answers; rejects at an answer with an unexpected status. */
export type SendLoad = (load: Load) => Promise<number>;

/** Starts the client. `script` is the path of this module's JavaScript. */
export async function startClient(script: string, side?: "client"): Promise<SendLoad> {
  const client = start([script, "client"], side && { side });
  await client.printed(/(ready)/);
  return async (load) => Number(await client.ask(load));
}

const LENGTH = /\r\ncontent-length: *(\d+)/i;

if (process.argv[2] === "client") answerMessages((message) => run(message as Load));

async function run({ ports, seconds, connections, requests }: Load): Promise<number> {
  const prepared = requests.map(({ target, key, status }) => {
    const fields = ["Host: 127.0.0.1", "Accept: application/json", ...(key === undefined ? [] : [`X-API-Key: ${key}`])];
    return {
      bytes: Buffer.from(`GET ${target} HTTP/1.1\r\n${fields.join("\r\n")}\r\n\r\n`, "latin1"),
      status: String(status),
    };
  });
  const state = { isEnding: false, answers: 0 };
  setTimeout(() => (state.isEnding = true), seconds * 1_000);
  stayAwake();
  await Promise.all(Array.from({ length: connections }, (_, first) => keepBusy(ports[first % ports.length]!, first)));
  return state.answers;

  /** Keeps the client awake while it waits, because waking it would cost the server processor time. */
  function stayAwake(): void {
    if (!state.isEnding) setImmediate(stayAwake);
  }

  /** Sends one request after another until the time is over and the last answer has arrived. */
  function keepBusy(port: number, first: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let turn = Math.floor((first * prepared.length) / connections); // Spread the requests.
      connect();

      function connect(): void {
        let head = "";
        /** The number of bytes still missing from the current answer; -1 until its head is complete. */
        let missing = -1;
        let isLast = false;
        const socket = createConnection({
          port,
          host: "127.0.0.1",
          noDelay: true,
          onread: { buffer: Buffer.allocUnsafe(65_536), callback: read },
        });
        const send = (): void => void socket.write(prepared[turn]!.bytes);
        socket
          .once("connect", send)
          .once("error", reject)
          .once("close", () => {
            if (state.isEnding) resolve();
            else if (isLast) connect();
            else reject(new Error("The server closed a connection without announcing it"));
          });

        function read(count: number, buffer: Uint8Array): boolean {
          if (missing >= 0) missing -= count;
          else readHead(count, buffer as Buffer);
          if (missing !== 0) return true;
          missing = -1;
          state.answers++;
          turn = (turn + 1) % prepared.length;
          if (state.isEnding || isLast) socket.destroy();
          else send();
          return true;
        }

        function readHead(count: number, buffer: Buffer): void {
          head += buffer.toString("latin1", 0, Math.min(count, 2_048));
          const end = head.indexOf("\r\n\r\n");
          if (end === -1) return;
          if (!head.startsWith(prepared[turn]!.status, 9)) throw new Error(`Not ${prepared[turn]!.status}: ${head}`);
          // Some servers close a connection after a number of requests.
          isLast = head.includes("onnection: close");
          missing = Number(LENGTH.exec(head)![1]) + end + 4 - count;
          head = "";
        }
      }
    });
  }
}
