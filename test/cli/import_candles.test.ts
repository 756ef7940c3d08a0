// Tables of open, high, low and close: the close is stored at the end of its candle, or with --ohlc all four within it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { importOne } from "../support/run_import.ts";

const CODE = ["--code", "USD_RLS"];
const UTC = ["--zone", "UTC"];
const DAYS =
  "date,open,high,low,close,volume\n2026-08-19,100,130,90,120,5\n2026-08-20,120,125,115,118,5\n2026-08-22,118,140,118,140,5\n";
const HOURS =
  "نماد,تاریخ,ساعت,باز,بیشترین,کمترین,پایانی\nUSD_RLS,1405/05/30,09:00,100,130,90,120\nUSD_RLS,1405/05/30,10:00,120,125,115,118\n";
const T = Date.parse("2026-08-21T09:00:00Z");

/** `value time` of each record, the hours in UTC. */
const tables: readonly (readonly [
  what: string,
  file: string,
  args: readonly string[],
  reading: string,
  stored: readonly string[],
])[] = [
  [
    "of days, newest first or last",
    DAYS,
    [...CODE, ...UTC],
    "candles of 1d, each as its close at the end of the day in UTC",
    ["120 2026-08-19T23:59:59.999Z", "118 2026-08-20T23:59:59.999Z", "140 2026-08-22T23:59:59.999Z"],
  ],
  [
    "of days in Tehran",
    DAYS,
    CODE,
    "candles of 1d, each as its close at the end of the day in Asia/Tehran",
    ["120 2026-08-19T20:29:59.999Z", "118 2026-08-20T20:29:59.999Z", "140 2026-08-22T20:29:59.999Z"],
  ],
  [
    "of days with --day-at",
    DAYS,
    [...CODE, "--day-at", "16:30"],
    "candles of 1d, each as its close at 16:30 Asia/Tehran",
    ["120 2026-08-19T13:00:00.000Z", "118 2026-08-20T13:00:00.000Z", "140 2026-08-22T13:00:00.000Z"],
  ],
  [
    "of weeks",
    "date,open,high,low,close\n2026-08-01,1,3,1,2\n2026-08-08,2,4,2,3\n",
    [...CODE, ...UTC],
    "candles of 1w, each as its close at the end of the day in UTC",
    ["2 2026-08-07T23:59:59.999Z", "3 2026-08-14T23:59:59.999Z"],
  ],
  [
    "of hours in two columns",
    HOURS,
    ["--zone", "Asia/Tehran"],
    "candles of 1h, each as its close at its end",
    ["120 2026-08-21T06:29:59.999Z", "118 2026-08-21T07:29:59.999Z"],
  ],
  [
    "of hours with --ohlc",
    HOURS,
    ["--zone", "Asia/Tehran", "--ohlc"],
    "candles of 1h, each as open, high, low and close from its start to its end",
    [
      "100 2026-08-21T05:30:00.000Z",
      "130 2026-08-21T05:49:59.999Z",
      "90 2026-08-21T06:09:59.999Z",
      "120 2026-08-21T06:29:59.999Z",
      "120 2026-08-21T06:30:00.000Z",
      "125 2026-08-21T06:49:59.999Z",
      "115 2026-08-21T07:09:59.999Z",
      "118 2026-08-21T07:29:59.999Z",
    ],
  ],
  [
    "whose price is the close",
    'Date,Price,Open,High,Low,Vol.\n"Aug 21, 2026",120,100,130,90,1K\n',
    [...CODE, ...UTC],
    "candles of 1d",
    ["120 2026-08-21T23:59:59.999Z"],
  ],
  [
    "with --interval",
    `start,open,high,low,close\n${T},1,3,1,2\n`,
    [...CODE, "--interval", "4h"],
    "candles of 4h, each as its close at its end",
    ["2 2026-08-21T12:59:59.999Z"],
  ],
  [
    "with start and end",
    JSON.stringify([{ start: T, end: T + 900_000, open: 1, high: 3, low: 1, close: 2 }]),
    CODE,
    "candles of 15m, each as its close at its end",
    ["2 2026-08-21T09:14:59.999Z"],
  ],
  [
    "with an end that is included",
    JSON.stringify([{ openTime: T, closeTime: T + 899_999, open: "1", high: "3", low: "1", close: "2" }]),
    CODE,
    "candles of 15m, each as its close at its end",
    ["2 2026-08-21T09:14:59.999Z"],
  ],
  [
    "with ends alone",
    `end,open,high,low,close\n${T},1,3,1,2\n${T + 3_600_000},2,4,2,3\n`,
    CODE,
    "candles of 1h, each as its close at its end",
    ["2 2026-08-21T08:59:59.999Z", "3 2026-08-21T09:59:59.999Z"],
  ],
  [
    "with prices that are missing",
    "date,open,high,low,close\n2026-08-19,-,,,120\n",
    [...CODE, ...UTC, "--ohlc"],
    "candles of 1d",
    ["120 2026-08-19T23:59:59.999Z"],
  ],
];
for (const [what, file, args, reading, expected] of tables) {
  test(`candles: ${what}`, async (t) => {
    const { notes, stored } = await importOne(t, file, [...args, "--yes"]);
    assert.ok(
      notes.some((note) => note.startsWith("read as") && note.includes(reading)),
      `${reading}: ${notes.join("\n")}`,
    );
    assert.deepEqual(
      stored,
      expected.map((record) => `USD_RLS ${record}`),
    );
  });
}

test("candles: rows whose prices cannot be those of one candle are refused, the others are stored", async (t) => {
  const rows = [
    "2026-08-17,100,90,110,100",
    "2026-08-18,100,130,90,140",
    "2026-08-19,100,130,90,80",
    "2026-08-20,100,130,90,-",
    "2026-08-21,100,130,90,120",
  ];
  const { code, notes, counts } = await importOne(t, `date,open,high,low,close\n${rows.join("\n")}\n`, [
    ...CODE,
    ...UTC,
    "--yes",
  ]);
  const reasons = [
    ":2: high 90 is below low 110",
    ":3: close 140 is above high 130",
    ":4: close 80 is below low 90",
    "1 cell without a value was skipped",
  ];
  assert.deepEqual([code, notes.slice(-4), counts], [65, reasons, ["1", "0", "0", "3"]]);
});

const OPENS = "date,open,high,low,close\n2026-08-19,80,130,90,120\n2026-08-20,120,125,115,118\n";
for (const [args, left, prices] of [
  [[], [], "120 118"],
  [["--ohlc"], ["1 open outside high and low was skipped"], "130 90 120 120 125 115 118"],
] as const) {
  test(`candles: an open outside high and low is not stored, its close is ${args.join(" ")}`, async (t) => {
    const { code, notes, stored } = await importOne(t, OPENS, [...CODE, ...UTC, ...args, "--yes"]);
    const values = stored.map((record) => record.split(" ")[1]).join(" ");
    const skipped = notes.filter((note) => note.endsWith("skipped"));
    assert.deepEqual([code, values, skipped], [0, prices, left], notes.join("\n"));
  });
}

const UNREADABLE: readonly (readonly [what: string, file: string, reason: string])[] = [
  ["the word null", `${OPENS}null,1,3,1,2\n`, ":4: businessTime must be ISO 8601"],
  ["hour 25", `${OPENS}2026-08-21T25:00:00Z,1,3,1,2\n`, ":4: businessTime"],
  ["a second header", OPENS.replace("\n", "\nTicker,A,A,A,A\n"), ":2: "],
  [
    "null in JSON",
    '[{"date":"2026-08-19","open":1,"high":3,"low":1,"close":2},{"date":null,"open":1,"high":3,"low":1,"close":2}]',
    ":2: businessTime",
  ],
  [
    "an end that is none",
    "start,end,open,high,low,close\n2026-08-19T00:00:00Z,2026-08-20T00:00:00Z,1,3,1,2\n2026-08-20T00:00:00Z,soon,1,3,1,2\n",
    ':3: its candle\'s end "soon" is not a time after its start',
  ],
];
for (const [what, file, reason] of UNREADABLE) {
  test(`candles: an unreadable time costs its row alone: ${what}`, async (t) => {
    for (const ohlc of [[], ["--ohlc"]]) {
      const { code, notes, counts } = await importOne(t, file, [...CODE, ...UTC, ...ohlc, "--yes"]);
      const found = notes.filter((note) => note.startsWith(reason));
      assert.deepEqual([code, found.length, counts[3]], [65, 1, "1"], notes.join("\n"));
    }
  });
}

test("candles: what is mapped or wider than a week is not taken for the close of a candle", async (t) => {
  const opens = await importOne(t, DAYS, [...CODE, ...UTC, "--map", "value=open", "--day-at", "9:00", "--yes"]);
  assert.equal(opens.stored[0], "USD_RLS 100 2026-08-19T09:00:00.000Z");
  const months = await importOne(t, "date,open,high,low,close\n2026-07-01,1,3,1,2\n2026-08-01,2,4,2,3\n", CODE);
  assert.deepEqual(months.notes, ["not imported: its candles are longer than a week, so their ends are not known"]);
});
