// Numbers, hours, days and units as people in Tehran write them in tables and lists, and what headers say of them.

import {
  A_MONTH,
  AT,
  D,
  DOLLAR,
  DOLLAR_ASKED,
  days,
  EURO,
  jalali,
  NO_NUMBER,
  NO_TIME,
  type OddFile,
  workbook,
} from "./odd_file.ts";

const CODE = "--code USD_RLS";
const COIN = "--code SEKKEH_RLS --day-at 16:30";
const COINS = "SEKKEH_RLS: 19=1980000000 20=1995000000 21=1995000000";
const OUNCE = "--code GOLD_OUNCE_USD --day-at 16:30";
const OUNCES = "GOLD_OUNCE_USD: 19=4380 20=4390 21=4401";
const G = [19, 20, 21].map((day) => `2026-08-${day}`);
const J = [28, 29, 30].map((day) => `1405/05/${day}`);
const VALUES = [1903000, 1907000, 1905000];
const UTC = G.map((day) => `${day} 13:00:00`);
/** A table of the dollar with these times. */
const at = (header: string, ...times: readonly (string | number)[]): string =>
  [header, ...times.map((time, i) => `${time},${VALUES[i]!}`)].join("\n");
/** A table of the dollar with these hours. */
const hours = (header: string, ...clocks: readonly string[]): string =>
  [header, ...clocks.map((clock, i) => `${J[i]!},${clock},${VALUES[i]!}`)].join("\n");
const FOUR = "USD_RLS: 19T16:00=1903000 20T16:00=1907000 21T16:00=1905000";
/** The first value in other letters. */
const LETTERS = [
  "١٩٠٣٠٠٠",
  "۱۹۰۳۰۰۰",
  "۱۹٠٣000",
  "١٬٩٠٣٬٠٠٠",
  "١٩٠٣٠٠٠٫٠",
  "۱٬۹۰۳٬۰۰۰٫۰",
  "1\u200c903\u200c000",
  "\u200b1903000",
  "\u2067\u200e1903000\u2069",
  "1\u00a0903\u00a0000",
  "1\u202f903\u202f000",
  "\u00a01903000\u00a0",
  "1903000\u200f",
  "190300\u200f تومان\u200f",
  "１９０３０００",
  "１，９０３，０００",
  "1\u2007903\u2007000",
  "1\u2009903\u2009000",
  "\u061c1903000",
  "1903\u00ad000",
  "1903\u2060000",
  "190300\u200cتومان",
  "190300\u00a0تومان",
  "190300 تــومان",
  "190300 ﺗﻮﻣﺎﻥ",
  "1903000 ﷼",
  "﷼1903000",
  "1ʼ903ʼ000",
  "1_903_000",
  "'1903000",
  "=1903000",
] as const;

export const WRITTEN: readonly OddFile[] = [
  // The zone, in a header.
  ["time_utc.csv", at("time_utc,price", ...UTC), CODE, DOLLAR],
  ["tarikh-utc.csv", at("تاریخ (UTC),قیمت", ...UTC), CODE, DOLLAR],
  ["date-gmt.csv", at("Date(GMT),Price", ...UTC), CODE, DOLLAR],
  ["utc_datetime.csv", at("utc_datetime,price", ...UTC), CODE, DOLLAR],
  [
    "date-and-time-utc.csv",
    ["date,time (UTC),price", ...VALUES.map((value, i) => `${G[i]!},13:00,${value}`)].join("\n"),
    CODE,
    DOLLAR,
  ],
  ["time-tehran.csv", at("تاریخ و ساعت (به وقت تهران),قیمت", ...G.map((day) => `${day} 16:30`)), CODE, DOLLAR],
  ["time-gulf.csv", at("time (GMT+4),price", ...G.map((day) => `${day} 17:00`)), CODE, DOLLAR],
  [
    "zone-column.csv",
    `time,zone,price\n${UTC.map((time, i) => `${time},UTC,${VALUES[i]!}`).join("\n")}`,
    CODE,
    DOLLAR_ASKED,
  ],
  ["zone-title.csv", `All times in UTC,\n${at("time,price", ...UTC)}`, CODE, DOLLAR_ASKED],
  ["utc-told-otherwise.csv", at("time_utc,price", ...UTC), `${CODE} --zone Asia/Tehran`, DOLLAR_ASKED],
  ["utc-days.csv", at("date_utc,price", ...G), `${CODE} --day-at 13:00`, DOLLAR_ASKED],
  // The calendar, in a header.
  ["shamsi-brackets.csv", at("تاریخ (شمسی),قیمت", ...J), D, DOLLAR],
  ["hejri-shamsi.csv", at("تاریخ هجری شمسی,قیمت", ...J), D, DOLLAR],
  ["date_jalali.csv", at("date_jalali,price", ...J), D, DOLLAR],
  ["miladi-brackets.csv", at("تاریخ (میلادی),قیمت", ...G), D, DOLLAR],
  ["miladi-of-jalali.csv", at("تاریخ میلادی,قیمت", ...J), D, DOLLAR_ASKED],
  ["shamsi-of-gregorian.csv", at("تاریخ شمسی,قیمت", ...G), D, DOLLAR_ASKED],
  ["shamsi-two-digits.csv", at("تاریخ شمسی,قیمت", "05/05/28", "05/05/29", "05/05/30"), D, DOLLAR],
  ["shamsi-two-digits-day-first.csv", at("تاریخ شمسی,قیمت", "28/05/05", "29/05/05", "30/05/05"), D, DOLLAR],
  [
    "shamsi-two-digits-unclear.csv",
    at("تاریخ شمسی,قیمت", "01/06/05", "02/06/05", "03/06/05"),
    D,
    { byCommand: "USD_RLS: 23=1903000 24=1907000 25=1905000" },
  ],
  ["two-digits-day-first.csv", at("تاریخ,قیمت", "28/05/05", "29/05/05", "30/05/05"), D, DOLLAR_ASKED],
  [
    "miladi-unclear.csv",
    at("تاریخ میلادی,قیمت", "01/08/2026", "02/08/2026", "03/08/2026"),
    D,
    { byCommand: "USD_RLS: 01=1903000 02=1907000 03=1905000" },
  ],
  // Headers of two lines.
  [
    "header-lines.csv",
    'تاریخ,"قیمت\nفروش (تومان)"\n1405/05/28,190300\n1405/05/29,190700\n1405/05/30,190500',
    D,
    DOLLAR_ASKED,
  ],
  [
    "header-lines-crlf.csv",
    'day,"نرخ\r\nپایان روز"\r\n2026-08-20,1907000\r\n2026-08-21,1905000\r\n',
    D,
    { byCommand: "USD_RLS: 20=1907000 21=1905000" },
  ],
  [
    "header-lines-wide.csv",
    '"تاریخ","دلار\n(تومان)","یورو\n(تومان)"\n1405/05/28,190300,221900\n1405/05/29,190700,222750\n1405/05/30,190500,222400',
    AT,
    `${DOLLAR} ${EURO}`,
  ],
  // Hours and days.
  ["hour-alone.csv", hours("تاریخ,ساعت,قیمت", "16", "۱۶", "ساعت ۱۶"), CODE, { byCommand: FOUR }],
  ["hour-point.csv", hours("تاریخ,ساعت,قیمت", "16.30", "۱۶.۳۰", "16:30"), CODE, DOLLAR_ASKED],
  ["hour-half.csv", hours("date,time,price", "4 ب.ظ", "4 PM", "4 عصر"), CODE, { byCommand: FOUR }],
  [
    "hour-in-date.csv",
    at("زمان,قیمت", "1405/05/28 ساعت 16", "1405/05/29 ساعت ۱۶", "1405/05/30 4 ب.ظ"),
    CODE,
    { byCommand: FOUR },
  ],
  ["serial-comma.csv", "date;price\n46253,6875;1903000\n46254,6875;1907000\n46255,6875;1905000", CODE, DOLLAR_ASKED],
  ["compact-two-digits.csv", at("تاریخ,قیمت", "050528", "050529", "۰۵۰۵۳۰"), D, DOLLAR_ASKED],
  ["compact-gregorian.csv", at("date,price", "260819", "260820", "260821"), D, DOLLAR_ASKED],
  ["compact-months.csv", "تاریخ,قیمت\n140503,1700000\n140504,1740000\n140505,1900000", D, A_MONTH],
  ["jalali-t.csv", at("زمان,قیمت", "1405-05-28T16:30", "1405-05-29T16:30:00", "۱۴۰۵-۰۵-۳۰T۱۶:۳۰"), CODE, DOLLAR_ASKED],
  [
    "jalali-dashes.csv",
    at("زمان,قیمت", "۱۴۰۵/۰۵/۲۸ - ۱۶:۳۰", "16:30 - 1405/05/29", "1405/05/30-16:30"),
    CODE,
    DOLLAR_ASKED,
  ],
  ["jalali-other-marks.csv", at("تاریخ,قیمت", "1405_05_28", "1405\\05\\29", "1405 / 05 / 30"), D, DOLLAR],
  [
    "weekdays.csv",
    at("تاریخ,قیمت", "چهار شنبه ۱۴۰۵/۰۵/۲۸", "پنج\u200cشنبه - ۱۴۰۵/۰۵/۲۹", "۱۴۰۵/۰۵/۳۰ جمعه"),
    D,
    DOLLAR,
  ],
  // Marks and units.
  [
    "toman-commas-quoted.csv",
    days("date,price", '"190,300 تومان"', '"190,700 تومان"', '"190,500 تومان"'),
    D,
    DOLLAR_ASKED,
  ],
  ["toman-commas-persian.csv", days("date,price", '"۱۹۰,۳۰۰ تومان"', '"۱۹۰,۷۰۰ تومان"', '"۱۹۰,۵۰۰ تومان"'), D, DOLLAR],
  ["slash-thousands.csv", jalali("تاریخ,قیمت", "۱/۹۰۳/۰۰۰", "۱/۹۰۷/۰۰۰", "۱/۹۰۵/۰۰۰"), D, DOLLAR],
  ["slash-thousands-toman.csv", jalali("تاریخ,قیمت (تومان)", "۱۹۰/۳۰۰", "۱۹۰/۷۰۰", "۱۹۰/۵۰۰"), D, DOLLAR_ASKED],
  ["slash-thousands-coins.csv", jalali("تاریخ,قیمت (تومان)", "۱۹۸/۰۰۰/۰۰۰", "۱۹۹/۵۰۰/۰۰۰", "۱۹۹/۵۰۰/۰۰۰"), COIN, COINS],
  [
    "slash-thousands-told-later.csv",
    "date,price\n2025-03-20,998/500\n2026-08-21,1/905/000",
    D,
    "USD_RLS: 2025-03-20=998500 21=1905000",
  ],
  [
    "slash-fractions-of-three.csv",
    "date,price\n2018-10-01,127/125\n2018-10-02,126/875",
    "--code IQD_RLS --day-at 16:30 --decimal /",
    "IQD_RLS: 2018-10-01=127.125 2018-10-02=126.875",
  ],
  [
    "slash-both.csv",
    days("date,price", "1/903/000", "1907000/5", "1905000"),
    D,
    { rejected: 'its values "1907000/5" and "1/903/000" have different decimal marks' },
  ],
  ["ounce-points.csv", days("date,price", "4.380", "4.390", "4.401"), OUNCE, { byCommand: OUNCES }],
  ["ounce-dollar-before.csv", days("date,price", '"$ 4,380"', '"$ 4,390"', '"$ 4,401"'), OUNCE, { byCommand: OUNCES }],
  ["unit-before.csv", days("date,price", '"تومان 190,300"', "IRR 1907000", "﷼ 1905000"), D, DOLLAR_ASKED],
  ["unit-per-dollar.csv", days("date,price", "1903000 ریال/دلار", "190700 تومان / دلار", "1905000 IRR/USD"), D, DOLLAR],
  ["plus-and-dash.csv", days("date,price", "+1903000", '"1,907,000.-"', "1905000/-"), D, DOLLAR],
  ["two-units-in-cell.csv", days("date,price", "190300 toman / 1903000 rial"), D, NO_NUMBER],
  ["points-and-untold-toman.csv", jalali("تاریخ,قیمت", "190.300", "190.700", "190.500"), D, DOLLAR_ASKED],
  ["commas-and-untold-toman.csv", jalali("تاریخ,قیمت", '"190,300"', '"190,700"', '"190,500"'), CODE, DOLLAR_ASKED],
  [
    "points-and-untold-toman-wide.csv",
    jalali("تاریخ,USD_RLS,EUR_RLS", "190.300,221.900", "190.700,222.750", "190.500,222.400"),
    AT,
    { byCommand: `${DOLLAR} ${EURO}` },
  ],
  [
    "toman-beside-dollars.csv",
    "code,date,price\nUSD_RLS,2026-08-20,190700\nGOLD_OUNCE_USD,2026-08-20,4380.04\nBTC_USD,2026-08-20,81000",
    `${AT} --unit toman`,
    "USD_RLS: 20=1907000 GOLD_OUNCE_USD: 20=4380.04 BTC_USD: 20=81000",
  ],
  [
    "toman-untold-beside-dollars.csv",
    "نام,تاریخ,قیمت\nدلار,2026-08-20,190700\nانس طلا,2026-08-20,4380.04",
    AT,
    { byCommand: "USD_RLS: 20=1907000 GOLD_OUNCE_USD: 20=4380.04" },
  ],
  ...LETTERS.map(
    (text, i): OddFile => [`letters-${i}.csv`, `date,price\n2026-08-19,${text}`, D, "USD_RLS: 19=1903000"],
  ),
  // Of lists and tables of Tehran.
  [
    "excel-midnights-fa.csv",
    at("تاریخ,قیمت", ...J.map((day) => `${day} 12:00:00 ق.ظ`)),
    CODE,
    { byCommand: "USD_RLS: 19T00:00=1903000 20T00:00=1907000 21T00:00=1905000" },
  ],
  ["long-dates.csv", at("تاریخ,قیمت", '"چهارشنبه، 28 مرداد، 1405"', "مورخ 1405/05/29", "روز ۳۰ مرداد ۱۴۰۵"), D, DOLLAR],
  ["words.csv", jalali("تاریخ,قیمت", "۱۹۰ هزار و ۳۰۰ تومان", "۱۹۰ هزار و ۷۰۰ تومان"), D, NO_NUMBER],
  ["arrows.csv", jalali("تاریخ,قیمت", "▲ 1903000", "🔻190,700 تومان".replace(",", "٬"), "190500 تومان 💵"), D, DOLLAR],
  ["accounting.csv", days("date,price", '"(1,903,000)"', '"(1,907,000)"'), D, NO_NUMBER],
  ["momayyez-toman.csv", jalali("تاریخ,قیمت", "۱۹۰٫۳۰۰ تومان", "۱۹۰٫۷۰۰ تومان", "۱۹۰٫۵۰۰ تومان"), D, DOLLAR_ASKED],
  ["blanks-toman.csv", jalali("تاریخ,قیمت", "190 300 تومان", "190 700 تومان", "190 500 تومان"), D, DOLLAR],
  ["thousand-rial-header.csv", jalali("تاریخ,قیمت (هزار ریال)", 1903, 1907, 1905), D, DOLLAR],
  ["thousand-toman-header.csv", jalali("تاریخ,قیمت به هزار تومان", 190.3, 190.7, 190.5), D, DOLLAR],
  ["thousand-rial-title.csv", `ارقام به هزار ریال,\n${jalali("تاریخ,قیمت", 1903, 1907, 1905)}`, D, DOLLAR],
  ["million-rial-title.csv", `مبالغ: میلیون ریال,\n${jalali("تاریخ,قیمت", 1980, 1995, 1995)}`, COIN, COINS],
  ["billion-rial-header.csv", jalali("تاریخ,قیمت (میلیارد ریال)", 1.98, 1.995, 1.995), COIN, COINS],
  [
    "million-cells.csv",
    jalali("تاریخ,قیمت", "۱۹۸ میلیون تومان", "۱۹۹/۵ میلیون تومان", "199.5 میلیون تومان"),
    COIN,
    COINS,
  ],
  [
    "unit-in-second-title.csv",
    `نرخ دلار بازار آزاد,\nواحد: تومان,\n${jalali("تاریخ,قیمت", 190300, 190700, 190500)}`,
    D,
    DOLLAR,
  ],
  [
    "omani-rial.csv",
    `نرخ ریال عمان,\n${jalali("تاریخ,قیمت (تومان)", 495000, 496000, 495500)}`,
    "--code OMR_RLS --day-at 16:30",
    "OMR_RLS: 19=4950000 20=4960000 21=4955000",
  ],
  ["header-star.csv", jalali("تاریخ,قیمت (تومان)*", 190300, 190700, 190500), D, DOLLAR_ASKED],
  ["header-comma-irr.csv", days('date,"Price, IRR"', 1903000, 1907000, 1905000), D, DOLLAR_ASKED],
  [
    "rial-and-toman-beside.csv",
    jalali("تاریخ,قیمت به ریال,معادل تومان", "1903000,190300", "1907000,190700", "1905000,190500"),
    D,
    DOLLAR,
  ],
  [
    "unit-column-iran.csv",
    jalali("تاریخ,نرخ,واحد پول", "1903000,ریال ایران", "190700,تومان ایران", "1905,هزار ریال"),
    D,
    DOLLAR,
  ],
  ["toman-below-zero.csv", days("date,price", "-190300 تومان", "190700 تومان"), D, "USD_RLS: 20=1907000"],
  [
    "header.csv",
    "date,price_eur\n2023-12-13,39749.66\n2023-12-14,39973.12",
    "--code BTC_USD --day-at 16:30",
    { rejected: "value is in euros" },
  ],
  [
    "cells.csv",
    "date,price\n2023-12-13,39749.66 €\n2023-12-14,€39973.12",
    "--code BTC_USD --day-at 16:30",
    { rejected: "value is in euros" },
  ],
  [
    "euros-base.csv",
    "date,price,currency\n2026-08-19,2219000,EUR\n2026-08-20,2227500,EUR",
    "--code EUR_RLS --day-at 16:30",
    "EUR_RLS: 19=2219000 20=2227500",
  ],
  [
    "bitcoin-comma-dollars.csv",
    "date;price\n2026-09-28;83.125,40 $\n2026-09-29;83.212,64 $",
    "--code BTC_USD --day-at 16:30",
    "BTC_USD: 2026-09-28=83125.4 2026-09-29=83212.64",
  ],
  ["rounded-bitcoin.csv", "date,price\n2026-09-28,83.1K\n2026-09-29,83.2K", "--code BTC_USD --day-at 16:30", NO_NUMBER],
  [
    "day-first-dash.csv",
    at("date,price", "19/08/2026 - 16:30", "20/08/2026 - 16:30", "21/08/2026 - 16:30"),
    CODE,
    DOLLAR_ASKED,
  ],
  ["points-two-digits.csv", at("date,price", "19.08.26 16:30", "20.08.26 16:30", "21.08.26 16:30"), CODE, DOLLAR_ASKED],
  ["hour-then-day.csv", at("زمان,قیمت", ...J.map((day) => `ساعت ۱۶:۳۰ روز ${day}`)), CODE, DOLLAR_ASKED],
  [
    "utc-in-cells.csv",
    at("time,price", `${G[0]!} 13:00 (UTC)`, `${G[1]!} 13:00 GMT`, `${G[2]!} 16:30 UTC+03:30`),
    CODE,
    DOLLAR,
  ],
  ["irst.csv", at("Time (IRST),Price", ...G.map((day) => `${day} 16:30`)), CODE, DOLLAR],
  ["greenwich.csv", at("زمان (گرینویچ),قیمت", ...G.map((day) => `${day} 13:00`)), CODE, DOLLAR],
  [
    "shamsi-and-saat-utc.csv",
    ["تاریخ شمسی,ساعت (UTC),قیمت", ...VALUES.map((value, i) => `${J[i]!},13:00,${value}`)].join("\n"),
    CODE,
    DOLLAR,
  ],
  [
    "two-zones.csv",
    ["time (Tehran),time (UTC),price", ...VALUES.map((value, i) => `${G[i]!} 16:30,${G[i]!} 13:00,${value}`)].join(
      "\n",
    ),
    CODE,
    DOLLAR_ASKED,
  ],
  ["offset-header.csv", at("time (UTC+3:30),price", ...G.map((day) => `${day} 16:30`)), CODE, DOLLAR_ASKED],
  [
    "compact-and-clock.csv",
    hours("تاریخ,ساعت,قیمت", "16:30", "1630", "163000").replace(/1405\/(\d\d)\/(\d\d)/g, "05$1$2"),
    CODE,
    DOLLAR_ASKED,
  ],
  [
    "year-98.csv",
    "تاریخ,قیمت\n98/12/27,152000\n98/12/28,153500\n98/12/29,155000",
    D,
    { byCommand: "USD_RLS: 2020-03-17=152000 2020-03-18=153500 2020-03-19=155000" },
  ],
  [
    "hours-24.csv",
    "date,hour,price\n2026-08-20,22,1903000\n2026-08-20,23,1907000\n2026-08-20,24,1905000",
    CODE,
    { byCommand: "USD_RLS: 20T22:00=1903000 20T23:00=1907000" },
  ],
  ["hour-ranges.csv", hours("تاریخ,ساعت,قیمت", "16-17", "16-17", "16-17"), CODE, NO_TIME],
  ["full-width-clock.csv", hours("تاریخ,ساعت,قیمت", "۱۶：۳۰", "۱۶:۳۰", "16:30"), CODE, DOLLAR_ASKED],
  [
    "excel-words.xlsx",
    workbook({
      Sheet1: [
        ["تاریخ (شمسی)", "ساعت", "قیمت"],
        ["۱۴۰۵/۰۵/۲۸", { time: 0.6875 }, "۱۹۰,۳۰۰ تومان"],
      ],
    }),
    CODE,
    { byCommand: "USD_RLS: 19=1903000" },
  ],
];
