// Files that are no plain CSV in UTF-8.
import { gzipSync } from "node:zlib";
import { zipOf } from "../../support/zip.ts";
import {
  AT,
  D,
  DOLLAR,
  DOLLAR_ASKED,
  days,
  EURO,
  jalali,
  type OddFile,
  serial,
  windows1256,
  workbook,
} from "./odd_file.ts";

const TABLE = days("date,price", 1903000, 1907000, 1905000);
const FA = jalali("تاریخ,قیمت", 1903000, 1907000, 1905000);
const VALUES = [1903000, 1907000, 1905000];
const LIST = VALUES.map((price, i) => ({ date: `2026-08-${19 + i}`, price }));
const MILLIS = VALUES.map((value, i): [number, number] => [Date.UTC(2026, 7, 19 + i, 13), value]);
const ISO = MILLIS.map(([time]) => new Date(time).toISOString());
const CODES = `${days("date,code,price", ...VALUES.map((value) => `USD_RLS,${value}`))}\n${days("", "EUR_RLS,2219000", "EUR_RLS,2227500", "EUR_RLS,2224000").slice(1)}`;
const json = (value: unknown): string => JSON.stringify(value);
/** A record as the routes of this API answer it. */
const answered = (code: string, value: number, businessTime: string | undefined): object => ({
  code,
  name: code,
  slug: code.toLowerCase(),
  labelEn: "a / b",
  labelFa: "دلار آمریکا / ریال ایران",
  quoteUnit: "RLS",
  value,
  businessTime,
});
const HISTORY = VALUES.map((value, i) => answered("USD_RLS", value, ISO[i]));
const CATALOG = [
  {
    code: "USD_RLS",
    baseCode: "USD",
    quoteUnit: "RLS",
    providers: ["A"],
    latestValue: 1905000,
    businessTime: ISO[2],
    sourceTime: ISO[2],
    insertTime: "2026-08-21T13:00:05.000Z",
    qualityStatus: "ACCEPTED",
    qualityMessage: "",
  },
  {
    code: "EUR_RLS",
    baseCode: "EUR",
    quoteUnit: "RLS",
    providers: [],
    latestValue: null,
    businessTime: null,
    sourceTime: null,
    insertTime: null,
    qualityStatus: null,
    qualityMessage: "",
  },
];

export const SHAPES: readonly OddFile[] = [
  [
    "workbook.xlsx",
    workbook({
      Sheet1: [["date", "price"], ...VALUES.map((value, i) => [{ date: serial(`2026-08-${19 + i}`) }, value])],
    }),
    D,
    DOLLAR,
  ],
  [
    "workbook-fa.xlsx",
    workbook({ قیمت‌ها: [["تاریخ", "قیمت (تومان)"], ...VALUES.map((value, i) => [`1405/05/${28 + i}`, value / 10])] }),
    D,
    DOLLAR,
  ],
  [
    "workbook-title.xlsx",
    workbook({
      Sheet1: [["گزارش دلار"], [], ["تاریخ", "قیمت"], ...VALUES.map((value, i) => [`1405/05/${28 + i}`, value])],
    }),
    D,
    DOLLAR,
  ],
  [
    "workbook-empty-cells.xlsx",
    workbook({
      Sheet1: [
        ["", "date", "", "price"],
        ...VALUES.map((value, i) => ["", { date: serial(`2026-08-${19 + i}`) }, "", value]),
      ],
    }),
    D,
    DOLLAR,
  ],
  [
    "workbook-hours.xlsx",
    workbook({
      Sheet1: [["time", "price"], ...VALUES.map((value, i) => [{ time: serial(`2026-08-${19 + i}T16:30Z`) }, value])],
    }),
    "--code USD_RLS",
    DOLLAR_ASKED,
  ],
  [
    "workbook-wide.xlsx",
    workbook({
      Sheet1: [
        ["تاریخ", "دلار", "یورو"],
        ["1405/05/29", 1907000, 2227500],
        ["1405/05/30", 1905000, 2224000],
      ],
    }),
    AT,
    "USD_RLS: 20=1907000 21=1905000 EUR_RLS: 20=2227500 21=2224000",
  ],
  [
    "workbook-texts.xlsx",
    workbook({
      Sheet1: [["date", "price"], ...VALUES.map((value, i) => [`2026-08-${19 + i}`, value.toLocaleString("en")])],
    }),
    D,
    DOLLAR,
  ],
  ["daily-list.csv", "لیست جمعه ۱۴۰۵/۰۵/۳۰\nنام,قیمت\n,تومان\nدلار,190500", AT, { byCommand: "USD_RLS: 21=1905000" }],
  [
    "daily-list-with-days.csv",
    "گزارش 1405/06/30\nنام,موعد,قیمت\nدلار,1405/05/30,1905000",
    AT,
    { byCommand: "USD_RLS: 21=1905000" },
  ],
  [
    "workbook-second-sheet.xlsx",
    workbook({
      about: [["made by hand"]],
      prices: [
        ["date", "price"],
        ["2026-08-20", 1907000],
        ["2026-08-21", 1905000],
      ],
    }),
    `${D} --sheet prices`,
    "USD_RLS: 20=1907000 21=1905000",
  ],
  ["table.csv.gz", gzipSync(TABLE), D, DOLLAR],
  ["one.zip", zipOf([{ name: "table.csv", content: TABLE }]), D, DOLLAR],
  [
    "several.zip",
    zipOf([
      { name: "a.csv", content: "code,date,price\nUSD_RLS,2026-08-21,1905000" },
      { name: "b.csv", content: "code,date,price\nEUR_RLS,2026-08-21,2224000" },
    ]),
    AT,
    "USD_RLS: 21=1905000 EUR_RLS: 21=2224000",
  ],
  [
    "mac.zip",
    zipOf([
      { name: "p/", content: "", method: 0 },
      { name: "p/t.csv", content: TABLE },
      { name: "__MACOSX/p/._t.csv", content: "\0" },
      { name: "p/.DS_Store", content: "\0" },
    ]),
    D,
    DOLLAR,
  ],
  ["windows.csv", windows1256(FA), D, DOLLAR],
  ["windows-semicolons.csv", windows1256(FA.replaceAll(",", ";")), D, DOLLAR],
  [
    "windows-names.csv",
    windows1256("تاریخ,نماد,قیمت\n1405/05/30,دلار,1905000\n1405/05/30,یورو,2224000"),
    AT,
    "USD_RLS: 21=1905000 EUR_RLS: 21=2224000",
  ],
  ["unicode-text.txt", Buffer.from(`\ufeff${FA.replaceAll(",", "\t")}`, "utf16le"), D, DOLLAR],
  ["unicode-big-endian.txt", Buffer.from(`\ufeff${TABLE}`, "utf16le").swap16(), D, DOLLAR],
  ["utf8-mark.csv", `\ufeff${TABLE}`, D, DOLLAR],
  ["sep-line.csv", `sep=;\r\n${TABLE.replaceAll(",", ";").replaceAll("\n", "\r\n")}`, D, DOLLAR],
  ["tabs.tsv", FA.replaceAll(",", "\t"), D, DOLLAR],
  ["pipes.csv", TABLE.replaceAll(",", "|"), D, DOLLAR],
  ["arabic-separators.csv", FA.replaceAll(",", "؛"), D, DOLLAR],
  ["carriage-returns.csv", TABLE.replaceAll("\n", "\r"), D, DOLLAR],
  ["blank-lines.csv", `\n\n${TABLE.replaceAll("\n", "\n\n")}\n\n`, D, DOLLAR],
  ["blanks-round-cells.csv", TABLE.replaceAll(",", " , "), D, DOLLAR],
  ["quoted.csv", TABLE.replace(/[^,\n]+/g, '"$&"'), D, DOLLAR],
  ["comments.csv", `# exported 2026-11-01\n# by hand\n${TABLE}`, D, DOLLAR],
  ["titles-and-total.csv", `گزارش قیمت دلار,\nاز 28 تا 30 مرداد,\n,\n${FA}\nمیانگین,1905000\n`, D, DOLLAR],
  ["footer.csv", `${FA}\nمنبع: بازار تهران,\n`, D, DOLLAR],
  [
    "joined.csv",
    `${TABLE.slice(0, 40).replace(/\n[^\n]*$/, "")}\ndate,price\n2026-08-20,1907000\n2026-08-21,1905000\n`,
    D,
    DOLLAR,
  ],
  [
    "pandas-index.csv",
    `,date,price\n${TABLE.split("\n")
      .slice(1)
      .map((row, i) => `${i},${row}`)
      .join("\n")}`,
    D,
    DOLLAR,
  ],
  ["pandas-date-index.csv", TABLE.replace("date,price", ",price"), D, DOLLAR],
  [
    "numbered-rows.csv",
    `ردیف,تاریخ,قیمت\n${FA.split("\n")
      .slice(1)
      .map((row, i) => `${i + 1},${row}`)
      .join("\n")}`,
    D,
    DOLLAR,
  ],
  ["newest-first.csv", ["date,price", ...TABLE.split("\n").slice(1).reverse()].join("\n"), D, DOLLAR],
  [
    "notes-with-line-ends.csv",
    'date,price,note\n2026-08-19,1903000,"quiet\nday"\n2026-08-20,1907000,"a ""big"" one, really"\n2026-08-21,1905000,',
    D,
    DOLLAR,
  ],
  ["no-header.csv", TABLE.slice(11), D, DOLLAR],
  [
    "transposed.csv",
    "code,2026-08-19,2026-08-20,2026-08-21\nUSD_RLS,1903000,1907000,1905000",
    AT,
    { rejected: "its prices are in columns of days or months" },
  ],
  ["cut-off.csv", TABLE.slice(0, -3), D, { byCommand: "USD_RLS: 19=1903000 20=1907000" }],
  ["empty.csv", "", D, { rejected: "it is empty" }],
  ["header-only.csv", "date,price\n", D, ""],
  ["lines.ndjson", LIST.map(json).join("\n"), D, DOLLAR],
  ["list.json", JSON.stringify(LIST, null, 2), D, DOLLAR],
  ["data.json", json({ status: "ok", data: LIST }), D, DOLLAR],
  ["result-prices.json", JSON.stringify({ result: { prices: LIST } }, null, 2), D, DOLLAR],
  ["one-record.json", json({ code: "USD_RLS", price: 1905000, businessTime: ISO[2] }), "", "USD_RLS: 21=1905000"],
  ["own-latest.json", json(answered("USD_RLS", 1905000, ISO[2])), "", "USD_RLS: 21=1905000"],
  ["own-latest-pretty.json", JSON.stringify(answered("USD_RLS", 1905000, ISO[2]), null, 2), "", "USD_RLS: 21=1905000"],
  [
    "own-all.json",
    json([answered("USD_RLS", 1905000, ISO[2]), answered("EUR_RLS", 2224000, ISO[2])]),
    "",
    "USD_RLS: 21=1905000 EUR_RLS: 21=2224000",
  ],
  ["own-history.json", json(HISTORY), "", DOLLAR],
  [
    "own-history-twice.json",
    `${json(HISTORY)}\n${json(VALUES.map((_, i) => answered("EUR_RLS", [2219000, 2227500, 2224000][i]!, ISO[i])))}\n`,
    "",
    `${DOLLAR} ${EURO}`,
  ],
  ["own-catalog.json", json(CATALOG), "", "USD_RLS: 21=1905000"],
  [
    "own-page.csv",
    `code,value,businessTime\r\n${VALUES.map((value, i) => `USD_RLS,${value},${ISO[i]!}\r\n`).join("")}`,
    "",
    DOLLAR,
  ],
  [
    "coingecko.json",
    json({
      prices: MILLIS,
      market_caps: MILLIS.map(([time]) => [time, 1]),
      total_volumes: MILLIS.map(([time]) => [time, 2]),
    }),
    "--code USD_RLS",
    DOLLAR,
  ],
  ["pairs.json", json(MILLIS), "--code USD_RLS", DOLLAR],
  ["pandas-records.json", json(MILLIS.map(([date, price]) => ({ date, price }))), "--code USD_RLS", DOLLAR],
  ["pandas-split.json", json({ columns: ["date", "price"], index: [0, 1, 2], data: MILLIS }), "--code USD_RLS", DOLLAR],
  [
    "pandas-columns.json",
    json({
      date: Object.fromEntries(MILLIS.map(([time], i) => [i, time])),
      price: Object.fromEntries(MILLIS.map(([, value], i) => [i, value])),
    }),
    "--code USD_RLS",
    DOLLAR,
  ],
  ["pandas-index.json", json(Object.fromEntries(LIST.map(({ date, price }) => [date, { price }]))), D, DOLLAR],
  [
    "pandas-table.json",
    json({
      schema: {
        fields: [
          { name: "date", type: "datetime" },
          { name: "price", type: "integer" },
        ],
        pandas_version: "1.4.0",
      },
      data: ISO.map((date, i) => ({ date, price: VALUES[i] })),
    }),
    "--code USD_RLS",
    DOLLAR,
  ],
  ["by-day.json", json(Object.fromEntries(LIST.map(({ date, price }) => [date, price]))), D, DOLLAR],
  ["nulls.json", json([...LIST, { date: "2026-08-22", price: null }]), D, DOLLAR],
  [
    "codes.ndjson",
    CODES.split("\n")
      .slice(1)
      .map((row) => row.split(","))
      .map(([date, code, price]) => json({ date, code, price: Number(price) }))
      .join("\n"),
    AT,
    `${DOLLAR} ${EURO}`,
  ],
  [
    "web-page.xls",
    "<html><body><table><tr><td>date</td><td>price</td></tr><tr><td>2026-08-21</td><td>1905000</td></tr></table></body></html>",
    D,
    {
      rejected:
        "it is a web page (HTML), as some sites name .xls: open it in a spreadsheet program, and save it as .xlsx or CSV",
    },
  ],
  [
    "old-workbook.xls",
    Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...Array<number>(600).fill(0)]),
    D,
    { rejected: "it is an Excel file of the old kind" },
  ],
  [
    "report.pdf",
    "%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n",
    D,
    {
      rejected:
        "it is a PDF, which has text on pages and no table: ask for the numbers as .xlsx or CSV, or copy them into a spreadsheet and save that",
    },
  ],
  ["nested-too-deep.json", "[".repeat(5_000), D, { rejected: "its JSON is more than 10 lists or objects deep" }],
  [
    "header-break.xlsx",
    workbook({
      Sheet1: [
        ["تاریخ", "قیمت\n(تومان)"],
        ["1405/05/29", 190700],
        ["1405/05/30", 190500],
      ],
    }),
    D,
    "USD_RLS: 20=1907000 21=1905000",
  ],
  [
    "serial-no-format.xlsx",
    workbook({
      S: [
        ["date", "price"],
        [serial("2026-08-20"), 1907000],
        [serial("2026-08-21"), 1905000],
      ],
    }),
    D,
    "USD_RLS: 20=1907000 21=1905000",
  ],
  [
    "zip-names.zip",
    zipOf([
      { name: "USD_RLS.csv", content: TABLE },
      { name: "EUR_RLS.csv", content: days("date,price", 2219000, 2227500, 2224000) },
    ]),
    AT,
    { byCommand: `${DOLLAR} ${EURO}` },
  ],
  [
    "tgju-table.json",
    json({
      draw: 1,
      recordsTotal: 2,
      data: [
        [
          "1,903,000",
          "1,901,000",
          "1,909,000",
          "1,905,000",
          '<span class="low">2000</span>',
          '<span class="low">0.1%</span>',
          "2026/08/21",
          "1405/05/30",
        ],
        [
          "1,902,000",
          "1,900,000",
          "1,909,000",
          "1,907,000",
          '<span class="high">4000</span>',
          '<span class="high">0.2%</span>',
          "2026/08/20",
          "1405/05/29",
        ],
      ],
    }),
    D,
    "USD_RLS: 20=1907000 21=1905000",
  ],
  [
    "brsapi.json",
    json({
      gold: [
        {
          date: "1405/05/30",
          time: "16:30",
          symbol: "IR_COIN_EMAMI",
          name: "سکه امامی",
          price: 199500000,
          unit: "تومان",
        },
      ],
      currency: [{ date: "1405/05/30", time: "16:30", symbol: "USD", name: "دلار", price: 190500, unit: "تومان" }],
    }),
    "",
    { byCommand: "SEKKEH_RLS: 21=1995000000 USD_RLS: 21=1905000" },
  ],
  [
    "json-cut.json",
    json([
      { date: "2026-08-20", price: 1907000 },
      { date: "2026-08-21", price: 1905000 },
    ]).slice(0, -12),
    D,
    { rejected: "its JSON is damaged, or does not end; nothing of it was read" },
  ],
  // Files that no option helps.
  ["pivot.csv", "asset,1405/05/29,1405/05/30\nUSD,1907000,1905000", AT, { rejected: "in columns of days or months" }],
  ["pivot-months.csv", "سال,فروردین,اردیبهشت\n1405,1907000,1905000", D, { rejected: "in columns of days or months" }],
  [
    "chat.txt",
    "[20/08/2026, 16:30] Ali: دلار فروش 190,700\n[21/08/2026, 16:30] Ali: دلار ۱۹۰٬۵۰۰",
    D,
    { rejected: 'sentences such as "[20/08/2026, 16:30] Ali: دلار فروش 190,700", not in a table' },
  ],
  [
    "telegram.json",
    json({ name: "x", messages: [{ id: 1, date: "2026-08-20T16:30:00", text: "دلار: 190,700" }] }),
    "",
    { rejected: 'its prices are in sentences such as "دلار: 190,700"' },
  ],
  ...[
    { Note: "Limit of 5 calls" },
    { code: -1121, msg: "Limit of 5\n\u202ecalls" },
    { s: "error", errmsg: "Limit of 5 calls" },
    { status: { error_code: 1001, error_message: "Limit of 5 calls" }, data: [] },
    { chart: { result: null, error: { description: "Limit of 5 calls" } } },
  ].map((answer, i): OddFile => {
    return [
      `error-${i}.json`,
      json(answer),
      D,
      { rejected: 'a message from the service, not prices: "Limit of 5 calls"' },
    ];
  }),
  ["rates.json", json({ date: "2026-08-21", usd: { irr: 1, eur: 0.8 } }), "", { rejected: 'are nested in "usd"' }],
  [
    "stats.json",
    json({ status: "ok", stats: { "btc-irr": { latest: "18995000000" } }, global: { binance: { btc: 37500.1 } } }),
    AT,
    { rejected: 'its prices are nested in "stats"' },
  ],
  [
    "no-number.csv",
    "date,price\n2026-08-20,abc",
    "--code USD_RLS",
    { rejected: "none of its rows can be read: line 2: value must be a number above zero" },
  ],
  ["marks-in-names.csv", days("\u200fDatum,\u202bclose\u202c", ...VALUES), D, DOLLAR_ASKED],
];
