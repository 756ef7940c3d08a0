import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { CalendarDate } from "../../../core/branded_types.ts";
import { dateOfDayNumber, dayNumber } from "../../../core/time/dates.ts";
import { formatTimestamp } from "../../../core/time/timestamps.ts";
import { createZone } from "../../../core/time/zone.ts";
import { at, DAY, MINUTE } from "../../support/generators.ts";
import { runs } from "../../support/suite_size.ts";

const wallClocks = new Map<string, Intl.DateTimeFormat>();

/** The local time in a zone, e.g. `2024-03-01 00:00:00`. */
function wall(zone: string, time: number): string {
  const options = { timeZone: zone, dateStyle: "short", timeStyle: "medium" } as const;
  const clock = wallClocks.get(zone) ?? new Intl.DateTimeFormat("sv-SE", options);
  wallClocks.set(zone, clock);
  return clock.format(time);
}

/** Finds, minute by minute and then second by second, when a zone's clocks first show midnight of a day or later. */
function slowStart(zone: string, day: number): number {
  const midnight = `${dateOfDayNumber(day)} 00:00:00`;
  let time = day * DAY - 17 * 60 * MINUTE;
  while (wall(zone, time) < midnight) time += MINUTE;
  time -= MINUTE;
  while (wall(zone, time) < midnight) time += 1_000;
  return time;
}

/** The last day that has begun at that time. */
function slowDay(zone: string, time: number): number {
  let day = dayNumber(wall(zone, time).slice(0, 10) as CalendarDate);
  while (slowStart(zone, day + 1) <= time) day++;
  return day;
}

/** Days near clock changes: at or across midnight, by an unusual amount, or by a whole day. */
const oddDays = `
  Asia/Tehran 1935-06-13 1977-10-20 1979-09-18 2008-03-21 2022-03-22 2022-09-21 2022-09-22
  America/St_Johns 1988-10-30 2006-10-28 2006-10-29
  Antarctica/Casey 2010-03-04 2010-03-05
  Pacific/Apia 2011-12-29 2011-12-30 2011-12-31
  Asia/Pyongyang 2015-08-15 2018-05-05
  America/Sao_Paulo 2018-02-18 2018-11-04
  America/Goose_Bay 2010-11-07
  America/Phoenix 1944-01-01
  Pacific/Guam 1969-01-26
  Pacific/Kwajalein 1993-08-21
  Pacific/Kiritimati 1994-12-31
  America/Caracas 2007-12-09
  America/Havana 2023-11-05
  Africa/Cairo 2023-04-28
  Asia/Gaza 2014-10-25
  Australia/Lord_Howe 2023-10-01
  Africa/Monrovia 1972-01-07
  Europe/Amsterdam 1937-07-01
  America/New_York 2024-11-03
  UTC 1969-12-31
`
  .trim()
  .split("\n")
  .flatMap((line) => {
    const [zone, ...dates] = line.trim().split(" ");
    return dates.map((date) => [zone!, date] as const);
  });
const zoneNames = Intl.supportedValuesOf("timeZone");
// Starts in 1970. In earlier years, some clocks skipped a period that began before midnight, as in Toronto in 1919.
const zonedDay = fc.tuple(
  fc.oneof(fc.constant("Asia/Tehran"), fc.constantFrom(...zoneNames)),
  fc.integer({ min: 0, max: dayNumber("2037-12-31" as CalendarDate) }),
);
// fast-check counts examples as runs.
const knownDays = oddDays.map(([zone, date]): [[string, number]] => [[zone, dayNumber(date as CalendarDate)]]);

test("zone: a day begins when the clocks first show midnight or later, as a minute-by-minute search confirms", () => {
  fc.assert(
    fc.property(zonedDay, ([name, day]) => {
      const zone = createZone(name);
      for (const number of [day, day + 1]) {
        assert.equal(formatTimestamp(zone.startOfDay(number)), formatTimestamp(at(slowStart(name, number))), name);
      }
    }),
    { numRuns: knownDays.length + runs(12), examples: knownDays },
  );
});

test("zone: the day of a time is the last day that has begun, even if the clocks show a date twice", () => {
  const moment = fc.integer({ min: -DAY, max: 2 * DAY });
  fc.assert(
    fc.property(zonedDay, fc.array(moment, { minLength: 3, maxLength: 3 }), ([name, day], offsets) => {
      const zone = createZone(name);
      const start = zone.startOfDay(day);
      const near = [-1, 0, 1, 30 * MINUTE, 60 * MINUTE, 90 * MINUTE, DAY - 30 * MINUTE, ...offsets];
      for (const time of near.map((offset) => start + offset)) {
        const wanted = dateOfDayNumber(slowDay(name, time));
        assert.equal(zone.dateAt(at(time)), wanted, `${name} ${formatTimestamp(at(time))}`);
      }
    }),
    {
      numRuns: knownDays.length + runs(6),
      examples: knownDays.map(([known]): [[string, number], number[]] => [known, [0, 0, 0]]),
    },
  );
});

test("zone: a time of day is the first moment at which the clocks show it; if the clocks skip it, the offset before their change applies", () => {
  const minutes = fc.integer({ min: 0, max: 24 * 60 - 1 });
  // Starts in 1980, because clocks changed by fractions of a minute before, which a search by minutes misses.
  const since1980 = zonedDay.map(([name, day]) => [name, day < 3_652 ? day + 3_652 : day] as const);
  const knownSince1980 = knownDays.filter(([[, day]]) => day > 3_652);
  const examples = knownSince1980.flatMap(([known]) =>
    [0, 90].map((minute): [readonly [string, number], number] => [known, minute]),
  );
  fc.assert(
    fc.property(since1980, minutes, ([name, day], minute) => {
      const wanted = `${dateOfDayNumber(day)} ${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}:00`;
      const found = createZone(name).momentAt(day, minute * MINUTE);
      const near = Array.from({ length: 2 * 26 * 60 }, (_, i) => found + (i - 26 * 60) * MINUTE);
      const first = near.find((time) => wall(name, time) === wanted);
      if (first !== undefined) assert.equal(formatTimestamp(found), formatTimestamp(at(first)), `${name} ${wanted}`);
      else assert.ok(wall(name, found) > wanted && wall(name, found - 24 * 60 * MINUTE) < wanted, `${name} ${wanted}`);
    }),
    { numRuns: examples.length + runs(4), examples },
  );
  const tehran = createZone("Asia/Tehran");
  const spring = dayNumber("2022-03-22" as CalendarDate);
  // On this day, the clocks in Tehran went from 00:00 to 01:00.
  const moments = [0, 30, 60].map((minute) => formatTimestamp(tehran.momentAt(spring, minute * MINUTE)));
  assert.deepEqual(moments, ["2022-03-21T20:30:00.000Z", "2022-03-21T21:00:00.000Z", "2022-03-21T20:30:00.000Z"]);
});

test("zone: the days of the years 0 and 1 begin at midnight in local mean time", () => {
  const zone = createZone("Asia/Tehran");
  for (const [date, start] of [
    ["0000-01-02", "0000-01-01T20:34:16.000Z"],
    ["0000-12-31", "0000-12-30T20:34:16.000Z"],
    ["0001-01-01", "0000-12-31T20:34:16.000Z"],
  ] as const) {
    const day = dayNumber(date as CalendarDate);
    assert.equal(formatTimestamp(zone.startOfDay(day)), start);
    assert.deepEqual([zone.dateAt(zone.startOfDay(day)), zone.dateAt(at(zone.startOfDay(day + 1) - 1))], [date, date]);
  }
});

test("zone: an unknown name throws", () => {
  for (const name of ["", "Asia/Nowhere", "UTC+3:30"]) assert.throws(() => createZone(name), RangeError);
});

test("zone: the start of a day is computed only once", ({ mock }) => {
  const zone = createZone("Asia/Tehran");
  const format = mock.method(Intl.DateTimeFormat.prototype, "formatToParts");
  const costOf = (day: number): number => {
    const before = format.mock.callCount();
    zone.startOfDay(day);
    return format.mock.callCount() - before;
  };
  assert.notEqual(costOf(0), 0);
  assert.equal(costOf(0), 0);
});
