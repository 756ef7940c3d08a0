import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { createFormat, unitOf } from "../../../adapters/page/browser/data/format.ts";
import type { Entry } from "../../../adapters/page/browser/data/market_entries.ts";
import { tableText } from "../../../adapters/page/browser/data/market_text.ts";
import { type Choices, preferencesOf } from "../../../adapters/page/browser/data/preferences.ts";

const NOON = Date.parse("2026-11-21T08:30:00Z"); // 12:00 in Tehran

function formatWith(choices: Choices = {}): ReturnType<typeof createFormat> {
  return createFormat(preferencesOf(choices, "en"), "Asia/Tehran");
}

/** Removes direction marks, because these depend on the version of the runtime's locale data. */
function plain(text: string): string {
  return text.replace(/[\u200e\u200f\u061c]/g, "");
}

const prices = [
  [{}, 1_903_482, "RLS", "1,903,482 rial"],
  [{ unit: "toman" }, 1_903_482, "RLS", "190,348 toman"],
  [{ language: "fa", unit: "toman" }, 1_989_555, "RLS", "۱۹۸٬۹۵۶ تومان"],
  [{ unit: "toman" }, 0.56, "RLS", "0.056 toman"],
  [{ unit: "toman" }, 3_012_345.6, "POINT", "3,012,345.6 points"],
  [{ language: "fa" }, 1_903_482, "RLS", "۱۹۰٬۳۴۸ تومان"],
  [{ language: "fa", unit: "rial" }, 1_903_482, "RLS", "۱٬۹۰۳٬۴۸۲ ریال"],
  [{}, 0.00001234, "USD", "0.00001234 USD"],
  [{}, 0, "RLS", "0 rial"],
  [{}, 5, "EUR", "5 EUR"],
] as const;
test("format: a price has its unit, 1,000 toman or more are rounded to whole toman, and small values keep their digits", () => {
  for (const [choices, value, unit, text] of prices) assert.equal(formatWith(choices).price(value, unit), text);
});

test("table for spreadsheets: prices have neither an exponent nor a rounding error", () => {
  const entryOf = (value: number, unit: string) => ({ asset: {}, unit, latest: { value, businessTime: "" } }) as Entry;
  const entries = [entryOf(1_400.4, "RLS"), entryOf(4.917412e-7, "USD")];
  const table = tableText(entries, [], formatWith({ unit: "toman" }));
  assert.deepEqual(table.match(/\d[^\t]+/g), ["140.04", "0.0000004917412"]);
});

/** Whether a text, in digits of any script, is `top / bottom` rounded to the number of decimals in the text. */
function isRounded(text: string, top: bigint, bottom: bigint): boolean {
  const western = plain(text)
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/[٬,]/g, "")
    .replace("٫", ".")
    .replace("−", "-");
  const [, sign = "", whole = "", decimals = ""] = /([-+]?)(\d+)(?:\.(\d+))?/.exec(western) ?? assert.fail(text);
  const off =
    2n * (BigInt(`${sign}${whole}${decimals}`.replace("+", "")) * bottom - top * 10n ** BigInt(decimals.length));
  return off <= bottom && off >= -bottom;
}

test("format: every price, difference and change is the exact number rounded, in both languages and units", () => {
  const digits = fc.tuple(fc.integer({ min: 1e5, max: 2e9 }), fc.integer({ min: 1e5, max: 2e9 }), fc.nat(6));
  fc.assert(
    fc.property(digits, ([now, before, decimals]) => {
      const [value, old] = [now, before].map((number) => Number(`${number}e-${decimals}`)) as [number, number];
      const bottom = 10n ** BigInt(decimals);
      for (const language of ["en", "fa"] as const)
        for (const unit of ["rial", "toman"] as const) {
          const format = formatWith({ language, unit });
          const perUnit = unit === "toman" ? 10n : 1n;
          const difference = BigInt(now) - BigInt(before);
          for (const [text, top, under] of [
            [format.price(value, "RLS"), BigInt(now), bottom * perUnit],
            [format.price(value, "USD"), BigInt(now), bottom],
            [format.difference(value - old, "RLS"), difference, bottom * perUnit],
            [format.percent(value / old - 1), difference * 100n, BigInt(before)],
          ] as const)
            assert.ok(isRounded(text, top, under), `${text} is not ${top}/${under}`);
        }
    }),
  );
});

test("format: the index is in points, never in toman", () => {
  const unit = unitOf({ quoteUnit: "RLS", category: "INDEX" });
  assert.equal(formatWith({ unit: "toman" }).amount(3_000, unit), 3_000);
  assert.equal(formatWith({ unit: "toman" }).amount(3_000, unitOf({ quoteUnit: "RLS", category: "FX" })), 300);
});

test("format: a change always has a sign", () => {
  assert.equal(formatWith().percent(0.00521), "+0.52%");
  assert.equal(plain(formatWith().percent(-0.0123)), "−1.23%");
  assert.equal(formatWith().percent(0), "0.00%");
  assert.equal(plain(formatWith({ language: "fa" }).percent(-0.0123)), "−۱٫۲۳٪");
  assert.equal(formatWith({ unit: "toman" }).difference(1_200, "RLS"), "+120");
  assert.equal(formatWith({ unit: "toman" }).difference(1_234, "RLS"), "+123.4", "to the last digit");
  assert.equal(formatWith({ unit: "toman" }).difference(-12_069, "RLS"), "\u22121,207", "toman are whole from 1,000");
  assert.equal(formatWith({}).difference(-0.00000000514, "USD"), "\u22120.00000000514");
});

test("format: times are market time, in the calendar of the language", () => {
  for (const [language, date, time] of [
    ["en", "21 Nov 2026", "12:00"],
    ["fa", "۳۰ آبان ۱۴۰۵", "۱۲:۰۰"],
  ] as const) {
    const format = formatWith({ language });
    assert.deepEqual([format.date(NOON), format.time(NOON), format.date("2026-11-21")], [date, time, date]);
    assert.equal(format.dateTime(NOON).startsWith(date) && format.dateTime(NOON).endsWith(time), true);
  }
});

const ages = [
  [0, "just now"],
  [60, "1 min ago"],
  [3_600, "1 hr ago"],
  [3 * 86_400, "3 days ago"],
  [-7_200, "in 2 hr"],
] as const;
const shortAges = [
  [0, "now", "اکنون"],
  [60, "1 min", "۱ دقیقه"],
  [3 * 3_600, "3 h", "۳ ساعت"],
  [86_400, "20 Nov", "۲۹ آبان"],
  [600 * 86_400, "31 Mar 2025", "۱۱ فروردین ۱۴۰۴"],
] as const;
test("format: an age is written in words, or in a short form in a table", () => {
  for (const [seconds, text] of ages) assert.equal(formatWith().age(NOON - seconds * 1_000, NOON), text);
  for (const [seconds, en, fa] of shortAges) {
    assert.equal(formatWith().shortAge(NOON - seconds * 1_000, NOON), en);
    assert.equal(formatWith({ language: "fa" }).shortAge(NOON - seconds * 1_000, NOON), fa);
  }
});
