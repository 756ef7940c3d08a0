// What clients do by themselves must not break the promise that no command is sent twice, or after its caller has gone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "redis";
import { createRedisQuota } from "../../../adapters/redis/mod.ts";
import { ledgerKeys } from "../../../adapters/redis/keys.ts";

test("redis client: one that keeps commands for later, or ends a process that does not listen, is refused, and the setting is named", async () => {
  const refused = (named: RegExp) => (error: unknown) => error instanceof TypeError && named.test(error.message);
  await assert.rejects(createRedisQuota(createClient().on("error", () => {})), refused(/disableOfflineQueue: true/));
  await assert.rejects(createRedisQuota(createClient({ disableOfflineQueue: true })), refused(/client\.on\("error"/));
});

test("redis client: a client that was never connected is unavailable, not an internal error", async () => {
  const client = createClient({ socket: { host: "127.0.0.1", port: 1 }, disableOfflineQueue: true }).on("error", () => {});
  await assert.rejects(createRedisQuota(client), { name: "Unavailable" });
});

test("redis keys: a prefix with braces would choose another hash tag, and is refused", () => {
  assert.throws(() => ledgerKeys("a{b}"), TypeError);
  assert.throws(() => ledgerKeys(""), TypeError);
  assert.equal(ledgerKeys("shop").ledger, "shop:{quota}:ledger");
});
