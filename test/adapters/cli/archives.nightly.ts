import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { mazaneh, serving, temporaryStore } from "../../support/cli.ts";
import type { Json } from "../../support/world.ts";

// Archives of real prices, which are not part of this package: each file has one header line.
const FOLDER = process.env["MAZANEH_TEST_DATA"];
const skip = FOLDER === undefined ? "MAZANEH_TEST_DATA names no folder of archives" : false;

/** Rows of each plain file, counted apart from this program. */
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
};

test("archives: every plain file is taken in to its last row, the OHLC files are refused as files", { skip }, async (t) => {
  const data = await temporaryStore(t);
  const names = readdirSync(FOLDER!).filter((name) => /\.csv(\.gz)?$/.test(name));
  const { code, err, json } = await mazaneh(["import", "--json", "--data", data, ...names.map((name) => join(FOLDER!, name))]);
  assert.equal(code, 65);
  // Known faults of these archives, too few of their records to stop the import.
  assert.match(err, /^76 values jump by a factor of 5 or more against the record before or after\. The largest jumps:\n(?:  IQD_RLS .*\n){3}This does not stop/);
  assert.match(err, /\nThis does not stop the import, as these are few and the values return\. [^\n]*\n$/);
  const files = json()["files"] as unknown as readonly Json[];
  const recordsOf = ({ accepted, replaced, unchanged }: Json): number => Number(accepted) + Number(replaced) + Number(unchanged);
  const read = files.map((file) => [String(file["file"]).slice(FOLDER!.length).replace(/^\//, ""), recordsOf(file), file["refused"]]);
  const expected = names.map((name) => [name, ROWS[name] ?? 0, 0]);
  assert.deepEqual(read, expected);
  for (const file of files) assert.equal(file["failure"] !== null, String(file["file"]).includes("-ohlc."));
  assert.deepEqual(new Set(Object.keys(ROWS)), new Set(names.filter((name) => !name.includes("-ohlc."))));
});

test("archives: what was imported is served on its Tehran days", { skip }, async (t) => {
  const data = await temporaryStore(t);
  assert.equal((await mazaneh(["import", "--data", data, join(FOLDER!, "rial-daily-bonbast.csv.gz")])).code, 0);
  const { key } = (await mazaneh(["keys", "create", "me", "--json", "--data", data])).json();
  const server = await serving(t, ["--data", data]);
  assert.deepEqual(server.state["records"], { assets: 33, from: "2012-10-09T16:30:00.000Z", to: "2026-08-21T16:30:00.000Z" });
  const days = [["2018-10-01", 156_500], ["2024-01-15", 528_000], ["2025-03-20", 998_500], ["2026-08-21", 1_905_000]] as const;
  for (const [day, value] of days) {
    const { status, json } = await server.get(`/api/v1/assets/USD_RLS/${day}`, String(key));
    assert.deepEqual([status, json["value"], String(json["businessTime"]).slice(0, 10)], [200, value, day]);
  }
});
