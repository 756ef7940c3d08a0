// Clients that do not read, stop sending, or send too much get limited memory, and other clients are still served.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createAdmission } from "../../../adapters/http/node/request_admission.ts";
import type { ApiFunction } from "../../../core/http/messages.ts";
import { gate, plain, startCounted, until } from "../../support/node_stub.ts";
import { type RawConnection, rawRequest, sendRaw } from "../../support/raw_http.ts";

const MB = 1 << 20;
const GET = rawRequest({});
const UNREAD = rawRequest({ target: "/large" });
/** More bytes than the kernel buffers for a client that does not read. */
const large = Buffer.alloc(8 * MB, "x");
const STATUS = "/api/v1/status";

const answers: ApiFunction = ({ target }) =>
  target.startsWith("/large") ? { ...plain(""), body: large } : plain("well");

/** Opens connections that each send a request. */
function sendEach(connect: () => RawConnection, count: number, target: string): readonly RawConnection[] {
  return Array.from({ length: count }, () => {
    const connection = connect();
    connection.send(rawRequest({ target }));
    return connection;
  });
}

async function statusesOf(connections: readonly RawConnection[]): Promise<readonly number[]> {
  return (await Promise.all(connections.map((connection) => connection.reply()))).map(({ status }) => status);
}

/** An API that answers requests for one target once a gate opens, and all other requests at once. */
function holding(held: string) {
  const { opened, open } = gate();
  const api: ApiFunction = ({ target }) => (target === held ? opened.then(() => plain("held")) : plain("well"));
  return { held: { opened, open }, api };
}

suite("node server: requests in progress", { concurrency: true }, () => {
  test("unread answers do not count as requests in progress, so further requests get 200", async (t) => {
    const { origin, seen, connect } = await startCounted(t, async (request) => answers(request), {
      limits: { requests: 2, drainMs: 100 },
    });
    for (const connection of sendEach(connect, 4, "/large")) connection.hang();
    await until(() => seen.length === 4);
    assert.equal((await sendRaw(origin, {})).status, 200);
  });

  test("requests for the status are always answered, however many other requests are in progress", async (t) => {
    const { held, api } = holding("/held");
    const { origin, seen, connect } = await startCounted(t, api, { limits: { requests: 1 } });
    connect().send(rawRequest({ target: "/held" }));
    await until(() => seen.length === 1);
    for (const [target, status] of [
      [STATUS, 200],
      [`${STATUS}?a=b`, 200],
      [`${STATUS}/x`, 503],
      ["/api/v1/statuses", 503],
      ["/api/v1/assets", 503],
    ] as const) {
      assert.equal((await sendRaw(origin, { target })).status, status, target);
    }
    held.open();
  });
});

test("node server: closes connections above an address's limit at once; other addresses can still connect, and the address can replace closed connections", async (t) => {
  const { connect, server } = await startCounted(t, undefined, {
    limits: { connections: 4, connectionsPerAddress: 3 },
  });
  const openOnes = async (connections: readonly RawConnection[]): Promise<number> => {
    for (const connection of connections) connection.send(GET);
    const replies = await Promise.allSettled(connections.map((connection) => connection.reply()));
    return replies.filter(({ status }) => status === "fulfilled").length;
  };
  const first = connect();
  assert.equal(await openOnes([first, connect(), connect(), connect()]), 3);
  assert.equal(await openOnes([connect({ localAddress: "127.0.0.2" })]), 1);
  assert.deepEqual(server.load().connectionsRefused, { limit: 0, address: 1 });
  await connect({ localAddress: "127.0.0.3" }).rest();
  assert.deepEqual(server.load().connectionsRefused, { limit: 1, address: 1 });
  first.destroy();
  await first.rest();
  await until(() => server.load().connections === 3);
  assert.equal(await openOnes([connect(), connect()]), 1);
});

suite("node server: memory that clients hold", () => {
  test("if unread answers exceed half the limit, requests for candles get 503; if they exceed the limit, all requests except for the status get 503, until the slowest readers are disconnected", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const { origin, seen, connect } = await startCounted(t, answers, { limits: { heldBytes: 32 * MB } });
    const candles = "/api/v1/assets/USD_RLS/ohlc?interval=1h";
    const slow: RawConnection[] = [];
    const statuses: number[][] = [];
    for (let i = 0; i < 4; i++) {
      const connection = connect();
      connection.hang();
      connection.send(UNREAD);
      slow.push(connection);
      await until(() => seen.filter((target) => target === "/large").length === slow.length);
      const replies = await Promise.all(
        [candles, "/a", "/api/v1/statu%73"].map((target) => sendRaw(origin, { target })),
      );
      for (const { status, headers } of replies)
        assert.equal(headers.get("retry-after"), status === 503 ? "1" : undefined);
      statuses.push(replies.map(({ status }) => status));
    }
    assert.deepEqual(statuses, [
      [200, 200, 200],
      [503, 200, 200],
      [503, 200, 200],
      [503, 503, 200],
    ]);
    t.mock.timers.tick(1_000);
    assert.equal((await sendRaw(origin, { target: candles })).status, 503, "spared for a moment");
    t.mock.timers.tick(1_000);
    assert.equal((await sendRaw(origin, { target: candles })).status, 200);
    for (const connection of slow) connection.read();
    const whole = await Promise.allSettled(slow.map((connection) => connection.reply()));
    const ends = whole.map(({ status }) => status).join();
    assert.equal(ends, "rejected,rejected,rejected,fulfilled", "a quarter of the limit is left for unread answers");
  });

  test("a limit for one client does not affect other clients", async (t) => {
    const { origin, connect } = await startCounted(t, answers, { limits: { heldBytesPerAddress: 10 * MB } });
    const other = () => connect({ localAddress: "127.0.0.2" });
    for (const connection of sendEach(other, 2, "/large")) connection.hang();
    const same = other();
    const answers503 = async (): Promise<boolean> => {
      same.send(GET);
      return (await same.reply()).status === 503;
    };
    await until(answers503);
    assert.equal((await sendRaw(origin, {})).status, 200);
    await until(async () => !(await answers503()));
  });

  test("each arriving body counts as at least 256 KiB, so 64 bodies reach an address's limit of 16 MiB", async (t) => {
    const api: ApiFunction = async (request) =>
      request.method === "POST" ? plain((await request.text(8_192)).ok ? "" : "gone") : plain("well");
    const { origin, seen, connect } = await startCounted(t, api, { limits: { heldBytesPerAddress: 16 * MB } });
    const clients = Array.from({ length: 64 }, () => connect());
    for (const client of clients) client.send(rawRequest({ method: "POST", headers: ["Content-Length: 2"] }));
    await until(() => seen.length === 64);
    assert.equal((await sendRaw(origin, {})).status, 503);
    for (const client of clients) client.send(Buffer.from("{}"));
    await statusesOf(clients);
    assert.equal((await sendRaw(origin, {})).status, 200);
  });

  test("an answer larger than the limit is sent completely while it is the only answer", async (t) => {
    const { connect } = await startCounted(t, answers, { limits: { heldBytes: 1 * MB } });
    const connection = connect();
    for (let i = 0; i < 3; i++) {
      connection.send(UNREAD);
      assert.equal((await connection.reply()).body.length, large.length);
    }
  });

  test("waiting requests, including their header fields, count toward the memory limit", async (t) => {
    const { held, api } = holding("/held");
    const { origin, seen, connect } = await startCounted(t, api, { limits: { heldBytes: 40_000 } });
    const connection = connect();
    connection.send(rawRequest({ target: "/held" }));
    await until(() => seen.length === 1);
    connection.send(
      Buffer.concat(Array.from({ length: 6 }, () => rawRequest({ headers: [`X-A: ${"x".repeat(7_000)}`] }))),
    );
    await until(async () => (await sendRaw(origin, {})).status === 503);
    held.open();
    for (let i = 0; i < 7; i++) await connection.reply();
    assert.equal((await sendRaw(origin, {})).status, 200);
  });
});

suite("node server: candle requests, which take longest", { concurrency: true }, () => {
  const CANDLES = "/api/v1/assets/USD_RLS/ohlc?interval=1h";

  test("at most sixteen candle requests run at a time, however their targets are written; other requests do not wait for them", async (t) => {
    const encoded = CANDLES.replace("ohlc", "%6fhlc");
    const { held, api } = holding(encoded);
    const { origin, seen, connect } = await startCounted(t, api);
    const connections = sendEach(connect, 20, encoded);
    await until(() => seen.length === 16);
    assert.equal((await sendRaw(origin, { target: "/api/v1/assets/USD_RLS?a=/ohlc%20" })).body.toString(), "well");
    assert.equal(seen.length, 17);
    held.open();
    assert.deepEqual(await statusesOf(connections), Array(20).fill(200));
  });

  const work = (): void => {
    for (const end = performance.now() + 2; performance.now() < end; );
  };
  for (const [how, answer] of [
    ["if each takes long", work],
    ["if they wait for a store", () => new Promise((resolve) => setTimeout(resolve, 20))],
  ] as const) {
    test(`at most two candle requests start in a turn of the event loop ${how}, so that other requests are served between the turns`, async (t) => {
      let [inTurn, most] = [0, 0];
      const api: ApiFunction = () => {
        if (inTurn === 0) setImmediate(() => (inTurn = 0));
        most = Math.max(most, ++inTurn);
        const waits = answer();
        return waits ? waits.then(() => plain("candles")) : plain("candles");
      };
      const { connect } = await startCounted(t, api);
      assert.deepEqual(await statusesOf(sendEach(connect, 40, CANDLES)), Array(40).fill(200));
      assert.ok(most <= 2, `${most} in one turn`);
    });
  }

  test("quickly answered candle requests need not wait for others, and are never refused", async (t) => {
    const { connect } = await startCounted(t, () => plain("candles"), { limits: { requests: 5 } });
    assert.deepEqual(await statusesOf(sendEach(connect, 40, CANDLES)), Array(40).fill(200));
  });

  test("waiting candle requests do not take the place of other requests or clients; if too many wait, the client's next one gets 503", async (t) => {
    const { held, api } = holding(CANDLES);
    const { server, origin, seen, connect } = await startCounted(t, api, { limits: { requests: 5 } });
    const connections = sendEach(connect, 7, CANDLES);
    await until(() => seen.length === 2);
    await until(async () => (await sendRaw(origin, { target: CANDLES })).status === 503);
    assert.equal((await sendRaw(origin, {})).status, 200);
    const others = [2, 3, 4, 5, 6, 7].map((host) => connect({ localAddress: `127.0.0.${host}` }));
    for (const other of others) other.send(rawRequest({ target: `${CANDLES}&other` }));
    const statuses: number[] = [];
    const replied = others.map((other) => other.reply().then(({ status }) => statuses.push(status)));
    await until(() => server.load().waiting + statuses.length === 11);
    held.open();
    assert.deepEqual(await statusesOf(connections), Array(7).fill(200));
    await Promise.all(replied);
    assert.deepEqual(statuses, [503, 200, 200, 200, 200, 200], "at most twice as many wait");
    assert.ok(seen.lastIndexOf(`${CANDLES}&other`) < 10, "the others' turns come after at most one waiting request");
  });

  test("candle requests whose turn does not come in time get 503 and never begin", async (t) => {
    const { held, api } = holding(CANDLES);
    const { server, seen, connect } = await startCounted(t, api, { limits: { requests: 8, waitMs: 1 } });
    const connections = sendEach(connect, 6, CANDLES);
    for (const connection of connections.slice(2)) {
      const { status, headers } = await connection.reply();
      assert.deepEqual([status, headers.get("retry-after")], [503, "1"]);
    }
    assert.equal(server.load().waiting, 0);
    held.open();
    assert.deepEqual(await statusesOf(connections.slice(0, 2)), [200, 200]);
    assert.equal(seen.length, 2);
  });

  test("waiting candle requests get 503 if memory is full when it is their turn", async (t) => {
    const held = gate();
    const api: ApiFunction = () => held.opened.then(() => ({ ...plain(""), body: large }));
    const limits = { heldBytes: 32 * MB, requests: 8 };
    const { server, seen, connect } = await startCounted(t, api, { limits });
    for (const connection of sendEach(connect, 2, CANDLES)) connection.hang();
    await until(() => seen.length === 2);
    const waiting = sendEach(connect, 6, CANDLES);
    await until(() => server.load().waiting === 6);
    held.open();
    assert.deepEqual(await statusesOf(waiting), Array(6).fill(503));
    assert.equal(seen.length, 2);
  });

  test("a candle request whose client left during the wait never begins", async (t) => {
    const { held, api } = holding(CANDLES);
    const { server, seen, connect } = await startCounted(t, api, { limits: { requests: 8 } });
    const connections = sendEach(connect, 6, CANDLES);
    await until(() => seen.length === 2 && server.load().waiting === 4);
    for (const connection of connections) connection.destroy();
    await until(() => server.load().connections === 0);
    held.open();
    await until(() => server.load().inFlight === 0 && server.load().waiting === 0);
    assert.equal(seen.length, 2);
  });
});

test("admission: the event loop counts as late after two slow turns in a row, until a fast turn; a single pause does not count", async (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const admission = createAdmission({ requests: 10, waitMs: 1 });
  const late: boolean[] = [];
  for (const turnMs of [300, 1, 251, 9_000, 250, 300]) {
    admission.sweep();
    now += turnMs;
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(admission.load().eventLoopDelayMs, turnMs);
    late.push(admission.load().isLate);
  }
  assert.deepEqual(late, [false, false, false, true, false, false]);
});
