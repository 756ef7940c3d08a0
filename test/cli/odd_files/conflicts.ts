// Files that contradict each other, themselves, their names, or what is stored.

import {
  AT,
  D,
  DOLLAR,
  DOLLAR_ASKED,
  days,
  EURO,
  jalali,
  NO_VALUE,
  type OddFile,
  TELLS_APART,
  TWO_VALUES,
} from "./odd_file.ts";

const TABLE = days("date,price", 1903000, 1907000, 1905000);
const EUROS = days("date,price", 2219000, 2227500, 2224000);
const COINS = days("date,price", 1980000000, 1995000000, 1995000000);
const COIN = "SEKKEH_RLS: 19=1980000000 20=1995000000 21=1995000000";
const HEADER = "code,value,businessTime,sourceTime,provider,qualityStatus,qualityMessage";
const STORED = `${HEADER}\nUSD_RLS,1907000,2026-08-20T13:00:00.000Z,2026-08-20T13:01:00.000Z,TGJU,ACCEPTED,checked`;
/** 25 days of two assets, of which the second one's values are the first one's. */
const COPIED = [
  "date,USD_RLS,EUR_RLS",
  ...Array.from(
    { length: 25 },
    (_, i) => `2026-07-${String(i + 1).padStart(2, "0")},${1_850_000 + i * 997},${1_850_000 + i * 997}`,
  ),
].join("\n");

export const CONFLICTS: readonly OddFile[] = [
  [
    "buying-and-selling-minutes.csv",
    "time,نوع,price\n2026-08-19 11:00,فروش,1903000\n2026-08-19 11:20,خرید,1883000\n2026-08-20 11:00,فروش,1907000",
    "--code USD_RLS --zone Asia/Tehran",
    { byCommand: "USD_RLS: 19T11:00=1903000 20T11:00=1907000" },
  ],
  [
    "buying-and-selling-on-a-day.csv",
    days("date,side,price", "sell,1903000").concat("\n2026-08-19,buy,1883000"),
    D,
    { byCommand: "USD_RLS: 19=1903000" },
  ],
  [
    "karat-column.csv",
    "date,عیار,price\n2026-08-20,750,178983000\n2026-08-20,۲۴ عیار,238644000",
    AT,
    { byCommand: "GOLD_18_RLS: 20=178983000 GOLD_24_RLS: 20=238644000" },
  ],
  [
    "karat-beside-a-name.csv",
    "date,name,عیار,price\n2026-08-20,طلا,18,178983000\n2026-08-20,طلا,999,238644000\n2026-08-20,سکه امامی,900,1956400000",
    AT,
    "GOLD_18_RLS: 20=178983000 GOLD_24_RLS: 20=238644000 SEKKEH_RLS: 20=1956400000",
  ],
  [
    "gram-columns.csv",
    "date,گرم ۱۸,گرم ۲۴\n2026-08-20,178983000,238644000",
    AT,
    "GOLD_18_RLS: 20=178983000 GOLD_24_RLS: 20=238644000",
  ],
  ["mesghal-called-gold.csv", "date,code,price\n2026-08-20,طلا,779790000", AT, { rejected: "does not fit its market" }],
  [
    "total-before-unit-price.csv",
    days("date,کد,تعداد,قیمت کل,قیمت واحد", "101,2,3806000,1903000", "101,1,1907000,1907000", "101,3,5715000,1905000"),
    D,
    DOLLAR,
  ],
  ["total-alone.csv", days("date,کد,تعداد,قیمت کل", "101,2,3806000", "101,1,1907000"), D, NO_VALUE],
  [
    "price-of-a-weight.csv",
    days("date,وزن (گرم),price", "8.1,1449762300", "4.12,735720760", "2.35,419968500"),
    "--code GOLD_18_RLS --day-at 16:30",
    { rejected: 'its values grow with its column "وزن (گرم)", so they are totals' },
  ],
  ["asset-and-unit-price.csv", jalali("تاریخ,دارایی,فی", "دلار,1903000", "دلار,1907000", "دلار,1905000"), AT, DOLLAR],
  ["close-alone.csv", "ts,close\n2026-08-20T16:30:00+03:30,1907000", "--code USD_RLS", "USD_RLS: 20=1907000"],
  ["USD_RLS.csv SEKKEH_RLS.csv", [TABLE, COINS], D, { byCommand: `${DOLLAR} ${COIN}` }],
  ["SEKKEH_RLS.csv USD_RLS.csv", [COINS, TABLE], D, { byCommand: `${DOLLAR} ${COIN}` }],
  ["USD_RLS.csv EUR_RLS.csv", [TABLE, EUROS], D, { byCommand: `${DOLLAR} ${EURO}` }],
  ["EUR_RLS.csv", EUROS, D, { rejected: "EUR_RLS.csv is named after EUR_RLS, although USD_RLS was given" }],
  ["a.csv b.csv", [TABLE, TABLE], D, DOLLAR],
  [
    "a.csv b.csv c.csv",
    [days("date,price", 1903000), "date,price\n2026-08-20,1907000", "date,price\n2026-08-21,1905000"],
    D,
    DOLLAR,
  ],
  ["morning.csv evening.csv", [TABLE, days("date,price", 1903000, 1907000, 1911000)], D, TWO_VALUES],
  ["day-twice.csv", `${TABLE}\n2026-08-21,1911000`, D, TWO_VALUES],
  [
    "day-twice-last-wins.csv",
    `${TABLE}\n2026-08-21,1911000`,
    `${D} --last-wins`,
    "USD_RLS: 19=1903000 20=1907000 21=1911000",
  ],
  ["day-twice-the-same.csv", `${TABLE}\n2026-08-21,1905000`, D, DOLLAR],
  ["day-twice-two-calendars.csv", `${TABLE}\n1405/05/30,1911000`, D, TWO_VALUES],
  [
    "hours-mapped-away.csv",
    "date,time,price\n2026-08-20,11:00,1899000\n2026-08-20,13:30,1903000\n2026-08-20,16:30,1907000",
    `${D} --map businessTime=date`,
    TELLS_APART,
  ],
  [
    "name-twice.csv",
    "date,code,price\n2026-08-21,دلار,1905000\n2026-08-21,USD,1905000\n2026-08-21,EUR,2224000",
    AT,
    "USD_RLS: 21=1905000 EUR_RLS: 21=2224000",
  ],
  ["name-twice-other-value.csv", "date,code,price\n2026-08-21,دلار,1905000\n2026-08-21,USD,1911000", AT, TWO_VALUES],
  [
    "correction-of-a-day.csv",
    "date,price\n2026-08-20,1909000",
    D,
    { byCommand: "USD_RLS: 20=1909000" },
    "code,value,businessTime\nUSD_RLS,1907000,2026-08-20T15:00:00Z",
  ],
  [
    "correction-at-the-hour.csv",
    "date,price\n2026-08-20,1909000",
    D,
    "USD_RLS: 20=1909000",
    "code,value,businessTime\nUSD_RLS,1907000,2026-08-20T13:00:00Z",
  ],
  [
    "page-again.csv",
    "code,value,businessTime\r\nUSD_RLS,1907000,2026-08-20T13:00:00.000Z\r\n",
    "",
    "USD_RLS: 20=1907000",
    STORED,
  ],
  ["next-day.csv", "date,price\n2026-08-21,1905000", D, "USD_RLS: 20=1907000 21=1905000", STORED],
  ["next-day-toman.csv", "date,price\n2026-08-21,190500", D, { byCommand: "USD_RLS: 20=1907000 21=1905000" }, STORED],
  ["whole-again-toman.csv", days("date,price", 190300, 190700, 190500), D, DOLLAR_ASKED, STORED],
  ["wrong-asset.csv", COINS, D, { rejected: "all 3 values of USD_RLS look 1,000 times too high" }],
  [
    "wrong-asset-euro.csv",
    EUROS,
    "--code AED_RLS --day-at 16:30",
    { rejected: "wrong-asset-euro.csv is named after EUR_RLS, although AED_RLS was given" },
  ],
  [
    "columns-swapped.csv",
    days("date,USD_RLS,SEKKEH_RLS", "1980000000,1903000", "1995000000,1907000", "1995000000,1905000"),
    AT,
    { rejected: "all 3 values of USD_RLS look 1,000 times too high" },
  ],
  ["columns-copied.csv", COPIED, AT, { rejected: "all 25 values of USD_RLS do not fit its market" }],
  [
    "one-row-tenfold.csv",
    days("date,price", 1903000, 19070000, 1905000, 1906000, 1907500),
    D,
    { byCommand: "USD_RLS: 19=1903000 21=1905000 22=1906000 23=1907500" },
  ],
  [
    "one-row-toman.csv",
    days("date,price", 1903000, 190700, 1905000, 1906000, 1907500),
    D,
    { byCommand: "USD_RLS: 19=1903000 21=1905000 22=1906000 23=1907500" },
  ],
  ["last-row-toman.csv", days("date,price", 1903000, 1907000, 1905000, 190600), D, DOLLAR_ASKED],
  ["provider-column.csv", "date,source,price\n2026-08-20,tgju,1907000\n2026-08-20,bonbast,1911000", D, TELLS_APART],
  [
    "sections-code.csv",
    "date,price\n2026-08-19,1903000\n2026-08-20,1907000\n\nیورو,\ndate,price\n2026-08-19,2219000\n2026-08-20,2227500",
    D,
    { rejected: 'line 5 is the title "یورو" of a second table, and USD_RLS was given for all rows' },
  ],
  [
    "same-day-open-close.csv",
    "date,type,price\n2026-08-20,open,1899000\n2026-08-20,close,1907000\n2026-08-21,open,1901000\n2026-08-21,close,1905000",
    D,
    { byCommand: "USD_RLS: 20=1907000 21=1905000" },
  ],
];
