// The baseline: node:http that answers with one constant buffer, or with one for each target. With the argument
// `fields` it sends all header fields that we send, as constants, so that the difference is our work without them.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

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
let only: Ready | undefined;

const server = createServer((req, res) => {
  const answer = only ?? answers.get(req.url!)!;
  res.writeHead(answer.status, answer.headers).end(answer.body);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));

process.on("message", (message) => {
  if (!Array.isArray(message)) return;
  answers = new Map((message as ConstantAnswer[]).map((answer) => [answer.target, ready(answer)]));
  only = answers.size === 1 ? [...answers.values()][0] : undefined;
  process.send!("ready");
});

function ready({ status, body, fields }: ConstantAnswer): Ready {
  const bytes = Buffer.from(body, "base64");
  const own = process.argv[2] === "fields" ? fields : { "Content-Type": "application/json; charset=utf-8" };
  return { status, body: bytes, headers: { ...own, "Content-Length": bytes.length } };
}
