// Numbers, hours, days and units as people in Tehran write them in tables and lists, and what headers say of them.
import { AT, D, DOLLAR, EURO, days, jalali } from "./odd_file.ts";
import type { OddFile } from "./odd_file.ts";

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
const at = (header: string, ...times: readonly (string | number)[]): string => [header, ...times.map((time, i) => `${time},${VALUES[i]!}`)].join("\n");
/** A table of the dollar with these hours. */
const hours = (header: string, ...clocks: readonly string[]): string => [header, ...clocks.map((clock, i) => `${J[i]!},${clock},${VALUES[i]!}`)].join("\n");
const FOUR = "USD_RLS: 19T16:00=1903000 20T16:00=1907000 21T16:00=1905000";
/** The first value in other letters, and its name. */
const LETTERS = {
  arabic: "١٩٠٣٠٠٠", persian: "۱۹۰۳۰۰۰", mixed: "۱۹٠٣000", "arabic-thousands": "١٬٩٠٣٬٠٠٠", "arabic-decimal": "١٩٠٣٠٠٠٫٠", "both-marks": "۱٬۹۰۳٬۰۰۰٫۰",
  "half-spaces": "1\u200c903\u200c000", "zero-width": "\u200b1903000", isolates: "\u2067\u200e1903000\u2069", nbsp: "1\u00a0903\u00a0000", "narrow-nbsp": "1\u202f903\u202f000",
  "nbsp-ends": "\u00a01903000\u00a0", "rlm-end": "1903000\u200f", "rlm-toman": "190300\u200f تومان\u200f", "full-width": "１９０３０００", "full-width-commas": "１，９０３，０００",
  "figure-space": "1\u2007903\u2007000", "thin-space": "1\u2009903\u2009000", "letter-mark": "\u061c1903000", "soft-hyphen": "1903\u00ad000", "word-joiner": "1903\u2060000",
  "half-space-toman": "190300\u200cتومان", "nbsp-toman": "190300\u00a0تومان", "drawn-out": "190300 تــومان", "pdf-letters": "190300 ﺗﻮﻣﺎﻥ", "rial-sign": "1903000 ﷼", "rial-sign-before": "﷼1903000",
  "letter-apostrophe": "1ʼ903ʼ000", "low-lines": "1_903_000",
} as const;

export const WRITTEN: readonly OddFile[] = [
  // The zone, in a header.
  ["time_utc.csv", at("time_utc,price", ...UTC), CODE, DOLLAR],
  ["tarikh-utc.csv", at("تاریخ (UTC),قیمت", ...UTC), CODE, DOLLAR],
  ["date-gmt.csv", at("Date(GMT),Price", ...UTC), CODE, DOLLAR],
  ["utc_datetime.csv", at("utc_datetime,price", ...UTC), CODE, DOLLAR],
  ["date-and-time-utc.csv", ["date,time (UTC),price", ...VALUES.map((value, i) => `${G[i]!},13:00,${value}`)].join("\n"), CODE, DOLLAR],
  ["time-tehran.csv", at("تاریخ و ساعت (به وقت تهران),قیمت", ...G.map((day) => `${day} 16:30`)), CODE, DOLLAR],
  ["time-gulf.csv", at("time (GMT+4),price", ...G.map((day) => `${day} 17:00`)), CODE, DOLLAR],
  ["zone-column.csv", `time,zone,price\n${UTC.map((time, i) => `${time},UTC,${VALUES[i]!}`).join("\n")}`, CODE, DOLLAR],
  ["zone-title.csv", `All times in UTC,\n${at("time,price", ...UTC)}`, CODE, DOLLAR],
  ["utc-told-otherwise.csv", at("time_utc,price", ...UTC), `${CODE} --zone Asia/Tehran`, DOLLAR],
  ["utc-days.csv", at("date_utc,price", ...G), `${CODE} --day-at 13:00`, DOLLAR],
  // The calendar, in a header.
  ["shamsi-brackets.csv", at("تاریخ (شمسی),قیمت", ...J), D, DOLLAR],
  ["hejri-shamsi.csv", at("تاریخ هجری شمسی,قیمت", ...J), D, DOLLAR],
  ["date_jalali.csv", at("date_jalali,price", ...J), D, DOLLAR],
  ["miladi-brackets.csv", at("تاریخ (میلادی),قیمت", ...G), D, DOLLAR],
  ["miladi-of-jalali.csv", at("تاریخ میلادی,قیمت", ...J), D, DOLLAR],
  ["shamsi-of-gregorian.csv", at("تاریخ شمسی,قیمت", ...G), D, DOLLAR],
  ["shamsi-two-digits.csv", at("تاریخ شمسی,قیمت", "05/05/28", "05/05/29", "05/05/30"), D, DOLLAR],
  ["shamsi-two-digits-day-first.csv", at("تاریخ شمسی,قیمت", "28/05/05", "29/05/05", "30/05/05"), D, DOLLAR],
  ["shamsi-two-digits-unclear.csv", at("تاریخ شمسی,قیمت", "01/06/05", "02/06/05", "03/06/05"), D, "USD_RLS: 23=1903000 24=1907000 25=1905000"],
  ["two-digits-day-first.csv", at("تاریخ,قیمت", "28/05/05", "29/05/05", "30/05/05"), D, DOLLAR],
  ["miladi-unclear.csv", at("تاریخ میلادی,قیمت", "01/08/2026", "02/08/2026", "03/08/2026"), D, "USD_RLS: 01=1903000 02=1907000 03=1905000"],
  // Headers of two lines.
  ["header-lines.csv", 'تاریخ,"قیمت\nفروش (تومان)"\n1405/05/28,190300\n1405/05/29,190700\n1405/05/30,190500', D, DOLLAR],
  ["header-lines-crlf.csv", 'day,"نرخ\r\nپایان روز"\r\n2026-08-20,1907000\r\n2026-08-21,1905000\r\n', D, "USD_RLS: 20=1907000 21=1905000"],
  ["header-lines-wide.csv", '"تاریخ","دلار\n(تومان)","یورو\n(تومان)"\n1405/05/28,190300,221900\n1405/05/29,190700,222750\n1405/05/30,190500,222400', AT, `${DOLLAR} ${EURO}`],
  // Hours and days.
  ["hour-alone.csv", hours("تاریخ,ساعت,قیمت", "16", "۱۶", "ساعت ۱۶"), CODE, FOUR],
  ["hour-point.csv", hours("تاریخ,ساعت,قیمت", "16.30", "۱۶.۳۰", "16:30"), CODE, DOLLAR],
  ["hour-half.csv", hours("date,time,price", "4 ب.ظ", "4 PM", "4 عصر"), CODE, FOUR],
  ["hour-in-date.csv", at("زمان,قیمت", "1405/05/28 ساعت 16", "1405/05/29 ساعت ۱۶", "1405/05/30 4 ب.ظ"), CODE, FOUR],
  ["serial-comma.csv", "date;price\n46253,6875;1903000\n46254,6875;1907000\n46255,6875;1905000", CODE, DOLLAR],
  ["compact-two-digits.csv", at("تاریخ,قیمت", "050528", "050529", "۰۵۰۵۳۰"), D, DOLLAR],
  ["compact-gregorian.csv", at("date,price", "260819", "260820", "260821"), D, DOLLAR],
  ["compact-months.csv", "تاریخ,قیمت\n140503,1700000\n140504,1740000\n140505,1900000", D, "refused"],
  ["jalali-t.csv", at("زمان,قیمت", "1405-05-28T16:30", "1405-05-29T16:30:00", "۱۴۰۵-۰۵-۳۰T۱۶:۳۰"), CODE, DOLLAR],
  ["jalali-dashes.csv", at("زمان,قیمت", "۱۴۰۵/۰۵/۲۸ - ۱۶:۳۰", "16:30 - 1405/05/29", "1405/05/30-16:30"), CODE, DOLLAR],
  ["jalali-other-marks.csv", at("تاریخ,قیمت", "1405_05_28", "1405\\05\\29", "1405 / 05 / 30"), D, DOLLAR],
  ["weekdays.csv", at("تاریخ,قیمت", "چهار شنبه ۱۴۰۵/۰۵/۲۸", "پنج\u200cشنبه - ۱۴۰۵/۰۵/۲۹", "۱۴۰۵/۰۵/۳۰ جمعه"), D, DOLLAR],
  // Marks and units.
  ["toman-commas-quoted.csv", days("date,price", '"190,300 تومان"', '"190,700 تومان"', '"190,500 تومان"'), D, DOLLAR],
  ["toman-commas-persian.csv", days("date,price", '"۱۹۰,۳۰۰ تومان"', '"۱۹۰,۷۰۰ تومان"', '"۱۹۰,۵۰۰ تومان"'), D, DOLLAR],
  ["slash-thousands.csv", jalali("تاریخ,قیمت", "۱/۹۰۳/۰۰۰", "۱/۹۰۷/۰۰۰", "۱/۹۰۵/۰۰۰"), D, DOLLAR],
  ["slash-thousands-toman.csv", jalali("تاریخ,قیمت (تومان)", "۱۹۰/۳۰۰", "۱۹۰/۷۰۰", "۱۹۰/۵۰۰"), D, DOLLAR],
  ["slash-thousands-coins.csv", jalali("تاریخ,قیمت (تومان)", "۱۹۸/۰۰۰/۰۰۰", "۱۹۹/۵۰۰/۰۰۰", "۱۹۹/۵۰۰/۰۰۰"), COIN, COINS],
  ["slash-thousands-told-later.csv", "date,price\n2025-03-20,998/500\n2026-08-21,1/905/000", D, "USD_RLS: 2025-03-20=998500 21=1905000"],
  ["slash-fractions-of-three.csv", "date,price\n2018-10-01,127/125\n2018-10-02,126/875", "--code IQD_RLS --day-at 16:30 --decimal /", "IQD_RLS: 2018-10-01=127.125 2018-10-02=126.875"],
  ["slash-both.csv", days("date,price", "1/903/000", "1907000/5", "1905000"), D, "refused"],
  ["ounce-points.csv", days("date,price", "4.380", "4.390", "4.401"), OUNCE, OUNCES],
  ["ounce-dollar-before.csv", days("date,price", '"$ 4,380"', '"$ 4,390"', '"$ 4,401"'), OUNCE, OUNCES],
  ["unit-before.csv", days("date,price", '"تومان 190,300"', "IRR 1907000", "﷼ 1905000"), D, DOLLAR],
  ["unit-per-dollar.csv", days("date,price", "1903000 ریال/دلار", "190700 تومان / دلار", "1905000 IRR/USD"), D, DOLLAR],
  ["plus-and-dash.csv", days("date,price", "+1903000", '"1,907,000.-"', "1905000/-"), D, DOLLAR],
  ["two-units-in-cell.csv", days("date,price", "190300 toman / 1903000 rial"), D, "refused"],
  ["points-and-untold-toman.csv", jalali("تاریخ,قیمت", "190.300", "190.700", "190.500"), D, DOLLAR],
  ["commas-and-untold-toman.csv", jalali("تاریخ,قیمت", '"190,300"', '"190,700"', '"190,500"'), CODE, DOLLAR],
  ["points-and-untold-toman-wide.csv", jalali("تاریخ,USD_RLS,EUR_RLS", "190.300,221.900", "190.700,222.750", "190.500,222.400"), AT, `${DOLLAR} ${EURO}`],
  ["toman-beside-dollars.csv", "code,date,price\nUSD_RLS,2026-08-20,190700\nGOLD_OUNCE_USD,2026-08-20,4380.04\nBTC_USD,2026-08-20,81000", `${AT} --unit toman`,
    "USD_RLS: 20=1907000 GOLD_OUNCE_USD: 20=4380.04 BTC_USD: 20=81000"],
  ["toman-untold-beside-dollars.csv", "نام,تاریخ,قیمت\nدلار,2026-08-20,190700\nانس طلا,2026-08-20,4380.04", AT, "USD_RLS: 20=1907000 GOLD_OUNCE_USD: 20=4380.04"],
  ...Object.entries(LETTERS).map(([name, text]): OddFile => [`letters-${name}.csv`, `date,price\n2026-08-19,${text}`, D, "USD_RLS: 19=1903000"]),
];
