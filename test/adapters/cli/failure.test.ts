import assert from "node:assert/strict";
import { createConnection, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { test } from "node:test";
import { messageOf } from "../../../adapters/cli/failure.ts";
import { ConnectionLost } from "../../../adapters/store/store_error.ts";
import { Unavailable } from "../../../core/mod.ts";

/** The error of a connection to a port on which nobody listens. */
async function refusedConnection(): Promise<Error> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  const [error] = (await once(createConnection({ port, host: "127.0.0.1" }), "error").catch((error: unknown) => [error])) as [Error];
  return error;
}

test("failure: a store that cannot be reached is told with the cause of it", async () => {
  const cause = await refusedConnection();
  assert.match(cause.message, /^connect ECONNREFUSED 127\.0\.0\.1:\d+$/);
  assert.equal(messageOf(new Unavailable("Cannot list keys", 5, { cause })), `Cannot list keys: ${cause.message}`);
  assert.equal(messageOf(new ConnectionLost("Cannot list keys", 5, { cause })), `Cannot list keys: ${cause.message}`);
});

const causes: readonly (readonly [rule: string, error: Unavailable, told: string])[] = [
  ["one that the message names already is not repeated", new Unavailable("No answer: read ECONNRESET", 5, { cause: new Error("read ECONNRESET") }), "No answer: read ECONNRESET"],
  ["causes of causes are told in their order", new Unavailable("No answer", 5, { cause: new Error("The pool is empty", { cause: new Error("connect ETIMEDOUT") }) }), "No answer: The pool is empty: connect ETIMEDOUT"],
  [
    "of a name with several addresses, each that was tried is told",
    new Unavailable("No answer", 5, { cause: new AggregateError([new Error("connect ECONNREFUSED ::1:5432"), new Error("connect ECONNREFUSED 127.0.0.1:5432")]) }),
    "No answer: connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432",
  ],
  ["one that has a code alone is told by it", new Unavailable("No answer", 5, { cause: Object.assign(new Error(""), { code: "ECONNRESET" }) }), "No answer: ECONNRESET"],
  ["one that is no error is passed over", new Unavailable("No answer", 5, { cause: { password: "s3cret" } }), "No answer"],
  ["a password in a URL is left out, whatever is in it", new Unavailable("No answer", 5, { cause: new Error("Invalid URL: postgres://market:s3c/r@et@db.example/market") }), "No answer: Invalid URL: postgres://market@db.example/market"],
  ["a password in a connection string is left out", new Unavailable("host=db password=s3cret user=market"), "host=db password=… user=market"],
];
for (const [rule, error, told] of causes) test(`failure: causes: ${rule}`, () => assert.equal(messageOf(error), told));

test("failure: causes that go round end", () => {
  const one = new Error("one");
  one.cause = new Error("two", { cause: one });
  assert.equal(messageOf(new Unavailable("No answer", 5, { cause: one })), "No answer: one: two");
});
