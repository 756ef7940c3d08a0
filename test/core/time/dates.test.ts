import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dateOfDayNumber, dayNumber, daysInMonth, parseDate } from "../../../core/time/dates.ts";
import { anyText, DAY, FIRST_MILLIS, LAST_MILLIS } from "../../support/generators.ts";
import { runs } from "../../support/suite_size.ts";

test("date: a text with the right shape is a date exactly if the day exists", () => {
  let accepted = 0;
  for (let year = 1_995; year <= 2_005; year++) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
        const reference = new Date(`${text}T00:00:00Z`);
        const isReal = !Number.isNaN(reference.getTime()) && reference.toISOString().startsWith(text);
        assert.equal(parseDate(text), isReal ? text : undefined, text);
        if (isReal) accepted++;
      }
    }
  }
  assert.equal(accepted, (Date.UTC(2006, 0, 1) - Date.UTC(1995, 0, 1)) / DAY);
});

test("date: years ending in 00 have a 29 February exactly if divisible by 400", () => {
  for (let year = 0; year <= 9_900; year += 100) {
    const text = `${String(year).padStart(4, "0")}-02-29`;
    assert.equal(parseDate(text), year % 400 === 0 ? text : undefined);
  }
});

test("date: converts days to numbers and back, in the years 0 to 9999", () => {
  /** Later days in the same month. */
  function daysLeft(number: number): number {
    const month = new Date(number * DAY).getUTCMonth();
    let left = 0;
    while (new Date((number + left + 1) * DAY).getUTCMonth() === month) left++;
    return left;
  }

  fc.assert(
    fc.property(fc.integer({ min: FIRST_MILLIS / DAY, max: Math.floor(LAST_MILLIS / DAY) }), (number) => {
      const date = dateOfDayNumber(number);
      assert.equal(date, new Date(number * DAY).toISOString().slice(0, 10));
      assert.equal(parseDate(date), date);
      assert.equal(dayNumber(date), number);
      assert.equal(daysInMonth(+date.slice(0, 4), +date.slice(5, 7)) - +date.slice(8), daysLeft(number));
    }),
    { numRuns: runs(300) },
  );
});

test("date: no text makes the parser throw, and a parsed date equals its text", () => {
  const parts = fc.constantFrom("2024", "-", "02", "29", "30", "/", "T", "\n", " ", "+", "۰", "0");
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        fc.array(parts, { maxLength: 7 }).map((texts) => texts.join("")),
      ),
      (text) => {
        const date = parseDate(text);
        if (date === undefined) return;
        assert.equal(date, text);
        assert.equal(new Date(`${text}T00:00:00Z`).toISOString().slice(0, 10), text);
      },
    ),
    { numRuns: runs(400) },
  );
});
