import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type CodeArchive,
  EMPTY_ARCHIVE,
  type HistoryRequest,
  nextHistoryRequest,
  withAgain,
  withAnswer,
} from "../../../../adapters/feeds/mirror/planner/history_backfill.ts";
import {
  begun,
  checked,
  filled,
  type MirrorPlan,
  type MirrorState,
  NEW_MIRROR,
  nextAct,
  paidUnit,
  refreshed,
} from "../../../../adapters/feeds/mirror/planner/mod.ts";
import type { AssetCode, UtcMillis } from "../../../../core/branded_types.ts";
import { at, DAY, HOUR, MINUTE } from "../../../support/generators.ts";

const CODES = [
  "USD_RLS",
  "EUR_RLS",
  "SEKKEH_RLS",
  "GOLD_18_RLS",
  "BTC_USD",
  "ETH_USD",
  "USDT_RLS",
  "GBP_RLS",
  "AED_RLS",
  "TRY_RLS",
  "GOLD_OUNCE_USD",
  "STOCK_IR",
] as const satisfies readonly AssetCode[];
const EVENING = at(Date.parse("2026-11-22T20:00:00Z"));
const ZONE = 3.5 * HOUR;
const PLAN: MirrorPlan = {
  unitsADay: 50,
  codes: CODES,
  first: CODES.length,
  midnightAfter: (time) => at((Math.floor((time + ZONE) / DAY) + 1) * DAY - ZONE),
};

/** Runs the plan before an upstream that answers all, with so many days of history; `isUp` tells when a mirror runs. */
function simulate({
  days,
  past,
  plan = PLAN,
  isUp = () => true,
}: Readonly<{ days: number; past: number; plan?: MirrorPlan; isUp?: (time: number) => boolean }>) {
  const closes = new Map(CODES.map((code) => [code as string, new Set<number>()]));
  const asked: HistoryRequest[] = [];
  const refreshes: number[] = [];
  const firstDay = Math.floor(EVENING / DAY) - past;
  let state: MirrorState = checked(NEW_MIRROR, { isRefused: false, attribution: null }, EVENING);
  let filledAfter: number | undefined;
  for (let now = EVENING; now < EVENING + days * DAY; ) {
    const act = nextAct(state, plan, now);
    if (act.kind === "wait" || !isUp(now))
      now = at(Math.max(now + (isUp(now) ? 1 : HOUR), act.kind === "wait" ? act.until : 0));
    else if (act.kind === "check") state = checked(state, { isRefused: false, attribution: null }, now);
    else {
      state = begun(state, act, now);
      state = { ...state, ledger: paidUnit(state.ledger) };
      if (act.kind === "refresh") {
        refreshes.push(now);
        state = refreshed(state, { codes: CODES, newest: now, intervalMs: 36 * MINUTE }, now);
      } else {
        asked.push(act);
        const found = Array.from({ length: act.to - act.from + 1 }, (_, i) => act.from + i).filter(
          (day) => day >= firstDay && (day + 1) * DAY - ZONE <= now,
        );
        for (const day of found) closes.get(act.code)!.add(day);
        state = filled(state, act, {
          oldest: found[0] === undefined ? null : at(found[0] * DAY + 12 * HOUR),
          isDoubtful: false,
          now,
        });
        if (CODES.every((code) => closes.get(code)!.has(firstDay))) filledAfter ??= (now - EVENING) / DAY;
      }
      now = at(now + 3_000);
    }
  }
  return { closes, asked, refreshes, filledAfter, state, firstDay };
}

test("plan: 50 units a day refresh every 36 minutes, and fill two years of 12 assets within 40 days", () => {
  const { refreshes, filledAfter, closes, firstDay } = simulate({ days: 45, past: 730 });
  const gaps = refreshes.slice(1).map((time, i) => time - refreshes[i]!);
  assert.ok(Math.max(...gaps) <= 37 * MINUTE, `${Math.max(...gaps) / MINUTE} minutes`);
  assert.ok(filledAfter !== undefined && filledAfter <= 40, `${filledAfter} days`);
  for (const code of CODES)
    for (let day = firstDay; day < firstDay + 730; day++)
      assert.ok(closes.get(code)!.has(day), `${code} ${day - firstDay}`);
});

test("plan: a refresh comes just before and just after each midnight of the market", () => {
  const { refreshes } = simulate({ days: 10, past: 100 });
  for (let midnight = PLAN.midnightAfter(EVENING) + DAY; midnight < EVENING + 9 * DAY; midnight += DAY) {
    assert.ok(
      refreshes.some((time) => time >= midnight - 95_000 && time < midnight - 45_000),
      `before ${new Date(midnight).toISOString()}`,
    );
    assert.ok(
      refreshes.some((time) => time >= midnight && time <= midnight + MINUTE),
      `after ${new Date(midnight).toISOString()}`,
    );
  }
});

test("plan: a mirror that was down for a weekend asks first for what it has missed", () => {
  const [from, monday] = [EVENING + 20 * DAY, EVENING + 22.7 * DAY];
  const { closes } = simulate({ days: 26, past: 730, isUp: (time) => time < from || time >= monday });
  for (const code of CODES)
    for (let day = Math.floor(from / DAY); day < Math.floor(monday / DAY); day++)
      assert.ok(closes.get(code)!.has(day), `${code} ${day}`);
});

test("plan: the first codes are filled before others are begun", () => {
  const { asked } = simulate({ days: 6, past: 60, plan: { ...PLAN, first: 2 } });
  const firstOther = asked.findIndex(({ code }) => code !== "USD_RLS" && code !== "EUR_RLS");
  assert.deepEqual(new Set(asked.slice(0, firstOther).map(({ code }) => code)), new Set(["USD_RLS", "EUR_RLS"]));
  assert.ok(asked.slice(0, firstOther).length >= 4 && firstOther > 0, `${firstOther}`);
});

/** Asks an archive until it wants nothing; `records` tells the oldest time of an answer. */
function drain(
  archive: CodeArchive,
  now: UtcMillis,
  records: (wanted: HistoryRequest) => number | null,
): readonly [CodeArchive, HistoryRequest[]] {
  const asked: HistoryRequest[] = [];
  let known = archive;
  for (;;) {
    const wanted = nextHistoryRequest(
      new Map([["USD_RLS" as AssetCode, known]]),
      { codes: ["USD_RLS"], first: 1 },
      now,
    );
    if (!wanted) return [known, asked];
    asked.push(wanted);
    assert.ok(asked.length < 100, "it comes to an end");
    const oldest = records(wanted);
    known = withAnswer(known, wanted, { oldest: oldest === null ? null : at(oldest), isDoubtful: false, now });
  }
}

const TODAY = Math.floor(EVENING / DAY);

test("archive: one that has ended is asked again a week later, then after 2, 4, 8 and 12 weeks; what came meanwhile is found", () => {
  const from =
    (first: number) =>
    ({ from, to }: HistoryRequest) =>
      to < first ? null : Math.max(from, first) * DAY;
  let [known] = drain(EMPTY_ARCHIVE, EVENING, from(TODAY - 40));
  assert.equal(known.emptyRun, 3);
  let week = 0;
  for (const weeks of [1, 2, 4, 8, 12, 12]) {
    const drainAt = (when: number) =>
      drain({ ...known, askedAt: at(EVENING + when * 7 * DAY) }, at(EVENING + when * 7 * DAY), from(TODAY - 40));
    assert.equal(drainAt(week + weeks - 0.1)[1].filter(({ to }) => to < TODAY - 40).length, 0, `${weeks} weeks`);
    const [next, asked] = drainAt(week + weeks);
    assert.equal(asked.filter(({ to }) => to < TODAY - 40).length, 1);
    [known, week] = [next, week + weeks];
  }
  const [after] = drain(known, at(EVENING + (week + 12) * 7 * DAY), from(TODAY - 300));
  assert.deepEqual(after.filled?.from, TODAY - 300);
});

test("archive: records below all that is filled, in whatever answer, begin the way to the past anew", () => {
  const from =
    (first: number) =>
    ({ from, to }: HistoryRequest) =>
      to < first ? null : Math.max(from, first) * DAY;
  const [ended] = drain(EMPTY_ARCHIVE, EVENING, from(TODAY - 3));
  const [after] = drain(ended, at(EVENING + 2 * DAY), from(TODAY - 200));
  assert.deepEqual([ended.emptyRun, after.filled?.from], [3, TODAY - 200]);
});

test("archive: of an answer whose records begin amid its days, the days before are asked for next", () => {
  const [, asked] = drain(EMPTY_ARCHIVE, EVENING, ({ from, to }) =>
    to < TODAY - 10 ? null : Math.max(from, TODAY - 10) * DAY,
  );
  assert.deepEqual(
    asked.slice(0, 2).map(({ to }) => to),
    [TODAY, TODAY - 11],
  );
});

test("archive: days that somebody wants again are asked for at once, in pieces of 32; those amid others that are empty come again", () => {
  const [known] = drain(EMPTY_ARCHIVE, EVENING, ({ from }) => (from < TODAY - 200 ? null : from * DAY));
  const wanted = withAgain(known, { from: TODAY - 150, to: TODAY - 100 }, EVENING);
  const [after, asked] = drain(wanted, EVENING, () => null);
  assert.deepEqual(
    asked.map(({ from, to }) => [TODAY - from, TODAY - to]),
    [
      [131, 100],
      [150, 132],
    ],
  );
  assert.deepEqual(
    after.again.filter(({ to }) => to > TODAY - 151).map(({ weeks }) => weeks),
    [1, 1],
  );
  const [far] = drain(withAgain(known, { from: TODAY - 900, to: TODAY - 880 }, EVENING), EVENING, () => null);
  assert.equal(
    far.again.some(({ to }) => to === TODAY - 880),
    false,
    "what lies far before all that there is does not",
  );
});
