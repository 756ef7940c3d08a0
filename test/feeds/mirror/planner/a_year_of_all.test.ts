import assert from "node:assert/strict";
import { test } from "node:test";
import { FIRST_CODES } from "../../../../adapters/feeds/mirror/mirror_options.ts";
import { groupsOf, hasYear, yearOn } from "../../../../adapters/feeds/mirror/planner/mod.ts";
import { ASSETS, type AssetCode, type UtcMillis } from "../../../../core/mod.ts";
import { DAY, HOUR } from "../../../support/generators.ts";
import { IS_NIGHTLY } from "../../../support/suite_size.ts";
import { planFor, simulate } from "./simulated_plan.ts";

const all = [...new Set([...FIRST_CODES, ...ASSETS.map(({ code }) => code)])] as AssetCode[];
/** Assets that trade around the clock. Refreshes miss their last price of each day, so every close is requested. */
const always = ASSETS.filter(({ category, quoteUnit }) => category === "CRYPTO" || quoteUnit !== "RLS").map(
  ({ code }) => code,
);
const PLAN = IS_NIGHTLY ? planFor(all, FIRST_CODES.length) : planFor(all.slice(0, 20), 4);
const DAYS = IS_NIGHTLY ? 300 : 32;
const BETWEEN = (from: number, to: number) => (time: number) => {
  const hour = ((time + 3.5 * HOUR) % DAY) / HOUR;
  return from < to ? hour >= from && hour < to : hour >= from || hour < to;
};

const cases: readonly (readonly [what: string, isDown: (time: number) => boolean, tolerance: number])[] = [
  ["that always runs", () => false, 0.1],
  ["that is off for eight hours each night", BETWEEN(23, 7), 0.25],
  ["whose upstream is down for two hours each night", BETWEEN(23, 1), 0.25],
];
for (const [what, isDown, tolerance] of cases) {
  test(`a mirror ${what} completes a year of all assets on the day estimated in the first week, within ${tolerance * 100} %`, () => {
    const named: number[] = [];
    const missing: [day: number, now: UtcMillis][] = [];
    let done = Infinity;
    const { has, asked, closes } = simulate({
      ...{ days: DAYS, past: 800, plan: PLAN, always, isUp: (time) => !isDown(time) },
      onDay(day, state, now) {
        const groups = groupsOf(state, PLAN);
        if (day >= 1 && day <= 7) named.push(day + (yearOn(state, PLAN, PLAN.unitsADay, now)! - now) / DAY);
        const isDone = day > 0 && groups.flat().every((one) => hasYear(one, now));
        if (isDone && done === Infinity) done = day;
        if (isDone) missing.push([day, now]);
      },
    });
    for (const day of named) assert.ok(Math.abs(day - done) <= tolerance * done, `estimated ${day}, was ${done}`);
    assert.deepEqual(new Set(asked.map(({ code }) => code)), new Set(PLAN.codes));
    if (tolerance < 0.2)
      assert.ok(
        missing.every(([, now]) => has(364, now)),
        "only the last day is missing",
      );
    else for (const days of closes.values()) assert.ok(days.size > 300, `${days.size} closes`);
  });
}
