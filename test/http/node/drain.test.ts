// Clients that ask again and again on connections that they keep, while the server closes.
import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { askUntilClosed } from "../../support/closing_load.ts";
import { plain, startServer } from "../../support/node_stub.ts";
import { connectRaw, rawRequest } from "../../support/raw_http.ts";

suite("node server: closing under load", () => {
  for (const [how, api] of [
    ["answers at once", () => plain("well")],
    ["answers later", async () => plain("well")],
  ] as const) {
    test(`an API that ${how}: each client's last answer says Connection: close, and none is reset`, async () => {
      const { origin, server } = await startServer(api);
      const { started, endings } = askUntilClosed(origin, 32);
      await started;
      await server.close();
      const outcomes = await endings;
      assert.deepEqual(
        outcomes.filter((outcome) => outcome !== "announced"),
        [],
      );
      assert.equal(outcomes.length, 32);
    });
  }

  test("requests that were sent before are answered, the last one with Connection: close", async (t) => {
    let open = (): void => undefined;
    const held = new Promise<void>((resolve) => (open = resolve));
    const { origin, server } = await startServer(({ target }) => held.then(() => plain(target)));
    const connection = connectRaw(origin);
    t.after(() => connection.destroy());
    connection.send(Buffer.concat(["/1", "/2", "/3"].map((target) => rawRequest({ target }))));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = server.close();
    open();
    const replies = [];
    for (let i = 0; i < 3; i++) replies.push(await connection.reply());
    assert.deepEqual(
      replies.map(({ body }) => body.toString()),
      ["/1", "/2", "/3"],
    );
    assert.deepEqual(
      replies.map(({ headers }) => headers.get("connection")),
      ["keep-alive", "keep-alive", "close"],
    );
    await closed;
    assert.equal(await connection.rest(), "");
  });

  /** A server that has answered one request, on a connection that is kept. */
  async function served(
    t: TestContext,
  ): Promise<{ connection: ReturnType<typeof connectRaw>; server: { close(): Promise<void> } }> {
    const { origin, server } = await startServer(() => plain("well"));
    const connection = connectRaw(origin);
    t.after(() => connection.destroy());
    connection.send(rawRequest({ target: "/1" }));
    await connection.reply();
    return { connection, server };
  }

  test("a request on a kept connection that begins to arrive 0.3 seconds after the stop began is answered", async (t) => {
    const { connection, server } = await served(t);
    const closed = server.close();
    await delay(300);
    const request = rawRequest({ target: "/2" });
    connection.send(request.subarray(0, 10));
    await delay(300);
    connection.send(request.subarray(10));
    const { status, headers } = await connection.reply();
    assert.deepEqual([status, headers.get("connection")], [200, "close"]);
    await closed;
  });

  test("a request that arrives while the process has no turn, just before idle connections are closed, is answered", async (t) => {
    // Of these servers, some are about to close idle connections when the process is held up.
    const all = await Promise.all(Array.from({ length: 24 }, () => served(t)));
    const open = new Set<(typeof all)[number]>();
    const closing: Promise<unknown>[] = [];
    for (const one of all) {
      open.add(one);
      closing.push(one.server.close().then(() => open.delete(one)));
      await delay(12);
    }
    await delay(300);
    const asked = [...open];
    assert.ok(asked.length > 0, String(asked.length));
    for (const { connection } of asked) connection.send(rawRequest({ target: "/2" }));
    for (const end = performance.now() + 400; performance.now() < end; );
    const replies = await Promise.all(asked.map(({ connection }) => connection.reply()));
    for (const { status, headers } of replies) assert.deepEqual([status, headers.get("connection")], [200, "close"]);
    await Promise.all(closing);
  });
});
