import assert from "node:assert/strict";
import { test } from "node:test";
import { axisShift, barTime, tickText } from "../../../adapters/page/browser/asset/chart_labels.ts";
import { createFormat } from "../../../adapters/page/browser/format.ts";
import type { Preferences } from "../../../adapters/page/browser/preferences.ts";

const ENGLISH: Preferences = { language: "en", unit: "rial", calendar: "gregorian", digits: "latin", theme: "auto" };
const en = createFormat(ENGLISH, "Asia/Tehran");
const fa = createFormat({ ...ENGLISH, language: "fa", calendar: "jalali", digits: "persian" }, "Asia/Tehran");
const HOUR = 3_600_000;

function candleAt(time: string) {
  return { time: Date.parse(time), open: 1, high: 1, low: 1, close: 1, observations: 1, isRunning: false };
}

function dayAt(time: string) {
  return { ...candleAt(time), observations: undefined };
}

test("labels: a candle of an hour has the market's time, a candle of a day its day in UTC", () => {
  assert.equal(barTime(candleAt("2026-11-20T21:00:00Z"), "1h", en), "21 Nov 2026, 00:30");
  assert.equal(barTime(candleAt("2026-11-20T00:00:00Z"), "1d", en), "20 Nov 2026");
  assert.equal(barTime(candleAt("2026-11-20T00:00:00Z"), "1d", fa), "۲۹ آبان ۱۴۰۵");
  assert.equal(barTime(dayAt("2026-11-20T21:00:00Z"), "1d", en), "21 Nov 2026", "the value of a day stands at its market day");
});

test("labels: the chart's clock is that of the market's latest time, and UTC for candles of days", () => {
  assert.equal(axisShift([candleAt("2026-11-20T21:00:00Z")], "1h", "Asia/Tehran"), 3.5 * HOUR);
  assert.equal(axisShift([candleAt("2022-07-20T21:00:00Z")], "1h", "Asia/Tehran"), 4.5 * HOUR);
  assert.equal(axisShift([candleAt("2026-11-20T00:00:00Z")], "1d", "Asia/Tehran"), 0);
  assert.equal(axisShift([dayAt("2026-11-20T21:00:00Z")], "1d", "Asia/Tehran"), 3.5 * HOUR);
  assert.equal(axisShift([], "1h", "Asia/Tehran"), 0);
});

test("labels: ticks of the axis in both calendars; Persian ones are kept in order on a canvas", () => {
  const time = Date.parse("2027-01-01T09:30:00Z");
  assert.deepEqual((["year", "month", "day", "time"] as const).map((kind) => tickText(time, kind, en)), ["2027", "Jan", "1", "09:30"]);
  assert.equal(tickText(time, "month", fa), "\u2067۱۱ دی\u2069");
  assert.equal(tickText(time, "year", fa), "\u2067۱۱ دی ۱۴۰۵\u2069");
  const mixed = createFormat({ ...ENGLISH, calendar: "jalali" }, "Asia/Tehran");
  assert.ok(!tickText(time, "year", mixed).includes("AP"), "English names the era of the Persian calendar");
});
