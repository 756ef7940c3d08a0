import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  hear,
  type Ledger,
  NEW_LEDGER,
  nextUnitsAt,
  paidUnit,
  refusedUnit,
  restsUntil,
  takeUnit,
  unitsADayOf,
  unitsLeft,
  unitsUsed,
} from "../../../../adapters/feeds/mirror/planner/unit_ledger.ts";
import type { UtcMillis } from "../../../../core/branded_types.ts";
import { at, DAY, HOUR, MINUTE } from "../../../support/generators.ts";

const NOON = at(Date.parse("2026-11-22T12:00:00Z"));
const MIDNIGHT = at(Date.parse("2026-11-23T00:00:00Z"));

function later(ms: number): UtcMillis {
  return at(NOON + ms);
}

/** `count` answered requests, `apartMs` apart. */
function paid(
  count: number,
  {
    now = NOON,
    ledger = NEW_LEDGER,
    apartMs = 0,
  }: { readonly now?: UtcMillis; readonly ledger?: Ledger; readonly apartMs?: number } = {},
): Ledger {
  return Array.from({ length: count }).reduce<Ledger>(
    (sum, _, i) => paidUnit(takeUnit(sum, at(now + i * apartMs))),
    ledger,
  );
}

test("ledger: whatever the upstream says and however the clock jumps, at most as many requests as the budget allows succeed in 24 hours, and at most twice as many are sent", () => {
  const maybe = (min: number, max: number) => fc.option(fc.integer({ min, max }), { nil: undefined });
  const stated = fc.record({
    limit: maybe(-1, 100),
    remaining: fc.integer({ min: 0, max: 100 }),
    ahead: maybe(-DAY, 45 * DAY),
  });
  const step = fc.record({
    ms: fc.integer({ min: -DAY, max: DAY }),
    gap: fc.integer({ min: 0, max: 3 * HOUR }),
    jumps: fc.constantFrom(false, false, false, true),
    outcome: fc.constantFrom("good", "good", "failed", "limited"),
    stated: fc.array(stated, { maxLength: 2 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150 }), fc.integer({ min: 1, max: 8 }), (steps, budget) => {
      let ledger = NEW_LEDGER;
      let now = NOON;
      const good: number[] = [];
      const sent: number[] = [];
      for (const { ms, gap, outcome, stated, jumps } of steps) {
        now = at(now + (jumps ? ms : gap));
        if (unitsLeft(ledger, budget, now) > 0) {
          sent.push(now);
          ledger = takeUnit(ledger, now);
          if (outcome === "good") good.push(now);
          if (outcome === "good") ledger = paidUnit(ledger);
          if (outcome === "limited") ledger = refusedUnit(ledger, { retryAfterMs: undefined, budget }, now);
        }
        for (const { limit, remaining, ahead } of stated)
          ledger = hear(ledger, { limit, remaining, resetsAt: ahead === undefined ? undefined : at(now + ahead) }, now);
      }
      for (const [times, most] of [
        [good, budget],
        [sent, 2 * budget],
      ] as const) {
        for (const start of times) {
          const count = times.filter((time) => time >= start && time < start + DAY).length;
          assert.ok(count <= most, `${count} of ${most}`);
        }
      }
    }),
  );
});

test("ledger: each unit can be spent again a day after it was spent", () => {
  const ledger = paid(10, { apartMs: HOUR });
  assert.equal(unitsLeft(ledger, 10, later(10 * HOUR)), 0);
  assert.equal(nextUnitsAt(ledger, 10, later(10 * HOUR)), NOON + DAY + MINUTE + 1);
  assert.equal(unitsLeft(ledger, 10, later(DAY + MINUTE + 1)), 1);
});

test("ledger: a failed request counts, unless the upstream's count says otherwise", () => {
  const open = takeUnit(takeUnit(paid(5), NOON), NOON);
  assert.equal(unitsUsed(open, NOON), 7);
  const stated = (remaining: number, now: UtcMillis) => hear(open, { limit: 50, remaining, resetsAt: MIDNIGHT }, now);
  assert.equal(unitsUsed(stated(45, NOON), NOON), 7, "the upstream may still count them");
  assert.equal(unitsUsed(stated(45, later(11 * MINUTE)), later(11 * MINUTE)), 5, "the upstream did not count them");
  assert.equal(unitsUsed(stated(43, later(11 * MINUTE)), later(11 * MINUTE)), 7, "the upstream counted them");
  assert.equal(unitsUsed(stated(50, later(11 * MINUTE)), later(11 * MINUTE)), 5, "answered requests always count");
});

test("ledger: a short-term limit sets the pace, a monthly limit is spread over the days of the month, and larger limits do not raise the budget", () => {
  const hour = (remaining: number) => hear(paid(5), { limit: 10, remaining, resetsAt: later(HOUR) }, NOON);
  assert.deepEqual([unitsLeft(hour(9), 50, NOON), restsUntil(hour(9), NOON)], [45, undefined]);
  assert.equal(restsUntil(hour(0), NOON), later(HOUR));
  const month = hear(paid(5), { limit: 1_000, remaining: 295, resetsAt: later(10 * DAY) }, NOON);
  assert.deepEqual([unitsADayOf(month, 50, NOON), unitsLeft(month, 50, NOON)], [30, 25]);
  const wrong = hear(paid(5), { limit: 1, remaining: 0, resetsAt: later(3 * HOUR) }, NOON);
  const plans = [wrong, month].flatMap((one) => [25, 27].map((hours) => unitsADayOf(one, 50, later(hours * HOUR))));
  assert.deepEqual(plans, [1, 50, 30, 50], "a stated plan ends 26 hours after the last answer that states it");
  assert.equal(unitsLeft(hear(paid(5), { limit: 5_000, remaining: 3_000, resetsAt: MIDNIGHT }, NOON), 50, NOON), 45);
  const implausible = [NOON, at(0), later(50 * DAY), undefined];
  const ledgers = implausible.map((resetsAt) => hear(paid(5), { limit: 9, remaining: 1, resetsAt }, NOON));
  for (const one of ledgers)
    assert.equal(unitsLeft(one, 50, NOON), 45, "without a plausible reset time, it is ignored");
});

/** A day with `good` answered requests, then 429 for some hours. */
function refusedDay(ledger: Ledger, { day, good, hours }: Readonly<Record<"day" | "good" | "hours", number>>): Ledger {
  const spent = paid(good, { ledger, now: later(day * DAY), apartMs: 10 * MINUTE });
  return Array.from({ length: hours + 1 }).reduce<Ledger>((sum, _, hour) => {
    const now = later(day * DAY + (8 + hour) * HOUR);
    return refusedUnit(takeUnit(sum, now), { retryAfterMs: undefined, budget: 50 }, now);
  }, spent);
}
const planOn = (ledger: Ledger, day: number): number => unitsADayOf(ledger, 50, later(day * DAY + 10 * HOUR));

test("ledger: two hours of 429 after half of the units make the plan smaller for a day; if the next day confirms it, the plan stays smaller and then grows weekly", () => {
  const cases = [
    ["after half of the units, for two hours", 30, 2, 30],
    ["for an hour", 30, 1, 50],
    ["after a few units", 20, 9, 50],
    ["for hours, counted once", 40, 9, 40],
  ] as const;
  for (const [what, good, hours, units] of cases) {
    const ledger = refusedDay(NEW_LEDGER, { day: 0, good, hours });
    assert.deepEqual([planOn(ledger, 0), planOn(ledger, 1)], [units, 50], what);
  }
  const first = paidUnit(refusedDay(NEW_LEDGER, { day: 0, good: 30, hours: 3 }));
  assert.equal(planOn(first, 0), 30, "a success after hours of 429 ends the back-off, but does not raise the plan");
  const second = paidUnit(refusedDay(first, { day: 1, good: 29, hours: 3 }));
  const plans = [2, 8, 15, 60].map((day) => planOn(second, day));
  assert.deepEqual(plans, [30, 37, 46, 50]);
  assert.equal(planOn(refusedDay(first, { day: 1, good: 40, hours: 3 }), 2), 50, "40 does not confirm 30");
  assert.equal(planOn(refusedDay(first, { day: 5, good: 30, hours: 3 }), 6), 50, "five days later is not the next day");
});

test("ledger: after 429, waits until Retry-After, but at most about a day; without Retry-After, waits 1, 2, 4 … 60 minutes; a wrong clock never causes a wait of months", () => {
  const rests = (retryAfterMs: number | undefined, count: number) =>
    restsUntil(
      Array.from({ length: count }).reduce<Ledger>(
        (sum) => refusedUnit(takeUnit(sum, NOON), { retryAfterMs, budget: 50 }, NOON),
        NEW_LEDGER,
      ),
      NOON,
    )! - NOON;
  assert.equal(rests(30_000, 1), 30_000);
  assert.equal(rests(400 * DAY, 1), 26 * HOUR);
  const minutes = [1, 2, 3, 7, 9].map((count) => rests(undefined, count) / MINUTE);
  assert.deepEqual(minutes, [1, 2, 4, 60, 60]);
  const seconds = [1, 3, 4, 7].map((count) => rests(5_000, count) / 1_000);
  assert.deepEqual(seconds, [5, 5, 480, 3_600], "three short waits");
  const future = later(300 * DAY);
  const ahead = refusedUnit(takeUnit(NEW_LEDGER, future), { retryAfterMs: HOUR, budget: 50 }, future);
  assert.equal(restsUntil(ahead, NOON), undefined);
});
