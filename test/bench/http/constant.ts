// The minimum cost: a node:http server that sends constant bytes. Messages to it state the answer to each target.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerMessages } from "../support/processes.ts";

/** An answer to send, with its body in Base64. */
export interface ConstantAnswer {
  readonly target: string;
  readonly status: number;
  readonly body: string;
}

interface Ready {
  readonly status: number;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | number>>;
}

let answers = new Map<string, Ready>();
/** For all other targets. */
let first: Ready | undefined;

const server = createServer((req, res) => {
  const { status, headers, body } = answers.get(req.url!) ?? first!;
  res.writeHead(status, headers).end(body);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));

answerMessages((message) => {
  answers = new Map(
    (message as readonly ConstantAnswer[]).map(({ target, status, body }) => {
      const bytes = Buffer.from(body, "base64");
      const headers = { "Content-Type": "application/json; charset=utf-8", "Content-Length": bytes.length };
      return [target, { status, body: bytes, headers }];
    }),
  );
  [first] = answers.values();
  return "ready";
});
