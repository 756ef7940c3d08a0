import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { AssetCode } from "../../../core/brand.ts";
import { NEW_MIRROR, begun, budgetOf, checked, daysForAYear, nextAct, refreshed } from "../../../core/mirror/mod.ts";
import { runs } from "../../support/size.ts";
import { DAY, HOUR, MINUTE, at } from "../../support/generators.ts";
import { chances, simulate } from "./simulation.ts";
import type { Weather } from "./simulation.ts";

const CODES = [
  "USD_RLS", "EUR_RLS", "SEKKEH_RLS", "GOLD_18_RLS", "BTC_USD", "ETH_USD", "USDT_RLS", "GBP_RLS", "AED_RLS", "TRY_RLS", "GOLD_OUNCE_USD", "STOCK_IR",
] as const satisfies readonly AssetCode[];
const EVENING = Date.parse("2026-11-22T20:00:00Z");
const TWO_YEARS = 730;

const FAIR: Weather = {
  startAt: EVENING, days: 60, unitsADay: 50, codes: CODES, archiveDays: TWO_YEARS, zoneMs: 3.5 * HOUR,
  outages: [], stops: [], serverError: 0, timeout: 0, crash: 0, rateLimit: 0, tellsQuota: true, chance: chances(1),
};

function mostUnits(units: ReadonlyMap<number, number>): number {
  return Math.max(...units.values());
}

test("plan: 50 units a day keep the values at most 37 minutes old, and fill two years of 12 assets within 35 days", () => {
  for (const tellsQuota of [true, false]) {
    const { units, oldestMs, closes, filledAfterDays, wasted } = simulate({ ...FAIR, tellsQuota });
    assert.ok(mostUnits(units) <= 50, `${mostUnits(units)} units`);
    assert.ok(oldestMs <= 37 * MINUTE, `${oldestMs / MINUTE} minutes`);
    assert.ok(filledAfterDays !== undefined && filledAfterDays <= 35, `${filledAfterDays} days`);
    assert.deepEqual(wasted, []);
    const today = Math.floor((EVENING + 60 * DAY + 3.5 * HOUR) / DAY);
    for (const code of CODES) {
      const missing = Array.from({ length: TWO_YEARS + 50 }, (_, index) => today - 10 - index).filter((day) => day >= today - 60 - TWO_YEARS && !closes.get(code)!.has(day));
      assert.deepEqual(missing, [], code);
    }
  }
});

test("plan: what is begun in the evening has the last 32 days of every asset before midnight", () => {
  const { closes, units } = simulate({ ...FAIR, days: 4 / 24 });
  const yesterday = Math.floor((EVENING + 3.5 * HOUR) / DAY) - 1;
  for (const code of CODES) for (let day = yesterday; day > yesterday - 30; day--) assert.ok(closes.get(code)!.has(day), `${code} ${yesterday - day} days before`);
  assert.ok(mostUnits(units) >= 48, "units that end with the day are not kept");
});

test("plan: a mirror that was down for a weekend asks first for what it has missed", () => {
  const monday = Date.parse("2027-02-01T08:00:00Z");
  const from = Date.parse("2027-01-29T15:00:00Z");
  const { closes } = simulate({ ...FAIR, days: (monday - EVENING) / DAY + 2, stops: [[from, monday]] });
  const days = Array.from({ length: Math.floor(monday / DAY) - Math.floor(from / DAY) }, (_, index) => Math.floor(from / DAY) + index);
  for (const code of CODES) assert.deepEqual(days.filter((day) => !closes.get(code)!.has(day)), [], code);
});

test("plan: nothing is asked for in the last 45 seconds of a day, and the refresh that would be due then comes before", () => {
  const midnight = Date.parse("2026-11-23T00:00:00Z");
  const plan = { budget: budgetOf(50), codes: CODES };
  const checkedAt = (ms: number) => {
    const now = at(midnight + ms);
    return refreshed(begun(checked(NEW_MIRROR, true, now), { kind: "refresh" }, now), CODES, { budget: plan.budget, now });
  };
  const early = checkedAt(-10 * MINUTE);
  assert.equal(nextAct(early, plan, at(midnight - 2 * MINUTE)).kind, "history");
  for (const ms of [45_000, 44_999, 1]) assert.deepEqual(nextAct(early, plan, at(midnight - ms)), { kind: "wait", until: midnight, why: "midnight" });
  const due = checkedAt(-36 * MINUTE - 20_000);
  assert.equal(nextAct(due, plan, at(midnight - 89_000)).kind, "refresh");
});

/** Spans of random length within the run, in order. */
function spans(most: number, longestMs: number) {
  return fc.array(fc.tuple(fc.integer({ min: 0, max: 60 * DAY }), fc.integer({ min: MINUTE, max: longestMs })), { maxLength: most })
    .map((list) => list.map(([from, length]) => [EVENING + from, EVENING + from + length] as const));
}

test("plan: whatever fails, however often it restarts: never more than the units of a day, never an old value while all is up", () => {
  const weather = fc.record({
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
    unitsADay: fc.constantFrom(50, 50, 50, 10, 1, 3, 200),
    zoneMs: fc.integer({ min: -24, max: 28 }).map((halves) => halves * 0.5 * HOUR),
    startAt: fc.integer({ min: 0, max: DAY }).map((ms) => EVENING + ms),
    outages: spans(6, 3 * DAY),
    stops: spans(6, 3 * DAY),
    serverError: fc.constantFrom(0, 0.05, 0.5, 1),
    timeout: fc.constantFrom(0, 0.05, 0.5),
    crash: fc.constantFrom(0, 0.02, 0.3),
    rateLimit: fc.constantFrom(0, 0.05),
    tellsQuota: fc.boolean(),
  });
  fc.assert(
    fc.property(weather, ({ seed, ...rest }) => {
      const { units, oldestMs } = simulate({ ...FAIR, ...rest, chance: chances(seed) });
      assert.ok(mostUnits(units) <= rest.unitsADay, `${mostUnits(units)} of ${rest.unitsADay} units`);
      const isAllUp = rest.crash + rest.serverError + rest.timeout + rest.rateLimit === 0;
      if (rest.unitsADay === 50 && isAllUp) assert.ok(oldestMs <= 37 * MINUTE, `${oldestMs / MINUTE} minutes`);
    }),
    { numRuns: runs(8) },
  );
});

test("plan: about how many days the history of a year takes: of 12 assets 16, of all 200 most of a year; without units for it, none is told", () => {
  const cases = [[50, 12, 16], [50, 200, 254], [50, 1, 2], [1_000, 200, 13], [1, 12, undefined]] as const;
  for (const [unitsADay, assets, days] of cases) assert.equal(daysForAYear(budgetOf(unitsADay), assets), days, `${assets} assets with ${unitsADay} units`);
});
