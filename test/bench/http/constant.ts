// The lower bound: a node:http server that answers with constant bytes. A message tells it the bytes for each target.
// With the argument `fields` it sends all the header fields that Mazaneh sends, as constants.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerMessages } from "../support/processes.ts";

/** An answer to send, with its body in Base64. */
export interface ConstantAnswer {
  readonly target: string;
  readonly status: number;
  readonly body: string;
  /** All header fields of the answer except those that Node adds. */
  readonly fields: Readonly<Record<string, string>>;
}

interface Ready {
  readonly status: number;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | number>>;
}

let answers = new Map<string, Ready>();
/** For all other targets. */
let first: Ready | undefined;
const [, , argument] = process.argv;

const server = createServer((req, res) => {
  const { status, headers, body } = answers.get(req.url!) ?? first!;
  res.writeHead(status, headers).end(body);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));

answerMessages((message) => {
  answers = new Map(
    (message as readonly ConstantAnswer[]).map(({ target, status, body, fields }) => {
      const bytes = Buffer.from(body, "base64");
      const own = argument === "fields" ? fields : { "Content-Type": "application/json; charset=utf-8" };
      return [target, { status, body: bytes, headers: { ...own, "Content-Length": bytes.length } }];
    }),
  );
  [first] = answers.values();
  return "ready";
});
