import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { UtcMillis } from "../../../core/brand.ts";
import { NEW_LEDGER, answered, correctBy, endOfDay, nextUnitsAt, restAfter, restsUntil, takeUnit, unitsLeft } from "../../../core/mirror/ledger.ts";
import type { Ledger } from "../../../core/mirror/ledger.ts";
import { budgetOf } from "../../../core/mirror/budget.ts";
import { DAY, HOUR, MINUTE, at } from "../../support/generators.ts";

const NOON = at(Date.parse("2026-11-22T12:00:00Z"));
const MIDNIGHT = at(Date.parse("2026-11-23T00:00:00Z"));

function later(ms: number): UtcMillis {
  return at(NOON + ms);
}

function taken(count: number, now = NOON, ledger = NEW_LEDGER): Ledger {
  return Array.from({ length: count }).reduce<Ledger>((sum) => answered(takeUnit(sum, now)), ledger);
}

test("ledger: however the clock jumps, a day is spent once", () => {
  const times = fc.array(fc.integer({ min: -5 * DAY, max: 5 * DAY }), { maxLength: 200 });
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 20 }), (jumps, units) => {
      const spent = new Map<number, number>();
      let ledger = NEW_LEDGER;
      for (const jump of jumps) {
        const now = later(jump);
        if (unitsLeft(ledger, units, now) === 0) continue;
        ledger = takeUnit(ledger, now);
        const day = Math.floor(now / DAY);
        spent.set(day, (spent.get(day) ?? 0) + 1);
      }
      for (const [day, count] of spent) assert.ok(count <= units, `${count} of ${units} units on day ${day}`);
    }),
  );
});

test("ledger: a clock that shows the next day for a while, and then is set back, gets no more units of the earlier day", () => {
  const ahead = takeUnit(taken(2, NOON), MIDNIGHT);
  assert.equal(unitsLeft(ahead, 2, NOON), 0);
  assert.equal(nextUnitsAt(ahead, 2, NOON), MIDNIGHT);
  assert.equal(unitsLeft(ahead, 2, MIDNIGHT), 1);
});

test("ledger: a clock that is set back gets no second set of units", () => {
  const full = taken(50, MIDNIGHT);
  assert.equal(unitsLeft(full, 50, NOON), 0);
  assert.equal(nextUnitsAt(full, 50, NOON), MIDNIGHT + DAY);
  assert.equal(unitsLeft(full, 50, at(MIDNIGHT + DAY)), 50);
});

test("ledger: where the upstream has counted less, the ledger follows, but for requests without an answer", () => {
  const resetsAt = MIDNIGHT;
  assert.equal(correctBy(taken(20), { limit: 50, remaining: 45, resetsAt }, NOON).used, 5);
  const open = takeUnit(takeUnit(taken(20), NOON), NOON);
  assert.equal(correctBy(answered(open), { limit: 50, remaining: 45, resetsAt }, NOON).used, 6, "one may yet be counted");
  const settled = answered(takeUnit(open, later(11 * MINUTE)));
  assert.equal(correctBy(settled, { limit: 50, remaining: 45, resetsAt }, later(11 * MINUTE)).used, 5, "after ten minutes it was counted, or never will be");
  assert.equal(correctBy(taken(20), { limit: 50, remaining: 45, resetsAt: later(3 * HOUR) }, NOON).used, 20, "what is told of another day is no correction");
});

test("ledger: units that others spend on the same key are respected, until the upstream's day ends", () => {
  const shared = correctBy(taken(5), { limit: 50, remaining: 3, resetsAt: MIDNIGHT }, NOON);
  assert.equal(unitsLeft(shared, 50, NOON), 3);
  assert.equal(unitsLeft(takeUnit(shared, NOON), 50, NOON), 2, "each unit counts before the next answer");
  assert.equal(unitsLeft(shared, 50, MIDNIGHT), 50);
  const large = correctBy(taken(5), { limit: 5_000, remaining: 3_000, resetsAt: MIDNIGHT }, NOON);
  assert.equal(unitsLeft(large, 50, NOON), 45, "a larger plan does not raise what the operator allows");
});

test("ledger: a time that makes no sense corrects nothing", () => {
  for (const resetsAt of [NOON, at(0), later(3 * DAY)]) assert.equal(correctBy(taken(20), { limit: 50, remaining: 45, resetsAt }, NOON).used, 20);
});

test("ledger: a 429 rests until Retry-After, at most a day, or else until the next day; a clock that was wrong rests no year", () => {
  assert.equal(restsUntil(restAfter(NEW_LEDGER, 30_000, NOON), NOON), later(30_000));
  assert.equal(restsUntil(restAfter(NEW_LEDGER, 30_000, NOON), later(30_000)), undefined);
  assert.equal(restsUntil(restAfter(NEW_LEDGER, 400 * DAY, NOON), NOON), later(DAY));
  assert.equal(restsUntil(restAfter(NEW_LEDGER, undefined, NOON), NOON), MIDNIGHT);
  assert.equal(restsUntil(restAfter(NEW_LEDGER, undefined, later(300 * DAY)), NOON), undefined);
  assert.equal(endOfDay(NEW_LEDGER, NOON), MIDNIGHT);
});

test("budget: 50 units are 40 refreshes, 36 minutes apart, 1 in hand and 9 for the archive", () => {
  assert.deepEqual(budgetOf(50), { unitsADay: 50, intervalMs: 36 * MINUTE, inHand: 1, pauseMs: 2_000 });
  for (const units of [0, -1, 1.5, NaN, Infinity]) assert.throws(() => budgetOf(units), RangeError);
});
