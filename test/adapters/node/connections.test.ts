import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { suite, test } from "node:test";
import { createTrustedProxies } from "../../../adapters/node/forwarded.ts";
import { nodeLimits } from "../../../adapters/node/limits.ts";
import type { NodeServerOptions } from "../../../adapters/node/mod.ts";
import { clientLimits } from "../../../adapters/node/server_options.ts";
import { plain, startCounted, until, untilAsync } from "../../support/node_stub.ts";
import { connectRaw, rawRequest, sendRaw } from "../../support/raw_http.ts";
import type { RawConnection } from "../../support/raw_http.ts";

const GET = rawRequest({});

suite("node server: how long a connection lives", () => {
  test("empty lines keep no connection open: it is closed when the time for another request is over", { timeout: 5_000 }, async (t) => {
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

  test("a request that begins in the last second has its whole time to arrive: 200", { timeout: 5_000 }, async (t) => {
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

  test("a connection that Node has given up is closed in time, also when its client reads nothing", { timeout: 5_000 }, async (t) => {
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

  test("further ones are closed at once; those of other addresses are not, nor new ones in place of old ones", { timeout: 5_000 }, async (t) => {
    const { connect } = await startCounted(t, undefined, { limits: { connectionsPerAddress: 3 } });
    const first = connect();
    assert.equal(await openOnes([first, connect(), connect(), connect(), connect()]), 3);
    assert.equal(await openOnes([connect({ localAddress: "127.0.0.2" })]), 1);
    first.destroy();
    await first.rest();
    assert.equal(await openOnes([connect(), connect()]), 1);
  });

  const unlimited: readonly (readonly [who: string, options: Partial<NodeServerOptions>, from: string])[] = [
    ["this machine", {}, "127.0.0.1"],
    ["a proxy", { behindProxy: true }, "127.0.0.1"],
  ];
  for (const [who, options, localAddress] of unlimited) {
    test(`by default ${who} may have more than 512, as it may bring many users`, async (t) => {
      const { connect } = await startCounted(t, undefined, options);
      assert.equal(await openOnes(Array.from({ length: 600 }, () => connect({ localAddress }))), 600);
    });
  }
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

suite("node server: open files", { skip: process.platform !== "linux" && "only Linux tells the limit" }, () => {
  test("under a low limit of open files, connections leave room for the files of a store: no EMFILE", { timeout: 60_000 }, async (t) => {
    const child = spawn("sh", ["-c", 'ulimit -n 300 && exec "$0" --import tsx "$1"', process.execPath, new URL("../../support/low_files_child.ts", import.meta.url).pathname]);
    t.after(() => child.kill());
    child.stderr.pipe(process.stderr);
    const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    const origin = line.trim();
    const connections = Array.from({ length: 300 }, () => connectRaw(origin));
    t.after(() => connections.forEach((connection) => connection.destroy()));
    for (const connection of connections) connection.send(GET);
    const replies = await Promise.allSettled(connections.map((connection) => connection.reply()));
    const served = replies.filter((reply) => reply.status === "fulfilled");
    assert.equal(served.length, 150);
    connections.find((_, i) => replies[i]!.status === "fulfilled")!.destroy();
    // Until the server knows that one has gone, it closes further ones at once.
    let answer = "";
    await untilAsync(() => sendRaw(origin, { target: "/files" }).then(({ body }) => ((answer = body.toString()), true), () => false));
    assert.equal(answer, "100 files opened");
  });
});

/** Lets the server read what was sent. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}
