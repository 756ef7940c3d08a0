import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createSender,
  type Receipt,
  type Settlement,
  shareGiveBacks,
} from "../../../adapters/stores/shared/quota_receipts.ts";
import type { TakeGroup } from "../../../adapters/stores/shared/share_quota_takes.ts";
import type { AccountId, CalendarDate } from "../../../core/mod.ts";
import { chances } from "../../support/seeded_random.ts";

const takes = (count: number): TakeGroup[] => [
  { account: "alice" as AccountId, day: "2026-11-21" as CalendarDate, limit: Infinity, count, keys: new Set() },
];

/** What becomes of a round trip: its answer comes, it never arrives, its answer is lost, or it arrives after all else and nobody waits for it. */
type CallOutcome = "answered" | "lost before" | "lost after" | "late";

/** A ledger with receipts, in memory. */
function ledger(outcomeOf: () => CallOutcome) {
  let [used, last, granted] = [0, 0, 0];
  const late: (() => void)[] = [];

  async function meet(act: () => void): Promise<void> {
    const outcome = outcomeOf();
    if (outcome === "late") late.push(act);
    if (outcome === "answered" || outcome === "lost after") act();
    if (outcome !== "answered") throw new Error(outcome);
  }

  const sender = createSender({
    take: async ([group], { number }: Receipt) => {
      await meet(() => {
        if (number > last) [used, last, granted] = [used + group!.count, number, group!.count];
      });
      return [{ granted: group!.count, used }];
    },
    settle: (_, { number, of }: Settlement) =>
      meet(() => {
        if (last === of) used -= granted;
        if (number > last) last = number;
      }),
  });
  return { sender, used: () => used, lateOnes: () => late.splice(0).forEach((act) => act()) };
}

test("receipts: whatever is lost or comes late, exactly what was answered is counted", async () => {
  for (let seed = 1; seed <= 300; seed++) {
    const chance = chances(seed);
    const below = (most: number): number => Math.floor(chance() * most);
    let outcomes: readonly CallOutcome[] = ["answered", "answered", "lost before", "lost after", "late"];
    const { sender, used, lateOnes } = ledger(() => outcomes[below(outcomes.length)]!);
    let served = 0;
    for (let n = 0; n < 40; n++) {
      const count = 1 + below(5);
      await sender(takes(count)).then(
        () => (served += count),
        () => {},
      );
      if (below(4) === 0) lateOnes();
    }
    outcomes = ["answered"];
    await sender(takes(1));
    lateOnes();
    assert.equal(used(), served + 1, `seed ${seed}`);
  }
});

test("receipts: what was lost is given back also when nobody asks for units any more", async () => {
  const outcomes: CallOutcome[] = ["lost after", "lost before", "lost before"];
  const { sender, used } = ledger(() => outcomes.shift() ?? "answered");
  await assert.rejects(sender(takes(7)));
  assert.equal(used(), 7);
  while (used() > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(outcomes.length, 0);
});

test("receipts: what is given back is given back once, though its answer is lost or a copy of it comes late", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  for (let seed = 1; seed <= 100; seed++) {
    const chance = chances(seed);
    let [used, last] = [100, 0];
    const late: (() => void)[] = [];
    const giveBack = shareGiveBacks(async (groups, { number }) => {
      const act = (): void => {
        if (number > last) [used, last] = [used - groups[0]!.count, number];
      };
      const outcome = chance();
      if (outcome < 0.25) late.push(act);
      else if (outcome < 0.9) act();
      if (outcome < 0.5 || outcome > 0.9) throw new Error("no answer");
      return [{ used }];
    });
    const { account, day } = takes(1)[0]!;
    let [answers, settled] = [0, 0];
    for (let n = 0; n < 20; n++) {
      void Promise.resolve(giveBack(account, day))
        .then(
          () => answers++,
          () => {},
        )
        .finally(() => settled++);
      for (let turn = 0; turn < 20 && chance() < 0.8; turn++) await undefined;
      if (chance() < 0.3) late.splice(0).forEach((act) => act());
    }
    for (let turn = 0; turn < 2_000 && (settled < 20 || used > 80); turn++) {
      await new Promise(setImmediate);
      t.mock.timers.tick(500);
    }
    late.forEach((act) => act());
    assert.deepEqual({ settled, used }, { settled: 20, used: 80 }, `seed ${seed}, ${answers} answered`);
  }
});
