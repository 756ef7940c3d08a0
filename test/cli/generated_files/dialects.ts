import type { Random } from "../../support/seeded_random.ts";

/** The properties of a dialect, each with its possible choices. The first choice is the plain one. */
const CHOICES = {
  code: [
    ...(["USD_RLS", "EUR_RLS", "AED_RLS", "TRY_RLS", "USDT_RLS", "GOLD_18_RLS", "SEKKEH_RLS"] as const),
    ...(["BTC_USD", "ETH_USD", "GOLD_OUNCE_USD"] as const),
  ],
  rows: [3, 2, 5, 9, 14],
  lastDay: ["2026-08-21", "2025-03-20", "2025-05-11", "2025-11-09", "2026-02-12", "2026-11-20"],
  daysApart: [1, 1, 2, 7, 31],
  table: ["one asset", "a column of assets", "a column for each asset", "candles"],
  container: [
    ...(["csv", "csv", "csv", "workbook", "json", "json {data}", "json {result: {items}}", "ndjson"] as const),
    ...(["prices of CoinGecko", "candles of TradingView", "json by day"] as const),
    ...(["sheets of assets", "sheets of parts", "archive of assets", "archive of parts"] as const),
  ],
  separator: [",", ";", "\t", "|", "،"],
  encoding: ["utf-8", "utf-8 with BOM", "utf-16 with BOM", "utf-16", "windows-1256"],
  digits: ["latin", "persian", "arabic"],
  thousands: ["", ",", ".", "٬", " ", "'"],
  decimal: [".", ",", "/", "٫"],
  /** Y, M and D are year, month and day; `y` is a year with two digits. `j` before a letter means Jalali. */
  day: [
    ...(["Y-M-D", "Y/M/D", "YMD", "D/M/Y", "D.M.Y", "M/D/Y", "D/M/y", "D month Y", "mon D, Y"] as const),
    ...(["jY/jM/jD", "jY-jM-jD", "jD/jM/jY", "jD jmonth jY", "jy/jM/jD"] as const),
    ...(["excel", "seconds", "milliseconds", "microseconds"] as const),
  ],
  clock: ["none", "beside the day", "in a column", "in UTC", "in UTC by the header", "with +03:30"],
  unit: ["its own", "toman", "thousand toman", "million rial", "euro"],
  unitIn: [
    ...(["nothing", "file name", "header", "title", "cells", "column", "footer", "sheet name"] as const),
    ...(["row below the header"] as const),
  ],
  language: ["english", "persian", "unknown", "no header"],
  assetNames: ["code", "letters", "persian", "pair"],
  extra: [
    ...(["none", "item code", "count, total", "volume", "change", "change %", "no."] as const),
    ...(["buying price", "previous price", "high, low", "entry date", "code", "count, value"] as const),
  ],
  extraAt: ["last", "first", "before the value"],
  /** A column with one of two kinds for each row; only one kind counts. `in turn`: all rows of a time have one kind. */
  kinds: ["none", "type", "type in turn", "karat", "city"],
  candle: [
    ...(["open, high, low, close", "open, low, high, close", "open, high, low, close, volume"] as const),
    ...(["open, high, low, close, vwap, volume"] as const),
  ],
  noise: [
    ...(["none", "bad value", "bad time", "total", "average", "sub-totals", "dated total"] as const),
    ...(["blank lines", "header again"] as const),
  ],
  order: ["ascending", "descending"],
  fileName: ["prices", "asset"],
  given: ["code", "no code"],
} as const;

/** The dialect of a file: one choice for each property. */
export type Dialect = { readonly [Name in keyof typeof CHOICES]: (typeof CHOICES)[Name][number] };

/** These properties are always random. All other properties are plain in seven of ten cases. */
const ALWAYS = ["code", "rows", "lastDay", "daysApart"];

/** For each asset: its letters, its Persian name, and its prices on 15 January 2024 and on 21 August 2026. */
export const ASSETS = {
  USD_RLS: ["USD", "دلار", 528_000, 1_905_000],
  EUR_RLS: ["EUR", "یورو", 578_000, 2_224_000],
  AED_RLS: ["AED", "درهم امارات", 144_000, 518_000],
  TRY_RLS: ["TRY", "لیر ترکیه", 17_550, 39_650],
  USDT_RLS: ["USDT", "تتر", 528_000, 1_902_000],
  GOLD_18_RLS: ["GOLD18", "طلای 18 عیار", 25_000_000, 201_600_000],
  SEKKEH_RLS: ["SEKKEH", "سکه امامی", 313_000_000, 1_995_000_000],
  BTC_USD: ["BTC", "بیت کوین", 42_500, 83_000],
  ETH_USD: ["ETH", "اتریوم", 2_530, 2_900],
  GOLD_OUNCE_USD: ["XAU", "انس طلا", 2_050, 4_380],
} as const;

/** For each unit: its names, its letters in a pair such as `USD-IRR`, and its factor to the quote unit. */
export const UNITS = {
  rial: ["rial", "ریال", "IRR", 1],
  dollar: ["USD", "دلار", "USD", 1],
  toman: ["toman", "تومان", "IRT", 10],
  "thousand toman": ["thousand toman", "هزار تومان", "", 10_000],
  "million rial": ["million rial", "میلیون ریال", "", 1_000_000],
  euro: ["EUR", "یورو", "EUR", 1.25],
} as const;

/** The ratio of the values in each of these columns to the prices that count. */
export const SHARES: Readonly<Record<string, number>> = {
  ...{ open: 0.998, high: 1.004, low: 0.995, vwap: 0.999 },
  ...{ "buying price": 0.99, "previous price": 0.985, change: 0.012 },
};

/** For each column of kinds: the kind that counts, the other kind, and the other prices divided by those that count. */
export const KINDS = {
  type: ["sell", "buy", 0.99],
  karat: ["750", "999", 1.332],
  city: ["Tehran", "Mashhad", 1.004],
} as const;

const PERSIAN = new Map(
  [
    "date=تاریخ,time=ساعت,price=قیمت,symbol=نماد,unit=واحد,open=باز,high=بیشترین,low=کمترین,close=پایانی",
    "item code=کد کالا,code=کد,value=ارزش,count=تعداد,total=مبلغ کل,volume=حجم,change=تغییر,change %=درصد تغییر,no.=ردیف",
    "buying price=قیمت خرید,selling price=قیمت فروش,previous price=قیمت دیروز,entry date=تاریخ ثبت",
    "type=نوع,sell=فروش,buy=خرید,karat=عیار,city=شهر,Tehran=تهران,Mashhad=مشهد,Total=جمع کل,Average=میانگین",
  ].flatMap((line) => line.split(",").map((pair) => pair.split("=") as [string, string])),
);

/** A word in the language of a file. */
export function wordIn(language: Dialect["language"], english: string): string {
  if (language === "unknown") return [...english].reverse().join("");
  return (language === "persian" ? PERSIAN.get(english) : undefined) ?? english;
}

/** A random dialect. */
export function randomDialect({ chance, pick }: Random): Dialect {
  const made = Object.entries(CHOICES).map(([name, choices]) => {
    return [name, chance(0.3) || ALWAYS.includes(name) ? pick<unknown>(choices) : choices[0]];
  });
  return possible(Object.fromEntries(made) as Dialect);
}

const SERVICES = /CoinGecko|by day|TradingView/;
/** Rules: if the first property's choice matches its pattern, the second property's choice must match its own. */
const DEMANDS: readonly (readonly [keyof Dialect, RegExp, keyof Dialect, RegExp])[] = [
  ["container", /TradingView/, "table", /candles/],
  ["container", /CoinGecko|by day/, "table", /one asset/],
  ["container", / of (?:assets|parts)/, "table", /one asset|candles/],
  ["container", SERVICES, "noise", /none/],
  ["container", SERVICES, "extra", /none/],
  ["container", SERVICES, "clock", /none/],
  ["container", SERVICES, "kinds", /none/],
  ["container", SERVICES, "unitIn", /nothing|file name/],
  ["container", /CoinGecko/, "day", /^milli/],
  ["container", /TradingView/, "day", /^seconds/],
  ["container", /TradingView/, "candle", /low, close$/],
  ["container", /json|archive|csv|sheets/, "unitIn", /^(?!sheet)/],
  ["container", /json/, "unitIn", /^(?!title|footer|row)/],
  ["container", /json/, "noise", /^(?!blank|header)/],
  ["table", /each|candles/, "kinds", /none/],
  ["table", /each/, "language", /^(?!no header)/],
  ["table", /column|candles/, "extra", /^(?!buying|high|code)/],
  ["table", /candles/, "daysApart", /^1$/],
  ["table", /one|each|candles/, "noise", /^(?!dated)/],
  // If the kinds take turns, only known words and enough rows show which kind counts.
  ["language", /unknown/, "kinds", /^(?!.*turn)/],
  ["kinds", /turn/, "rows", /5|9|14/],
  ["kinds", /karat/, "table", /one asset/],
  ["kinds", /karat/, "code", /GOLD_18/],
  ["code", /USD$/, "unit", /own|euro/],
  ["code", /RLS$/, "unit", /^(?!euro)/],
  ["unit", /euro/, "unitIn", /^(?!nothing)/],
  ["unitIn", /file/, "assetNames", /^(?!code)/],
  ["language", /no header/, "unitIn", /^(?!header|row)/],
  ["language", /no header/, "noise", /^(?!header)/],
  ["language", /no header/, "clock", /^(?!.*header)/],
  ["day", /seconds/, "clock", /none/],
  ["day", /^(?!Y-M-D|Y.M.D)/, "clock", /^(?!in UTC|with)/],
  ["decimal", /^,/, "thousands", /^[^,]?$/],
  ["decimal", /^\./, "thousands", /^[^.]?$/],
];

/** The dialect, changed so that it follows all rules. */
function possible(wanted: Dialect): Dialect {
  const made: Record<string, unknown> = { ...wanted };
  for (const [name, choice, other, demanded] of [...DEMANDS, ...DEMANDS])
    if (choice.test(String(made[name])) && !demanded.test(String(made[other])))
      made[other] = CHOICES[other].find((one) => demanded.test(String(one)));
  return made as Dialect;
}
