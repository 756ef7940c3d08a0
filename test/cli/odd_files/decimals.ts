// Numbers whose marks, digits and signs can be read in more than one way, or in one way only a person sees.

import { AT, D, DOLLAR, DOLLAR_ASKED, days, jalali, NO_NUMBER, type OddFile } from "./odd_file.ts";

/** 250 days of 2024 of which only the last value shows what its point is. */
const LONG = Array.from({ length: 250 }, (_, at) => {
  const date = new Date(Date.UTC(2024, 0, 15) + at * 86_400_000).toISOString().slice(0, 10);
  return { date, value: 528_000 + at * 400 };
});
const pointed = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ".");

export const DECIMALS: readonly OddFile[] = [
  ["points-semicolons.csv", "date;price\n2026-08-19;1.903.000\n2026-08-20;1.907.000\n2026-08-21;1.905.000", D, DOLLAR],
  ["points-persian-digits.csv", jalali("تاریخ,قیمت", "۱.۹۰۳.۰۰۰", "۱.۹۰۷.۰۰۰", "۱.۹۰۵.۰۰۰"), D, DOLLAR],
  [
    "points-coins.csv",
    days("date,price", "1.980.000.000", "1.995.000.000", "1.995.000.000"),
    "--code SEKKEH_RLS --day-at 16:30",
    "SEKKEH_RLS: 19=1980000000 20=1995000000 21=1995000000",
  ],
  ["points-toman.csv", days("date,price_toman", "190.300", "190.700", "190.500"), D, DOLLAR_ASKED],
  ["points-toman-persian-digits.csv", jalali("تاریخ,قیمت (تومان)", "۱۹۰.۳۰۰", "۱۹۰.۷۰۰", "۱۹۰.۵۰۰"), D, DOLLAR_ASKED],
  [
    "points-rial.csv",
    days("date,price", "518.500", "518.000", "519.250"),
    "--code AED_RLS --day-at 16:30",
    { byCommand: "AED_RLS: 19=518500 20=518000 21=519250" },
  ],
  [
    "points-json.json",
    JSON.stringify([
      { date: "2026-08-20", price: "507.500" },
      { date: "2026-08-21", price: "506.500" },
    ]),
    "--code SAR_RLS --day-at 16:30",
    { byCommand: "SAR_RLS: 20=507500 21=506500" },
  ],
  [
    "points-last-row-tells.csv",
    "date,price\n2025-03-20,998.500\n2026-08-21,1.905.000",
    D,
    "USD_RLS: 2025-03-20=998500 21=1905000",
  ],
  [
    "points-last-of-many-tells.csv",
    ["date,price", ...LONG.map(({ date, value }) => `${date},${pointed(value)}`), "2025-03-18,1.001.500"].join("\n"),
    D,
    `USD_RLS: ${LONG.map(({ date, value }) => `${date}=${value}`).join(" ")} 2025-03-18=1001500`,
  ],
  [
    "points-small-thousands.csv",
    days("date,price", "1.450", "1.455", "1.455"),
    "--code IQD_RLS --day-at 16:30",
    { byCommand: "IQD_RLS: 19=1450 20=1455 21=1455" },
  ],
  [
    "fractions-of-three.csv",
    "date,price\n2018-10-01,127.125\n2018-10-02,126.875\n2018-10-03,127.250",
    "--code IQD_RLS --day-at 16:30",
    { byCommand: "IQD_RLS: 2018-10-01=127.125 2018-10-02=126.875 2018-10-03=127.25" },
  ],
  [
    "fractions-of-silver.csv",
    "date,price\n2023-12-13,23.848\n2023-12-14,24.105\n2023-12-15,23.951",
    "--code SILVER_OUNCE_USD --day-at 16:30",
    "SILVER_OUNCE_USD: 2023-12-13=23.848 2023-12-14=24.105 2023-12-15=23.951",
  ],
  [
    "fractions-of-ounces.csv",
    days("date,price", "4380.044", "4390.125", "4401.550"),
    "--code GOLD_OUNCE_USD --day-at 16:30",
    "GOLD_OUNCE_USD: 19=4380.044 20=4390.125 21=4401.55",
  ],
  [
    "fractions-of-toman.csv",
    days("date,price_toman", "190300.5", "190700", "190500.25"),
    D,
    "USD_RLS: 19=1903005 20=1907000 21=1905002.5",
  ],
  [
    "comma-decimal.csv",
    "date;price\n2026-08-19;1903000,5\n2026-08-20;1907000\n2026-08-21;1905000,25",
    D,
    "USD_RLS: 19=1903000.5 20=1907000 21=1905000.25",
  ],
  ["commas-thousands.csv", days("date,price", '"1,903,000"', '"1,907,000"', '"1,905,000"'), D, DOLLAR],
  ["commas-toman.csv", days("date,price_toman", '"190,300"', '"190,700"', '"190,500"'), D, DOLLAR_ASKED],
  [
    "commas-rial.csv",
    days("date,price", '"518,500"', '"518,000"', '"519,250"'),
    "--code AED_RLS --day-at 16:30",
    { byCommand: "AED_RLS: 19=518500 20=518000 21=519250" },
  ],
  ["commas-persian-toman.csv", jalali("تاریخ,قیمت (تومان)", '"۱۹۰,۳۰۰"', '"۱۹۰,۷۰۰"', '"۱۹۰,۵۰۰"'), D, DOLLAR],
  ["arabic-commas.csv", jalali("تاریخ,قیمت", "۱،۹۰۳،۰۰۰", "۱،۹۰۷،۰۰۰", "۱،۹۰۵،۰۰۰"), D, DOLLAR],
  ["persian-thousands.csv", jalali("تاریخ,قیمت", "۱٬۹۰۳٬۰۰۰", "۱٬۹۰۷٬۰۰۰", "۱٬۹۰۵٬۰۰۰"), D, DOLLAR],
  [
    "persian-point.csv",
    jalali("تاریخ,قیمت", "۱۹۰۳۰۰۰٫۵", "۱۹۰۷۰۰۰", "۱۹۰۵۰۰۰٫۲۵"),
    D,
    "USD_RLS: 19=1903000.5 20=1907000 21=1905000.25",
  ],
  [
    "persian-slash.csv",
    "تاریخ,قیمت\n1402/09/21,3503/5\n1402/09/22,3503\n1402/09/23,3504/9",
    "--code JPY_RLS --day-at 16:30",
    "JPY_RLS: 2023-12-12=3503.5 2023-12-13=3503 2023-12-14=3504.9",
  ],
  ["arabic-digits.csv", days("date,price", "١٩٠٣٠٠٠", "١٩٠٧٠٠٠", "١٩٠٥٠٠٠"), D, DOLLAR],
  ["blanks-thousands.csv", days("date,price", "1 903 000", "1 907 000", "1\u00a0905\u00a0000"), D, DOLLAR],
  ["apostrophes.csv", days("date,price", "1'903'000", "1'907'000", "1'905'000"), D, DOLLAR],
  ["zero-fraction.csv", days("date,price", "1903000.00", "1907000.00", "1905000.00"), D, DOLLAR],
  ["bidi-marks.csv", days("date,price", "\u200f1903000", "\u202b1907000\u202c", "1905000\u200e"), D, DOLLAR],
  ["excel-text-formula.csv", days("date,price", '"=""1903000"""', '"=""1907000"""', '"=""1905000"""'), D, DOLLAR],
  ["whole-exponent.csv", days("date,price", "1.903000E+06", "1.90700000000E+06", "1.905000E+06"), D, DOLLAR],
  [
    "excel-rounded.csv",
    days("date,price", "1.90E+06", "1.91E+06", "1.91E+06"),
    D,
    { rejected: 'its value "1.90E+06" was rounded by a spreadsheet' },
  ],
  [
    "excel-rounded-some.csv",
    days("date,price", "1.99E+09", "1995000000", "2.00E+09"),
    "--code SEKKEH_RLS --day-at 16:30",
    { rejected: 'its value "1.99E+09" was rounded by a spreadsheet' },
  ],
  [
    "json-exponent.json",
    '[{"date":"2026-08-20","price":1.907e6},{"date":"2026-08-21","price":1905000.0}]',
    D,
    "USD_RLS: 20=1907000 21=1905000",
  ],
  [
    "marks-disagree.csv",
    days("date,price", '"1,903,000.5"', '"1.907.000,5"', '"1,905,000"'),
    D,
    { rejected: 'its values "1,903,000.5" and "1.907.000,5" have different decimal marks' },
  ],
  [
    "commas-not-quoted.csv",
    days("date,price", "1,903,000", "1,907,000", "1,905,000"),
    D,
    { rejected: "line has 4 fields, the header 2" },
  ],
  [
    "tiny.csv",
    "date,price\n2026-09-28,0.0000042067545\n2026-09-29,0.0000041615082",
    "--code PEPE_USD --day-at 16:30",
    "PEPE_USD: 2026-09-28=0.0000042067545 2026-09-29=0.0000041615082",
  ],
  [
    "not-a-price.csv",
    days("date,price", 1903000, "-", "N/A", 1905000, "#DIV/0!", "", "ندارد", "—"),
    D,
    "USD_RLS: 19=1903000 22=1905000",
  ],
  ["zero-on-holidays.csv", days("date,price", 1903000, 0, 1905000), D, "USD_RLS: 19=1903000 21=1905000"],
  ["buy-and-sell.csv", days("date,buy,sell", "1901000,1903000", "1905000,1907000", "1903000,1905000"), D, DOLLAR_ASKED],
  [
    "kharid-forush.csv",
    jalali("تاریخ,خرید,فروش", "1901000,1903000", "1905000,1907000", "1903000,1905000"),
    D,
    DOLLAR_ASKED,
  ],
  [
    "price-and-sell.csv",
    days("date,buy price,sell price,change", "1901000,1903000,0.1", "1905000,1907000,0.2", "1903000,1905000,-0.1"),
    D,
    DOLLAR_ASKED,
  ],
  [
    "price-twice.csv",
    days("date,price,price", "1903000,2219000", "1907000,2227500", "1905000,2224000"),
    D,
    { rejected: 'its columns "price" and "price #2" could each be value' },
  ],
  [
    "columns-beside.csv",
    days(
      "date,code,price,percent,change",
      "USD_RLS,1903000,0.1,0",
      "USD_RLS,1907000,0.2,4000",
      "USD_RLS,1905000,-0.1,-2000",
    ),
    AT,
    DOLLAR,
  ],
  ["cells-k.csv", days("date,price", "1903K", "1907K", "1905K"), D, NO_NUMBER],
  ["slash-thousands.csv", days("date,price_toman", "190/300", "190/700", "190/500"), D, DOLLAR_ASKED],
  [
    "one-decimal-many-points.csv",
    "date,price\n2026-08-19,1903.000\n2026-08-20,1907.000",
    D,
    { rejected: "all 2 values of USD_RLS look like thousands whose points were read as decimal marks" },
  ],
  [
    "price-volume-value.csv",
    days("date,price,volume,value", "1903000,1.5,2854500", "1907000,1.4,2669800", "1905000,1.6,3048000"),
    D,
    DOLLAR_ASKED,
  ],
  [
    "price-amount-total.csv",
    days("date,price,amount,total", "1903000,1.5,2854500", "1907000,1.4,2669800", "1905000,1.6,3048000"),
    D,
    DOLLAR,
  ],
  ["range.csv", days("date,price", "1900000-1906000", "1905000-1909000", "1903000-1907000"), D, NO_NUMBER],
  ["percent.csv", days("date,price", "0.1%", "0.2%", "-0.1%"), D, NO_NUMBER],
  [
    "price-serial-like.csv",
    days("date,price", "46253", "46254", "46255"),
    D,
    { rejected: "all 3 values of USD_RLS do not fit its market" },
  ],
];
