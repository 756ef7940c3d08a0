import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { traceIdOf } from "../../../adapters/http/node/exchange_events.ts";
import { createNodeServer, type NodeExchange } from "../../../adapters/http/node/mod.ts";
import type { ApiFunction } from "../../../core/mod.ts";
import { createFedWorld } from "../../support/api_under_test.ts";
import { gate, plain, type StubOptions, startCounted, until } from "../../support/node_stub.ts";
import { rawRequest, sendRaw } from "../../support/raw_http.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const GET = rawRequest({});

async function startWatched(t: TestContext, api?: ApiFunction, options: StubOptions = {}) {
  const events: NodeExchange[] = [];
  const started = await startCounted(t, api, { onExchange: (event) => events.push(event), ...options });
  return { ...started, events };
}

async function startReal(t: TestContext) {
  const { api, key } = await createFedWorld();
  const events: NodeExchange[] = [];
  const server = createNodeServer(api, { onExchange: (event) => events.push(event) });
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  t.after(() => server.close());
  return { key, events, origin: `http://127.0.0.1:${port}` };
}

suite("node server: onExchange", () => {
  test("reports each answer, with the API's report, the bytes sent and the client", async (t) => {
    const { origin, key, events } = await startReal(t);
    const headers = [`X-API-Key: ${key}`];
    const reply = await sendRaw(origin, {
      target: "/api/v1/assets/USD_RLS",
      headers: [...headers, `traceparent: 00-${TRACE}-00f067aa0ba902b7-01`],
    });
    await until(() => events.length === 1);
    const { report, durationMs, ...rest } = events[0]!;
    const sent = { method: "GET", status: 200, bytes: reply.body.length, isComplete: true };
    assert.deepEqual(rest, { ...sent, address: "127.0.0.1", traceId: TRACE });
    assert.deepEqual(
      [report?.route, report?.accountId, report?.requestId],
      ["/api/v1/assets/{assetName}", "account-1", reply.headers.get("x-request-id")],
    );
    assert.ok(durationMs > 0, `${durationMs} ms`);
  });

  test("counts the bytes of a compressed body, and none for HEAD, 204 and 304", async (t) => {
    const { origin, key, events } = await startReal(t);
    const headers = [`X-API-Key: ${key}`];
    const target = "/api/v1/assets/supported";
    const whole = await sendRaw(origin, { target, headers });
    const zipped = await sendRaw(origin, { target, headers: [...headers, "Accept-Encoding: gzip"] });
    await sendRaw(origin, { method: "HEAD", target, headers });
    await sendRaw(origin, { method: "OPTIONS", target });
    await sendRaw(origin, { target, headers: [...headers, `If-None-Match: ${whole.headers.get("etag")}`] });
    await until(() => events.length === 5);
    const seen = events.map(({ status, bytes }) => `${status}: ${bytes}`);
    assert.deepEqual(seen, [`200: ${whole.body.length}`, `200: ${zipped.body.length}`, "200: 0", "204: 0", "304: 0"]);
    for (const { report } of events) assert.equal(report?.route, target);
  });

  test("reports the server's own refusals", async (t) => {
    const { origin, events, connect } = await startWatched(t, undefined, { limits: { headersMs: 50 } });
    await sendRaw(origin, { headers: ["Host: a", "Host: b"] });
    await sendRaw(origin, { headers: ["Expect: miracles"] });
    const large = `GET / HTTP/1.1\r\nX: ${"x".repeat(9_000)}\r\n\r\n`;
    for (const text of ["no request\r\n\r\n", large, "GET / HTTP/1.1\r\n"]) {
      const connection = connect();
      connection.send(text);
      await connection.rest();
    }
    await until(() => events.length === 5);
    const seen = events.map(({ method, status }) => `${method} ${status}`);
    assert.deepEqual(seen, ["GET 400", "GET 400", " 400", " 431", " 408"]);
    for (const { address, isComplete, bytes } of events)
      assert.deepEqual([address, isComplete, bytes > 100], ["127.0.0.1", true, true]);
  });

  test("reports a 503 under load; if the API also reports exchanges, the report has the error code", async (t) => {
    const held = gate();
    const { origin, events, connect, seen } = await startWatched(t, () => held.opened.then(() => plain("")), {
      limits: { requests: 1 },
    });
    const first = connect();
    first.send(GET);
    await until(() => seen.length === 1);
    assert.equal((await sendRaw(origin, {})).status, 503);
    held.open();
    await first.reply();
    await until(() => events.length === 2);
    const reported = events.map(({ status, report }) => `${status} ${report?.code}`);
    assert.deepEqual(reported, ["503 UNAVAILABLE", "200 undefined"]);
  });

  test("an answer that the client did not read is reported once, as incomplete", async (t) => {
    const { connect, events, server } = await startWatched(t, () => plain("x".repeat(20_000_000)));
    const client = connect();
    client.hang();
    client.send(GET);
    await until(() => server.load().heldBytes > 0);
    assert.equal(events.length, 0);
    client.destroy();
    await until(() => events.length === 1);
    assert.deepEqual([events[0]?.status, events[0]?.isComplete], [200, false]);
  });

  test("an answer for a client that has left is reported as incomplete; the client's waiting requests are neither started nor reported", async (t) => {
    const held = gate();
    const { connect, events, seen, server } = await startWatched(t, () => held.opened.then(() => plain("well")));
    const client = connect();
    client.send(Buffer.concat([GET, GET, GET]));
    await until(() => seen.length === 1);
    client.destroy();
    await until(() => server.load().connections === 0);
    held.open();
    await until(() => events.length > 0 && server.load().inFlight === 0);
    const outcomes = events.map(({ status, isComplete }) => [status, isComplete]);
    assert.deepEqual(outcomes, [[200, false]]);
  });

  const fail = (): never => {
    throw new Error("no");
  };
  for (const [how, onExchange] of [
    ["throws", fail],
    ["rejects", async () => fail()],
  ] as const) {
    test(`an onExchange that ${how} affects neither the answer nor the process`, async (t) => {
      const { origin, connect } = await startWatched(t, undefined, { onExchange });
      assert.equal((await sendRaw(origin, {})).body.toString(), "well");
      const broken = connect();
      broken.send("no request\r\n\r\n");
      assert.match(await broken.rest(), /^HTTP\/1.1 400 /);
      assert.equal((await sendRaw(origin, {})).status, 200);
    });
  }
});

test("the trace id comes from a single valid traceparent field, as in W3C Trace Context", () => {
  const valid = `00-${TRACE}-00f067aa0ba902b7-01`;
  assert.equal(traceIdOf(new Map([["traceparent", valid]])), TRACE);
  for (const value of [
    `ff-${TRACE}-00f067aa0ba902b7-01`,
    `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
  ]) {
    assert.equal(traceIdOf(new Map([["traceparent", value]])), undefined, value);
  }
  assert.equal(traceIdOf(new Map([["traceparent", `${valid}, ${valid}`]])), undefined, "two fields");
});
