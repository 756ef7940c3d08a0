import assert from "node:assert/strict";
import { test } from "node:test";
import { type GroupTaken, shareTakes, type TakeGroup } from "../../../adapters/stores/shared/share_quota_takes.ts";
import { type AccountId, type CalendarDate, type KeyId, Unavailable } from "../../../core/mod.ts";

const DAY = "2026-11-21" as CalendarDate;
const MAX_WAIT_MS = 60_000;
const NEXT_DAY = "2026-11-22" as CalendarDate;
const [ALICE, BOB] = ["alice", "bob"] as AccountId[] as [AccountId, AccountId];

/** A ledger that counts units in one round trip at a time, and answers each when the test decides. */
function ledger() {
  const counts = new Map<string, number>();
  const trips: { readonly groups: readonly TakeGroup[]; answer(): void }[] = [];
  const takeAll = (groups: readonly TakeGroup[]): GroupTaken[] =>
    groups.map(({ account, day, count, limit }) => {
      const before = counts.get(day + account) ?? 0;
      const granted = Math.max(0, Math.min(count, limit - before));
      counts.set(day + account, before + granted);
      return { granted, used: before + granted };
    });
  const send = (groups: readonly TakeGroup[]): Promise<readonly GroupTaken[]> =>
    new Promise((resolve) => trips.push({ groups, answer: () => resolve(takeAll(groups)) }));
  return { take: shareTakes({ senders: [send], maxWaitMs: MAX_WAIT_MS }), trips };
}

/** Lets settled promises continue. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("shared requests: requests for units in one turn of the event loop are sent together, ordered by account, and if few units are left, the first callers get them", async () => {
  const { take, trips } = ledger();
  const taken = Promise.all([
    take(ALICE, DAY, 2, "a" as KeyId),
    take(BOB, DAY, 5),
    take(ALICE, DAY, 2, "b" as KeyId),
    take(ALICE, DAY, 2, "a" as KeyId),
  ]);
  await turn();
  assert.deepEqual(trips[0]?.groups, [
    { account: ALICE, day: DAY, limit: 2, count: 3, keys: new Set(["a", "b"]) },
    { account: BOB, day: DAY, limit: 5, count: 1, keys: new Set() },
  ]);
  trips[0]?.answer();
  assert.deepEqual(await taken, [
    { granted: true, used: 1 },
    { granted: true, used: 1 },
    { granted: true, used: 2 },
    { granted: false, used: 2 },
  ]);
  assert.equal(trips.length, 1);
});

test("shared requests: a round trip has only requests of one day, and no account twice", async () => {
  const { take, trips } = ledger();
  const taken = Promise.all([take(ALICE, DAY, 3), take(ALICE, DAY, 4), take(ALICE, NEXT_DAY, 4), take(ALICE, DAY, 3)]);
  for (const [trip, sent] of [
    [DAY, 3, 2],
    [DAY, 4, 1],
    [NEXT_DAY, 4, 1],
  ].entries()) {
    await turn();
    const groups = trips[trip]?.groups.map(({ day, limit, count }) => [day, limit, count]);
    assert.deepEqual(groups, [sent]);
    trips[trip]?.answer();
  }
  const used = (await taken).map(({ used }) => used);
  assert.deepEqual(used, [1, 3, 1, 2]);
});

test("shared requests: a request that has waited too long is not sent, so that a late answer costs no unit", async (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const { take, trips } = ledger();
  const first = take(ALICE, DAY, 5);
  await turn();
  const refused = assert.rejects(take(ALICE, DAY, 5), Unavailable);
  now = MAX_WAIT_MS + 1;
  trips[0]?.answer();
  await refused;
  assert.deepEqual([await first, trips.length], [{ granted: true, used: 1 }, 1]);
});
