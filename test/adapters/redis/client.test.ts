// What clients do by themselves must not break the promise that no command is sent twice, or after its caller has gone.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Cluster, Redis } from "ioredis";
import { createClient } from "redis";
import { createSend } from "../../../adapters/redis/client.ts";
import { createRedisQuota } from "../../../adapters/redis/mod.ts";
import type { RedisClient } from "../../../adapters/redis/mod.ts";
import { fieldOf, ledgerKeys, textOf } from "../../../adapters/redis/keys.ts";

const SAFE = { lazyConnect: true, enableOfflineQueue: false, autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0 };

const refused: readonly (readonly [rule: string, client: () => RedisClient, named: RegExp])[] = [
  ["ioredis resends by default", () => new Redis({ lazyConnect: true }), /autoResendUnfulfilledCommands: false/],
  ["ioredis never answers for a lost connection", () => new Redis({ ...SAFE, maxRetriesPerRequest: null }), /maxRetriesPerRequest: 0/],
  ["ioredis keeps commands for later", () => new Redis({ ...SAFE, enableOfflineQueue: true }), /enableOfflineQueue: false/],
  ["ioredis Cluster resends to another node", () => new Cluster([], { lazyConnect: true }), /Cluster/],
  ["ioredis names keys by another prefix", () => new Redis({ ...SAFE, keyPrefix: "shop:" }), /keyPrefix "shop:".* own option prefix/],
  ["node-redis keeps commands for later", () => createClient().on("error", () => {}), /disableOfflineQueue: true/],
  ["node-redis ends a process that does not listen", () => createClient({ disableOfflineQueue: true }), /client\.on\("error"/],
];
for (const [rule, client, named] of refused) {
  test(`redis client: ${rule}: refused, and the setting is named`, async () => {
    await assert.rejects(createRedisQuota(client()), (error) => error instanceof TypeError && named.test(error.message));
  });
}

test("redis client: both clients are taken when they are set as they must be", () => {
  createSend(new Redis(SAFE), 1_000);
  createSend(createClient({ disableOfflineQueue: true }).on("error", () => {}), 1_000);
});

test("redis client: a client that was never connected is unavailable, not an internal error", async () => {
  const nowhere = { host: "127.0.0.1", port: 1 };
  const clients = [
    new Redis({ ...SAFE, ...nowhere, retryStrategy: () => null }).on("error", () => {}),
    createClient({ socket: nowhere, disableOfflineQueue: true }).on("error", () => {}),
  ];
  for (const client of clients) await assert.rejects(createRedisQuota(client), { name: "Unavailable" });
});

test("redis keys: any text becomes a field, and no two the same one", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\ud800", "\udfff", '"\\ud800"', '"', "", "\0", "\ufffd", "علی"), fc.string().map((one) => JSON.stringify(one)));
  const wire = (one: string): string => Buffer.from(fieldOf(one), "utf8").toString("hex");
  fc.assert(fc.property(text, text, (one, other) => {
    assert.equal(textOf(Buffer.from(fieldOf(one), "utf8").toString("utf8")), one);
    if (one !== other) assert.notEqual(wire(one), wire(other));
  }), { numRuns: 2_000 });
});

test("redis keys: a prefix with braces would choose another hash tag, and is refused", () => {
  assert.throws(() => ledgerKeys("a{b}"), TypeError);
  assert.throws(() => ledgerKeys(""), TypeError);
  assert.equal(ledgerKeys("shop").ledger, "shop:{quota}:ledger");
});
