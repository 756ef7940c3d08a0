// Times as tables write them. Dates without an hour mean 16:30, and times without a zone are in Tehran.
import assert from "node:assert/strict";
import { test } from "node:test";
import { findDateAndClock, joinDateAndClock } from "../../../adapters/intake/tables/date_and_clock.ts";
import { createTimeReader } from "../../../adapters/intake/tables/parse_times.ts";
import { formats } from "../../support/import_formats.ts";

const STATED = ["--day-at", "16:30", "--zone", "Asia/Tehran"];
const FRIDAY = "2026-08-21T13:00:00.000Z";

function momentOf(text: string): string {
  const millis = Date.parse(text);
  return Number.isNaN(millis) ? text : new Date(millis).toISOString();
}

/** Texts for Friday, 21 August 2026, at 16:30 in Tehran, grouped by the additional options that they need. */
const written: readonly (readonly [args: readonly string[], texts: string])[] = [
  [
    [],
    `1787317200 | 1787317200.0 | 1787317200000 | ۱۷۸۷۳۱۷۲۰۰۰۰۰ | 1787317200000000 | 1787317200000000000 | 46255 | 46255.0
    46255.6875 | 2026-08-21 | 2026/8/21 | 20260821 | 2026-08-21 16:30 | 2026-08-21, 16:30:00 | 20260821163000
    202608211630 | 20260821T130000Z | 20260821 16:30 | 2026-08-21 13:00:00+00 | 2026-08-21T16:30:00.000+0330
    2026-08-21 15:00+02 | 2026-08-21 13:00:00 UTC | 2026-Aug-21 | ۲۱ اوت ۲۰۲۶ | 21 آگوست 2026 | 21 August 2026
    Aug 21, 2026 | August 21 2026 | Aug. 21st, 2026 4:30 p.m. | 21-Aug-26 | Friday, 21 August 2026 at 16:30
    Fri, 21 Aug 2026 13:00:00 GMT | Fri Aug 21 2026 16:30:00 GMT+0330 (Iran Standard Time)
    1405/05/30 | ۱۴۰۵/۵/۳۰ | 1405-05-30T13:00:00Z | 14050530 | 140505301630 | 30/05/1405 | جمعه 1405/05/30
    1405/05/30 - 16:30 | 16:30 1405/05/30 | 30 مرداد 1405 | جمعه ۳۰ مرداد ۱۴۰۵ | ۳۰ امرداد ۰۵ | 1405 مرداد 30
    جمعه، ۳۰ مردادماه ۱۴۰۵ ساعت ۱۶:۳۰ | 30 Mordad 1405 | 1405/05/30 4:30 PM | 1405/05/30 ۴:۳۰ ب.ظ
    1405/05/30 4:30 بعد از ظهر | 1405/05/30 4:30 عصر | 4:30 ب ظ 1405/05/30`,
  ],
  [["--calendar", "jalali"], "05/05/30 | 5/5/30"],
  [["--date-order", "mdy"], "8/21/2026 4:30:00 PM | 8/21/26 | 08-21-2026 16:30:00.000"],
  [["--date-order", "dmy"], "21.08.2026 16:30 | 21/8/26 | 30/05/1405"],
  [["--date-order", "ymd"], "26/08/21 | 26-8-21 16:30"],
];
/** The moment that a text means with these options, as an ISO text; the text itself if it means none. */
function read(text: string, args: readonly string[]): string {
  const time = createTimeReader(formats(args))(text);
  return time.ok ? momentOf(time.value) : time.error.reason;
}

test("times: all ways of writing a moment give the same time", () => {
  for (const [args, texts] of written)
    for (const text of texts.split(/ \| |\n +/)) assert.equal(read(text, [...STATED, ...args]), FRIDAY, text);
  assert.equal(read("1787317200.5", []), "2026-08-21T13:00:00.500Z");
  for (const text of ["2026-08-21T16:30:00+0330", "2026-08-21 16:30 +03:30", "2026-08-21T16:30:00.0+03:30"])
    assert.equal(read(text, []), FRIDAY, text);
});

test("times: morning and evening are recognized if unambiguous", () => {
  const cases = [
    ["12:05 AM", "00:05"],
    ["12:05 PM", "12:05"],
    ["9:05 صبح", "09:05"],
    ["9:05 ق.ظ", "09:05"],
    ["11:59 قبل از ظهر", "11:59"],
    ["16:30 pm", "16:30"],
  ];
  const read = createTimeReader(formats(["--zone", "UTC"]));
  for (const [clock, expected] of cases)
    assert.deepEqual(read(`2026-08-21 ${clock}`), { ok: true, value: `2026-08-21T${expected}:00.000Z` }, clock);
});

test("times: an invalid or ambiguous text stays unchanged, so the record is refused", () => {
  const none = [
    ...["12:05 صبح 1405/05/30", "1405/05/30 13:00 am", "2026-08-21 24:00", "2026-08-21Z", "2026-08-21 16:30 EST"],
    ...["1 شهریور 2026", "شهریور ۱۴۰۵", "Aug 21, 1405", "Aug 21", "2026", "16:30", "140/05/30", "x".repeat(1_000)],
    ...["1.787E+09", "999999", "12345", "99999", "631151999", "4102444800"],
  ];
  const read = createTimeReader(formats(STATED));
  assert.deepEqual(
    none.map((text) => read(text)),
    none.map((value) => ({ ok: true, value })),
  );
});

test("times: date and hours in two columns are found and joined", () => {
  type Found = readonly (number | undefined)[] | undefined;
  const headers: readonly (readonly [header: string, mapped: string | undefined, found: Found])[] = [
    ["date,time,price", undefined, [0, 1]],
    ["قیمت,ساعت,تاریخ", undefined, [2, 1]],
    ["date,time,timestamp", undefined, undefined],
    ["date,تاریخ,time", undefined, undefined],
    ["تاریخ / شمسی,تاریخ / میلادی,زمان", undefined, [1, 2]],
    ["date,jalali,price", undefined, [0, undefined]],
    ["روز,لحظه,price", "روز+لحظه", [0, 1]],
    ["a+b,price", "a+b", undefined],
  ];
  for (const [header, mapped, found] of headers) {
    const map = new Map(mapped === undefined ? [] : [["businessTime", mapped]]);
    assert.deepEqual(findDateAndClock(header.split(","), map), found, header);
  }
  const pairs = [
    ["1405/05/30", "16:30"],
    ["2026-08-21 00:00:00", "163000"],
    ["46255", "0.6875"],
    ["20260821", "16:30:00"],
    ["2026-08-20", "2026-08-21T13:00:00Z"],
    ["8/21/2026 12:00:00 AM", "4:30 PM"],
    ["2026-08-21", "1630"],
    ["2026-08-21", ""],
    ["1405/05/30", "13:00Z"],
  ] as const;
  for (const [date, clock] of pairs)
    assert.equal(read(joinDateAndClock(date, clock), [...STATED, "--date-order", "mdy"]), FRIDAY, `${date} ${clock}`);
});
