import assert from "node:assert/strict";
import type { AccountId, CalendarDate } from "../../../core/branded_types.ts";
import type { QuotaLedger } from "../../../core/ports.ts";
import { type Case, type Handles, type Opener, runCases } from "./suite.ts";

const ALICE = "alice" as AccountId;
const BOB = "bob" as AccountId;
const DAY = "2026-11-21" as CalendarDate;

/** Takes units in portions, because on a busy machine a ledger refuses calls that have waited for too long. */
async function takeMany(quota: QuotaLedger, count: number, limit: number): Promise<number> {
  let granted = 0;
  for (let taken = 0; taken < count; taken += 500) {
    const portion = await Promise.all(Array.from({ length: 500 }, async () => quota.take(ALICE, DAY, limit)));
    granted += portion.filter((take) => take.granted).length;
  }
  return granted;
}

const QUOTA: readonly Case<QuotaLedger>[] = [
  {
    rule: "units are granted up to the limit, separately for each account and day",
    async write(quota) {
      assert.deepEqual(await quota.take(ALICE, DAY, 2), { granted: true, used: 1 });
      assert.deepEqual(await quota.take(ALICE, DAY, 2), { granted: true, used: 2 });
      assert.deepEqual(await quota.take(ALICE, DAY, 2), { granted: false, used: 2 });
      assert.deepEqual(await quota.take(BOB, DAY, 2), { granted: true, used: 1 });
      assert.deepEqual(await quota.take(ALICE, "2026-11-22" as CalendarDate, 2), { granted: true, used: 1 });
    },
    async check(quota) {
      assert.equal(await quota.used(ALICE, DAY), 2);
      assert.equal(await quota.used(BOB, DAY), 1);
      assert.equal(await quota.used(ALICE, "2026-11-22" as CalendarDate), 1);
      assert.equal(await quota.used(ALICE, "2026-11-20" as CalendarDate), 0);
      assert.deepEqual(await quota.take(ALICE, DAY, 2), { granted: false, used: 2 });
    },
  },
  {
    rule: "when 10 units are left, exactly 10 of 500 concurrent calls get a unit",
    concurrent: true,
    async write(quota) {
      for (let i = 0; i < 40; i++) await quota.take(ALICE, DAY, 50);
      const taken = await Promise.all(Array.from({ length: 500 }, async () => quota.take(ALICE, DAY, 50)));
      const granted = taken.filter((take) => take.granted).map(({ used }) => used);
      assert.deepEqual([granted.length, new Set(granted).size], [10, 10]);
    },
    check: async (quota) => assert.equal(await quota.used(ALICE, DAY), 50),
  },
  {
    rule: "a unit that is given back can be taken again, and cannot be given back twice",
    async write(quota) {
      for (let i = 0; i < 3; i++) await quota.take(ALICE, DAY, 3);
      assert.equal(await quota.giveBack(ALICE, DAY), 2);
      assert.deepEqual(await quota.take(ALICE, DAY, 3), { granted: true, used: 3 });
      assert.deepEqual(await quota.take(ALICE, DAY, 3), { granted: false, used: 3 });
      assert.equal(await quota.giveBack(ALICE, DAY), 2);
      assert.equal(await quota.giveBack(BOB, DAY), 0);
    },
    check: async (quota) => assert.equal(await quota.used(ALICE, DAY), 2),
  },
  {
    rule: "a raised limit applies at once, and a limit below the used units grants nothing",
    async write(quota) {
      for (let i = 0; i < 3; i++) await quota.take(ALICE, DAY, 3);
      assert.equal((await quota.take(ALICE, DAY, 5)).granted, true);
      assert.equal((await quota.take(ALICE, DAY, 2)).granted, false);
      assert.equal((await quota.take(ALICE, DAY, 5)).granted, true);
      assert.equal((await quota.take(ALICE, DAY, 5)).granted, false);
    },
    check: async (quota) => assert.equal(await quota.used(ALICE, DAY), 5),
  },
  {
    rule: "units that were taken without a limit are counted as soon as a limit is set",
    concurrent: true,
    async write(quota) {
      assert.equal(await takeMany(quota, 7_000, Infinity), 7_000);
      assert.equal(await quota.giveBack(ALICE, DAY), 6_999);
      assert.deepEqual(await quota.take(ALICE, DAY, 6_999), { granted: false, used: 6_999 });
      assert.deepEqual(await quota.take(ALICE, DAY, 7_000), { granted: true, used: 7_000 });
    },
    async check(quota) {
      assert.equal(await quota.used(ALICE, DAY), 7_000);
      assert.deepEqual(await quota.take(ALICE, DAY, 7_000), { granted: false, used: 7_000 });
    },
  },
  {
    rule: "all units of a large limit are granted, and no more",
    concurrent: true,
    async write(quota) {
      assert.equal(await takeMany(quota, 12_000, 11_000), 11_000);
    },
    check: async (quota) => assert.equal(await quota.used(ALICE, DAY), 11_000),
  },
];

/** Tests that every ledger must pass. `open` returns an empty ledger for each test. */
export function quotaSuite(name: string, open: Opener<QuotaLedger>, handles: Handles = {}): void {
  runCases(name, QUOTA, open, handles);
}
