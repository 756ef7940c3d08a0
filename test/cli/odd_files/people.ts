// Files as they lie on the desks of shops, in channels and in downloads.
import { zipOf } from "../../support/zip.ts";
import { AT, D, NO_ORDER, NO_VALUE, type OddFile, serial, TELLS_APART, windows1256, workbook } from "./odd_file.ts";

const json = (value: unknown): string => JSON.stringify(value);
const lines = (...rows: readonly string[]): string => rows.join("\n");
const USD = "USD_RLS: 2023-12-13=503850 2023-12-14=503800";
const USD_EUR = `${USD} EUR_RLS: 2023-12-13=549200 2023-12-14=549800`;
const COIN = "SEKKEH_RLS: 2023-12-13=291080000 2023-12-14=295990000";
const NOON = Date.UTC(2023, 11, 14, 13) / 1_000;

export const PEOPLE: readonly OddFile[] = [
  // What Excel saves.
  [
    "فروردین.csv",
    windows1256(
      lines(
        "ردیف;تاریخ;نرخ دلار;نرخ یورو;توضیحات",
        "1;1402/09/22;503,850;549,200;",
        "2;1402/09/23;503,800;549,800;تعطیل",
      ),
    ),
    AT,
    { byCommand: USD_EUR },
  ],
  [
    "Book1.csv",
    lines("Date,Dollar,Euro,,", "12/13/2023,503850,549200,,", "12/14/2023,503800,549800,,", ",,,,", ",,,,"),
    AT,
    USD_EUR,
  ],
  [
    "Book1.txt",
    Buffer.from(
      `\ufeff${lines("تاریخ\tدلار\tیورو", "1402/09/22\t503,850\t549,200", "1402/09/23\t503,800\t549,800")}`,
      "utf16le",
    ),
    AT,
    { byCommand: USD_EUR },
  ],
  [
    "دفتر.xlsx",
    workbook({
      "آذر ۱۴۰۲": [
        ["گزارش نرخ ارز", "", ""],
        ["واحد: تومان", "", ""],
        ["تاریخ", "دلار", "یورو"],
        ["1402/09/22", 50385, 54920],
        ["1402/09/23", 50380, 54980],
      ],
    }),
    AT,
    USD_EUR,
  ],
  [
    "ماه‌ها.xlsx",
    workbook({
      آبان: [
        ["تاریخ", "قیمت"],
        ["1402/08/30", 506000],
      ],
      آذر: [
        ["تاریخ", "قیمت"],
        ["1402/09/22", 503850],
      ],
    }),
    D,
    "USD_RLS: 2023-11-21=506000 2023-12-13=503850",
  ],
  [
    "نرخ.xlsx",
    workbook({
      دلار: [
        ["تاریخ", "نرخ"],
        ["1402/09/22", 503850],
        ["1402/09/23", 503800],
      ],
      نمودار: [[""]],
      یورو: [
        ["تاریخ", "نرخ"],
        ["1402/09/22", 549200],
        ["1402/09/23", 549800],
      ],
    }),
    AT,
    { byCommand: USD_EUR },
  ],
  [
    "both-in-one.xlsx",
    workbook({
      Sheet1: [
        ["دلار", "", "", "یورو", ""],
        ["تاریخ", "قیمت", "", "تاریخ", "قیمت"],
        ["1402/09/22", 503850, "", "1402/09/21", 548000],
      ],
    }),
    AT,
    { rejected: 'its header has "تاریخ" twice' },
  ],
  [
    "date-cells.xlsx",
    workbook({
      S: [
        ["تاریخ", "قیمت دلار (ریال)"],
        [{ date: serial("2023-12-13") }, 503850],
        [{ date: serial("2023-12-14") }, 503800],
      ],
    }),
    AT,
    { byCommand: USD },
  ],
  [
    "rows-are-assets.csv",
    lines("ارز,1402/09/22,1402/09/23", "دلار,503850,503800", "یورو,549200,549800"),
    AT,
    { rejected: "its prices are in columns of days or months" },
  ],
  ["blank-first-row.csv", lines(",,", "تاریخ,قیمت,", "1402/09/22,503850,", "1402/09/23,503800,"), D, USD],
  [
    "merged-header.csv",
    lines(",دلار,,یورو,", "تاریخ,خرید,فروش,خرید,فروش", "1402/09/22,503000,503850,548000,549200"),
    AT,
    { byCommand: "USD_RLS: 2023-12-13=503850 EUR_RLS: 2023-12-13=549200" },
  ],
  [
    "filled-down.csv",
    lines(
      "نام,تاریخ,قیمت",
      "دلار,1402/09/22,503850",
      ",1402/09/23,503800",
      "یورو,1402/09/22,549200",
      ",1402/09/23,549800",
    ),
    AT,
    "USD_RLS: 2023-12-13=503850 EUR_RLS: 2023-12-13=549200",
  ],
  ["quote-all.csv", lines('"Date";"Price"', '"13.12.2023";"503.850"', '"14.12.2023";"503.800"'), D, { byCommand: USD }],
  ["formula.csv", lines("date,price", '2023-12-13,="503850"', '2023-12-14,="503800"'), D, USD],
  [
    "errors.csv",
    lines("date,price,change", "2023-12-13,503850,#DIV/0!", "2023-12-14,503800,#VALUE!", "2023-12-15,#N/A,#N/A"),
    D,
    USD,
  ],
  ["sum-row.csv", lines("تاریخ,قیمت", "1402/09/22,503850", "1402/09/23,503800", "جمع,1007650"), D, USD],
  [
    "hidden-columns.csv",
    lines("id,created,date,price,user", "1,2024-01-01,2023-12-13,503850,ali", "2,2024-01-01,2023-12-14,503800,ali"),
    D,
    USD,
  ],
  // Sites.
  [
    "EUR_USD Historical Data.csv",
    lines(
      '"Date","Price","Open","High","Low","Vol.","Change %"',
      '"12/14/2023","1.0992","1.0873","1.1009","1.0865","","1.08%"',
      '"12/13/2023","1.0874","1.0794","1.0897","1.0773","","0.74%"',
    ),
    D,
    { rejected: "all 2 values of USD_RLS do not fit its market" },
  ],
  [
    "USD_IRR Historical Data.csv",
    lines(
      '"Date","Price","Open","High","Low","Vol.","Change %"',
      '"12/14/2023","503,800","503,850","504,000","503,000","","0%"',
      '"12/13/2023","503,850","503,500","504,000","503,000","","0%"',
    ),
    D,
    { byCommand: USD },
  ],
  [
    "XAUUSD1440.csv",
    lines("2023.12.13,00:00,1979.5,2027.9,1973.1,2027.4,99", "2023.12.14,00:00,2027.4,2047.9,2027.1,2036.2,99"),
    "--code GOLD_OUNCE_USD --zone UTC",
    "GOLD_OUNCE_USD: 2023-12-14T00:00Z=2027.4 2023-12-15T00:00Z=2036.2",
  ],
  [
    "XAUUSD_H1.csv",
    lines(
      "<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>",
      "2023.12.14\t12:00:00\t2030\t2032\t2029\t2031\t9\t0\t3",
      "2023.12.14\t13:00:00\t2031\t2037\t2030\t2036.2\t9\t0\t3",
    ),
    "--code GOLD_OUNCE_USD --zone UTC",
    "GOLD_OUNCE_USD: 2023-12-14T13:00Z=2031 2023-12-14T14:00Z=2036.2",
  ],
  [
    "BTC-USD.csv",
    lines(
      "Date,Open,High,Low,Close,Adj Close,Volume",
      "2023-12-13,41468.46,43429.78,40676.86,42890.74,42890.74,26797884674",
      "2023-12-14,42890.74,43390.86,41767.09,43023.97,43023.97,23162241522",
    ),
    "--code BTC_USD --day-at 23:59",
    "BTC_USD: 2023-12-13T23:59=42890.74 2023-12-14T23:59=43023.97",
  ],
  [
    "btc-usd-max.csv",
    lines(
      "snapped_at,price,market_cap,total_volume",
      "2023-12-13 00:00:00 UTC,41487.2,811e9,26e9",
      "2023-12-14 00:00:00 UTC,42869.0,838e9,27e9",
    ),
    "--code BTC_USD",
    { byCommand: "BTC_USD: 2023-12-13T00:00Z=41487.2 2023-12-14T00:00Z=42869" },
  ],
  [
    "Bitcoin_Historical_Data.csv",
    lines(
      "timeOpen;timeClose;name;open;high;low;close;volume;timestamp",
      '"2023-12-13T00:00:00.000Z";"2023-12-13T23:59:59.999Z";"2781";41468.4;43429.7;40676.8;42890.7;26e9;"2023-12-13T23:59:59.999Z"',
    ),
    "--code BTC_USD",
    "BTC_USD: 2023-12-14T00:00Z=42890.7",
  ],
  [
    "BTCUSDT-1d-2023-12.csv",
    lines(
      "1702425600000,41492.38,43475.2,40555,42869.03,45865.99,1702511999999,1930742462.4,1812634,22863.4,962491446.8,0",
      "1702512000000,42869.03,43420,41400,43022.26,42047.05,1702598399999,1793226498.9,1743049,20799.9,887146112.6,0",
    ),
    "--code BTC_USD",
    "BTC_USD: 2023-12-14T00:00Z=42869.03 2023-12-15T00:00Z=43022.26",
  ],
  [
    "BTCUSDT_d.csv",
    lines(
      "https://www.CryptoDataDownload.com",
      "Unix,Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USDT,tradecount",
      "1702512000000,2023-12-14,BTCUSDT,42869.03,43420,41400,43022.26,42047.05,1793226498.9,1743049",
    ),
    "",
    { byCommand: "BTC_USD: 2023-12-15T00:00Z=43022.26" },
  ],
  [
    "nobitex.json",
    json({
      status: "ok",
      stats: {
        "btc-rls": {
          isClosed: false,
          bestSell: "21650000000",
          bestBuy: "21640000000",
          latest: "21645000000",
          dayChange: "1.2",
        },
      },
    }),
    AT,
    { rejected: "its prices have no time" },
  ],
  [
    "wallex.json",
    json({
      success: true,
      result: {
        symbols: {
          USDTTMN: {
            symbol: "USDTTMN",
            baseAsset: "USDT",
            quoteAsset: "TMN",
            stats: { bidPrice: "50480", askPrice: "50500", lastPrice: "50490" },
          },
        },
      },
    }),
    AT,
    { rejected: 'its prices are nested in "result", not listed in rows' },
  ],
  [
    "trades.json",
    json({
      status: "ok",
      trades: [
        { time: NOON * 1_000, price: "505000", volume: "12.5", type: "buy" },
        { time: NOON * 1_000 + 60_000, price: "505100", volume: "3", type: "sell" },
      ],
    }),
    "--code USDT_RLS",
    "USDT_RLS: 2023-12-14T13:00Z=505000 2023-12-14T13:01Z=505100",
  ],
  [
    "kucoin.json",
    json({ code: "200000", data: [["1702512000", "42869", "43022.2", "43420", "41400", "4204", "179322649"]] }),
    "--code BTC_USD",
    NO_ORDER,
  ],
  [
    "coindesk.json",
    json({
      time: { updatedISO: "2023-12-14T13:00:00+00:00" },
      bpi: { USD: { code: "USD", rate_float: 42973.12 }, EUR: { code: "EUR", rate_float: 39120.5 } },
    }),
    "",
    { rejected: "its prices have no time" },
  ],
  [
    "alanchand.json",
    json([
      { slug: "usd", name: "دلار آمریکا", buy: 50300, sell: 50380, updated_at: "2023-12-14T16:30:00+03:30" },
      { slug: "eur", name: "یورو", buy: 54800, sell: 54980, updated_at: "2023-12-14T16:30:00+03:30" },
    ]),
    "",
    { byCommand: "USD_RLS: 2023-12-14=503800 EUR_RLS: 2023-12-14=549800" },
  ],
  [
    "frankfurter.json",
    json({
      amount: 1,
      base: "EUR",
      start_date: "2023-12-13",
      rates: { "2023-12-13": { USD: 1.0787 }, "2023-12-14": { USD: 1.0919 } },
    }),
    AT,
    { rejected: 'its only column of values is named by an asset: its header is "date,USD"' },
  ],
  [
    "exchangerate-host.json",
    json({ success: true, timestamp: NOON, source: "USD", quotes: { USDIRR: 503800, USDEUR: 0.9187 } }),
    "",
    { rejected: 'its prices are nested in "quotes", not listed in rows' },
  ],
  // Shops and channels.
  [
    "کانال.txt",
    lines("💵 دلار: 50,380", "💶 یورو: 54,980", "🕐 1402/09/23 16:30"),
    "",
    { rejected: 'its prices are in sentences such as "💵 دلار: 50,380", not in a table' },
  ],
  ["لیست.csv", lines("نام,خرید,فروش", "دلار,50300,50380", "یورو,54800,54980"), AT, NO_VALUE],
  [
    "صرافی.csv",
    lines("صرافی امید - نرخ ارز,,,", "تاریخ: 1402/09/23,,,", "ارز,خرید,فروش,واحد", "دلار,50300,50380,تومان"),
    AT,
    NO_VALUE,
  ],
  [
    "روزانه.csv",
    lines(
      "تاریخ،ساعت،نوع ارز،نرخ خرید،نرخ فروش",
      "1402/09/22،16:30،دلار،503000،503850",
      "1402/09/23،16:30،دلار،503100،503800",
    ),
    "--code USD_RLS --map value=نرخ\\ فروش",
    { byCommand: USD },
  ],
  [
    "telegram.csv",
    lines("1402/09/22 16:30 - دلار - 50385", "1402/09/23 16:30 - دلار - 50380"),
    D,
    { rejected: 'its prices are in sentences such as "1402/09/22 16:30 - دلار - 50385", not in a table' },
  ],
  ["copied.txt", lines("۱۴۰۲/۰۹/۲۲\t۵۰۳٬۸۵۰", "۱۴۰۲/۰۹/۲۳\t۵۰۳٬۸۰۰"), D, USD],
  ["copied-names.txt", lines("دلار\t۱۴۰۲/۰۹/۲۲\t۵۰۳٬۸۵۰", "دلار\t۱۴۰۲/۰۹/۲۳\t۵۰۳٬۸۰۰"), AT, USD],
  [
    "copied-hours.txt",
    lines("۱۴۰۲/۰۹/۲۲\t۱۶:۳۰\t۵۰۳٬۸۵۰ ریال", "۱۴۰۲/۰۹/۲۳\t۱۶:۳۰\t۵۰۳٬۸۰۰ ریال"),
    "--code USD_RLS",
    { byCommand: USD },
  ],
  ["copied-toman.txt", lines("1402/09/22;50385;تومان", "1402/09/23;50380;تومان"), D, USD],
  ["copied-numbered.txt", lines("1\t1402/09/22\t503850", "2\t1402/09/23\t503800"), D, { byCommand: USD }],
  ["copied-change.txt", lines("1402/09/22\t503850\t0.2%", "1402/09/23\t503800\t-0.1%"), D, USD],
  [
    "coin-shop.csv",
    lines(
      "نرخ سکه و طلا - آذر ۱۴۰۲",
      "تاریخ,سکه امامی,نیم سکه,طلای 18 عیار",
      ",تومان,تومان,تومان",
      "1402/09/22,29108000,16600000,2449300",
      "1402/09/23,29599000,16700000,2482300",
    ),
    AT,
    `${COIN} NIM_SEKKEH_RLS: 2023-12-13=166000000 2023-12-14=167000000 GOLD_18_RLS: 2023-12-13=24493000 2023-12-14=24823000`,
  ],
  [
    "سکه.csv",
    lines("تاریخ,قیمت", "1402/09/22,291080000", "1402/09/23,295990000"),
    "--code SEKKEH_RLS --day-at 16:30",
    COIN,
  ],
  [
    "نیم-سکه.csv",
    lines("تاریخ,قیمت", "1402/09/22,166000000", "1402/09/23,167000000"),
    "--code SEKKEH_RLS --day-at 16:30",
    { byCommand: "NIM_SEKKEH_RLS: 2023-12-13=166000000 2023-12-14=167000000" },
  ],
  [
    "طلا.xlsx",
    workbook({
      طلا: [
        ["تاریخ", "قیمت"],
        ["1402/09/22", 24493000],
        ["1402/09/23", 24823000],
      ],
    }),
    "--code GOLD_18_RLS --day-at 16:30",
    "GOLD_18_RLS: 2023-12-13=24493000 2023-12-14=24823000",
  ],
  [
    "derham.csv",
    lines("قیمت درهم امارات", "tarikh,gheymat", "1402/09/22,137200", "1402/09/23,137300"),
    D,
    { byCommand: "AED_RLS: 2023-12-13=137200 2023-12-14=137300" },
  ],
  [
    "tether-vs-dollar.csv",
    lines("date,tether,dollar", "2023-12-13,505000,503850", "2023-12-14,505100,503800"),
    `${AT} --names tether=USDT_RLS`,
    `${USD} USDT_RLS: 2023-12-13=505000 2023-12-14=505100`,
  ],
  [
    "lira-for-dollar.csv",
    lines("# Turkish lira", "date,price", "2023-12-13,17350", "2023-12-14,17360"),
    D,
    { byCommand: "TRY_RLS: 2023-12-13=17350 2023-12-14=17360" },
  ],
  ["remittance.csv", lines("تاریخ,نوع,نرخ", "1402/09/22,اسکناس,503850", "1402/09/22,حواله,498000"), D, TELLS_APART],
  [
    "sal.csv",
    lines("sal,mah,ruz,saat,gheymat", "1402,9,22,16:30,503850", "1402,9,23,16:30,503800"),
    "--code USD_RLS",
    { byCommand: USD },
  ],
  [
    "months.csv",
    lines("سال,ماه,قیمت", "1402,8,506000", "1402,9,503850"),
    D,
    { rejected: "its header lacks businessTime" },
  ],
  ["mac.csv", lines("\ufeffتاریخ;قیمت", "1402/09/22;503850", "1402/09/23;503800", "").replaceAll("\n", "\r"), D, USD],
  [
    "backup.zip",
    zipOf([
      { name: "readme.txt", content: "prices of the shop\nfrom Ali" },
      { name: "دلار.csv", content: lines("تاریخ,قیمت", "1402/09/22,503850", "1402/09/23,503800") },
    ]),
    D,
    USD,
  ],
  [
    "joined-days.csv",
    lines("تاریخ,قیمت,تاریخ,قیمت", "1402/09/22,503850,1402/09/23,503800"),
    D,
    { rejected: 'its header has "تاریخ" twice' },
  ],
  [
    "both-calendars.csv",
    lines("تاریخ شمسی,تاریخ میلادی,قیمت", "1402/09/22,2023/12/13,503850", "1402/09/23,2023/12/14,503800"),
    D,
    USD,
  ],
  [
    "slipped-calendars.csv",
    lines("تاریخ شمسی,تاریخ میلادی,قیمت", "1402/09/22,2023/12/14,503850", "1402/09/23,2023/12/15,503800"),
    D,
    { rejected: 'its columns "تاریخ میلادی" and "تاریخ شمسی" say different days: "2023/12/14" and "1402/09/22"' },
  ],
];
