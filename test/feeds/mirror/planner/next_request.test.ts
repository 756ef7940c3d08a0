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
import { ASSETS, type AssetCode, type UtcMillis } from "../../../../core/mod.ts";
import { at, DAY, HOUR, MINUTE } from "../../../support/generators.ts";
import { share } from "../../../support/suite_size.ts";
import { EVENING, isTrading, planFor, simulate } from "./simulated_plan.ts";

const CODES = [
  ...(["USD_RLS", "EUR_RLS", "SEKKEH_RLS", "GOLD_18_RLS", "BTC_USD", "ETH_USD", "USDT_RLS"] as const),
  ...(["GBP_RLS", "AED_RLS", "TRY_RLS", "GOLD_OUNCE_USD", "STOCK_IR"] as const),
];
const PLAN = planFor(CODES);
const TODAY = Math.floor(EVENING / DAY);

test("plan: with 50 units a day, the first week has a refresh every 38 minutes, and two years of 12 assets are filled within 40 days", () => {
  const { refreshes, filledAfter, closes, firstDay } = simulate({ days: 45, past: 730, plan: PLAN });
  const inFirstWeek = longestGap(refreshes, (_, to) => to < EVENING + 7 * DAY);
  assert.ok(inFirstWeek <= 38.5, `${inFirstWeek} minutes`);
  assert.ok(filledAfter !== undefined && filledAfter <= 40, `${filledAfter} days`);
  for (const code of CODES)
    for (let day = firstDay; day < firstDay + 730; day++)
      assert.ok(closes.get(code)!.has(day), `${code} ${day - firstDay}`);
});

/** The longest time between two refreshes for which `isOfInterest` is true, in minutes. */
function longestGap(refreshes: readonly number[], isOfInterest: (from: number, to: number) => boolean): number {
  const gaps = refreshes.slice(1).map((to, i) => (isOfInterest(refreshes[i]!, to) ? to - refreshes[i]! : 0));
  return Math.max(...gaps) / MINUTE;
}

test("plan: after a week, the market's hours are known: while it is open, a refresh follows every 20 minutes, otherwise every 90; 9 units a day remain for history", () => {
  const { refreshes, asked } = simulate({ days: 29, past: 3_000, plan: PLAN });
  const after = refreshes.filter((time) => time > EVENING + 8 * DAY);
  const whileOpen = longestGap(after, (from, to) => isTrading(from) && isTrading(to));
  const ever = longestGap(after, () => true);
  assert.ok(whileOpen <= 20 && ever <= 90, `${whileOpen} and ${ever} minutes`);
  assert.ok(asked.length >= 9 * 29, `${asked.length} requests for history`);
});

test("plan: changed market hours are learned within days, and remembered over two weeks of holidays; after two days without refreshes, learning starts again", () => {
  const holidays = [EVENING + 10 * DAY, EVENING + 23 * DAY] as const;
  const isHoliday = (time: number) => time >= holidays[0] && time < holidays[1];
  const closed = simulate({ days: 25, past: 0, plan: PLAN, trades: (time) => isTrading(time) && !isHoliday(time) });
  const isOpen = (from: number, to: number) => from > holidays[1] && isTrading(from) && isTrading(to);
  const withClosedDays = longestGap(closed.refreshes, isOpen);
  assert.ok(withClosedDays <= 20, `${withClosedDays} minutes`);
  const later = simulate({
    days: 20,
    past: 0,
    plan: PLAN,
    trades: (time) => isTrading(time - (time > EVENING + 8 * DAY ? 3 * HOUR : 0)),
  });
  const isLater = (from: number, to: number) =>
    from > EVENING + 16 * DAY && isTrading(from - 3 * HOUR) && isTrading(to - 3 * HOUR);
  const ofLater = longestGap(later.refreshes, isLater);
  assert.ok(ofLater <= 23, `${ofLater} minutes: 13 hours a day count as open, because the old hours are remembered`);
  const back = EVENING + 12 * DAY;
  const off = simulate({ days: 16, past: 0, plan: PLAN, isUp: (time) => time < EVENING + 10 * DAY || time >= back });
  const afterBreak = longestGap(off.refreshes, (from) => from > back);
  assert.ok(afterBreak <= 38.5, `${afterBreak} minutes`);
});

test("plan: missed days are requested once they span a full request, which may cover many gaps; if no day was missed, no day is requested again", () => {
  const from = EVENING + 6.5 * DAY;
  const isUp = (time: number) => time < from || (time - from) % (5 * DAY) > 1.2 * DAY;
  const many = planFor(share(ASSETS, 2).map(({ code }) => code));
  const { asked, closes, watched } = simulate({ days: 45, past: 3_000, plan: many, isUp });
  const missed = asked.filter(({ part }) => part === "missed");
  const isEarly = missed.some(({ from, to }) => to - from < 31);
  assert.deepEqual([isEarly, new Set(missed.map(({ code }) => code)).size], [false, missed.length]);
  for (const { code, from, to } of missed)
    for (let day = from; day < to - 1; day++)
      assert.ok(watched.has(day) || closes.get(code)!.has(day), `${code} ${day}`);
  assert.ok(missed.length > 20 && missed.length <= asked.length / 2, `${missed.length} of ${asked.length}`);
  const calm = simulate({ days: 45, past: 3_000, plan: many }).asked;
  assert.deepEqual([...new Set(calm.map(({ part }) => part))], ["recent", "past"]);
});

test("plan: a year of the first codes is requested before the other codes", () => {
  const { asked } = simulate({ days: 6, past: 600, plan: { ...PLAN, first: 2 } });
  const firstOther = asked.findIndex(({ code }) => code !== "USD_RLS" && code !== "EUR_RLS");
  assert.deepEqual(new Set(asked.slice(0, firstOther).map(({ code }) => code)), new Set(["USD_RLS", "EUR_RLS"]));
  assert.equal(firstOther, 24);
});

function nextOf(archive: CodeArchive, isPastNext: boolean, now: UtcMillis): HistoryRequest | undefined {
  const plan = { codes: ["USD_RLS"], first: 1, isPastNext } as const;
  return nextHistoryRequest(new Map([["USD_RLS" as AssetCode, archive]]), plan, now);
}

/** Answers all requests of an archive; `records` returns the time of the oldest record in an answer. */
function drain(
  archive: CodeArchive,
  now: UtcMillis,
  records: (wanted: HistoryRequest) => number | null,
): readonly [CodeArchive, HistoryRequest[]] {
  const asked: HistoryRequest[] = [];
  let known = archive;
  for (;;) {
    const wanted = nextOf(known, true, now);
    if (!wanted) return [known, asked];
    asked.push(wanted);
    assert.ok(asked.length < 100, "the requests come to an end");
    const first = records(wanted);
    const [oldest, newest] = first === null ? [null, null] : [at(first), at((wanted.to + 1) * DAY - 1)];
    known = withAnswer(known, wanted, { oldest, newest, isDoubtful: false, now });
  }
}

/** An upstream whose records begin on day `first`. */
const since =
  (first: number) =>
  ({ from, to }: HistoryRequest) =>
    to < first ? null : Math.max(from, first) * DAY;

test("archive: once three requests in a row have found no older records, older days are requested again after 1, 2, 4, 8 and 12 weeks; if they have records by then, these are found", () => {
  let [known] = drain(EMPTY_ARCHIVE, EVENING, since(TODAY - 40));
  assert.equal(known.emptyRun, 3);
  let week = 0;
  for (const weeks of [1, 2, 4, 8, 12, 12]) {
    const drainAt = (when: number) =>
      drain({ ...known, askedAt: at(EVENING + when * 7 * DAY) }, at(EVENING + when * 7 * DAY), since(TODAY - 40));
    assert.equal(drainAt(week + weeks - 0.1)[1].filter(({ to }) => to < TODAY - 40).length, 0, `${weeks} weeks`);
    const [next, asked] = drainAt(week + weeks);
    assert.equal(asked.filter(({ to }) => to < TODAY - 40).length, 1);
    [known, week] = [next, week + weeks];
  }
  const [after] = drain(known, at(EVENING + (week + 12) * 7 * DAY), since(TODAY - 300));
  assert.deepEqual(after.filled?.from, TODAY - 300);
});

test("archive: if a later answer has records from before all filled days, the requests for the past continue", () => {
  const [ended] = drain(EMPTY_ARCHIVE, EVENING, since(TODAY - 3));
  const [after] = drain(ended, at(EVENING + 8 * DAY), since(TODAY - 200));
  assert.deepEqual([ended.emptyRun, after.filled?.from], [3, TODAY - 200]);
});

test("archive: if the records of an answer begin within its range, the days before them are requested next", () => {
  const [, asked] = drain(EMPTY_ARCHIVE, EVENING, since(TODAY - 10));
  const ends = asked.slice(0, 2).map(({ to }) => to);
  assert.deepEqual(ends, [TODAY, TODAY - 11]);
});

test("archive: if an answer has only the ten oldest records, the days after them are requested, too", () => {
  let known = EMPTY_ARCHIVE;
  const days = new Set<number>();
  for (let i = 0; i < 3; i++) {
    const wanted = nextOf(known, false, EVENING)!;
    const found = Array.from({ length: 10 }, (_, j) => wanted.from + j).filter((day) => day < TODAY);
    for (const day of found) days.add(day);
    const [oldest, newest] = [at(found[0]! * DAY + DAY / 2), at(found.at(-1)! * DAY + DAY / 2)];
    known = withAnswer(known, wanted, { oldest, newest, isDoubtful: false, now: EVENING });
  }
  assert.equal(days.size, 30);
});

test("archive: days that an operator asks for again are requested at once, 32 at a time; empty days between days with data are requested again later", () => {
  const [known] = drain(EMPTY_ARCHIVE, EVENING, ({ from }) => (from < TODAY - 200 ? null : from * DAY));
  const wanted = withAgain(known, { from: TODAY - 150, to: TODAY - 100 }, EVENING);
  const [after, asked] = drain(wanted, EVENING, () => null);
  const ages = asked.map(({ from, to }) => `${TODAY - from} to ${TODAY - to}`);
  assert.deepEqual(ages, ["131 to 100", "150 to 132"]);
  const waits = after.again.filter(({ to }) => to > TODAY - 151).map(({ weeks }) => weeks);
  assert.deepEqual(waits, [1, 1]);
  const [far] = drain(withAgain(known, { from: TODAY - 900, to: TODAY - 880 }, EVENING), EVENING, () => null);
  const isAgain = far.again.some(({ to }) => to === TODAY - 880);
  assert.equal(isAgain, false, "empty days long before the first record are not requested again");
});
