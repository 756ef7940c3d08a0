// With any client, the ledger sends no command twice, and no command after the caller of the ledger has gone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "redis";
import { ledgerKeys } from "../../../adapters/stores/redis/ledger_keys.ts";
import { createRedisQuota } from "../../../adapters/stores/redis/mod.ts";
import type { AccountId, CalendarDate } from "../../../core/mod.ts";

test("redis client: a client that queues commands offline, or would end the process, is refused with a message that names the setting", async () => {
  const refused = (named: RegExp) => (error: unknown) => error instanceof TypeError && named.test(error.message);
  await assert.rejects(createRedisQuota(createClient().on("error", () => {})), refused(/disableOfflineQueue: true/));
  await assert.rejects(createRedisQuota(createClient({ disableOfflineQueue: true })), refused(/client\.on\("error"/));
});

test("redis client: a client that was never connected counts as unavailable, not as an internal error", async () => {
  const client = createClient({ socket: { host: "127.0.0.1", port: 1 }, disableOfflineQueue: true }).on(
    "error",
    () => {},
  );
  await assert.rejects(createRedisQuota(client), { name: "Unavailable" });
});

test("redis client: several ledgers of one client add one listener for errors", async () => {
  const client = createClient({ socket: { host: "127.0.0.1", port: 1 }, disableOfflineQueue: true });
  client.on("error", () => {});
  for (let i = 0; i < 3; i++) await assert.rejects(createRedisQuota(client), { name: "Unavailable" });
  assert.equal(client.listenerCount("error"), 2);
});

test("redis client: an unexpected answer grants no unit, and errors contain neither arguments nor very long texts", async () => {
  let answer: unknown = 1;
  const client = {
    options: { disableOfflineQueue: true },
    async sendCommand([command]: readonly string[]): Promise<unknown> {
      if (command === "INFO" || command === "CONFIG") return "";
      if (command === "HGET") return "0123456789abcdef";
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const quota = await createRedisQuota(client);
  const take = async (): Promise<unknown> => quota.take("alice" as AccountId, "2026-11-21" as CalendarDate, 5);
  for (answer of [[0, 0, 0], [], [Number.NaN], [-1], [0.5], ["x"], "OK", null, 7, { 0: 0 }]) {
    await assert.rejects(take, { name: "Unavailable", message: /sent an unexpected answer/ });
  }
  answer = [0];
  assert.deepEqual(await take(), { granted: true, used: 1 });
  for (const [said, wanted] of [
    [
      "ERR unknown command 'HELLO', with args beginning with: '3' 'AUTH' 'default' 's3cret' ",
      "Redis refuses: ERR unknown command 'HELLO'",
    ],
    [`ERR ${"x".repeat(9_000)}`, `Redis refuses: ERR ${"x".repeat(296)}`],
  ] as const) {
    answer = new Error(said);
    await assert.rejects(take, { name: "Unavailable", message: wanted });
  }
});

test("redis keys: a prefix with braces is refused, because it would change the hash tag", () => {
  assert.throws(() => ledgerKeys("a{b}"), TypeError);
  assert.throws(() => ledgerKeys(""), TypeError);
  assert.equal(ledgerKeys("shop").ledger, "shop:{quota}:ledger");
});
