import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import { createRedisQuota } from "../../../adapters/stores/redis/mod.ts";
import type { DayUsage } from "../../../adapters/stores/shared/store.ts";
import type { AccountId, CalendarDate, KeyId, QuotaTaken } from "../../../core/mod.ts";
import { redisMissing } from "../../support/redis_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { runs } from "../../support/suite_size.ts";
import { createOpener, redis, timeoutMs } from "./clients.ts";

const DAY = "2026-11-21" as CalendarDate;
const ALICE = "alice" as AccountId;

if (redisMissing !== undefined) skipAloud("the ledger on Redis", redisMissing);
else {
  const { connect, ledger, prefix } = createOpener(() => redis.port);

  test("redis ledger: requests for units that arrive while a command is under way share the next command", async () => {
    const one = await ledger();
    const { command } = await connect();
    await one.take(ALICE, DAY, 1_000);
    await command("CONFIG", "RESETSTAT");
    const first = one.take(ALICE, DAY, 1_000);
    await undefined;
    await undefined; // It is sent.
    const rest = Array.from({ length: 300 }, (_, at) => one.take(`account${at % 3}` as AccountId, DAY, 1_000));
    assert.deepEqual([(await first).used, (await Promise.all(rest)).filter(({ granted }) => granted).length], [2, 300]);
    assert.match(String(await command("INFO", "commandstats")), /cmdstat_eval:calls=2,/);
  });

  test("redis ledger: if accounts and keys do not fit into one command, all requests for units are still answered", async () => {
    const quota = await ledger();
    const allOf = async (count: number, take: (n: number) => QuotaTaken | Promise<QuotaTaken>): Promise<void> => {
      const taken = await Promise.all(Array.from({ length: count }, (_, n) => take(n)));
      assert.equal(taken.filter(({ granted }) => granted).length, count);
    };
    await allOf(5_000, (n) => quota.take(ALICE, DAY, Infinity, `key${n}` as KeyId));
    for await (const { accounts } of quota.usage()) {
      const counted = accounts.map(({ units, keys }) => [units, keys.length]);
      assert.deepEqual(counted, [[5_000, 5_000]]);
    }
    for (let used = 1; used <= 2; used++) await allOf(2_500, (n) => quota.take(`account${n}` as AccountId, DAY, 2));
    for (const account of ["account0", "account999", "account1000", "account2499"])
      assert.equal(await quota.used(account as AccountId, DAY), 2);
  });

  test("redis ledger: any acts through two handles give the same results as the ledger in memory", async () => {
    const names = ["", "a", "a b", "علی", "\0\r\n$3", '"a"', "{quota}", "id", "2026-11-21"];
    const act = fc.record({
      account: fc.constantFrom(...names) as fc.Arbitrary<AccountId>,
      day: fc.constantFrom("2026-11-20", DAY, "2031-01-01", "1999-12-31") as fc.Arbitrary<CalendarDate>,
      kind: fc.constantFrom("take", "take", "take", "giveBack", "used"),
      limit: fc.oneof(fc.nat(4), fc.constant(Infinity), fc.constant(2.5)),
      handle: fc.nat(1),
    });
    const shared = prefix();
    let round = 0;
    const { client } = await connect();
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 30 }), async (acts) => {
        const own = { prefix: `${shared}-${round++}`, timeoutMs };
        const handles = [await ledger(own), await createRedisQuota(client, own)];
        const memory = createMemoryStore().quota;
        for (const { account, day, kind, limit, handle } of acts) {
          const ours = handles[handle]!;
          if (kind === "take") assert.deepEqual(await ours.take(account, day, limit), memory.take(account, day, limit));
          else if (kind === "giveBack") assert.equal(await ours.giveBack(account, day), memory.giveBack(account, day));
          else assert.equal(await ours.used(account, day), memory.used(account, day));
        }
      }),
      { numRuns: runs(3, 6) },
    );
  });

  test("redis ledger: usage lists the newest day first, with all keys that have requested units, even if none was granted", async () => {
    const shared = prefix();
    const quota = await ledger({ prefix: shared });
    const take = (account: string, day: string, limit: number, key: string) =>
      quota.take(account as AccountId, day as CalendarDate, limit, key as KeyId);
    await Promise.all([
      take("alice", "2026-11-20", 5, "k1"),
      take("alice", "2026-11-20", 5, "k1"),
      take("alice", "2026-11-20", 2, "k2"),
    ]);
    await take("علی", "2026-11-21", 5, "k3");
    await quota.giveBack("علی" as AccountId, DAY);
    const read = async (query?: Parameters<typeof quota.usage>[0]) => (await daysOf(quota.usage(query))).map(sorted);
    const newest = { day: "2026-11-21", accounts: [{ account: "علی", units: 0, keys: ["k3"] }] };
    assert.deepEqual(await read(), [
      newest,
      { day: "2026-11-20", accounts: [{ account: "alice", units: 2, keys: ["k1", "k2"] }] },
    ]);
    assert.deepEqual(await read({ from: DAY }), [newest]);
    assert.deepEqual(await daysOf((await ledger()).usage()), []);
  });

  test("redis ledger: counters expire two days after their day, and never at once, however wrong the clock is", async () => {
    const { command } = await connect();
    const shared = prefix();
    const quota = await ledger({ prefix: shared });
    for (const [day, from, to] of [
      [new Date().toISOString().slice(0, 10), 3, 4.1],
      ["2001-01-01", 2.9, 3.1],
    ] as const) {
      for (let used = 1; used <= 3; used++) {
        assert.deepEqual(await quota.take(ALICE, day as CalendarDate, 2, "key" as KeyId), {
          granted: used < 3,
          used: Math.min(used, 2),
        });
      }
      for (const name of ["", ":keys"]) {
        const days = Number(await command("TTL", `${shared}:{quota}:${day}${name}`)) / 86_400;
        assert.ok(days >= from && days <= to, `${day}${name}: ${days}`);
      }
    }
    assert.equal(await command("TTL", `${shared}:{quota}:ledger`), -1);
  });
}

async function daysOf(usage: AsyncIterable<DayUsage>): Promise<DayUsage[]> {
  const days: DayUsage[] = [];
  for await (const day of usage) days.push(day);
  return days;
}

function sorted({ accounts, ...day }: DayUsage): DayUsage {
  return {
    ...day,
    accounts: [...accounts]
      .map((one) => ({ ...one, keys: [...one.keys].sort() }))
      .sort((a, b) => (a.account < b.account ? -1 : 1)),
  };
}
