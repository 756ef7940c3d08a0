// Tables that name assets as people, sites and exchanges do.
import assert from "node:assert/strict";
import { test } from "node:test";
import { importOne } from "../support/run_import.ts";

const T = "2026-08-21T16:30:00Z";

interface Case {
  readonly table: readonly string[];
  readonly args?: readonly string[];
  /** A part of the line that tells how the table is read. */
  readonly reading?: string;
  /** Codes and values, e.g. `USD_RLS 1905000`. */
  readonly stored: readonly string[];
}

const read: Readonly<Record<string, Case>> = {
  "a wide table with Persian names": {
    table: ["تاریخ,دلار,يورو,سکه امامی,طلای ۱۸ عیار,توضیح", `${T},1905000,2200000,1995000000,190500000,x`],
    reading:
      'businessTime from "تاریخ", a column for each of USD_RLS ("دلار"), EUR_RLS ("يورو"), SEKKEH_RLS ("سکه امامی"), GOLD_18_RLS ("طلای ۱۸ عیار"), values in rial',
    stored: ["EUR_RLS 2200000", "GOLD_18_RLS 190500000", "SEKKEH_RLS 1995000000", "USD_RLS 1905000"],
  },
  "a data frame with numbered rows": {
    table: [",date,usd,eur", `0,${T},1905000,2200000`],
    stored: ["EUR_RLS 2200000", "USD_RLS 1905000"],
  },
  "a data frame with times as its index": {
    table: [",USD_RLS,BTC-USD", `${T},1905000,61234.5`],
    stored: ["BTC_USD 61234.5", "USD_RLS 1905000"],
  },
  "a column of names": {
    table: [
      "نماد,قیمت,تاریخ",
      `دلار,1905000,${T}`,
      `BTC/USDT,61234.5,${T}`,
      `۱۰۰ ین ژاپن,1230000,${T}`,
      `GOLD_18_RLS,190500000,${T}`,
    ],
    reading: 'assets USD_RLS ("دلار"), BTC_USD ("BTC/USDT"), JPY_RLS per 100 ("100 ین ژاپن"), values in rial',
    stored: ["BTC_USD 61234.5", "GOLD_18_RLS 190500000", "JPY_RLS 12300", "USD_RLS 1905000"],
  },
  "objects with names of markets": {
    table: [
      `{"symbol":"USDT_TMN","price":190500.5,"time":"${T}"}`,
      `{"symbol":"BTCUSDT","price":"61234.5","time":"${T}"}`,
    ],
    reading:
      'assets USDT_RLS ("USDT_TMN"), BTC_USD ("BTCUSDT"), values in the units that the names of assets say, else in rial',
    stored: ["BTC_USD 61234.5", "USDT_RLS 1905005"],
  },
  "names that tell different units": {
    table: ["date,دلار (تومان),یورو (ریال),JPY (10),xau", `${T},190500,2200000,123000,4000.5`],
    reading: "values in the units that the names of their columns say",
    stored: ["EUR_RLS 2200000", "GOLD_OUNCE_USD 4000.5", "JPY_RLS 12300", "USD_RLS 1905000"],
  },
  "a column that is named by the asset of --code": {
    table: ["date,دلار", `${T},1905000`],
    args: ["--code", "دلار"],
    reading: 'value from "دلار", businessTime from "date", all of USD_RLS',
    stored: ["USD_RLS 1905000"],
  },
  "a column that --code tells the meaning of": {
    table: ["date,BTC", `${T},61234.5`],
    args: ["--code", "BTC_USD"],
    stored: ["BTC_USD 61234.5"],
  },
  "candles of names that tell unit and count": {
    table: [
      "open,high,low,close,symbol,date",
      ...["T01", "T02", "T03"].flatMap((hour) => {
        return ["1,3,1,2,USDT/TMN", "100,300,100,200,۱۰۰ ین"].map((row) => `${row},${T.replace("T16", hour)}`);
      }),
    ],
    reading: 'assets USDT_RLS ("USDT/TMN"), JPY_RLS per 100 ("100 ین"), candles of 1h, each as its close at its end',
    stored: ["JPY_RLS 2", "JPY_RLS 2", "JPY_RLS 2", "USDT_RLS 20", "USDT_RLS 20", "USDT_RLS 20"],
  },
  "a name that --names explains": {
    table: ["date,طلا,x", `${T},1,2`],
    args: ["--names", "طلا=GOLD_24_RLS,x=USD_RLS"],
    stored: ["GOLD_24_RLS 1", "USD_RLS 2"],
  },
  bonbast: {
    table: ["date,usd1,usd2,jpy1,iqd1,emami1,ounce", `${T},190500,190400,12300,14500,199500000,4000.5`],
    reading: "names and units of bonbast, JPY per 10, AMD per 10, IQD per 100, a column for each of",
    stored: ["GOLD_OUNCE_USD 4000.5", "IQD_RLS 1450", "JPY_RLS 12300", "SEKKEH_RLS 1995000000", "USD_RLS 1905000"],
  },
  tgju: {
    table: [
      "symbol,price,date",
      `price_dollar_rl,1905000,${T}`,
      `price_jpy,1230000,${T}`,
      `geram18,190500000,${T}`,
      `silver,50.5,${T}`,
    ],
    reading: "names and units of tgju, JPY per 100",
    stored: ["GOLD_18_RLS 190500000", "JPY_RLS 12300", "SILVER_OUNCE_USD 50.5", "USD_RLS 1905000"],
  },
  nobitex: {
    table: [
      "symbol,price,date,exchange",
      `USDTIRT,1905000,${T},nobitex`,
      `SHIBIRT,19050,${T},nobitex`,
      `BTCUSDT,61234.5,${T},nobitex`,
    ],
    reading: "names and units of nobitex, SHIB per 1000",
    stored: ["BTC_USD 61234.5", "SHIB_RLS 19.05", "USDT_RLS 1905000"],
  },
  "a second name that tells a count": {
    table: ["code,currency,price,date", `USD,US Dollar,1905000,${T}`, `JPY,10 Japanese Yen,123000,${T}`],
    stored: ["JPY_RLS 12300", "USD_RLS 1905000"],
  },
  "coins in a column of values whose unit is told": {
    table: ["نماد,قیمت (تومان),تاریخ", `بیت کوین,15240000000,${T}`, `تتر,190200,${T}`],
    stored: ["BTC_RLS 152400000000", "USDT_RLS 1902000"],
  },
  "coins with a unit beside each": {
    table: ["symbol,price,unit,date", `BTC,61234.5,USDT,${T}`, `USDT,190200,toman,${T}`],
    stored: ["BTC_USD 61234.5", "USDT_RLS 1902000"],
  },
  "columns with IRT as Nobitex has it": {
    table: ["date,USDTIRT,BTCUSDT", `${T},1905000,61234.5`],
    args: ["--unit", "rial"],
    stored: ["BTC_USD 61234.5", "USDT_RLS 1905000"],
  },
  "IRT as Nobitex has it": {
    table: ["symbol,price,date", `USDTIRT,1905000,${T}`, `BTCUSDT,61234.5,${T}`],
    args: ["--unit", "rial"],
    stored: ["BTC_USD 61234.5", "USDT_RLS 1905000"],
  },
};
for (const [what, { table, args = [], reading = "", stored }] of Object.entries(read)) {
  test(`import: ${what}: values of the right assets, in rial and for one`, async (t) => {
    const imported = await importOne(t, table.join("\n"), args);
    assert.deepEqual(
      imported.stored.map((record) => record.split(" ").slice(0, 2).join(" ")).sort(),
      stored,
      imported.notes.join("\n"),
    );
    assert.ok(imported.notes[0]?.includes(reading), imported.notes[0]);
    assert.equal(imported.code, 0);
  });
}

const open: readonly (readonly [
  what: string,
  table: readonly string[],
  reasons: readonly string[],
  ready: string,
  args?: string,
])[] = [
  [
    "coins without a quote unit",
    ["date,BTC,USDT", `${T},61234.5,1905000`],
    ['"BTC" may be BTC_USD (US dollar) or BTC_RLS', '"USDT" may be USDT_USD (US dollar) or USDT_RLS'],
    "--names BTC=BTC_USD --names USDT=USDT_RLS",
  ],
  [
    "names of several assets in a column",
    ["نماد,قیمت,تاریخ", `دینار,1450,${T}`, `سکه تمام,1995000000,${T}`],
    ['"دینار" may be BHD_RLS or IQD_RLS or KWD_RLS', '"سکه تمام" may be SEKKEH_RLS or BAHAR_RLS'],
    "--names دینار=IQD_RLS --names 'سکه تمام=SEKKEH_RLS'",
  ],
  [
    "an asset twice",
    ["date,دلار,usd,یورو", `${T},1905000,1905000,2200000`],
    ["its header has two columns of USD_RLS"],
    "--map USD_RLS=دلار",
  ],
  [
    "a label of another asset than --code",
    ["date,name,price", `${T},یورو,2200000`],
    ['"یورو" in its rows is EUR_RLS, although USD_RLS was given; if not, say --names یورو=USD_RLS'],
    "--code EUR_RLS",
    "--code USD_RLS",
  ],
  [
    "assets in a column of another name",
    ["Ware,price,date", `دلار,1905000,${T}`, `یورو,2200000,${T}`],
    ['its header lacks code: it is "Ware,price,date"'],
    "--map code=Ware",
  ],
  [
    "a column of toman beside one of nothing",
    ["date,دلار (تومان),یورو", `${T},190500,220000`],
    ['column "دلار (تومان)" says toman, and column "یورو" says nothing'],
    "--unit toman",
  ],
  [
    "IRT of an unknown exchange",
    ["date,USDTIRT,BTCUSDT", `${T},1905000,61234.5`],
    ['"USDTIRT" is in rial if it is from Nobitex; if not, say --unit toman'],
    "--unit rial",
  ],
];
for (const [what, table, reasons, ready, args] of open) {
  test(`import: ${what}: asked about at once, and nothing is stored`, async (t) => {
    const { code, notes, stored, ready: line } = await importOne(t, table.join("\n"), args?.split(" "));
    assert.deepEqual([code, notes, stored, line], [65, reasons, [], ready]);
  });
}

test("import: a name of several assets far down is asked about, and one that contradicts the column leaves nothing stored", async (t) => {
  const rows = Array.from(
    { length: 300 },
    (_, at) => `USD_RLS,1905000,${new Date(Date.parse(T) - at * 60_000).toISOString()}`,
  );
  const asked = await importOne(t, ["symbol,price,date", ...rows, `BTC,61234.5,${T}`].join("\n"));
  assert.deepEqual(
    [asked.notes.at(-1), asked.ready, asked.stored],
    ['"BTC" may be BTC_USD (US dollar) or BTC_RLS', "--names BTC=BTC_USD", []],
  );
  const { notes, stored } = await importOne(t, ["symbol,price (rial),date", ...rows, `EUR_TMN,222400,${T}`].join("\n"));
  assert.deepEqual(
    [notes.at(-1), stored],
    ['not imported: line 302: value "222400" is in toman and in rial, as the file says both', []],
  );
});
