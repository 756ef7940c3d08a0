import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isLocal, networkOf } from "../../../adapters/http/node/client_addresses.ts";
import { DEFAULT_LIMITS, maxOpenFiles, nodeLimits } from "../../../adapters/http/node/connection_limits.ts";
import { createTrustedProxies } from "../../../adapters/http/node/forwarded_headers.ts";
import type { NodeServerOptions } from "../../../adapters/http/node/mod.ts";
import { clientLimits } from "../../../adapters/http/node/server_options.ts";

suite("addresses of clients", () => {
  const networks: readonly (readonly [address: string | undefined, network: string])[] = [
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:db8::1:2:3:4:5", "2001:db8:0:1::/64"],
    ["2001::3:4:5:6:7:8", "2001:0:3:4::/64"],
    ["fe80::1:2:3:4:5%eth0", "fe80:0:0:1::/64"],
    ["::1", "0:0:0:0::/64"],
    [undefined, "unix"],
  ];
  for (const [address, network] of networks) {
    test(`${address} counts for ${network}`, () => assert.equal(networkOf(address), network));
  }

  for (const [address, local] of [
    ["127.0.0.1", true],
    ["127.8.9.10", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    [undefined, true],
    ["128.0.0.1", false],
    ["::2", false],
    ["2001:db8::127.0.0.1", false],
    ["::ffff:8.8.8.8", false],
  ] as const) {
    test(`${address} is ${local ? "" : "not "}an address of this machine`, () => assert.equal(isLocal(address), local));
  }

  const proxies = createTrustedProxies(["10.0.0.0/8"]);
  const [some, more] = [{ connectionsPerAddress: 7 }, { heldBytesPerAddress: 1 << 20 }];
  const limited: readonly (readonly [
    who: string,
    options: NodeServerOptions,
    address: string | undefined,
    connections: number,
    bytes: number,
  ])[] = [
    ["a client", {}, "203.0.113.9", 512, 16 << 20],
    ["a client with an explicit limit", { limits: some }, "203.0.113.9", 7, 16 << 20],
    ["this machine", {}, "127.0.0.1", Infinity, Infinity],
    ["this machine with an explicit limit", { limits: more }, "::1", Infinity, 1 << 20],
    ["a listed proxy", { behindProxy: ["10.0.0.0/8"] }, "10.1.2.3", Infinity, Infinity],
    ["a listed proxy with an explicit limit", { behindProxy: ["10.0.0.0/8"], limits: some }, "10.1.2.3", 7, Infinity],
    ["a client that bypasses the proxies", { behindProxy: ["10.0.0.0/8"] }, "203.0.113.9", 512, 16 << 20],
    ["any address with `behindProxy: true`", { behindProxy: true }, "203.0.113.9", Infinity, Infinity],
  ];
  for (const [who, options, address, maxConnections, maxHeldBytes] of limited) {
    test(`${who} may have ${maxConnections} connections, and the server may hold ${maxHeldBytes} bytes for it`, () => {
      const trusted = typeof options.behindProxy === "object" ? proxies : undefined;
      const limitsOf = clientLimits(nodeLimits(options.limits), options, trusted);
      assert.deepEqual(limitsOf(address), { maxConnections, maxHeldBytes });
    });
  }
});

test("limits: each limit has its default, and the process's limit of open files also limits connections", () => {
  const { connections, connectionsPerAddress, requests, queuedPerConnection } = DEFAULT_LIMITS;
  assert.deepEqual([connections, connectionsPerAddress, requests, queuedPerConnection], [10_000, 512, 512, 64]);
  assert.deepEqual([DEFAULT_LIMITS.heldBytes, DEFAULT_LIMITS.heldBytesPerAddress], [100_663_296, 16_777_216]);
  const { headersMs, requestMs, answerMs, drainMs } = DEFAULT_LIMITS;
  assert.deepEqual([headersMs, requestMs, answerMs, drainMs], [10_000, 15_000, 30_000, 8_000]);
  const files = maxOpenFiles() ?? Infinity;
  assert.equal(
    nodeLimits({ connections: 2 ** 40 }).connections,
    Math.min(2 ** 40, files - Math.min(256, Math.ceil(files / 2))),
  );
});
