import assert from "node:assert/strict";
import { test } from "node:test";
import { axisShift, barTime, durationText, jalaliKinds, tickText } from "../../../adapters/page/browser/data/bars.ts";
import { createFormat } from "../../../adapters/page/browser/data/format.ts";
import type { Preferences } from "../../../adapters/page/browser/data/preferences.ts";

const ENGLISH: Preferences = { language: "en", unit: "rial", theme: "auto" };
const en = createFormat(ENGLISH, "Asia/Tehran");
const fa = createFormat({ ...ENGLISH, language: "fa" }, "Asia/Tehran");
const HOUR = 3_600_000;

test("labels: a 1-hour candle shows market time, a 1-day candle shows its UTC day", () => {
  const [evening, midnight] = ["2026-11-20T21:00:00Z", "2026-11-20T00:00:00Z"].map((time) => Date.parse(time));
  assert.equal(barTime(evening!, "1h", en), "21 Nov 2026, 00:30");
  assert.equal(barTime(midnight!, "1d", en), "20 Nov 2026, UTC day");
  assert.equal(barTime(midnight!, "1d", fa), "۲۹ آبان ۱۴۰۵، روز UTC");
});

test("labels: lengths of time are written in whole days, hours or minutes", () => {
  const widths = [93 * 24 * HOUR, 24 * HOUR, 4 * HOUR, HOUR / 4].map((ms) => durationText(ms, en));
  assert.deepEqual(widths, ["93 days", "1 day", "4 hours", "15 minutes"]);
  assert.equal(durationText(6 * 24 * HOUR, fa), "۶ روز");
});

test("labels: the axis uses the market's UTC offset at the latest time, and UTC for 1-day candles", () => {
  const shift = (time: string, interval: "1h" | "1d") => axisShift(Date.parse(time), interval, "Asia/Tehran") / HOUR;
  assert.deepEqual(
    [shift("2026-11-20T21:00:00Z", "1h"), shift("2022-07-20T21:00:00Z", "1h"), shift("2026-11-20T00:00:00Z", "1d")],
    [3.5, 4.5, 0],
  );
});

test("labels: ticks are named in both calendars; Persian names keep their word order on a canvas", () => {
  const time = Date.parse("2027-01-01T09:30:00Z");
  const labels = (["year", "month", "day", "time"] as const).map((kind) => tickText(time, kind, en));
  assert.deepEqual(labels, ["2027", "Jan", "1", "09:30"]);
  assert.equal(tickText(time, "month", fa), "\u2067دی\u2069");
  assert.equal(tickText(time, "year", fa), "\u2067۱۴۰۵\u2069");
});

test("labels: the axis marks months and years on their first day in the Persian calendar", () => {
  const days = ["2026-03-19", "2026-03-20", "2026-03-21", "2026-03-22", "2026-04-01", "2026-04-21", "2026-12-22"];
  // Farvardin begins on 21 March, Ordibehesht on 21 April, and Dey (the tenth month) on 22 December.
  assert.deepEqual(jalaliKinds(days.map((day) => Date.parse(day))), [
    "day",
    "day",
    "year",
    "day",
    "day",
    "month",
    "month",
  ]);
});
