import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage, RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import { suite, type TestContext, test } from "node:test";
import { connect as connectTls } from "node:tls";
import { nodeListener } from "../../../adapters/http/node/request_listener.ts";
import type { ApiFunction } from "../../../core/http/messages.ts";
import { httpSuite } from "../../support/http_suite.ts";
import { gate, plain, startServer, until } from "../../support/node_stub.ts";
import { connectRaw, rawRequest, sendRaw } from "../../support/raw_http.ts";
import { startListener } from "../../support/serve_listener.ts";

httpSuite("node listener", (api) => startListener(nodeListener(api)), ["br", "gzip"]);
httpSuite("node server", (api) => startServer(api), ["br", "gzip"]);

suite("node listener in a server that the app makes", () => {
  test("the scheme is https with TLS, otherwise http", async (t) => {
    // A pre-shared key, so that no certificate is needed.
    const psk = Buffer.alloc(32, 1);
    const tls = { ciphers: "PSK", maxVersion: "TLSv1.2" } as const;
    const server = createTlsServer({ ...tls, pskCallback: () => psk });
    const listener = nodeListener(async ({ scheme }) => plain(scheme));
    const { origin, close } = await startListener(listener, server);
    t.after(close);
    const pskCallback = () => ({ psk, identity: "test" });
    const { hostname: host, port } = new URL(origin);
    const socket = connectTls({ ...tls, host, port: Number(port), pskCallback, checkServerIdentity: () => undefined });
    socket.end(rawRequest({ headers: ["Connection: close"] }));
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    assert.match(text, /\r\n\r\nhttps$/);
  });

  const fail = (): never => {
    throw new Error("thrown");
  };
  const broken: readonly (readonly [how: string, api: ApiFunction])[] = [
    ["throws", fail],
    ["answers with an invalid header field", async () => ({ ...plain(""), headers: ["X-Bad", "a\r\nb"] })],
  ];
  for (const [how, api] of broken) {
    test(`an API that ${how}: a plain 500, onError receives the error, and the connection stays usable`, async (t) => {
      const reports: unknown[] = [];
      const only: ApiFunction = (request) => (request.target === "/bad" ? api(request) : plain("well"));
      const { connection } = await start(t, nodeListener(only, { onError: (error) => reports.push(error) }));
      connection.send(rawRequest({ target: "/bad" }));
      const { status, body, headers } = await connection.reply();
      assert.deepEqual([status, body.toString(), headers.get("x-bad")], [500, "Internal Server Error", undefined]);
      assert.ok(reports.length === 1 && reports[0] instanceof Error, String(reports));
      connection.send(rawRequest({}));
      assert.equal((await connection.reply()).body.toString(), "well");
    });
  }

  test("an API that throws before the body has arrived: 500, and the connection ends", async (t) => {
    const rejecting = nodeListener(() => Promise.reject(new Error("rejected")), { onError: () => undefined });
    const { connection } = await start(t, rejecting);
    connection.send(rawRequest({ method: "POST", headers: ["Content-Length: 500000000"] }));
    const reply = await connection.reply();
    assert.deepEqual([reply.status, reply.headers.get("connection")], [500, "close"]);
    assert.equal(await connection.rest(), "");
  });

  test("if onError throws or is missing, the answer is still 500", async (t) => {
    for (const options of [undefined, { onError: fail }]) {
      const listener = nodeListener(() => Promise.reject(new Error("rejected")), options);
      assert.equal((await sendRaw((await start(t, listener)).origin, {})).status, 500);
    }
  });

  test("a client that has left causes no error", async (t) => {
    const reports: unknown[] = [];
    const held = gate();
    const late: ApiFunction = () => held.opened.then(() => plain("late"));
    const { server, connection } = await start(t, nodeListener(late, { onError: (error) => reports.push(error) }));
    connection.send(rawRequest({}));
    const [req] = (await once(server, "request")) as [IncomingMessage];
    connection.destroy();
    await new Promise((resolve) => req.once("close", resolve));
    held.open();
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(reports, []);
  });

  test("an answer sent before the body has arrived closes the connection, and the rest is never read", async (t) => {
    const listener = nodeListener(async () => plain("no"));
    const { origin } = await start(t, listener);
    for (const method of ["POST", "GET"]) {
      const connection = connectRaw(origin);
      connection.send(rawRequest({ method, headers: ["Content-Length: 500000000"] }));
      connection.send("x".repeat(100_000));
      assert.equal((await connection.reply()).headers.get("connection"), "close");
      assert.equal(await connection.rest(), "");
    }
  });

  test("a body is not read beyond its limit, even while the answer takes time", async (t) => {
    const listener = nodeListener(async (request) => {
      const text = await request.text(100);
      await new Promise((resolve) => setTimeout(resolve, 200));
      return plain(text.ok ? text.value : text.error);
    });
    const { server, connection } = await start(t, listener);
    connection.send(rawRequest({ method: "POST", headers: ["Transfer-Encoding: chunked"] }));
    const [socket] = (await once(server, "connection")) as [Socket];
    const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(0x1_0000, "x"), Buffer.from("\r\n")]);
    for (let i = 0; i < 200; i++) connection.send(chunk);
    assert.equal((await connection.reply()).body.toString(), "TOO_LARGE");
    assert.ok(socket.bytesRead < 1_000_000, `${socket.bytesRead} bytes read`);
  });

  for (const [what, limit, answers] of [
    ["with no body or a body that is read", 40_000, ["", "whole", ""]],
    ["whose body nobody reads", undefined, ["unasked", "unasked", "unasked"]],
    ["whose body is longer than the limit", 20_000, ["", "TOO_LARGE", ""]],
  ] as const) {
    test(`requests ${what} keep the connection open for the next request`, async (t) => {
      const listener = nodeListener(async (request) => {
        await new Promise(setImmediate); // The body arrives before.
        if (limit === undefined) return plain("unasked");
        const text = await request.text(limit);
        return plain(text.ok ? text.value && "whole" : text.error);
      });
      const { connection } = await start(t, listener);
      for (const [at, answer] of answers.entries()) {
        connection.send(rawRequest(at === 1 ? { method: "POST", body: "x".repeat(40_000) } : {}));
        const reply = await connection.reply();
        assert.deepEqual([reply.headers.get("connection"), reply.body.toString()], ["keep-alive", answer]);
      }
    });
  }

  for (const when of ["while its body is read", "before its body is requested"]) {
    test(`a client that sends half a body and leaves ${when} does not keep the API waiting`, async (t) => {
      let read: unknown;
      const reading = nodeListener(async (request) => {
        if (when.startsWith("before")) await once(server, "left");
        read = await request.text(100);
        return plain("");
      });
      const { server, connection } = await start(t, reading);
      connection.send(`${rawRequest({ method: "POST", headers: ["Content-Length: 10"] })}abc`);
      const [req] = (await once(server, "request")) as [IncomingMessage];
      connection.destroy();
      await new Promise((resolve) => req.once("close", resolve));
      server.emit("left");
      await until(() => read !== undefined);
      assert.deepEqual(read, { ok: false, error: "INCOMPLETE" });
    });
  }

  const parsed: readonly (readonly [what: string, body: unknown, read: unknown])[] = [
    ["an object", { fromDate: "ی" }, { ok: true, value: '{"fromDate":"ی"}' }],
    ["a text", "{}", { ok: true, value: "{}" }],
    ["bytes", Buffer.from("{}"), { ok: true, value: "{}" }],
    ["bytes that are not UTF-8", Uint8Array.of(0xff), { ok: false, error: "NOT_UTF8" }],
    ["too long a text", "x".repeat(101), { ok: false, error: "TOO_LARGE" }],
    ["too many bytes", Buffer.alloc(101), { ok: false, error: "TOO_LARGE" }],
  ];
  test("the listener reads the result of a body parser that ran before it", async (t) => {
    let [left, read]: unknown[] = [];
    const listener = nodeListener(async (request) => {
      read = await request.text(100);
      return plain("");
    });
    const { origin } = await start(t, async (req, res) => {
      for await (const _ of req);
      listener(Object.assign(req, { body: left }), res);
    });
    for (const [what, body, expected] of parsed) {
      left = body;
      await sendRaw(origin, { method: "POST", body: "{}" });
      assert.deepEqual(read, expected, what);
    }
  });

  test("a body parser that leaves no result causes an error about body parsers, not endless waiting", async (t) => {
    const listener = nodeListener(async (request) => plain(await request.text(100).then(String, String)));
    const { origin } = await start(t, async (req, res) => {
      for await (const _ of req);
      listener(req, res);
    });
    assert.match((await sendRaw(origin, { method: "POST", body: "{}" })).body.toString(), /body parser/);
  });
});

/** Serves a listener for the test, with a connection to it. */
async function start(t: TestContext, listener: RequestListener) {
  const { origin, server, close } = await startListener(listener);
  const connection = connectRaw(origin);
  t.after(() => {
    connection.destroy();
    return close();
  });
  return { origin, server, connection };
}
