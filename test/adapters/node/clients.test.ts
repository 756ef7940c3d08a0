import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createClients, isLocal, networkOf } from "../../../adapters/node/clients.ts";

suite("clients of a server", () => {
  const networks: readonly (readonly [address: string | undefined, network: string])[] = [
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:db8::1:2:3:4:5", "2001:db8:0:1::/64"],
    ["2001::3:4:5:6:7:8", "2001:0:3:4::/64"],
    ["::2:3:4:5:192.0.2.1", "0:0:2:3::/64"],
    ["fe80::1:2:3:4:5%eth0", "fe80:0:0:1::/64"],
    ["::1", "0:0:0:0::/64"],
    [undefined, "unix"],
  ];
  for (const [address, network] of networks) {
    test(`${address} counts for ${network}`, () => assert.equal(networkOf(address), network));
  }

  for (const [address, local] of [
    ["127.0.0.1", true], ["127.8.9.10", true], ["::1", true], ["::ffff:127.0.0.1", true], [undefined, true],
    ["128.0.0.1", false], ["192.168.0.1", false], ["::2", false], ["2001:db8::127.0.0.1", false], ["::ffff:8.8.8.8", false],
  ] as const) {
    test(`${address} is ${local ? "" : "not "}of this machine`, () => assert.equal(isLocal(address), local));
  }

  test("a client has as many connections as its limit allows, others have their own", () => {
    const clients = createClients((address) => ({ maxConnections: address === "::1" ? 3 : 2, maxHeldBytes: 1 }));
    const first = clients.connect("192.0.2.1");
    assert.ok(first && clients.connect("::ffff:192.0.2.1"), "two");
    assert.equal(clients.connect("192.0.2.1"), undefined);
    assert.notEqual(clients.connect("192.0.2.2"), undefined);
    assert.deepEqual(["::1", "::1", "::1", "::1"].map((address) => clients.connect(address) !== undefined), [true, true, true, false]);
    clients.disconnect(first);
    assert.notEqual(clients.connect("192.0.2.1"), undefined);
    assert.equal(clients.connect("192.0.2.1"), undefined);
  });

  test("a client without connections is forgotten", () => {
    const clients = createClients(() => ({ maxConnections: 2, maxHeldBytes: 1 }));
    const first = clients.connect("192.0.2.1")!;
    first.heldBytes = 5;
    clients.disconnect(first);
    assert.equal(clients.connect("192.0.2.1")?.heldBytes, 0);
  });
});
