import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createTrustedProxies } from "../../../adapters/node/forwarded.ts";
import { nodeLimits } from "../../../adapters/node/limits.ts";
import type { NodeServerOptions } from "../../../adapters/node/mod.ts";
import { clientLimits } from "../../../adapters/node/server_options.ts";
import { plain, startCounted, until } from "../../support/node_stub.ts";
import { rawRequest } from "../../support/raw_http.ts";
import type { RawConnection } from "../../support/raw_http.ts";

const GET = rawRequest({});

suite("node server: how long a connection lives", () => {
  test("empty lines keep no connection open: it is closed when the time for another request is over", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const { connect } = await startCounted(t);
    const connection = connect();
    connection.send(GET);
    await connection.reply();
    for (let second = 0; second < 20; second++) {
      t.mock.timers.tick(1_000);
      if (second % 5 === 0) connection.send("\r\n");
      await turn();
    }
    connection.send("\r\n");
    await turn();
    for (let second = 0; second < 5; second++) t.mock.timers.tick(1_000);
    assert.equal(await connection.rest(), "");
  });

  test("a request that begins in the last second has its whole time to arrive: 200", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const { connect } = await startCounted(t);
    const connection = connect();
    connection.send(GET);
    await connection.reply();
    for (let second = 0; second < 10; second++) t.mock.timers.tick(1_000);
    connection.send(GET.subarray(0, 10));
    await turn();
    for (let second = 0; second < 10; second++) t.mock.timers.tick(1_000);
    connection.send(GET.subarray(10));
    assert.equal((await connection.reply()).status, 200);
  });

  test("a connection that Node has given up is closed in time, also when its client reads nothing", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const { seen, connect } = await startCounted(t, () => plain("x".repeat(10_000_000)));
    const connection = connect();
    connection.hang();
    connection.send(Buffer.concat([GET, rawRequest({ method: "CONNECT", target: "a:1" })]));
    await until(() => seen.length === 1);
    await turn();
    for (let second = 0; second < 32; second++) t.mock.timers.tick(1_000);
    connection.read();
    await assert.rejects(connection.reply(), /closed before a whole answer/);
  });
});

suite("node server: connections of one address", () => {
  async function openOnes(connections: readonly RawConnection[]): Promise<number> {
    for (const connection of connections) connection.send(GET);
    const replies = await Promise.allSettled(connections.map((connection) => connection.reply()));
    return replies.filter(({ status }) => status === "fulfilled").length;
  }

  test("further ones are closed at once; those of other addresses are not, nor new ones in place of old ones", async (t) => {
    const { connect } = await startCounted(t, undefined, { limits: { connectionsPerAddress: 3 } });
    const first = connect();
    assert.equal(await openOnes([first, connect(), connect(), connect(), connect()]), 3);
    assert.equal(await openOnes([connect({ localAddress: "127.0.0.2" })]), 1);
    first.destroy();
    await first.rest();
    assert.equal(await openOnes([connect(), connect()]), 1);
  });
});

suite("node server: whose connections are limited", () => {
  const proxies = createTrustedProxies(["10.0.0.0/8"]);
  const [some, more] = [{ connectionsPerAddress: 7 }, { heldBytesPerAddress: 1 << 20 }];
  const cases: readonly (readonly [rule: string, options: NodeServerOptions, address: string | undefined, connections: number, bytes: number])[] = [
    ["a client", {}, "203.0.113.9", 512, 16 << 20],
    ["a client with a limit that is set", { limits: some }, "203.0.113.9", 7, 16 << 20],
    ["this machine", {}, "127.0.0.1", Infinity, Infinity],
    ["this machine with a limit that is set", { limits: more }, "::1", Infinity, 1 << 20],
    ["a proxy in the list", { behindProxy: ["10.0.0.0/8"] }, "10.1.2.3", Infinity, Infinity],
    ["a proxy in the list with a limit that is set", { behindProxy: ["10.0.0.0/8"], limits: some }, "10.1.2.3", 7, Infinity],
    ["whoever goes round the proxies", { behindProxy: ["10.0.0.0/8"] }, "203.0.113.9", 512, 16 << 20],
    ["anybody, where all are proxies", { behindProxy: true }, "203.0.113.9", Infinity, Infinity],
  ];
  for (const [rule, options, address, maxConnections, maxHeldBytes] of cases) {
    test(`${rule}: ${maxConnections} connections, ${maxHeldBytes} bytes`, () => {
      const limitsOf = clientLimits(nodeLimits(options.limits), options, typeof options.behindProxy === "object" ? proxies : undefined);
      assert.deepEqual(limitsOf(address), { maxConnections, maxHeldBytes });
    });
  }
});

/** Lets the server read what was sent. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}
