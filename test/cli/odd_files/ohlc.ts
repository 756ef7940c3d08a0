// Tables of candles: the close is meant, at the end of its candle.

import { AT, D, jalali, NO_ORDER, NO_VALUE, type OddFile } from "./odd_file.ts";

const CLOSES = "USD_RLS: 2023-12-12=504040 2023-12-13=503850 2023-12-14=503800";
const ROWS = [
  ["2023-12-12", 505470, 505650, 503950, 504040],
  ["2023-12-13", 503510, 504150, 502950, 503850],
  ["2023-12-14", 503680, 504200, 503450, 503800],
] as const;
/** The dollar's candles of three days, its cells chosen and placed by the caller. */
const daily = (header: string, row: (candle: (typeof ROWS)[number]) => string): string =>
  [header, ...ROWS.map(row)].join("\n");
const plain = (header: string): string => daily(header, (candle) => candle.join(","));
const QUARTERS = [
  ["2026-04-01T00:00:00Z", 68284.49, 68284.49, 68030, 68046],
  ["2026-04-01T00:15:00Z", 68046, 68223.71, 67913.97, 68000],
  ["2026-04-01T00:30:00Z", 68000, 68066, 67853.3, 68066],
] as const;
const QUARTER_ENDS = "BTC_USD: 2026-04-01T00:15Z=68046 2026-04-01T00:30Z=68000 2026-04-01T00:45Z=68066";
const BTC = "--code BTC_USD --day-at 23:00";
const BTC_DAYS = "BTC_USD: 2023-12-13T23:00=42749.66 2023-12-14T23:00=42973.12";
/** The same candles without names: rows of times since 1970 in this unit, with what stands behind each. */
const counted = (
  perSecond: number,
  more: (start: number) => string,
  order: readonly (0 | 1 | 2 | 3 | 4)[] = [1, 2, 3, 4],
): string =>
  BITCOIN.map((candle) => {
    const start = Date.parse(candle[0]) / 1_000;
    return `${[start * perSecond, ...order.map((at) => candle[at])].join()}${more(start)}`;
  }).join("\n");
const BITCOIN = [
  ["2023-12-12", 41238.73, 42104.59, 40680.51, 41450.22],
  ["2023-12-13", 41468.46, 43429.78, 40676.86, 42890.74],
  ["2023-12-14", 42890.74, 43390.86, 41767.09, 43023.97],
] as const;
const UNNAMED = "BTC_USD: 2023-12-13T00:00Z=41450.22 2023-12-14T00:00Z=42890.74 2023-12-15T00:00Z=43023.97";
const klines = (perSecond: number): string =>
  counted(perSecond, (start) => `,1.5,${(start + 86_400) * perSecond - 1},1,1,1,1,0`);
const lists = (text: string): string => `[${text.replace(/^.*$/gm, "[$&]").replaceAll("\n", ",")}]`;
const BY_NUMBER = "--map time=1,open=2,high=3,low=4,close=5";

export const OHLC: readonly OddFile[] = [
  ["unnamed-binance-ms.csv", klines(1_000), BTC, UNNAMED],
  ["unnamed-binance-us.csv", klines(1_000_000), BTC, UNNAMED],
  ["unnamed-ccxt.csv", counted(1_000, () => ",1.5"), BTC, UNNAMED],
  ["unnamed-kraken.csv", counted(1, () => ",1.5,9"), BTC, UNNAMED],
  ["unnamed-code.csv", counted(1, () => ",1.5").replace(/^/gm, "BTC_USD,"), "", UNNAMED],
  [
    "unnamed-days.csv",
    BITCOIN.map((candle) => `${candle.join()},-0.5%`).join("\n"),
    BTC,
    "BTC_USD: 2023-12-12T23:00=41450.22 2023-12-13T23:00=42890.74 2023-12-14T23:00=43023.97",
  ],
  [
    "unnamed-flat.csv",
    "1702339200,41000,41000,41000,41000\n1702425600,42000,42000,42000,42000",
    BTC,
    { byCommand: "BTC_USD: 2023-12-13T00:00Z=41000 2023-12-14T00:00Z=42000" },
  ],
  ["unnamed-one.csv", klines(1_000).split("\n")[0]!, BTC, "BTC_USD: 2023-12-13T00:00Z=41450.22"],
  [
    "unnamed-wrong-row.csv",
    `${counted(1, () => ",1")}\n1702598400,43000,42000,43500,42500,1`,
    `${BTC} ${BY_NUMBER}`,
    UNNAMED,
  ],
  ["unnamed-coinbase.csv", counted(1, () => ",1", [3, 2, 1, 4]), BTC, NO_ORDER],
  [
    "unnamed-four-assets.csv",
    "2026-08-20,1905000,2224000,518000,2580000\n2026-08-21,1907000,2225000,519000,2581000",
    D,
    NO_ORDER,
  ],
  [
    "unnamed-time-and-price.csv",
    BITCOIN.map(([day, , , , close]) => `${Date.parse(day) / 1_000},${close}`).join("\n"),
    BTC,
    "BTC_USD: 2023-12-12T00:00Z=41450.22 2023-12-13T00:00Z=42890.74 2023-12-14T00:00Z=43023.97",
  ],
  ["unnamed-lists.json", lists(counted(1_000, () => ",1.5")), BTC, UNNAMED],
  [
    "unnamed-okx.json",
    `{"code":"0","data":${lists(
      counted(1_000, () => ",1,1,1")
        .split("\n")
        .reverse()
        .join("\n"),
    )}}`,
    BTC,
    UNNAMED,
  ],
  [
    "unnamed-kraken.json",
    `{"error":[],"result":{"XXBTZUSD":${lists(counted(1, () => ",1,1,9"))},"last":1}}`,
    BTC,
    UNNAMED,
  ],
  [
    "unnamed-coingecko.json",
    lists(counted(1_000, () => "")),
    BTC,
    { byCommand: UNNAMED.replaceAll(/1(\d)T/g, (_, day) => `1${day - 1}T`) },
  ],
  ["other-names.csv", daily("Datum,Erster,Hoch,Tief,Schluss", (candle) => candle.join()), `${D} ${BY_NUMBER}`, CLOSES],
  ["other-names-open.csv", daily("Datum,Erster,Hoch,Tief,Schluss", (candle) => candle.join()), D, NO_VALUE],
  [
    "yfinance.csv",
    `Price,Close,High,Low,Open\nTicker,X,X,X,X\nDate,,,,\n${daily("", ([day, open, high, low, close]) => [day, close, high, low, open].join()).trim()}`,
    D,
    CLOSES,
  ],
  [
    "yahoo.json",
    JSON.stringify({
      chart: {
        result: [
          {
            meta: { currency: "USD", symbol: "BTC-USD" },
            timestamp: [1702339200, 1702425600],
            indicators: {
              quote: [
                { open: [41238.73, null], high: [42104.59, null], low: [40680.51, null], close: [41450.22, null] },
              ],
            },
          },
        ],
        error: null,
      },
    }),
    "",
    "BTC_USD: 2023-12-13T00:00Z=41450.22",
  ],
  ["candles-daily.csv", plain("date,open,high,low,close"), D, CLOSES],
  ["candles-capitals.csv", plain("Date,Open,High,Low,Close"), D, CLOSES],
  ["candles-short-names.csv", plain("d,o,h,l,c").replace("d,", "date,"), D, CLOSES],
  [
    "candles-fa.csv",
    daily("تاریخ,باز,بیشترین,کمترین,پایانی", ([, ...prices]) => `1402/09/21,${prices.join(",")}`)
      .replace("/21,503510", "/22,503510")
      .replace("/21,503680", "/23,503680"),
    D,
    CLOSES,
  ],
  [
    "candles-tgju-table.csv",
    daily(
      "تاریخ / میلادی,بازگشایی,کمترین,بیشترین,پایانی,میزان تغییر,درصد تغییر",
      ([date, open, high, low, close]) =>
        `${date.replaceAll("-", "/")},"${open.toLocaleString("en")}","${low.toLocaleString("en")}","${high.toLocaleString("en")}","${close.toLocaleString("en")}",190,0.04%`,
    ),
    D,
    { byCommand: CLOSES },
  ],
  ["candles-volume.csv", daily("date,open,high,low,close,volume", (candle) => `${candle.join(",")},1234`), D, CLOSES],
  [
    "candles-toman.csv",
    daily(
      "date,open,high,low,close (toman)",
      ([date, ...prices]) => `${date},${prices.map((price) => price / 10).join(",")}`,
    ),
    D,
    CLOSES,
  ],
  [
    "candles-toman-all.csv",
    daily(
      "date,open (toman),high (toman),low (toman),close (toman)",
      ([date, ...prices]) => `${date},${prices.map((price) => price / 10).join(",")}`,
    ),
    D,
    CLOSES,
  ],
  ["candles-codes.csv", daily("code,date,open,high,low,close", (candle) => `USD_RLS,${candle.join(",")}`), AT, CLOSES],
  [
    "candles-wrong-row.csv",
    plain("date,open,high,low,close").replace("504150,502950", "502950,504150"),
    D,
    "USD_RLS: 2023-12-12=504040 2023-12-14=503800",
  ],
  [
    "candles-yahoo.csv",
    "Date,Open,High,Low,Close,Adj Close,Volume\n2023-12-13,41468.46,43429.78,40676.87,42749.66,42749.66,26797884674\n2023-12-14,42892.19,43386.5,41767.09,42973.12,42973.12,27162237290",
    BTC,
    BTC_DAYS,
  ],
  [
    "candles-investing.csv",
    [
      '"Date","Price","Open","High","Low","Vol.","Change %"',
      '"12/14/2023","42,973.12","42,892.2","43,386.5","41,767.1","68.33K","0.52%"',
      '"12/13/2023","42,749.66","41,468.5","43,429.8","40,676.9","70.96K","3.09%"',
    ].join("\n"),
    BTC,
    BTC_DAYS,
  ],
  [
    "candles-quarters.csv",
    ["start,open,high,low,close", ...QUARTERS.map((candle) => candle.join(","))].join("\n"),
    "--code BTC_USD",
    QUARTER_ENDS,
  ],
  [
    "candles-with-ends.csv",
    [
      "start,end,open,high,low,close",
      ...QUARTERS.map(([start, ...prices], i) => `${start},2026-04-01T00:${15 * (i + 1)}:00Z,${prices.join(",")}`),
    ].join("\n"),
    "--code BTC_USD",
    QUARTER_ENDS,
  ],
  [
    "candles-epochs.csv",
    [
      "time,open,high,low,close",
      ...QUARTERS.map(([start, ...prices]) => `${Date.parse(start) / 1_000},${prices.join(",")}`),
    ].join("\n"),
    "--code BTC_USD",
    QUARTER_ENDS,
  ],
  [
    "candles-own-code.csv",
    ["code,start,open,high,low,close,volume", ...QUARTERS.map((candle) => `BTC_USD,${candle.join(",")},99`)].join("\n"),
    "",
    QUARTER_ENDS,
  ],
  [
    "candles-binance.json",
    JSON.stringify(
      QUARTERS.map(([start, ...prices]) => [
        Date.parse(start),
        ...prices.map(String),
        "99.5",
        Date.parse(start) + 899_999,
        "1",
        5,
        "1",
        "1",
        "0",
      ]),
    ),
    "--code BTC_USD",
    QUARTER_ENDS,
  ],
  [
    "candles-own-route.json",
    JSON.stringify({
      code: "BTC_USD",
      interval: "15m",
      from: QUARTERS[0][0],
      to: "2026-04-01T00:45:00.000Z",
      availableFrom: QUARTERS[0][0],
      candles: QUARTERS.map(([start, open, high, low, close], i) => ({
        start,
        end: `2026-04-01T00:${15 * (i + 1)}:00.000Z`,
        open,
        high,
        low,
        close,
        observationCount: 3,
        complete: true,
      })),
    }),
    "",
    QUARTER_ENDS,
  ],
  [
    "candles-value-told.csv",
    plain("date,open,high,low,close"),
    `${D} --map value=open`,
    "USD_RLS: 2023-12-12=505470 2023-12-13=503510 2023-12-14=503680",
  ],
  [
    "close-alone.csv",
    jalali("تاریخ,پایانی", 1903000, 1907000, 1905000),
    D,
    { byCommand: "USD_RLS: 19=1903000 20=1907000 21=1905000" },
  ],
  [
    "cryptodatadownload.csv",
    "https://www.CryptoDataDownload.com\nUnix,Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USDT,tradecount\n1702512000000,2023-12-14 00:00:00,BTCUSDT,42869.03,43420,41400,43022.26,42047.05,1785000000,1600000\n1702425600000,2023-12-13 00:00:00,BTCUSDT,41450.22,43475.23,40555,42869.03,45865.99,1929000000,1700000",
    "",
    { byCommand: "BTC_USD: 2023-12-15T00:00Z=43022.26 2023-12-14T00:00Z=42869.03" },
  ],
  [
    "tsetmc.csv",
    "<TICKER>,<DTYYYYMMDD>,<FIRST>,<HIGH>,<LOW>,<CLOSE>,<VALUE>,<VOL>,<OPENINT>,<PER>,<OPEN>,<LAST>\nX,20231213,2070000,2080000,2069000,2075000,1000000,5,3,D,2070000,2075000\nX,20231214,2075000,2082000,2071000,2081500,1000100,5,3,D,2075000,2081500",
    "--code STOCK_IR --day-at 12:30",
    { byCommand: "STOCK_IR: 2023-12-13T12:30=2075000 2023-12-14T12:30=2081500" },
  ],
  [
    "udf.json",
    JSON.stringify({
      s: "ok",
      t: QUARTERS.map(([start]) => Date.parse(start) / 1_000),
      o: QUARTERS.map(([, open]) => open),
      h: QUARTERS.map(([, , high]) => high),
      l: QUARTERS.map(([, , , low]) => low),
      c: QUARTERS.map(([, , , , close]) => close),
      v: [1, 2, 3],
    }),
    "--code BTC_USD",
    QUARTER_ENDS,
  ],
  [
    "lists-of-days.json",
    JSON.stringify([
      ["2023-12-13", 41468.46, 43429.78, 40676.86, 42890.74],
      ["2023-12-14", 42890.74, 43390.86, 41767.09, 43023.97],
    ]),
    "--code BTC_USD --day-at 16:30",
    "BTC_USD: 2023-12-13=42890.74 2023-12-14=43023.97",
  ],
];
