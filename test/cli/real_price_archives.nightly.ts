import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Json } from "../support/api_under_test.ts";
import { mazaneh, serving, temporaryStore } from "../support/cli.ts";

// A folder with archives of real prices, which are not part of this package. Each file has one header line.
const FOLDER = process.env["MAZANEH_TEST_DATA"];
const skip = FOLDER === undefined ? "MAZANEH_TEST_DATA is not a folder with archives" : false;

/** The number of rows in each file, counted with another program. */
const ROWS: Readonly<Record<string, number>> = {
  "rial-daily-bonbast.csv.gz": 146_010,
  "rial-daily-bonbast-recent.csv": 2_706,
  "rial-daily-tgju.csv.gz": 101_030,
  "ounce-daily-tgju.csv.gz": 21_478,
  "crypto-daily-tgju.csv.gz": 25_469,
  "btc-usd-1m-2019.csv.gz": 512_727,
  "gold-ounce-usd-1s-2014-05.csv.gz": 163_952,
  "silver-ounce-usd-1h.csv.gz": 74_404,
  "gold-ounce-usd-4h.csv.gz": 26_630,
  "gold-ounce-usd-monthly.csv": 798,
  "crypto-ounce-daily-2026-09.csv": 350,
  "crypto-15m-2026-04-ohlc.csv.gz": 28_010,
  "crypto-1m-2019-06-ohlc.csv.gz": 163_008,
  "rial-daily-tgju-ohlc.csv.gz": 19_664,
};

/** The number of candles with a close that is not between low and high. */
const IMPOSSIBLE = { "rial-daily-tgju-ohlc.csv.gz": 22 } as const satisfies Readonly<Record<string, number>>;

/** Faults of these archives that the check of price levels finds. SOURCES.md lists the faults. */
const FAULTS: Readonly<Record<string, RegExp>> = {
  "rial-daily-bonbast.csv.gz": /^4 of 4,916 values of NIM_SEKKEH_RLS look like toman/m,
  "rial-daily-tgju.csv.gz": /^78 of 1,521 values of IQD_RLS look 1,000 times too high/m,
};

test("archives: one command imports the closing prices of all candles in a file, or all rows of a plain list except faulty ones", {
  skip,
}, async (t) => {
  const names = readdirSync(FOLDER!).filter((name) => /\.csv(\.gz)?$/.test(name));
  assert.deepEqual(new Set(Object.keys(ROWS)), new Set(names));
  for (const name of names) {
    const data = await temporaryStore(t);
    const run = (...options: string[]) =>
      mazaneh(["import", "--yes", "--data", data, join(FOLDER!, name), ...options], { asks: true });
    const { code, err } = await run("--dry-run");
    assert.equal(code, name in FAULTS || name in IMPOSSIBLE ? 65 : 0, `${name}: ${err}`);
    assert.match(err, FAULTS[name] ?? /^/);
    const [file] = (await run("--json", ...(name in FAULTS ? ["--doubtful", "pending"] : []))).json()[
      "files"
    ] as unknown as readonly Json[];
    const { accepted, replaced, unchanged, refused, failure } = file!;
    const impossible = name in IMPOSSIBLE ? IMPOSSIBLE[name as keyof typeof IMPOSSIBLE] : 0;
    assert.deepEqual(
      [name, Number(accepted) + Number(replaced) + Number(unchanged), refused, failure],
      [name, ROWS[name], impossible, null],
    );
  }
});

test("archives: imported records are served on their days in Tehran", { skip }, async (t) => {
  const data = await temporaryStore(t);
  assert.equal((await mazaneh(["import", "--data", data, join(FOLDER!, "rial-daily-bonbast.csv.gz")])).code, 0);
  const { key } = (await mazaneh(["keys", "create", "me", "--json", "--data", data])).json();
  const server = await serving(t, ["--data", data]);
  assert.deepEqual(server.state["records"], {
    assets: 33,
    from: "2012-10-09T16:30:00.000Z",
    to: "2026-08-21T16:30:00.000Z",
  });
  const days = [
    ["2018-10-01", 156_500],
    ["2024-01-15", 528_000],
    ["2025-03-20", 998_500],
    ["2026-08-21", 1_905_000],
  ] as const;
  for (const [day, value] of days) {
    const { status, json } = await server.get(`/api/v1/assets/USD_RLS/${day}`, String(key));
    assert.deepEqual([status, json["value"], String(json["businessTime"]).slice(0, 10)], [200, value, day]);
  }
});
