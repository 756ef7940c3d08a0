import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { TestContext } from "node:test";
import { createNodeServer } from "../../adapters/node_server.ts";
import type { NodeServerOptions } from "../../adapters/node_server.ts";
import type { Api } from "../../core/http.ts";
import { gate, NOW, plain, startServer, until } from "../support/node_stub.ts";
import { connectRaw, rawRequest, sendRaw } from "../support/raw_http.ts";
import type { RawConnection, Reply } from "../support/raw_http.ts";

const GET = rawRequest({});
const H = "Host: a\r\n";

/** A server whose requests are counted; closed, as are `connect`ed clients, when the test ends. */
async function start(t: TestContext, api: Api = async () => plain("well"), options: Partial<NodeServerOptions> = {}) {
  const seen: string[] = [];
  const counted: Api = (request) => {
    seen.push(request.target);
    return api(request);
  };
  const { origin, server } = await startServer(counted, options);
  t.after(() => server.close());
  const connect = (allowHalfOpen?: boolean): RawConnection => {
    const connection = connectRaw(origin, allowHalfOpen);
    t.after(() => connection.destroy());
    return connection;
  };
  return { origin, server, seen, connect };
}

function assertRefusal(reply: Reply, status: number, code: string, path = "/a"): void {
  const { message, ...body } = JSON.parse(reply.body.toString()) as Record<string, unknown>;
  assert.deepEqual(body, { status, code, timestamp: "2026-01-31T12:00:00.000Z", path, requestId: "req_test" });
  assert.ok(typeof message === "string" && message !== "");
  assert.equal(reply.status, status);
  assert.equal(reply.headers.get("x-request-id"), "req_test");
  assert.equal(reply.headers.get("cache-control"), "no-store");
  assert.equal(reply.headers.get("content-type"), "application/json; charset=utf-8");
  assert.ok(reply.headers.has("date"));
}

suite("node server: requests that could be read in two ways", () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, i) => `X-${i}: 1\r\n`).join("");
  const gated: readonly (readonly [what: string, bytes: string, status: number, code: string, path?: string])[] = [
    // Of the first two the parser complains as well, but only after it has shown them to a handler.
    ["Transfer-Encoding: xchunked", `POST /a?x HTTP/1.1\r\n${H}Transfer-Encoding: xchunked\r\n\r\n`, 400, "INVALID_REQUEST", ""],
    ["Transfer-Encoding: identity", `POST /a HTTP/1.1\r\n${H}Transfer-Encoding: identity\r\n\r\n`, 400, "INVALID_REQUEST", ""],
    ["Transfer-Encoding: gzip, chunked", `POST /a HTTP/1.1\r\n${H}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400, "INVALID_REQUEST"],
    ["chunked in HTTP/1.0", `POST /a HTTP/1.0\r\n${H}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400, "INVALID_REQUEST"],
    ["two Hosts", `GET /a HTTP/1.1\r\n${H}host: b\r\n\r\n`, 400, "INVALID_REQUEST"],
    ["the same Host twice, HTTP/1.0", `GET /a HTTP/1.0\r\n${H}${H}\r\n`, 400, "INVALID_REQUEST"],
    ["no Host", "GET /a HTTP/1.1\r\n\r\n", 400, "INVALID_REQUEST"],
    ["a Host that is none", "GET /a HTTP/1.1\r\nHost: a/<b>@c\r\n\r\n", 400, "INVALID_REQUEST"],
    ["HTTP/0.9", "GET /a\r\n\r\n", 400, "INVALID_REQUEST"],
    ["HTTP/0.9 that says so", `GET /a HTTP/0.9\r\n${H}\r\n`, 400, "INVALID_REQUEST"],
    ["65 header lines", `GET /a HTTP/1.1\r\n${H}${lines(64)}\r\n`, 431, "HEADERS_TOO_LARGE"],
    ["1,200 header lines", `GET /a HTTP/1.1\r\n${H}${"a:\r\n".repeat(1_199)}\r\n`, 431, "HEADERS_TOO_LARGE"],
    ["a target of 4,097 characters", `GET /a?${"x".repeat(4_094)} HTTP/1.1\r\n${H}\r\n`, 414, "URI_TOO_LONG"],
    ["an expectation other than 100-continue", `POST /a HTTP/1.1\r\n${H}Expect: foo\r\nContent-Length: 2\r\n\r\n{}`, 400, "INVALID_REQUEST"],
    ["two Hosts and 100-continue", `POST /a HTTP/1.1\r\n${H}${H}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`, 400, "INVALID_REQUEST"],
  ];
  // What Node's parser refuses by itself, on which we rely.
  const parsed: readonly (readonly [what: string, bytes: string, status?: number, code?: string])[] = [
    ["Content-Length and Transfer-Encoding", `POST / HTTP/1.1\r\n${H}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["two Content-Lengths", `POST / HTTP/1.1\r\n${H}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`],
    ["a list of Content-Lengths", `POST / HTTP/1.1\r\n${H}Content-Length: 2, 2\r\n\r\n{}`],
    ["a signed Content-Length", `POST / HTTP/1.1\r\n${H}Content-Length: +2\r\n\r\n{}`],
    ["a negative Content-Length", `POST / HTTP/1.1\r\n${H}Content-Length: -2\r\n\r\n{}`],
    ["a Content-Length beyond 64 bits", `POST / HTTP/1.1\r\n${H}Content-Length: 99999999999999999999\r\n\r\n{}`],
    ["a blank before the colon", `POST / HTTP/1.1\r\n${H}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
    ["chunked, identity", `POST / HTTP/1.1\r\n${H}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ["two Transfer-Encodings", `POST / HTTP/1.1\r\n${H}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`],
    ["chunked twice", `POST / HTTP/1.1\r\n${H}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["a blank before the first field", `GET / HTTP/1.1\r\n ${H}\r\n`],
    ["a folded field", `GET / HTTP/1.1\r\n${H}X-A: b\r\n c\r\n\r\n`],
    ["a bare CR", `GET / HTTP/1.1\r\n${H}X-A: b\rX-B: c\r\n\r\n`],
    ["bare LF", "GET / HTTP/1.1\nHost: a\n\n"],
    ["a control byte", `GET / HTTP/1.1\r\n${H}X-A: \x01\r\n\r\n`],
    ["HTTP/1.2", `GET / HTTP/1.2\r\n${H}\r\n`],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["an unknown method", `BREW / HTTP/1.1\r\n${H}\r\n`],
    ["a lower-case method", `get / HTTP/1.1\r\n${H}\r\n`],
    ["a blank in the path", `GET /a b HTTP/1.1\r\n${H}\r\n`],
    ["a raw byte above 127 in the path", `GET /\xd8\xb1 HTTP/1.1\r\n${H}\r\n`],
    ["noise", "\x16\x03\x01\x02\x00\x01\r\n\r\n"],
    ["CONNECT", `CONNECT a:443 HTTP/1.1\r\n${H}\r\n`],
    ["more than 8 KB of fields", `GET / HTTP/1.1\r\n${H}X-A: ${"x".repeat(9_000)}\r\n\r\n`, 431, "HEADERS_TOO_LARGE"],
  ];
  const all = [...gated, ...parsed.map(([what, bytes, status = 400, code = "INVALID_REQUEST"]) => [what, bytes, status, code, ""] as const)];
  for (const [what, bytes, status, code, path = "/a"] of all) {
    test(`${what}: ${status} with an error body, closed, and never seen by the core`, async (t) => {
      const { seen, connect } = await start(t);
      const connection = connect();
      connection.send(Buffer.from(bytes, "latin1"));
      const reply = await connection.reply();
      assertRefusal(reply, status, code, path);
      assert.equal(reply.headers.get("connection"), "close");
      assert.equal(await connection.rest(), "");
      assert.deepEqual(seen, []);
    });
  }

  const fine: readonly (readonly [what: string, bytes: string])[] = [
    ["HTTP/1.0 without Host", "GET /a HTTP/1.0\r\n\r\n"],
    ["an empty Host", "GET /a HTTP/1.1\r\nHost:\r\n\r\n"],
    ["an address as Host", "GET /a HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n"],
    ["64 header lines", `GET /a HTTP/1.1\r\n${H}${lines(63)}\r\n`],
    ["Transfer-Encoding: Chunked", `POST /a HTTP/1.1\r\n${H}Transfer-Encoding: Chunked\r\n\r\n0\r\n\r\n`],
    ["a wish for another protocol", `GET /a HTTP/1.1\r\n${H}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
    ["a target of 4,096 characters", `GET /a?${"x".repeat(4_093)} HTTP/1.1\r\n${H}\r\n`],
    ["TRACE, which is the core's to refuse", `TRACE /a HTTP/1.1\r\n${H}\r\n`],
  ];
  for (const [what, bytes] of fine) {
    test(`${what}: served`, async (t) => {
      const { connect } = await start(t);
      const connection = connect();
      connection.send(bytes);
      assert.equal((await connection.reply()).status, 200);
    });
  }

  test("all of 64 header lines reach the core", async (t) => {
    const { connect } = await start(t, async ({ headers }) => plain(String(headers.length)));
    const connection = connect();
    connection.send(`GET /a HTTP/1.1\r\n${H}${lines(63)}\r\n`);
    assert.equal((await connection.reply()).body.toString(), "128");
  });
});

suite("node server: 100-continue", () => {
  const head = (length: number): Buffer =>
    rawRequest({ method: "POST", headers: ["Expect: 100-continue", `Content-Length: ${length}`] });
  const reading: Api = async (request) => {
    const text = await request.text(8_192);
    return text.ok ? plain(text.value) : plain("too large", 413);
  };

  test("the body is asked for when the core reads it", async (t) => {
    const { connect } = await start(t, reading);
    const connection = connect();
    connection.send(head(2));
    assert.equal((await connection.reply()).status, 100);
    connection.send("{}");
    const reply = await connection.reply();
    assert.deepEqual([reply.status, reply.body.toString()], [200, "{}"]);
  });

  test("a refusal comes at once, without asking for the body", async (t) => {
    const { connect } = await start(t, async () => plain("who are you?", 401));
    const connection = connect();
    connection.send(head(2));
    assert.equal((await connection.reply()).status, 401);
    assert.equal(await connection.rest(), "");
  });

  test("a body that will be too large is not asked for", async (t) => {
    const { connect } = await start(t, reading);
    const connection = connect();
    connection.send(head(8_193));
    assert.equal((await connection.reply()).status, 413);
    assert.equal(await connection.rest(), "");
  });
});

suite("node server: many requests on one connection", () => {
  test("pipelined requests are answered one after another, in order", async (t) => {
    let running = 0;
    let most = 0;
    const { connect } = await start(t, async ({ target }) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running--;
      return plain(target);
    });
    const connection = connect();
    connection.send(Buffer.concat(Array.from({ length: 30 }, (_, i) => rawRequest({ target: `/${i}` }))));
    for (let i = 0; i < 30; i++) assert.equal((await connection.reply()).body.toString(), `/${i}`);
    assert.equal(most, 1);
  });

  for (const [limits, length] of [[undefined, 64], [{ queuedPerConnection: 3 }, 3]] as const) {
    test(`${length} requests may wait for their turn, with one more the connection is cut`, async (t) => {
      const held = gate();
      const options = limits ? { limits } : {};
      const { seen, connect } = await start(t, () => held.opened.then(() => plain("")), options);
      const [patient, greedy] = [connect(), connect()];
      patient.send(Buffer.concat(Array.from({ length: length + 1 }, () => GET)));
      greedy.send(Buffer.concat(Array.from({ length: length + 2 }, () => GET)));
      assert.equal(await greedy.rest(), "");
      held.open();
      for (let i = 0; i < length + 1; i++) await patient.reply();
      assert.equal(seen.length, length + 2);
    });
  }

  test("requests of a client that left are not begun", async (t) => {
    const held = gate();
    const { seen, connect } = await start(t, () => held.opened.then(() => plain("")));
    const connection = connect();
    connection.send(Buffer.concat(Array.from({ length: 20 }, () => GET)));
    await until(() => seen.length === 1);
    connection.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    held.open();
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(seen.length, 1);
  });

  test("requests behind one that closes the connection are not begun", async (t) => {
    const { seen, connect } = await start(t);
    const connection = connect();
    connection.send(Buffer.concat([rawRequest({ headers: [H.trim(), H.trim()] }), GET, GET]));
    assert.equal((await connection.reply()).status, 400);
    assert.equal(await connection.rest(), "");
    assert.deepEqual(seen, []);
  });

  test("the last of the requests allowed on a connection closes it, and none is lost before", async (t) => {
    const { connect } = await start(t, undefined, { limits: { requestsPerConnection: 3 } });
    const connection = connect();
    connection.send(Buffer.concat([GET, GET, GET, GET]));
    const connections = [];
    for (let i = 0; i < 3; i++) connections.push((await connection.reply()).headers.get("connection"));
    assert.deepEqual(connections, ["keep-alive", "keep-alive", "close"]);
    assert.equal(await connection.rest(), "");
  });

  test("unused connections are kept for 10 seconds, behind a proxy for 72", async (t) => {
    for (const [options, seconds] of [[{}, 10], [{ behindProxy: true }, 72]] as const) {
      const { connect } = await start(t, undefined, options);
      const connection = connect();
      connection.send(GET);
      assert.equal((await connection.reply()).headers.get("keep-alive"), `timeout=${seconds}`);
    }
  });

  test("garbage behind a request gets 400 in place of its answer", async (t) => {
    const held = gate();
    const { connect } = await start(t, () => held.opened.then(() => plain("late")));
    const connection = connect();
    connection.send(`${GET.toString()}\x01\x02\r\n\r\n`);
    assertRefusal(await connection.reply(), 400, "INVALID_REQUEST", "");
    held.open();
    assert.equal(await connection.rest(), "");
  });
});

suite("node server: answers without a request", () => {
  test("none is written into the middle of another answer", async (t) => {
    const { connect } = await start(t, async () => plain("x".repeat(10_000_000)));
    const connection = connect();
    connection.send(GET);
    connection.hang();
    await new Promise((resolve) => setTimeout(resolve, 100));
    connection.send("\x01\x02\r\n\r\n");
    await new Promise((resolve) => setTimeout(resolve, 100));
    connection.read();
    assert.equal((await connection.reply()).body.length, 10_000_000);
    assert.equal(await connection.rest(), "");
  });

  test("the connection is closed after it, also by a client that does not", { timeout: 1_000 }, async (t) => {
    const { server, connect } = await start(t);
    const connection = connect(true);
    connection.send("\x01\x02\r\n\r\n");
    await connection.reply();
    await server.close();
  });
});

suite("node server: clients that are slow or too many", { concurrency: true }, () => {
  test("requests above the limit get 503 and a time to come back, and keep their connection", async (t) => {
    const held = gate();
    const { seen, connect } = await start(t, () => held.opened.then(() => plain("")), { limits: { requests: 1 } });
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

  test("a request whose client left counts until the API is done with it", async (t) => {
    const held = gate();
    const { origin, seen, connect } = await start(t, () => held.opened.then(() => plain("")), { limits: { requests: 1 } });
    const first = connect();
    first.send(GET);
    await until(() => seen.length === 1);
    first.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal((await sendRaw(origin, {})).status, 503);
    held.open();
    await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal((await sendRaw(origin, {})).status, 200);
  });

  test("connections above the limit are closed at once", async (t) => {
    const { connect } = await start(t, undefined, { limits: { connections: 1 } });
    const [first, second] = [connect(), connect()];
    first.send(GET);
    assert.equal((await first.reply()).status, 200);
    assert.equal(await second.rest(), "");
  });

  // Node looks once a second (our setting; by default every 30 s), hence the 3 seconds.
  for (const [what, bytes] of [["nothing", ""], ["half of its header fields", "GET / HTTP/1.1\r\nHost:"]] as const) {
    test(`a client that sends ${what} gets 408`, { timeout: 3_000 }, async (t) => {
      const { connect } = await start(t, undefined, { limits: { headersMs: 100 } });
      const connection = connect();
      connection.send(bytes);
      assertRefusal(await connection.reply(), 408, "REQUEST_TIMEOUT", "");
      assert.equal(await connection.rest(), "");
    });
  }

  test("a client that sends half of its body gets 408", { timeout: 3_000 }, async (t) => {
    const api: Api = async (request) => plain(JSON.stringify(await request.text(100)));
    const { connect } = await start(t, api, { limits: { headersMs: 100, requestMs: 200 } });
    const connection = connect();
    connection.send(`${rawRequest({ method: "POST", headers: ["Content-Length: 10"] }).toString()}half`);
    assertRefusal(await connection.reply(), 408, "REQUEST_TIMEOUT", "");
    assert.equal(await connection.rest(), "");
  });

  test("the time for an answer ends with the answer, not with the connection", async (t) => {
    const { connect } = await start(t, undefined, { limits: { answerMs: 50 } });
    const connection = connect();
    for (let i = 0; i < 2; i++) {
      connection.send(GET);
      await connection.reply();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });

  const large: Api = async () => plain("x".repeat(40_000_000));

  test("a client that never reads its answer is cut", { timeout: 3_000 }, async (t) => {
    const { connect } = await start(t, large, { limits: { silenceMs: 100 } });
    const connection = connect();
    connection.hang();
    connection.send(GET);
    await assertCut(connection);
  });

  test("a client that reads its answer drop by drop is cut", { timeout: 3_000 }, async (t) => {
    const { connect } = await start(t, large, { limits: { answerMs: 500 } });
    const connection = connect();
    connection.send(GET);
    connection.hang();
    const drops = setInterval(() => connection.read("once"), 20);
    await assertCut(connection, () => clearInterval(drops));
  });

  /** The answer must not come whole, even to a client that comes to its senses after 2 seconds. */
  async function assertCut(connection: RawConnection, stop?: () => void): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    stop?.();
    connection.read();
    await assert.rejects(connection.reply(), /closed before a whole answer/);
  }
});

suite("node server: listening and closing", () => {
  test("listen tells the actual address, and rejects where there is none", async (t) => {
    const server = createNodeServer(async () => plain(""), { clock: () => NOW, requestIds: () => "req_test" });
    t.after(() => server.close());
    const { host, port } = await server.listen({ host: "127.0.0.1", port: 0 });
    assert.equal(host, "127.0.0.1");
    assert.ok(port > 0);
    const second = createNodeServer(async () => plain(""), { clock: () => NOW, requestIds: () => "req_test" });
    await assert.rejects(second.listen({ host, port }), { code: "EADDRINUSE" });
    await second.close();
  });

  for (const limits of [{ requests: 0 }, { drainMs: 1.5 }, { connections: Number.NaN }]) {
    test(`limits ${JSON.stringify(limits)} are refused`, () => {
      assert.throws(() => createNodeServer(async () => plain(""), { clock: () => NOW, requestIds: () => "", limits }), RangeError);
    });
  }

  test("close answers open requests, ends their connections, and takes less than a second", { timeout: 1_000 }, async (t) => {
    const held = gate();
    const { server, seen, connect } = await start(t, ({ target }) => (target === "/kept" ? Promise.resolve() : held.opened).then(() => plain("well")));
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

  test("a request that was on its way when the server closed is answered, and is the last", { timeout: 1_000 }, async (t) => {
    const { server, connect } = await start(t);
    const connection = connect();
    connection.send(GET);
    await connection.reply();
    connection.send(GET.subarray(0, 10));
    await new Promise((resolve) => setTimeout(resolve, 30));
    const closed = server.close();
    connection.send(GET.subarray(10));
    assert.equal((await connection.reply()).headers.get("connection"), "close");
    await closed;
  });

  test("close waits for requests whose clients left: a store may be closed after it", { timeout: 1_000 }, async (t) => {
    const held = gate();
    let done = false;
    const { server, seen, connect } = await start(t, async () => {
      await held.opened;
      done = true;
      return plain("");
    });
    const connection = connect();
    connection.send(GET);
    await until(() => seen.length === 1);
    connection.destroy();
    await new Promise((resolve) => setTimeout(resolve, 30));
    const closed = server.close();
    setTimeout(() => held.open(), 50);
    await closed;
    assert.ok(done);
  });

  test("close cuts what is not done in time", { timeout: 1_000 }, async (t) => {
    const { server, seen, connect } = await start(t, () => new Promise(() => undefined), { limits: { drainMs: 100 } });
    const connection = connect();
    connection.send(GET);
    await until(() => seen.length === 1);
    await server.close();
    assert.equal(await connection.rest(), "");
  });

  test("close leaves no timer behind that keeps the process", async (t) => {
    const set = t.mock.method(globalThis, "setTimeout");
    const cleared = t.mock.method(globalThis, "clearTimeout");
    const { origin, server } = await start(t, undefined, { limits: { answerMs: 7_001, drainMs: 7_002 } });
    await sendRaw(origin, {});
    await server.close();
    for (const ms of [7_001, 7_002]) {
      const timer: unknown = set.mock.calls.find((call) => call.arguments[1] === ms)?.result;
      assert.ok(timer && cleared.mock.calls.some((call) => call.arguments[0] === timer), `${ms} ms`);
    }
  });

  test("after close nothing is accepted", async (t) => {
    const { origin, server } = await start(t);
    await server.close();
    await assert.rejects(sendRaw(origin, {}));
  });
});
