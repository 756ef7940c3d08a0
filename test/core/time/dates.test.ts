import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dateOfDayNumber, dayNumber, daysInMonth, parseDate } from "../../../core/time/dates.ts";
import { anyText, DAY, FIRST_MILLIS, LAST_MILLIS } from "../../support/generators.ts";
import { runs } from "../../support/suite_size.ts";

test("date: a text with the right shape is a date exactly if the day exists, even in years that end in 00", () => {
  let accepted = 0;
  for (const year of [1_900, 1_999, 2_000, 2_001, 2_004, 2_100]) {
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
  assert.equal(accepted, 6 * 365 + 2);
});

test("date: converts days to numbers and back, in the years 0 to 9999", () => {
  fc.assert(
    fc.property(fc.integer({ min: FIRST_MILLIS / DAY, max: Math.floor(LAST_MILLIS / DAY) }), (number) => {
      const date = dateOfDayNumber(number);
      assert.equal(date, new Date(number * DAY).toISOString().slice(0, 10));
      assert.equal(parseDate(date), date);
      assert.equal(dayNumber(date), number);
      const [year, month] = [+date.slice(0, 4), +date.slice(5, 7)];
      assert.equal(daysInMonth(year, month), new Date(new Date(0).setUTCFullYear(year, month, 0)).getUTCDate());
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
