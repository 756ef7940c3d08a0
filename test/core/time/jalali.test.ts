import assert from "node:assert/strict";
import { test } from "node:test";
import { dateOfDayNumber } from "../../../core/time/dates.ts";
import { gregorianOf, jalaliHint } from "../../../core/time/jalali.ts";

/** Published pairs of Jalali and Gregorian days. The last three pairs have 1405-08-30 in other spellings. */
const PAIRS = [
  ["1300-01-01", "1921-03-21"],
  ["1357-11-22", "1979-02-11"],
  ["1403-12-30", "2025-03-20"],
  ["1405-06-31", "2026-09-22"],
  ["1405-08-30", "2026-11-21"],
  ["1405/8/30", "2026-11-21"],
  ["۱۴۰۵-۰۸-۳۰", "2026-11-21"],
  ["١٤٠٥/٨/٣٠", "2026-11-21"],
] as const;
const NONE = [
  ...["1404-12-30", "1405-07-31", "1405-13-01", "1405-01-00", "1405-02", "2026-11-21", "1299-01-01", "1600-01-01"],
  ...[" 1405-08-30", "۱۴۰۵-۰۸-۳۲", "߁߄߀߅-߀߈-߃߀", ""],
];
test("jalali: only an existing day of the years 1300 to 1599 is converted to a Gregorian date", () => {
  for (const [jalali, gregorian] of PAIRS) assert.equal(gregorianOf(jalali), gregorian);
  for (const text of NONE) assert.equal(gregorianOf(text), undefined, text);
});

test("jalali: a day of each week in the years 1300 to 1500 agrees with the runtime's calendar", () => {
  const calendar = new Intl.DateTimeFormat("en-US-u-ca-persian-nu-latn", {
    timeZone: "UTC",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  const firstDay = Date.parse("1921-03-21") / 86_400_000;
  const dayAfter = Date.parse("2122-03-21") / 86_400_000;
  for (let day = firstDay; day < dayAfter; day += 7) {
    const part = Object.fromEntries(calendar.formatToParts(day * 86_400_000).map(({ type, value }) => [type, value]));
    assert.equal(gregorianOf(`${part["year"]}-${part["month"]}-${part["day"]}`), dateOfDayNumber(day));
  }
});

test("jalali: a message gets a hint about a Jalali day, but not about other texts", () => {
  assert.equal(jalaliHint("1405-08-30"), "; dates are Gregorian, and 1405-08-30 of the Jalali calendar is 2026-11-21");
  assert.equal(jalaliHint("2026-11-21"), "");
});
