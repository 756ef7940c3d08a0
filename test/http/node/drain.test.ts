// Clients that keep sending requests on open connections while the server closes.
import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { gate, plain, refusesConnections, startCounted, until } from "../../support/node_stub.ts";
import { type RawConnection, rawRequest } from "../../support/raw_http.ts";

/** Sends requests on a connection until it closes; returns whether the last answer announced the close. */
async function endsAnnounced(connection: RawConnection, onAnswer: () => void): Promise<boolean> {
  for (;;) {
    connection.send(rawRequest({}));
    const reply = await connection.reply().catch(() => undefined);
    if (!reply) return false;
    onAnswer();
    if (reply.headers.get("connection") === "close") return true;
  }
}

suite("node server: closing under load", () => {
  for (const [how, api] of [
    ["answers at once", () => plain("well")],
    ["answers later", async () => plain("well")],
  ] as const) {
    test(`an API that ${how}: each client's last answer has Connection: close, and no connection is reset`, async (t) => {
      const { server, connect } = await startCounted(t, api);
      const answered = new Set<number>();
      const endings = Array.from({ length: 32 }, (_, n) => endsAnnounced(connect(), () => answered.add(n)));
      await until(() => answered.size === 32);
      await server.close();
      assert.deepEqual(await Promise.all(endings), Array(32).fill(true));
    });
  }

  test("requests sent before the stop are answered, the last one with Connection: close", async (t) => {
    const held = gate();
    const { server, connect } = await startCounted(t, ({ target }) => held.opened.then(() => plain(target)));
    const connection = connect();
    connection.send(Buffer.concat(["/1", "/2", "/3"].map((target) => rawRequest({ target }))));
    await until(() => server.load().waiting === 2);
    const closed = server.close();
    held.open();
    for (const [target, then] of [
      ["/1", "keep-alive"],
      ["/2", "keep-alive"],
      ["/3", "close"],
    ] as const) {
      const { body, headers } = await connection.reply();
      assert.deepEqual([body.toString(), headers.get("connection")], [target, then]);
    }
    await closed;
    assert.equal(await connection.rest(), "");
  });

  /** A closing server that accepts no more connections. It has two open connections, each with one answered request. */
  async function closing(t: TestContext) {
    const { origin, server, connect } = await startCounted(t);
    const [connection, idle] = [connect(), connect()];
    for (const one of [connection, idle]) {
      one.send(rawRequest({ target: "/1" }));
      await one.reply();
    }
    const closed = server.close();
    await until(() => refusesConnections(origin));
    return { connection, idle, closed };
  }

  test("a request that begins to arrive on a kept connection during the stop is answered, however slowly it arrives", async (t) => {
    const { connection, idle, closed } = await closing(t);
    const request = rawRequest({ target: "/2" });
    connection.send(request.subarray(0, 10));
    assert.equal(await idle.rest(), "", "idle connections are closed");
    connection.send(request.subarray(10));
    const { status, headers } = await connection.reply();
    assert.deepEqual([status, headers.get("connection")], [200, "close"]);
    await closed;
  });

  test("a request that arrives while the process is suspended, just before idle connections are closed, is answered", async (t) => {
    const { connection, closed } = await closing(t);
    connection.send(rawRequest({ target: "/2" }));
    // Longer than the time that a closing server waits for further requests.
    for (const end = performance.now() + 600; performance.now() < end; );
    const { status, headers } = await connection.reply();
    assert.deepEqual([status, headers.get("connection")], [200, "close"]);
    await closed;
  });
});
