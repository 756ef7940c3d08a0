import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import {
  createSender,
  type Receipt,
  type Settlement,
  shareGiveBacks,
} from "../../../adapters/stores/shared/quota_receipts.ts";
import type { TakeGroup } from "../../../adapters/stores/shared/share_quota_takes.ts";
import { type AccountId, type CalendarDate, Unavailable } from "../../../core/mod.ts";
import { createRandom } from "../../support/seeded_random.ts";

const [ALICE, BOB] = ["alice", "bob"] as [AccountId, AccountId];
const DAY = "2026-11-21" as CalendarDate;
const OPEN = new AbortController().signal;
const takes = (count: number): TakeGroup[] => [{ account: ALICE, day: DAY, limit: Infinity, count, keys: new Set() }];

/** Lets half a second pass, `times` times, and runs the timers that are due. */
async function passTime({ mock }: TestContext, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) {
    mock.timers.tick(500);
    await new Promise(setImmediate);
  }
}

/** The outcome of a call: it is answered, it never arrives, its answer is lost, or it arrives after all other calls. */
type CallOutcome = "answered" | "lost before" | "lost after" | "late";

/** A ledger with receipts, in memory. */
function ledger(outcomeOf: () => CallOutcome) {
  let used = 0;
  const receipts = new Map<string, { readonly number: number; readonly granted: number }>();
  const late: (() => void)[] = [];

  async function meet(act: () => void): Promise<void> {
    const outcome = outcomeOf();
    if (outcome === "late") late.push(act);
    if (outcome === "answered" || outcome === "lost after") act();
    if (outcome !== "answered") throw new Unavailable(outcome);
  }

  async function take([group]: readonly TakeGroup[], { sender, number }: Receipt) {
    const { count } = group!;
    await meet(() => {
      if (number <= (receipts.get(sender)?.number ?? 0)) return;
      used += count;
      receipts.set(sender, { number, granted: count });
    });
    return [{ granted: count, used }];
  }

  const settle = (_: unknown, { sender, number, of }: Settlement): Promise<void> =>
    meet(() => {
      const last = receipts.get(sender);
      if (last?.number === of) used -= last.granted;
      if (number > (last?.number ?? 0)) receipts.set(sender, { number, granted: 0 });
    });

  const sender = createSender({ take, settle }, OPEN);
  return { sender, used: () => used, lateOnes: () => late.splice(0).forEach((act) => act()) };
}

test("receipts: whatever is lost or late, exactly the answered units are counted", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  for (let seed = 1; seed <= 300; seed++) {
    const { next: chance } = createRandom(seed);
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
      await passTime(t);
    }
    outcomes = ["answered"];
    await sender(takes(1));
    await passTime(t);
    lateOnes();
    assert.equal(used(), served + 1, `seed ${seed}`);
  }
});

test("receipts: a unit is given back once, even if the answer is lost or a copy of the call arrives late", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  for (let seed = 1; seed <= 100; seed++) {
    const { next: chance } = createRandom(seed);
    let used = 100;
    const last = new Map<string, number>();
    const late: (() => void)[] = [];
    const send = async (groups: readonly TakeGroup[], { sender, number }: Receipt) => {
      const act = (): void => {
        if (number <= (last.get(sender) ?? 0)) return;
        used -= groups[0]!.count;
        last.set(sender, number);
      };
      const outcome = chance();
      if (outcome < 0.25) late.push(act);
      else if (outcome < 0.9) act();
      if (outcome < 0.5 || outcome > 0.9) throw new Unavailable("no answer");
      return [{ used }];
    };
    const giveBack = shareGiveBacks(send, { closed: OPEN });
    let [answers, settled] = [0, 0];
    for (let n = 0; n < 20; n++) {
      void Promise.resolve(giveBack(ALICE, DAY))
        .then(
          () => answers++,
          () => {},
        )
        .finally(() => settled++);
      for (let turn = 0; turn < 20 && chance() < 0.8; turn++) await undefined;
      if (chance() < 0.3) late.splice(0).forEach((act) => act());
    }
    for (let turn = 0; turn < 2_000 && (settled < 20 || used > 80); turn++) await passTime(t);
    late.forEach((act) => act());
    assert.deepEqual({ settled, used }, { settled: 20, used: 80 }, `seed ${seed}, ${answers} answered`);
  }
});

test("receipts: a failing give-back does not delay other accounts, and is repeated only if a repetition can succeed", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  for (const [error, most] of [
    [new TypeError("can never be carried out"), 2],
    [new Unavailable("refused for ever"), 1_201],
  ] as const) {
    let tries = 0;
    const send = async (groups: readonly TakeGroup[]) => {
      if (groups.every(({ account }) => account === BOB)) return [{ used: 7 }];
      tries++;
      throw error;
    };
    const giveBack = shareGiveBacks(send, { closed: OPEN });
    const alice = assert.rejects(async () => giveBack(ALICE, DAY), error);
    if (error instanceof Unavailable) await alice;
    assert.equal(await giveBack(BOB, DAY), 7);
    await alice;
    await passTime(t, 1_300);
    assert.equal(tries, most, String(error));
  }
});

test("receipts: while lost units cannot be given back, other accounts still get units; nothing is sent once the store is closed", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const closing = new AbortController();
  let tries = 0;
  const refuse = async (): Promise<never> => {
    tries++;
    throw new Unavailable("no answer");
  };
  const take = async ([group]: readonly TakeGroup[]) =>
    group!.account === ALICE ? refuse() : [{ granted: 1, used: 1 }];
  const sender = createSender({ take, settle: refuse }, closing.signal);
  const giveBack = shareGiveBacks(refuse, { closed: closing.signal });
  await assert.rejects(sender(takes(1)));
  await assert.rejects(async () => giveBack(ALICE, DAY));
  assert.equal((await sender([{ ...takes(1)[0]!, account: BOB }])).length, 1);
  await passTime(t, 20);
  assert.ok(tries > 20, `${tries} tries`);
  closing.abort();
  tries = 0;
  await passTime(t, 20);
  assert.equal(tries, 0);
});
