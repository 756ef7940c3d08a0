// Tables as people have them, all made up: each imports with one command, and the output tells how it was read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { importOne } from "../support/run_import.ts";
import { runs } from "../support/suite_size.ts";

const RIAL = "values in rial for codes that end in _RLS";

test("tables: from Excel with semicolons, a BOM, a title, decimal commas, days first and a total", async (t) => {
  const csv = [
    "\ufeffsep=;",
    "Kurse;;",
    ";;",
    "Datum;Symbol;Kurs",
    "21.08.2026 16:30;USD_RLS;1.905.000",
    "22.08.2026 16:30;USD_RLS;1.910.000,5",
    "05.09.2026 16:30;BTC_USD;61.234,5",
    ";;",
    "Summe;;3.876.234",
    "Total;;3.876.234",
  ].join("\r\n");
  const { code, notes, counts, stored } = await importOne(t, csv, [
    "--map",
    "businessTime=datum,value=KURS",
    "--zone",
    "Asia/Tehran",
  ]);
  assert.deepEqual(notes, [
    `read as: CSV with semicolons, header in line 4, code from "Symbol", value from "Kurs", businessTime from "Datum", times of Asia/Tehran, day first, decimal comma, ${RIAL}`,
    ":9: code is missing",
    "1 row with a total or an average was skipped",
  ]);
  assert.deepEqual([code, counts], [65, ["3", "0", "0", "1"]]);
  assert.deepEqual(stored, [
    "USD_RLS 1905000 2026-08-21T13:00:00.000Z",
    "USD_RLS 1910000.5 2026-08-22T13:00:00.000Z",
    "BTC_USD 61234.5 2026-09-05T13:00:00.000Z",
  ]);
});

test("tables: times with a zone and times without one: what is said of the zone is what is done", async (t) => {
  const json = JSON.stringify([
    { code: "USD_RLS", price: 1, businessTime: "2026-08-21T16:30:00Z" },
    { code: "usd_rls", price: 2, businessTime: "2026-08-22T16:30:00Z" },
    { code: "USD_RLS", price: 3, businessTime: "2026-08-23 16:30" },
  ]);
  const reading = `read as: JSON array, whose elements are counted as lines, value from "price"`;
  const withoutZone = await importOne(t, json);
  assert.deepEqual(
    [withoutZone.notes, withoutZone.ready, withoutZone.stored],
    [['"2026-08-23 16:30" names no zone'], "--zone Asia/Tehran", []],
  );
  const withZone = await importOne(t, json, ["--zone", "Asia/Tehran"]);
  assert.deepEqual(withZone.notes, [`${reading}, times without a zone in Asia/Tehran, ${RIAL}`]);
  assert.deepEqual(withZone.stored, [
    "USD_RLS 1 2026-08-21T16:30:00.000Z",
    "USD_RLS 2 2026-08-22T16:30:00.000Z",
    "USD_RLS 3 2026-08-23T13:00:00.000Z",
  ]);
});

test("tables: with tabs, Persian names and digits", async (t) => {
  const rows = [
    "نماد\tزمان\tقيمت",
    "USD_RLS\t۲۰۲۶-۰۸-۲۱T۱۶:۳۰:۰۰Z\t۱٬۹۰۵٬۰۰۰",
    "GOLD_18_RLS\t٢٠٢٦-٠٨-٢١ ١٦:٣٠Z\t\u200f۱۲۳٬۴۵۶٬۷۸۹٫۵",
    "EUR_RLS\t۲۰۲۶/۰۸/۲۱ ۱۶:۳۰ +03:30\t۲،۲۰۰،۰۰۰",
  ];
  const { code, notes, counts, stored } = await importOne(t, rows.join("\n"));
  assert.deepEqual(notes, [
    `read as: CSV with tabs, code from "نماد", value from "قيمت", businessTime from "زمان", commas between thousands, ${RIAL}`,
  ]);
  assert.deepEqual([code, counts], [0, ["3", "0", "0", "0"]]);
  assert.deepEqual(stored, [
    "USD_RLS 1905000 2026-08-21T16:30:00.000Z",
    "GOLD_18_RLS 123456789.5 2026-08-21T16:30:00.000Z",
    "EUR_RLS 2200000 2026-08-21T13:00:00.000Z",
  ]);
});

test("tables: with Jalali dates, values in toman and thousands", async (t) => {
  const thousands = "commas between thousands, values in toman, stored as ten times as many rial";
  const rows = [
    "تاریخ,نماد,قیمت (تومان)",
    '۱۴۰۵/۵/۳۰,USD_RLS,"۱۹۰,۵۰۰"',
    '۱۴۰۰/۱۲/۲۹,USD_RLS,"۲۶,۰۰۰"',
    '1401/01/01,EUR_RLS,"28,500.1"',
    '1401/01/02,EUR_RLS,"28,500.2"',
  ];
  const { code, notes, counts, stored } = await importOne(t, rows.join("\n"), [
    "--calendar",
    "jalali",
    "--day-at",
    "16:30",
    "--unit",
    "toman",
    "--map",
    "value=قیمت (تومان)",
  ]);
  assert.deepEqual(notes, [
    `read as: CSV, code from "نماد", value from "قیمت (تومان)", businessTime from "تاریخ", Jalali dates at 16:30 Asia/Tehran, ${thousands}`,
  ]);
  assert.deepEqual([code, counts], [0, ["4", "0", "0", "0"]]);
  // Tehran's last summer time began at the end of 1401-01-01.
  const expected = [
    "USD_RLS 260000 2022-03-20T13",
    "USD_RLS 1905000 2026-08-21T13",
    "EUR_RLS 285001 2022-03-21T13",
    "EUR_RLS 285002 2022-03-22T12",
  ];
  assert.deepEqual(
    stored,
    expected.map((hour) => `${hour}:00:00.000Z`),
  );
});

test("tables: wide, a column for each asset, with cells without a value", async (t) => {
  const rows = [
    "date,usd_rls,یورو,note,BTC_USD",
    "2026-08-20,1900000,2190000,x,",
    "2026-08-21,1905000,-,x,61234.5",
    "2026-08-22,N/A,2200000,x,0",
  ];
  const { code, notes, counts, stored } = await importOne(t, rows.join("\n"), [
    "--wide",
    "--map",
    "EUR_RLS=یورو",
    "--day-at",
    "16:30",
    "--zone",
    "UTC",
  ]);
  assert.deepEqual(notes, [
    `read as: CSV, businessTime from "date", a column for each of USD_RLS, EUR_RLS ("یورو"), BTC_USD, dates at 16:30 UTC, ${RIAL}`,
    ':4: BTC_USD: value must be a number above zero: received "0"',
    "3 cells without a value were skipped",
    "ignored columns: note",
  ]);
  assert.deepEqual([code, counts], [65, ["5", "0", "0", "1"]]);
  assert.deepEqual(stored, [
    "USD_RLS 1900000 2026-08-20T16:30:00.000Z",
    "USD_RLS 1905000 2026-08-21T16:30:00.000Z",
    "EUR_RLS 2190000 2026-08-20T16:30:00.000Z",
    "EUR_RLS 2200000 2026-08-22T16:30:00.000Z",
    "BTC_USD 61234.5 2026-08-21T16:30:00.000Z",
  ]);
});

test("tables: a JSON array, pretty-printed or on one line", async (t) => {
  const objects = [
    { symbol: "USD_RLS", price: "1,905,000", timestamp: "2026-08-21T16:30:00Z", volume: 5 },
    { symbol: "BTC_USD", price: 61234.5, timestamp: "2026-08-21 16:30:00+00:00", provider: "desk" },
  ];
  for (const text of [JSON.stringify(objects, null, 2), `\ufeff${JSON.stringify(objects)}`]) {
    const { code, notes, counts, stored } = await importOne(t, text);
    assert.deepEqual(notes, [
      `read as: JSON array, whose elements are counted as lines, code from "symbol", value from "price", businessTime from "timestamp", commas between thousands, ${RIAL}`,
      "ignored columns: volume",
    ]);
    assert.deepEqual([code, counts], [0, ["2", "0", "0", "0"]]);
    assert.deepEqual(stored, ["USD_RLS 1905000 2026-08-21T16:30:00.000Z", "BTC_USD 61234.5 2026-08-21T16:30:00.000Z"]);
  }
});

test("tables: one asset without a code column", async (t) => {
  const packed = gzipSync("Date,Price\n2026-08-20,1.5\n2026-08-21,1.25\n");
  const { code, notes, counts, stored } = await importOne(t, packed, [
    "--code",
    "ADA_USD",
    "--day-at",
    "00:00",
    "--zone",
    "UTC",
  ]);
  assert.deepEqual(notes, [
    'read as: CSV, value from "Price", businessTime from "Date", all of ADA_USD, dates at 00:00 UTC, values in US dollars',
  ]);
  assert.deepEqual([code, counts], [0, ["2", "0", "0", "0"]]);
  assert.deepEqual(stored, ["ADA_USD 1.5 2026-08-20T00:00:00.000Z", "ADA_USD 1.25 2026-08-21T00:00:00.000Z"]);
});

test("tables: many rows, the newest first", async (t) => {
  const count = runs(20_000);
  const rows = Array.from(
    { length: count },
    (_, at) => `BTC_USD,${at + 1},${new Date(Date.UTC(2026, 9, 1) - at * 60_000).toISOString()}\n`,
  );
  const { code, notes, counts, stored } = await importOne(t, `code,value,businessTime\n${rows.join("")}`);
  assert.deepEqual([code, notes, counts], [0, [], [count.toLocaleString("en-US"), "0", "0", "0"]]);
  assert.deepEqual([stored.length, stored.at(-1)], [count, "BTC_USD 1 2026-10-01T00:00:00.000Z"]);
});

test("tables: UTF-16 with a byte order mark, as Excel's Unicode text has it, in both byte orders", async (t) => {
  const text = "\ufeffcode\tvalue\tbusinessTime\tprovider\r\nUSD_RLS\t1905000\t2026-08-21T16:30:00Z\tصرافی\r\n";
  for (const bytes of [Buffer.from(text, "utf16le"), Buffer.from(text, "utf16le").swap16()]) {
    const { code, notes, stored } = await importOne(t, bytes);
    assert.deepEqual(
      [code, notes, stored],
      [0, [`read as: CSV with tabs, ${RIAL}`], ["USD_RLS 1905000 2026-08-21T16:30:00.000Z"]],
    );
  }
});
