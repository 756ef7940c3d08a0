// Tables of another asset than was asked for, without a header, in several files, and as services and programs write them.
import { zipOf } from "../../support/zip.ts";
import {
  AT,
  D,
  DOLLAR,
  DOLLAR_ASKED,
  days,
  EURO,
  EURO_ASKED,
  jalali,
  NO_VALUE,
  type OddFile,
  workbook,
} from "./odd_file.ts";

const TABLE = days("date,price", 1903000, 1907000, 1905000);
const EUROS = days("date,price", 2219000, 2227500, 2224000);
const ROWS = TABLE.split("\n").slice(1);
const EURO_ROWS = EUROS.split("\n").map((row) => row.split(","));
const DOLLAR_ROWS = TABLE.split("\n").map((row) => row.split(","));
const BOTH = `${DOLLAR} ${EURO}`;
const BTC = "BTC_USD: 2023-12-14T00:00Z=42973.12";
const SECONDS = Date.UTC(2023, 11, 14) / 1_000;
const json = (value: unknown): string => JSON.stringify(value);

export const TABLES: readonly OddFile[] = [
  // Named after another asset than --code says: asked.
  ["euro.csv", EUROS, D, EURO_ASKED],
  ["یورو.csv", EUROS, D, EURO_ASKED],
  ["eur-1405.csv", EUROS, D, EURO_ASKED],
  ["EUR_IRR Historical Data.csv", EUROS, D, EURO_ASKED],
  ["euro.csv", TABLE, `${D} --names euro=USD_RLS`, DOLLAR],
  ["tether.csv", TABLE, D, { byCommand: "USDT_RLS: 19=1903000 20=1907000 21=1905000" }],
  ["usd-and-euro.csv", TABLE, D, DOLLAR],
  ["market-link.csv", TABLE, D, DOLLAR],
  ["m.csv", TABLE, D, DOLLAR],
  ["title-euro.csv", `قیمت یورو\n${EUROS}`, D, EURO_ASKED],
  ["title-euro-long.csv", `گزارش روزانه یورو در بازار آزاد تهران\n\n${EUROS}`, D, EURO_ASKED],
  ["title-euro-en.csv", `"Euro, free market",\n${EUROS}`, D, EURO_ASKED],
  ["title-euro-no-code.csv", `نرخ یورو\n${EUROS}`, AT, EURO_ASKED],
  [
    "title-tether.csv",
    `قیمت تتر در نوبیتکس (ریال)\n${TABLE}`,
    D,
    { byCommand: "USDT_RLS: 19=1903000 20=1907000 21=1905000" },
  ],
  ["title-of-market.csv", `قیمت طلا و ارز\n${TABLE}`, D, DOLLAR],
  [
    "title-dollar-as-unit.csv",
    "قیمت بیت کوین به دلار\ndate,price\n2023-12-13,42749.66\n2023-12-14,42973.12",
    "--code BTC_USD --day-at 16:30",
    "BTC_USD: 2023-12-13=42749.66 2023-12-14=42973.12",
  ],
  [
    "title-in-usd.csv",
    "Prices in USD\ndate,price\n2023-12-13,42749.66\n2023-12-14,42973.12",
    "--code BTC_USD --day-at 16:30",
    "BTC_USD: 2023-12-13=42749.66 2023-12-14=42973.12",
  ],
  ["sheet-euro.xlsx", workbook({ یورو: EURO_ROWS, notes: [["x"]] }), D, EURO_ASKED],
  ["sheet-euro-alone.xlsx", workbook({ یورو: EURO_ROWS }), D, EURO_ASKED],
  ["sheet-of-dollar.xlsx", workbook({ یورو: EURO_ROWS, دلار: DOLLAR_ROWS }), D, DOLLAR],
  [
    "sheet-toman.xlsx",
    workbook({
      "دلار (تومان)": [
        ["تاریخ", "قیمت"],
        ["1405/05/30", 190500],
      ],
    }),
    D,
    "USD_RLS: 21=1905000",
  ],
  ["member-euro.json", json({ eur: EURO_ROWS.slice(1).map(([date, price]) => ({ date, price })) }), D, EURO_ASKED],
  [
    "member-euro-no-code.json",
    json({ eur: EURO_ROWS.slice(1).map(([date, price]) => ({ date, price })) }),
    AT,
    EURO_ASKED,
  ],
  [
    "quoted-in-a-column.csv",
    "date,symbol,price,unit\n2023-12-14,BTC,39120.5,EUR",
    `${AT} --names BTC=BTC_USD`,
    { rejected: 'value is in euros: received "BTC_USD"' },
  ],
  [
    "currency-of-a-column.csv",
    "date,price,currency\n2023-12-14,39120.5,EUR",
    "--code BTC_USD --day-at 16:30",
    { rejected: 'value is in euros: received "BTC_USD"' },
  ],
  [
    "second-table.csv",
    `دلار\n${TABLE}\n\nیورو\n${EUROS.replaceAll("2026-08", "2026-09")}`,
    D,
    { rejected: 'line 7 is the title "یورو" of a second table, and USD_RLS was given for all rows' },
  ],
  [
    "second-table-cells.csv",
    `دلار,\n${TABLE}\n,\nنرخ یورو,\n${EUROS.replaceAll("2026-08", "2026-09")}`,
    D,
    { rejected: 'line 7 is the title "نرخ یورو" of a second table, and USD_RLS was given for all rows' },
  ],
  [
    "second-title.csv",
    `${TABLE}\nدلار آمریکا,\n${TABLE.replaceAll("2026-08", "2026-07").split("\n").slice(1).join("\n")}`,
    D,
    "USD_RLS: 2026-07-19=1903000 2026-07-20=1907000 2026-07-21=1905000 19=1903000 20=1907000 21=1905000",
  ],
  [
    "milliseconds.csv",
    `t,p\n${SECONDS}000,503850\n${SECONDS + 86_400}000,503800`,
    "--code USD_RLS",
    { byCommand: "USD_RLS: 2023-12-14T00:00Z=503850 2023-12-15T00:00Z=503800" },
  ],
  [
    "bonbast-json.json",
    '{"usd1":"190500","usd2":"190400","eur1":"222400","eur2":"222300","last_modified":"August 21, 2026 16:30"}',
    "",
    { byCommand: "USD_RLS: 21=1905000 EUR_RLS: 21=2224000" },
  ],
  [
    "two-calendars-apart.csv",
    "date,jdate,price\n2026-08-20,1405/05/30,1907000\n2026-08-21,1405/05/31,1905000",
    D,
    { rejected: 'its columns "date" and "jdate" say different days: "2026-08-20" and "1405/05/30"' },
  ],
  [
    "two-gregorian-apart.csv",
    "date,تاریخ میلادی,price\n2026-08-20,2026-07-20,1907000\n2026-08-21,2026-07-21,1905000",
    D,
    { rejected: 'its columns "تاریخ میلادی" and "date" say different days: "2026-07-20" and "2026-08-20"' },
  ],
  [
    "two-calendars-mapped.csv",
    "date,jdate,price\n2026-08-20,1405/05/30,1907000\n2026-08-21,1405/05/31,1905000",
    `${D} --map businessTime=date`,
    "USD_RLS: 20=1907000 21=1905000",
  ],
  [
    "two-calendars.csv",
    "date,jdate,price\n2026-08-20,1405/05/29,1907000\n2026-08-21,1405/05/30,1905000",
    D,
    "USD_RLS: 20=1907000 21=1905000",
  ],
  [
    "two-dates.csv",
    "date,created_at,updated_date,price\n2026-08-20,2026-08-25,2026-08-26,1907000\n2026-08-21,2026-08-25,2026-08-26,1905000",
    D,
    "USD_RLS: 20=1907000 21=1905000",
  ],
  [
    "wide-pairs-asked.csv",
    "date,دلار خرید,دلار فروش,یورو خرید,یورو فروش\n2026-08-21,1903000,1905000,2221000,2224000",
    AT,
    { rejected: 'its header has two columns of USD_RLS: "دلار خرید" as well' },
  ],
  [
    "wide-pairs.csv",
    "date,دلار خرید,دلار فروش,یورو خرید,یورو فروش\n2026-08-21,1903000,1905000,2221000,2224000",
    AT,
    { byCommand: "USD_RLS: 21=1905000 EUR_RLS: 21=2224000" },
  ],
  [
    "wide-pairs-en.csv",
    "date,USD buy,USD sell,EUR buy,EUR sell\n2026-08-21,1903000,1905000,2221000,2224000",
    AT,
    { byCommand: "USD_RLS: 21=1905000 EUR_RLS: 21=2224000" },
  ],
  [
    "wide-pairs-keys.csv",
    "date,usd_buy,usd_sell,eur_buy,eur_sell\n2026-08-21,1903000,1905000,2221000,2224000",
    AT,
    { byCommand: "USD_RLS: 21=1905000 EUR_RLS: 21=2224000" },
  ],
  // Without a header.
  ["no-header-usd.csv", ROWS.join("\n"), D, DOLLAR],
  [
    "no-header-jalali.csv",
    jalali("", "1,903,000", "1,907,000", "1,905,000")
      .trim()
      .replace(/,(.*)$/gm, ';"$1"'),
    D,
    DOLLAR,
  ],
  [
    "no-header-codes.csv",
    "USD_RLS,2026-08-21,1905000\nEUR_RLS,2026-08-21,2224000",
    AT,
    "USD_RLS: 21=1905000 EUR_RLS: 21=2224000",
  ],
  [
    "no-header-names.csv",
    "1405/05/30\tدلار\t1905000\n1405/05/30\tیورو\t2224000",
    AT,
    "USD_RLS: 21=1905000 EUR_RLS: 21=2224000",
  ],
  ["no-header-two-values.csv", "2026-08-20,1905000,1907000\n2026-08-21,1903000,1905000", D, NO_VALUE],
  ["no-header-one-line.csv", "2026-08-21,1905000", D, "USD_RLS: 21=1905000"],
  ["no-header-title.csv", `نرخ دلار\n${ROWS.join("\n")}`, D, DOLLAR],
  // Several at once.
  ["usd.csv eur.csv", [TABLE, EUROS], AT, { byCommand: BOTH }],
  ["دلار.csv یورو.csv", [TABLE, EUROS], AT, { byCommand: BOTH }],
  [
    "usd.csv eur.csv codes.csv",
    [TABLE, EUROS, "code,value,businessTime\nGBP_RLS,2595500,2026-08-21T13:00:00Z"],
    AT,
    { byCommand: `${BOTH} GBP_RLS: 21=2595500` },
  ],
  [
    "members.zip",
    zipOf([
      { name: "usd.csv", content: TABLE },
      { name: "eur.csv", content: EUROS },
    ]),
    AT,
    { byCommand: BOTH },
  ],
  ["sheets.xlsx", workbook({ دلار: DOLLAR_ROWS, یورو: EURO_ROWS }), AT, { byCommand: BOTH }],
  [
    "notes-first.xlsx",
    workbook({ راهنما: [["این فایل از سایت گرفته شده"], ["به ریال"]], قیمت: DOLLAR_ROWS }),
    D,
    DOLLAR,
  ],
  ["notes-empty-first.xlsx", workbook({ Sheet1: [], Sheet2: DOLLAR_ROWS }), D, DOLLAR],
  // Line ends, letters, separators.
  ["mac-lines.csv", `${TABLE.replaceAll("\n", "\r")}\r`, D, DOLLAR],
  ["utf16-le.csv", Buffer.from(TABLE, "utf16le"), D, DOLLAR],
  ["utf16-be.csv", Buffer.from(TABLE, "utf16le").swap16(), D, DOLLAR],
  [
    "utf16-fa.txt",
    Buffer.from(jalali("تاریخ\tقیمت", 1903000, 1907000, 1905000).replaceAll(",", "\t"), "utf16le"),
    D,
    DOLLAR,
  ],
  ["persian-commas.csv", jalali("تاریخ,قیمت", 1903000, 1907000, 1905000).replaceAll(",", "،"), D, DOLLAR],
  ["persian-semicolons.csv", jalali("تاریخ,قیمت", 1903000, 1907000, 1905000).replaceAll(",", "؛"), D, DOLLAR],
  // Persian words in Latin letters.
  ["finglish.csv", days("tarikh,gheymat", 1903000, 1907000, 1905000), D, DOLLAR],
  [
    "finglish-names.csv",
    "tarikh,arz,nerkh\n1405/05/30,dollar,1905000\n1405/05/30,euro,2224000",
    AT,
    "USD_RLS: 21=1905000 EUR_RLS: 21=2224000",
  ],
  [
    "finglish-hours.csv",
    "tarikh,saat,gheymat\n1405/05/30,16:30,1905000",
    "--code USD_RLS",
    { byCommand: "USD_RLS: 21=1905000" },
  ],
  [
    "finglish-unit.csv",
    "zaman,gheymat,vahed\n2026-08-21 16:30,190500,toman",
    "--code USD_RLS",
    { byCommand: "USD_RLS: 21=1905000" },
  ],
  [
    "finglish-buy-sell.csv",
    days("tarikh,kharid,foroush", "1901000,1903000", "1905000,1907000", "1903000,1905000"),
    D,
    DOLLAR_ASKED,
  ],
  // Answers of services.
  [
    "coinmarketcap.json",
    json({
      status: { timestamp: "2023-12-14T00:00:05Z", error_code: 0 },
      data: {
        BTC: {
          id: 1,
          name: "Bitcoin",
          symbol: "BTC",
          quote: { USD: { price: 42973.12, volume_24h: 1e9, last_updated: "2023-12-14T00:00:00.000Z" } },
        },
      },
    }),
    "",
    BTC,
  ],
  [
    "coinmarketcap-list.json",
    json({
      data: [
        {
          id: 1,
          name: "Bitcoin",
          symbol: "BTC",
          quote: { USD: { price: 42973.12, last_updated: "2023-12-14T00:00:00.000Z" } },
        },
      ],
    }),
    "",
    BTC,
  ],
  [
    "coinmarketcap-eur.json",
    json({
      data: [{ id: 1, symbol: "BTC", quote: { EUR: { price: 39120.5, last_updated: "2023-12-14T00:00:00.000Z" } } }],
    }),
    "",
    { rejected: 'value is in euros: received "BTC_RLS"' },
  ],
  [
    "coingecko-simple.json",
    json({ bitcoin: { usd: 42973.12, last_updated_at: SECONDS }, ethereum: { usd: 2287.9, last_updated_at: SECONDS } }),
    "",
    `${BTC} ETH_USD: 2023-12-14T00:00Z=2287.9`,
  ],
  [
    "coingecko-simple-eur.json",
    json({ bitcoin: { eur: 39120.5, last_updated_at: SECONDS } }),
    "",
    { rejected: 'value is in euros: received "BTC_RLS"' },
  ],
  ["coingecko-simple-two.json", json({ bitcoin: { eur: 39120.5, usd: 42973.12, last_updated_at: SECONDS } }), "", BTC],
  [
    "coingecko-markets.json",
    json([
      {
        id: "bitcoin",
        symbol: "btc",
        name: "Bitcoin",
        current_price: 42973.12,
        high_24h: 43390,
        low_24h: 41880,
        last_updated: "2023-12-14T00:00:00.000Z",
      },
    ]),
    "",
    { byCommand: BTC },
  ],
  [
    "navasan.json",
    json({
      usd_sell: {
        value: "190500",
        change: 100,
        timestamp: Date.UTC(2026, 7, 21, 13) / 1_000,
        date: "1405-05-30 16:30:00",
      },
      eur: { value: "222400", change: 0, timestamp: Date.UTC(2026, 7, 21, 13) / 1_000, date: "1405-05-30 16:30:00" },
    }),
    "",
    { byCommand: "USD_RLS: 21=1905000 EUR_RLS: 21=2224000" },
  ],
  [
    "brsapi-full.json",
    json({
      gold: [
        {
          date: "1405/05/30",
          time: "16:30",
          time_unix: Date.UTC(2026, 7, 21, 13) / 1_000,
          symbol: "IR_COIN_EMAMI",
          name: "سکه امامی",
          price: 199500000,
          unit: "تومان",
        },
      ],
      currency: [
        {
          date: "1405/05/30",
          time: "16:30",
          time_unix: Date.UTC(2026, 7, 21, 13) / 1_000,
          symbol: "USD",
          name: "دلار",
          price: 190500,
          unit: "تومان",
        },
      ],
      cryptocurrency: [
        {
          date: "1405/05/30",
          time: "16:30",
          time_unix: Date.UTC(2026, 7, 21, 13) / 1_000,
          symbol: "BTC",
          name: "بیت کوین",
          price: "83125.4",
          unit: "دلار",
        },
      ],
    }),
    "",
    { byCommand: "SEKKEH_RLS: 21=1995000000 USD_RLS: 21=1905000 BTC_USD: 21=83125.4" },
  ],
  [
    "rates-irr.json",
    json({ base: "USD", date: "2026-08-21", rates: { IRR: 1905000, EUR: 0.8565 } }),
    AT,
    "USD_RLS: 21=1905000",
  ],
  [
    "rates-base-irr.json",
    json({ base: "IRR", date: "2026-08-21", rates: { USD: 0.00000052, EUR: 0.00000045 } }),
    AT,
    { rejected: 'its prices are nested in "rates", not listed in rows' },
  ],
  [
    "rates-of-dollar.json",
    json({ base: "USD", timestamp: SECONDS, rates: { EUR: 0.9187, GBP: 0.7843, TRY: 28.99 } }),
    "",
    { rejected: 'its prices are nested in "rates", not listed in rows' },
  ],
  [
    "binance-24h.json",
    json([
      {
        symbol: "BTCUSDT",
        priceChange: "10.1",
        weightedAvgPrice: "42800.1",
        prevClosePrice: "42749.66",
        lastPrice: "42973.12",
        bidPrice: "42973.11",
        askPrice: "42973.13",
        openPrice: "42749.66",
        highPrice: "43390",
        lowPrice: "41880",
        volume: "1000",
        openTime: (SECONDS - 86_400) * 1_000,
        closeTime: SECONDS * 1_000,
        firstId: 1,
        lastId: 2,
        count: 2,
      },
    ]),
    "",
    BTC,
  ],
  [
    "tradingview.json",
    json({
      s: "ok",
      t: [SECONDS - 86_400, SECONDS],
      o: [42700, 42749.66],
      h: [43000, 43390],
      l: [41880, 42000],
      c: [42749.66, 42973.12],
      v: [1, 2],
    }),
    "--code BTC_USD",
    "BTC_USD: 2023-12-14T00:00Z=42749.66 2023-12-15T00:00Z=42973.12",
  ],
  // Columns.
  [
    "year-month-day.csv",
    "year,month,day,price\n2026,8,20,1907000\n2026,8,21,1905000",
    D,
    "USD_RLS: 20=1907000 21=1905000",
  ],
  ["sal-mah-ruz.csv", "سال,ماه,روز,قیمت\n1405,5,29,1907000\n1405,5,30,1905000", D, "USD_RLS: 20=1907000 21=1905000"],
  [
    "sal-mah-names.csv",
    "سال,ماه,روز,قیمت\n1405,مرداد,29,1907000\n1405,مرداد,30,1905000",
    D,
    "USD_RLS: 20=1907000 21=1905000",
  ],
  [
    "day-month-year-hour.csv",
    "day,month,year,hour,price\n20,8,2026,16:30,1907000\n21,8,2026,16:30,1905000",
    "--code USD_RLS",
    { byCommand: "USD_RLS: 20=1907000 21=1905000" },
  ],
  [
    "same-name-wide.csv",
    "date,USD_RLS,USD_RLS\n2026-08-20,1907000,1909000\n2026-08-21,1905000,1907000",
    AT,
    { byCommand: "USD_RLS: 20=1907000 21=1905000" },
  ],
  [
    "same-name-prices.csv",
    "date,price,price\n2026-08-20,1907000,1909000\n2026-08-21,1905000,1907000",
    D,
    { byCommand: "USD_RLS: 20=1907000 21=1905000" },
  ],
  [
    "metatrader.csv",
    "<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\n2023.12.14\t15:00:00\t2020.1\t2022\t2018.5\t2019.6\t1\t0\t2\n2023.12.14\t16:00:00\t2019.6\t2021\t2018\t2020.4\t1\t0\t2",
    "--code GOLD_OUNCE_USD --zone UTC",
    "GOLD_OUNCE_USD: 2023-12-14T16:00Z=2019.6 2023-12-14T17:00Z=2020.4",
  ],
  [
    "metatrader-days.csv",
    "<DATE>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\n2023.12.13\t2019.1\t2022\t2018.5\t2019.6\n2023.12.14\t2019.6\t2021\t2018\t2020.4",
    "--code GOLD_OUNCE_USD --day-at 16:30",
    "GOLD_OUNCE_USD: 2023-12-13=2019.6 2023-12-14=2020.4",
  ],
  [
    "metatrader-tickers.csv",
    "<TICKER>,<DTYYYYMMDD>,<TIME>,<CLOSE>\nUSD,20260820,163000,1907000\nUSD,20260821,163000,1905000",
    "",
    { byCommand: "USD_RLS: 20=1907000 21=1905000" },
  ],
  // A row of units below the header.
  ["units-below.csv", "تاریخ,قیمت\n,تومان\n1405/05/29,190700\n1405/05/30,190500", D, "USD_RLS: 20=1907000 21=1905000"],
  [
    "units-below-wide.csv",
    "تاریخ,دلار,انس طلا\n,تومان,دلار\n1402/09/22,50385,1980.5\n1402/09/23,50380,2019.6",
    AT,
    "USD_RLS: 2023-12-13=503850 2023-12-14=503800 GOLD_OUNCE_USD: 2023-12-13=1980.5 2023-12-14=2019.6",
  ],
  [
    "units-below-rial.csv",
    "date,price\n(date),(rial)\n2026-08-20,1907000\n2026-08-21,1905000",
    D,
    "USD_RLS: 20=1907000 21=1905000",
  ],
  [
    "units-below-contradict.csv",
    "تاریخ,قیمت (ریال)\n,تومان\n1405/05/29,190700\n1405/05/30,190500",
    D,
    { rejected: 'column "قیمت (ریال)" says rial, and title "تومان" toman' },
  ],
  [
    "second-table-wide.csv",
    "date,USD_RLS\n2026-08-20,1907000\n\ndate,EUR_RLS\n2026-08-21,2224000",
    "--wide --day-at 16:30",
    { rejected: "line 4 is the header of a second table" },
  ],
  [
    "side-by-side.csv",
    "نام,نرخ,نام,نرخ\nدلار,1905000,سکه امامی,1995000000\nیورو,2224000,نیم سکه,1050000000",
    "--day 2026-08-21 --day-at 16:30",
    { rejected: "it has two tables side by side" },
  ],
];
