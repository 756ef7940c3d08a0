// What a file says, or does not say, of the unit of its prices.

import { zipOf } from "../../support/zip.ts";
import { AT, D, DOLLAR, DOLLAR_ASKED, days, EURO, jalali, type OddFile, OTHER_CURRENCY, workbook } from "./odd_file.ts";

const COINS = "--code SEKKEH_RLS --day-at 16:30";
const COIN = "SEKKEH_RLS: 19=1980000000 20=1995000000 21=1995000000";

const BTC = "--code BTC_USD --day-at 16:30";
/** A coin in euro, which nothing but a name or a text beside the rows says; and the same in dollars. */
const IN_EURO = days("date,price", 52300.5, 52410.2, 52380.9);
const IN_DOLLARS = days("date,price", 61234.5, 61410.2, 61380.9);
const COIN_IN_DOLLARS = "BTC_USD: 19=61234.5 20=61410.2 21=61380.9";
const SINGLE_EURO = days("date,price", 2219000, 2227500, 2224000);
const ROWS = [
  { date: "2026-08-20", price: 52410.2 },
  { date: "2026-08-21", price: 52380.9 },
];

/** The coin in euro under each of these names, and as an answer with each of these texts beside its rows. */
const OTHER_CURRENCIES: readonly OddFile[] = [
  ...["BTC-EUR", "BTCEUR", "btc_gbp", "XXBTZEUR", "KRW-BTC", "Gemini_BTCTRY_1h", "eur"].map(
    (name): OddFile => [`${name}.csv`, IN_EURO, BTC, OTHER_CURRENCY],
  ),
  ...["Bitcoin price in euro", "قیمت بیت کوین به درهم", "Currency,CHF", "BTC/EUR daily"].map(
    (title): OddFile => ["title.csv", `${title}\n${IN_EURO}`, BTC, OTHER_CURRENCY],
  ),
  ...[{ currency: "EUR" }, { pair: "BTC/EUR" }, { base: "BTC", quote: "یورو" }, { "4. Market Code": "AED" }].map(
    (meta): OddFile => ["answer.json", JSON.stringify({ meta: { of: meta }, data: ROWS }), BTC, OTHER_CURRENCY],
  ),
  ["market.csv", days("date,price,market", "52300.5,EUR", "52410.2,EUR"), BTC, OTHER_CURRENCY],
  ["quote.csv", days("date,price,quote", "52300.5,EUR", "52410.2,EUR"), BTC, { rejected: "value is in euros" }],
  ["pair.csv", days("date,price,pair", "52300.5,EUR"), BTC, OTHER_CURRENCY],
  ["header-franc.csv", days("date,Price (CHF)", 52300.5, 52410.2), `${BTC} --map value='Price (CHF)'`, OTHER_CURRENCY],
  ["USD-EUR.csv", days("date,price", 0.86, 0.87, 0.86), D, OTHER_CURRENCY],
  [
    "btc.xlsx",
    workbook({
      EUR: [
        ["date", "price"],
        ["2026-08-20", 52300.5],
      ],
    }),
    BTC,
    OTHER_CURRENCY,
  ],
  ["BTC-EUR.zip", zipOf([{ name: "data.csv", content: IN_EURO }]), BTC, OTHER_CURRENCY],
  ["usd.zip", zipOf([{ name: "eur.csv", content: SINGLE_EURO }]), D, { byCommand: EURO }],
  ["eur.csv", SINGLE_EURO, "--code EUR_RLS --day-at 16:30", EURO],
  ["EUR-IRR.csv", SINGLE_EURO, "--code EUR_RLS --day-at 16:30", EURO],
  ["یورو به ریال.csv", SINGLE_EURO, "--code EUR_RLS --day-at 16:30", EURO],
  ["USD-IRR.csv", days("date,price", 1903000, 1907000, 1905000), D, DOLLAR],
  [
    "usd_eur.csv",
    days("date,usd,eur", "1903000,2219000", "1907000,2227500", "1905000,2224000"),
    AT,
    `${DOLLAR} ${EURO}`,
  ],
  ...["BTC-USD", "BTCUSDT", "btc try 2", "BTC-USDC"].map(
    (name): OddFile => [`${name}.csv`, IN_DOLLARS, BTC, COIN_IN_DOLLARS],
  ),
];

export const UNITS: readonly OddFile[] = [
  ...OTHER_CURRENCIES,
  ["footer.csv", `${days("date,price", 190.3, 190.7, 190.5)}\n* قیمت‌ها به هزار تومان است,`, D, DOLLAR],
  ["footer-source.csv", `${days("date,price", 1903000, 1907000, 1905000)}\nمنبع: بازار آزاد`, D, DOLLAR],
  [
    "footer-between.csv",
    `${days("date,price", 1903000)}\nاز اینجا به تومان\n2026-08-20,190700`,
    D,
    { rejected: 'line 3 says "از اینجا به تومان" between its rows' },
  ],
  [
    "meta-toman.json",
    JSON.stringify({ meta: { unit: "toman" }, data: [{ date: "2026-08-20", price: 190700 }] }),
    D,
    "USD_RLS: 20=1907000",
  ],
  [
    "index-toman.csv",
    days("date,USD_RLS,STOCK_IR", "190300,4500000"),
    `${AT} --unit toman`,
    "USD_RLS: 19=1903000 STOCK_IR: 19=4500000",
  ],
  ["toman-header-fa.csv", jalali("تاریخ,قیمت (تومان)", 190300, 190700, 190500), D, DOLLAR],
  ["toman-header-no-blank.csv", jalali("تاریخ,قیمت(تومان)", 190300, 190700, 190500), D, DOLLAR],
  ["toman-header-arabic-letters.csv", jalali("تاريخ,قيمت (تومان)", 190300, 190700, 190500), D, DOLLAR],
  ["toman-header-be.csv", jalali("تاریخ,قیمت به تومان", 190300, 190700, 190500), D, DOLLAR],
  ["tomen-header.csv", jalali("تاریخ,قیمت به تومن", 190300, 190700, 190500), D, DOLLAR],
  ["toman-header-dash.csv", jalali("تاریخ,نرخ - تومان", 190300, 190700, 190500), D, DOLLAR],
  ["price_toman.csv", days("date,price_toman", 190300, 190700, 190500), D, DOLLAR],
  ["price-in-brackets.csv", days("Date,Price (Toman)", 190300, 190700, 190500), D, DOLLAR],
  ["price-square-brackets.csv", days("Date,Price [Toman]", 190300, 190700, 190500), D, DOLLAR],
  ["price_irt.csv", days("date,price_irt", 190300, 190700, 190500), D, DOLLAR],
  ["value-tomans.csv", days("date,value in tomans", 190300, 190700, 190500), D, DOLLAR],
  ["toman-alone.csv", jalali("تاریخ,تومان", 190300, 190700, 190500), D, DOLLAR],
  ["rial-header-fa.csv", jalali("تاریخ,قیمت (ریال)", 1903000, 1907000, 1905000), D, DOLLAR],
  ["price-irr.csv", days("date,price (IRR)", 1903000, 1907000, 1905000), D, DOLLAR],
  ["price_rls.csv", days("date,price_rls", 1903000, 1907000, 1905000), D, DOLLAR],
  ["unit-column.csv", days("date,price,unit", "190300,toman", "190700,toman", "190500,toman"), D, DOLLAR],
  ["unit-column-fa.csv", jalali("تاریخ,قیمت,واحد", "190300,تومان", "190700,تومان", "190500,تومان"), D, DOLLAR],
  ["currency-column-irt.csv", days("date,price,currency", "190300,IRT", "190700,IRT", "190500,IRT"), D, DOLLAR],
  ["unit-by-row.csv", days("date,price,unit", "190300,toman", "1907000,rial", "190500,تومان"), D, DOLLAR],
  [
    "unit-by-asset.csv",
    days("date,code,price,unit", "USD_RLS,190300,toman", "EUR_RLS,2227500,ریال", "GOLD_OUNCE_USD,4380.04,USD"),
    AT,
    "USD_RLS: 19=1903000 EUR_RLS: 20=2227500 GOLD_OUNCE_USD: 21=4380.04",
  ],
  [
    "wide-toman.csv",
    jalali("تاریخ,دلار (تومان),یورو (تومان)", "190300,221900", "190700,222750", "190500,222400"),
    AT,
    `${DOLLAR} ${EURO}`,
  ],
  [
    "wide-mixed-units.csv",
    jalali("تاریخ,دلار (تومان),یورو (ریال)", "190300,2219000", "190700,2227500", "190500,2224000"),
    AT,
    `${DOLLAR} ${EURO}`,
  ],
  [
    "wide-codes-toman.csv",
    days("date,USD_RLS (toman),EUR_RLS (toman)", "190300,221900", "190700,222750", "190500,222400"),
    AT,
    `${DOLLAR} ${EURO}`,
  ],
  ["cells-toman.csv", days("date,price", "190300 تومان", "190700 تومان", "190500 تومان"), D, DOLLAR],
  ["cells-toman-latin.csv", days("date,price", "190300 Toman", "190700 Toman", "190500 Toman"), D, DOLLAR],
  [
    "cells-rial-thousands.csv",
    days("date,price", '"1,903,000 ریال"', '"1,907,000 ریال"', '"1,905,000 ریال"'),
    D,
    DOLLAR,
  ],
  ["cells-each-its-own.csv", days("date,price", "190300 تومان", "1907000 ریال", "190500 تومان"), D, DOLLAR],
  ["cells-persian-digits.csv", jalali("تاریخ,قیمت", "۱۹۰٬۳۰۰ تومان", "۱۹۰٬۷۰۰ تومان", "۱۹۰٬۵۰۰ تومان"), D, DOLLAR],
  [
    "cells-dollar-sign.csv",
    days("date,price", '"$4,380.04"', '"$4,390.10"', '"$4,401.55"'),
    "--code GOLD_OUNCE_USD --day-at 16:30",
    "GOLD_OUNCE_USD: 19=4380.04 20=4390.1 21=4401.55",
  ],
  ["title-toman.csv", `قیمت دلار به تومان,\n${jalali("تاریخ,قیمت", 190300, 190700, 190500)}`, D, DOLLAR],
  ["title-rial.csv", `قیمت‌ها به ریال است,\n\n${jalali("تاریخ,قیمت", 1903000, 1907000, 1905000)}`, D, DOLLAR],
  ["thousand-toman.csv", jalali("تاریخ,قیمت (هزار تومان)", 198000, 199500, 199500), COINS, COIN],
  ["million-toman.csv", jalali("تاریخ,قیمت (میلیون تومان)", 198, 199.5, 199.5), COINS, COIN],
  [
    "btc-toman.csv",
    jalali("تاریخ,بیت کوین (تومان)", 15240000000, 15310000000, 15190000000),
    AT,
    { byCommand: "BTC_RLS: 19=152400000000 20=153100000000 21=151900000000" },
  ],
  [
    "json-unit.json",
    JSON.stringify([
      { date: "2026-08-20", price: 190700, unit: "toman" },
      { date: "2026-08-21", price: 190500, unit: "toman" },
    ]),
    D,
    "USD_RLS: 20=1907000 21=1905000",
  ],
  [
    "json-price-toman.json",
    JSON.stringify([
      { date: "2026-08-20", price_toman: 190700 },
      { date: "2026-08-21", price_toman: "190500" },
    ]),
    D,
    "USD_RLS: 20=1907000 21=1905000",
  ],
  // Nothing is said, but the market knows.
  ["untold-toman.csv", days("date,price", 190300, 190700, 190500), D, DOLLAR_ASKED],
  ["untold-toman-one-row.csv", days("date,price", 190300), D, { byCommand: "USD_RLS: 19=1903000" }],
  [
    "untold-toman-years.csv",
    "date,price\n2018-10-01,15650\n2020-08-10,22000\n2023-01-25,43800\n2026-08-21,190500",
    D,
    { byCommand: "USD_RLS: 2018-10-01=156500 2020-08-10=220000 2023-01-25=438000 21=1905000" },
  ],
  [
    "untold-toman-wide.csv",
    days("date,USD_RLS,EUR_RLS", "190300,221900", "190700,222750", "190500,222400"),
    AT,
    { byCommand: `${DOLLAR} ${EURO}` },
  ],
  [
    "untold-toman-coins.csv",
    "code,date,price\nSEKKEH_RLS,2026-08-20,199500000\nNIM_SEKKEH_RLS,2026-08-20,101000000\nUSD_RLS,2026-08-20,190700",
    AT,
    { byCommand: "SEKKEH_RLS: 20=1995000000 NIM_SEKKEH_RLS: 20=1010000000 USD_RLS: 20=1907000" },
  ],
  [
    "toman-from-a-day-on.csv",
    "date,price\n2025-03-18,1001500\n2025-03-20,998500\n2025-03-25,1030000\n2025-03-28,103500\n2025-03-30,104000\n2025-04-01,103800",
    D,
    { byCommand: "USD_RLS: 2025-03-18=1001500 2025-03-20=998500 2025-03-25=1030000" },
  ],
  ["told-by-option.csv", days("date,price", 190300, 190700, 190500), `${D} --unit toman`, DOLLAR],
  // The file contradicts itself or its owner.
  [
    "toman-header-option-rial.csv",
    days("date,price_toman", 190300, 190700, 190500),
    `${D} --unit rial`,
    { rejected: 'column "price_toman" says toman, and rial was given' },
  ],
  [
    "rial-header-option-toman.csv",
    jalali("تاریخ,قیمت (ریال)", 1903000, 1907000, 1905000),
    `${D} --unit toman`,
    { rejected: 'column "قیمت (ریال)" says rial, and toman was given' },
  ],
  [
    "toman-header-rial-values.csv",
    days("date,price_toman", 1903000, 1907000, 1905000),
    D,
    { rejected: "all 3 values of USD_RLS look like rial that were multiplied as toman" },
  ],
  [
    "rial-header-toman-values.csv",
    jalali("تاریخ,قیمت (ریال)", 190300, 190700, 190500),
    D,
    { rejected: "all 3 values of USD_RLS look like toman" },
  ],
  [
    "toman-header-rial-cells.csv",
    jalali("تاریخ,قیمت (تومان)", "1903000 ریال", "1907000 ریال", "1905000 ریال"),
    D,
    { rejected: 'line 2: value "1903000 ریال" is in rial and in toman, as the file says both' },
  ],
  [
    "toman-header-rial-column.csv",
    days("date,price_toman,unit", "190300,rial", "190700,rial", "190500,rial"),
    D,
    { rejected: 'line 2: value "190300" is in rial and in toman, as the file says both' },
  ],
  [
    "both-units.csv",
    days("date,price_toman,price_rial", "190300,1903000", "190700,1907000", "190500,1905000"),
    D,
    DOLLAR_ASKED,
  ],
  [
    "gheymat-forush.csv",
    jalali("تاریخ,قیمت خرید (تومان),قیمت فروش (تومان)", "190100,190300", "190500,190700", "190300,190500"),
    D,
    DOLLAR_ASKED,
  ],
  [
    "toman-for-usd-asset.csv",
    "date,price_toman\n2023-12-13,2150000000\n2023-12-14,2165000000",
    "--code BTC_USD --day-at 16:30",
    { rejected: 'value is in toman: received "BTC_USD"' },
  ],
  [
    "usd-price-for-rial.csv",
    "date,price_usd\n2023-12-13,42749.66\n2023-12-14,42973.12",
    "--code BTC_RLS --day-at 16:30",
    { rejected: "usd-price-for-rial.csv is named after USD_RLS, although BTC_RLS was given" },
  ],
  ["cells-hezar.csv", jalali("تاریخ,قیمت", "190.3 هزار تومان", "190.7 هزار تومان", "190.5 هزار تومان"), D, DOLLAR],
  [
    "quoted-header-breaks.csv",
    'date,"price\n(toman)"\n2026-08-20,190700\n2026-08-21,190500',
    D,
    "USD_RLS: 20=1907000 21=1905000",
  ],
  [
    "two-header-lines.csv",
    "date,price\n,toman\n2026-08-20,190700\n2026-08-21,190500",
    D,
    "USD_RLS: 20=1907000 21=1905000",
  ],
  ["dollar-price-header-code.csv", jalali("تاریخ,قیمت دلار (تومان)", 190300, 190700, 190500), D, DOLLAR],
  [
    "rial-toman-fa-cols.csv",
    jalali("تاریخ,ریال,تومان", "1903000,190300", "1907000,190700", "1905000,190500"),
    D,
    DOLLAR_ASKED,
  ],
  [
    "pivot-mixed.csv",
    "date,USD,EUR,unit\n2026-08-20,190700,222750,toman\n2026-08-21,190500,222400,toman",
    AT,
    "USD_RLS: 20=1907000 21=1905000 EUR_RLS: 20=2227500 21=2224000",
  ],
  [
    "unknown-unit-column.csv",
    "date,price,tinu\n2026-08-20,2280.08,EUR\n2026-08-21,2316.896,EUR",
    "--code ETH_USD --day-at 16:30",
    OTHER_CURRENCY,
  ],
  [
    "asset-or-unit.csv",
    "2026-08-20,83460.2,USD\n2026-08-21,84187.2,USD",
    AT,
    { rejected: "may be the asset of its rows" },
  ],
  ["prices-in-usd.csv", "Prices in USD\ndate,price\n2026-08-21,83329.2", AT, { rejected: "its header lacks code" }],
];
