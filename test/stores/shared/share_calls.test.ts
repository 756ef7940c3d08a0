import assert from "node:assert/strict";
import { test } from "node:test";
import { shareCalls } from "../../../adapters/stores/shared/share_calls.ts";
import type { AccountId, CalendarDate } from "../../../core/mod.ts";

const DAY = "2026-11-21" as CalendarDate;
const [ALICE, BOB] = ["alice", "bob"] as AccountId[] as [AccountId, AccountId];
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("shared calls: one call per account and day is under way, the others share the next; accounts do not wait for each other", async () => {
  const sent: { readonly what: string; resolve(count: number): void; reject(error: Error): void }[] = [];
  const call = shareCalls((account) => new Promise((resolve, reject) => sent.push({ what: account, resolve, reject })));
  const seen: (string | number)[] = [];
  const ask = (account: AccountId): unknown =>
    call(account, DAY).then(
      (count) => seen.push(count),
      (error: Error) => seen.push(error.message),
    );
  ask(ALICE);
  ask(ALICE);
  ask(BOB);
  await turn();
  ask(ALICE);
  await turn();
  ask(ALICE);
  const accounts = (): string => sent.map(({ what }) => what).join();
  assert.equal(accounts(), "alice,bob");
  sent[0]!.reject(new Error("lost"));
  await turn();
  assert.deepEqual([accounts(), seen], ["alice,bob,alice", ["lost", "lost"]]);
  sent[1]!.resolve(1);
  sent[2]!.resolve(2);
  await turn();
  ask(ALICE);
  await turn();
  assert.deepEqual([sent.length, seen], [4, ["lost", "lost", 1, 2, 2]]);
});
