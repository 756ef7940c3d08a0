import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { createNodeServer } from "../../../adapters/http/node/server.ts";
import type { ApiFunction } from "../../../core/http/messages.ts";
import {
  assertRefusal,
  gate,
  plain,
  refusesConnections,
  startCounted,
  stubApi,
  until,
} from "../../support/node_stub.ts";
import { rawRequest } from "../../support/raw_http.ts";

const GET = rawRequest({});
const H = "Host: a\r\n";

suite("node server: many requests on one connection", () => {
  test("pipelined requests are answered one after the other", async (t) => {
    let running = 0;
    let most = 0;
    const { connect } = await startCounted(t, async ({ target }) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return plain(target);
    });
    const connection = connect();
    connection.send(Buffer.concat(Array.from({ length: 64 }, (_, i) => rawRequest({ target: `/${i}` }))));
    for (let i = 0; i < 64; i++) assert.equal((await connection.reply()).body.toString(), `/${i}`);
    assert.equal(most, 1);
  });

  for (const [when, heldBytes, most] of [
    ["", 96 << 20, 64],
    ["while half of the memory limit is used, ", 30_000, 8],
  ] as const) {
    test(`${when}${most} requests may wait for their turn, and one more closes the connection`, async (t) => {
      const held = gate();
      const { seen, server, connect } = await startCounted(t, () => held.opened.then(() => plain("")), {
        limits: { heldBytes },
      });
      const [patient, greedy] = [connect(), connect()];
      patient.send(Buffer.concat(Array.from({ length: most + 1 }, () => GET)));
      await until(() => server.load().waiting === most);
      greedy.send(Buffer.concat(Array.from({ length: most + 2 }, () => GET)));
      assert.equal(await greedy.rest(), "");
      assert.deepEqual(server.load().connectionsCut, { pipelined: 1, slow: 0, memory: 0 });
      held.open();
      for (let i = 0; i <= most; i++) await patient.reply();
      assert.equal(seen.length, most + 2);
    });
  }

  test("after a request that closes the connection, later requests are not started", async (t) => {
    const { seen, connect } = await startCounted(t);
    const connection = connect();
    connection.send(Buffer.concat([rawRequest({ headers: [H.trim(), H.trim()] }), GET, GET]));
    assert.equal((await connection.reply()).status, 400);
    assert.equal(await connection.rest(), "");
    assert.deepEqual(seen, []);
  });

  test("an answer states how long its connection stays open without a further request", async (t) => {
    for (const [options, seconds] of [
      [{}, 10],
      [{ behindProxy: true }, 72],
      [{ behindProxy: ["10.0.0.1"] }, 72],
    ] as const) {
      const connection = (await startCounted(t, undefined, options)).connect();
      connection.send(GET);
      assert.equal((await connection.reply()).headers.get("keep-alive"), `timeout=${seconds}`);
    }
  });

  test("garbage after a request gets 400 instead of the request's answer", async (t) => {
    const held = gate();
    const { connect } = await startCounted(t, () => held.opened.then(() => plain("late")));
    const connection = connect();
    connection.send(`${GET.toString()}\x01\x02\r\n\r\n`);
    assertRefusal(await connection.reply(), 400, "INVALID_REQUEST", { path: "" });
    held.open();
    assert.equal(await connection.rest(), "");
  });
});

suite("node server: answers without a request", () => {
  test("an error is never written into the middle of another answer", async (t) => {
    const { server, connect } = await startCounted(t, async () => plain("x".repeat(10_000_000)));
    const connection = connect();
    connection.send(GET);
    connection.hang();
    await until(() => server.load().heldBytes > 0);
    connection.send("\x01\x02\r\n\r\n");
    connection.read();
    assert.equal((await connection.reply()).body.length, 10_000_000);
    assert.equal(await connection.rest(), "");
  });

  test("the connection is closed after an error, even if the client does not close it", async (t) => {
    const { server, connect } = await startCounted(t);
    const connection = connect({ allowHalfOpen: true });
    connection.send("\x01\x02\r\n\r\n");
    await connection.reply();
    await server.close();
  });
});

test("node server: if the API rejects, the answer is 500 with an error body; onError receives the error and the request id", async (t) => {
  const reports: unknown[] = [];
  const { connect } = await startCounted(t, () => Promise.reject(new Error("rejected")), {
    onError: (error, requestId) => reports.push(String(error), requestId),
  });
  const connection = connect();
  for (let i = 0; i < 2; i++) {
    connection.send(rawRequest({ target: "/a?b" }));
    assertRefusal(await connection.reply(), 500, "INTERNAL_ERROR");
  }
  assert.deepEqual(reports, ["Error: rejected", "req_test", "Error: rejected", "req_test"]);
});

suite("node server: clients that are slow or too many", { concurrency: true }, () => {
  test("requests above the limit get 503 with Retry-After, and keep their connection", async (t) => {
    const held = gate();
    const { seen, connect } = await startCounted(t, () => held.opened.then(() => plain("")), {
      limits: { requests: 1 },
    });
    const [first, second] = [connect(), connect()];
    first.send(GET);
    await until(() => seen.length === 1);
    second.send(rawRequest({ target: "/a?b" }));
    const refused = await second.reply();
    assertRefusal(refused, 503, "UNAVAILABLE");
    assert.equal(refused.headers.get("retry-after"), "1");
    held.open();
    assert.equal((await first.reply()).status, 200);
    second.send(GET);
    assert.equal((await second.reply()).status, 200);
  });

  test("web pages may read the server's own refusals like the API's answers", async (t) => {
    for (const [cors, expected] of [
      [undefined, "*"],
      ["none", undefined],
      [["https://a.example"], "https://a.example"],
    ] as const) {
      const { connect } = await startCounted(t, undefined, cors === undefined ? {} : { cors });
      const connection = connect();
      connection.send(rawRequest({ headers: [H.trim(), H.trim(), "Origin: https://a.example"] }));
      assert.equal((await connection.reply()).headers.get("access-control-allow-origin"), expected);
    }
  });

  // The server makes Node check for timeouts every second; Node's default is every 30 s.
  for (const [what, bytes, limits] of [
    ["nothing", "", { headersMs: 100 }],
    ["half of its header fields", "GET / HTTP/1.1\r\nHost:", { headersMs: 100 }],
    ["half of its body", `POST / HTTP/1.1\r\n${H}Content-Length: 10\r\n\r\nhalf`, { headersMs: 100, requestMs: 200 }],
  ] as const) {
    test(`a client that sends ${what} gets 408`, async (t) => {
      const api: ApiFunction = async (request) => plain(JSON.stringify(await request.text(100)));
      const { connect } = await startCounted(t, api, { limits });
      const connection = connect();
      connection.send(bytes);
      assertRefusal(await connection.reply(), 408, "REQUEST_TIMEOUT", { path: "" });
      assert.equal(await connection.rest(), "");
    });
  }

  test("a client that reads its answer very slowly is disconnected, and never gets the whole answer", async (t) => {
    const { server, connect } = await startCounted(t, async () => plain("x".repeat(40_000_000)), {
      limits: { answerMs: 500 },
    });
    const connection = connect();
    connection.send(GET);
    connection.hang();
    const drops = setInterval(() => connection.read("once"), 20);
    await until(() => server.load().connectionsCut.slow === 1);
    clearInterval(drops);
    connection.read();
    await assert.rejects(connection.reply(), /closed before the answer was complete/);
  });
});

suite("node server: listening and closing", () => {
  test("listen resolves to the actual address, and rejects if the address is not available", async (t) => {
    const server = createNodeServer(stubApi(async () => plain("")));
    t.after(() => server.close());
    const { host, port } = await server.listen({ host: "127.0.0.1", port: 0 });
    assert.equal(host, "127.0.0.1");
    assert.ok(port > 0, String(port));
    const second = createNodeServer(stubApi(async () => plain("")));
    await assert.rejects(second.listen({ host, port }), { code: "EADDRINUSE" });
    await second.close();
  });

  test("limits must be whole numbers from 1", () => {
    for (const limits of [{ requests: 0 }, { drainMs: 1.5 }, { connections: Number.NaN }]) {
      const api = stubApi(async () => plain(""));
      assert.throws(() => createNodeServer(api, { limits }), RangeError);
    }
  });

  test("close answers open requests, ends their connections, and does not wait for idle clients", async (t) => {
    const held = gate();
    const { server, seen, connect } = await startCounted(t, ({ target }) =>
      (target === "/kept" ? Promise.resolve() : held.opened).then(() => plain("well")),
    );
    const [kept, busy, silent] = [connect(), connect(), connect()];
    kept.send(rawRequest({ target: "/kept" }));
    await kept.reply();
    busy.send(GET);
    await until(() => seen.length === 2);
    const closed = server.close();
    assert.equal(server.close(), closed);
    busy.send(GET);
    held.open();
    const reply = await busy.reply();
    assert.deepEqual([reply.body.toString(), reply.headers.get("connection")], ["well", "close"]);
    await closed;
    assert.deepEqual([await busy.rest(), await kept.rest(), await silent.rest()], ["", "", ""]);
    assert.equal(seen.length, 2);
  });

  test("close waits for requests even if their clients left, so that a store can be closed afterwards", async (t) => {
    const held = gate();
    const order: string[] = [];
    const { origin, server, seen, connect } = await startCounted(t, async () => {
      await held.opened;
      order.push("answered");
      return plain("");
    });
    const connection = connect();
    connection.send(GET);
    await until(() => seen.length === 1);
    connection.destroy();
    await until(() => server.load().connections === 0);
    const closed = server.close().then(() => order.push("closed"));
    await until(() => refusesConnections(origin));
    held.open();
    await closed;
    assert.deepEqual(order, ["answered", "closed"]);
  });

  test("close cuts connections that are not done in time; then it waits for requests whose body was arriving", async (t) => {
    const ended: unknown[] = [];
    const answer: ApiFunction = async (request) => {
      ended.push(await wait(50, await request.text(8)));
      return new Promise(() => undefined);
    };
    const { server, seen, connect } = await startCounted(t, answer, { limits: { drainMs: 100 } });
    const connection = connect();
    connection.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\n{");
    await until(() => seen.length === 1);
    await server.close();
    assert.equal(await connection.rest(), "");
    assert.deepEqual(ended, [{ ok: false, error: "INCOMPLETE" }]);
  });
});
