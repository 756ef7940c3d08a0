import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import type { AccountId, CalendarDate } from "../../core/mod.ts";
import { storeSuite } from "../support/store_suite.ts";

storeSuite(
  "memory store",
  async () => {
    const store = createMemoryStore();
    return { store, peer: async () => store };
  },
  { shared: true },
);

test("memory store: the counts of a day are dropped once 35 later days have counts", async () => {
  const { quota } = createMemoryStore();
  const account = "alice" as AccountId;
  const day = (n: number): CalendarDate =>
    new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10) as CalendarDate;
  for (let n = 0; n < 35; n++) await quota.take(account, day(n), 50);
  assert.equal(await quota.used(account, day(0)), 1);
  await quota.take(account, day(35), 50);
  assert.deepEqual([await quota.used(account, day(0)), await quota.used(account, day(1))], [0, 1]);
});
