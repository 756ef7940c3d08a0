import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { readJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import { makeStore, mazaneh, temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";
import { withoutShown } from "../support/run_import.ts";

const HEADER = "code,value,businessTime\n";
const GOOD = "USD_RLS,1905000,2026-08-21T16:30:00Z\n";
const OTHER = "EUR_RLS,2200000,2026-08-21T16:30:00Z\n";

const UNDO = /\nThis is import 1\. To take it back: (?:mazaneh|npx tsx \S+) imports undo 1 --data \S+\n$/;
const COUNTS = { accepted: 0, replaced: 0, unchanged: 0, kept: 0, refused: 0 };
/** What is told of a file without records. */
const NOTHING = {
  ...COUNTS,
  failure: null,
  needs: [],
  readAs: null,
  ignoredColumns: [],
  skipped: { withoutValue: 0, totals: 0, opens: 0, unwanted: 0 },
};

/** An empty store, and files beside it. */
async function workplace(
  t: TestContext,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<{ data: string; file(name: string): string }> {
  const directory = await temporaryDirectory(t);
  const file = (name: string): string => join(directory, name);
  for (const [name, content] of Object.entries(files)) await writeFile(file(name), content);
  return { data: await makeStore(file("data")), file };
}

async function stored(data: string): Promise<string[]> {
  const { observations } = await readJsonFiles(data);
  return [...observations.records()].map(({ code, value, businessTime, provider }) => {
    return `${code} ${value} ${new Date(businessTime).toISOString()} ${provider}`;
  });
}

test("import: a CSV file with BOM, CRLF, quotes, another order and a column too many is taken in", async (t) => {
  const csv =
    '\ufeffbusinessTime,provider,value,code,open\r\n2026-08-21T16:30:00Z,"our, desk",1905000,USD_RLS,1\r\n2026-08-22T20:00:00+03:30,,0.00000098,PEPE_USD,1';
  const { data, file } = await workplace(t, { "prices.csv": csv });
  const { code, out, err } = await mazaneh(["import", "--data", data, file("prices.csv")]);
  assert.deepEqual([code, withoutShown(err)], [0, `${file("prices.csv")}: ignored columns: open\n`]);
  assert.match(out, /^file +accepted +replaced +unchanged +refused\n.*prices\.csv +2 +0 +0 +0\nThis is import 1/);
  assert.match(out, UNDO);
  assert.deepEqual(await stored(data), [
    "USD_RLS 1905000 2026-08-21T16:30:00.000Z our, desk",
    "PEPE_USD 9.8e-7 2026-08-22T16:30:00.000Z null",
  ]);
});

test("import: bad lines are told with file, line and reason, the others are taken in: 65", async (t) => {
  const lines = [
    "USD_RLS,1905000,2026-08-21T16:30:00Z",
    "USD_XYZ,1,2026-08-21T16:30:00Z",
    "USD_RLS,1\u001b[31m\u202e,2026-08-21T16:30:00Z",
    "",
    "USD_RLS,1,yesterday",
    "USD_RLS,1,2999-01-01T00:00:00Z",
    "USD_RLS,1",
    'USD_RLS,"1,2026-08-22T16:30:00Z',
    `USD_RLS,${"9".repeat(20_000)},T`,
    "USD_RLS,0,2026-08-21T16:30:00Z",
    "USD_RLS,1910000,2026-08-22T16:30:00Z",
  ];
  const { data, file } = await workplace(t, { "prices.csv": HEADER + lines.join("\n") });
  const { code, out, err } = await program(["import", "--yes", "--data", data, file("prices.csv")], { asks: true });
  assert.equal(code, 65);
  assert.match(
    out,
    /prices\.csv +2 +0 +0 +8\nThis is import 1\. To take it back: (?:mazaneh|npx tsx \S+) imports undo 1 --data \S+\n$/,
  );
  assert.deepEqual(
    withoutShown(err)
      .replaceAll(`${file("prices.csv")}:`, "")
      .trimEnd()
      .split("\n"),
    [
      '3: code "USD_XYZ" is not in the catalog',
      '4: value must be a number above zero: received "1\\u001b[31m\\u202e", and 1 more line like this',
      '6: businessTime must be ISO 8601 with a zone, e.g. 2026-01-31T12:00:00Z: received "yesterday"',
      '7: businessTime is in the future: received "2999-01-01T00:00:00Z"',
      "8: line has 2 fields, the header 3",
      "9: a quoted field does not end",
      "10: line is longer than 16384 bytes",
      'Not in the catalog: USD_XYZ (did you mean USD_RLS (rial; 10 rial are 1 toman)?). "assets" in the config file (--config) adds codes to it',
    ],
  );
  assert.equal((await stored(data)).length, 2);
  const json = await mazaneh(["import", "--json", "--dry-run", "--data", data, file("prices.csv")]);
  assert.doesNotMatch(json.out.trimEnd(), /[\p{Cc}\p{Bidi_Control}]/u);
  assert.match(json.out, /received \\"1\\u001b\[31m\\u202e\\"/);
});

test("import: of lines that are rejected for the same reason the first is listed with their number; --json lists the first thousand", async (t) => {
  const { data, file } = await workplace(t, { "bad.csv": HEADER + "NO,1,T\n".repeat(12_000) + GOOD });
  const { code, err } = await program(["import", "--data", data, file("bad.csv")]);
  const lines = withoutShown(err).trimEnd().split("\n");
  assert.deepEqual([code, lines.length], [65, 3]);
  assert.match(lines[0]!, /bad\.csv:2: code "NO" is not in the catalog, and 999 more lines like this$/);
  assert.match(lines[1]!, /bad\.csv: 11,000 more were refused$/);
  assert.match(lines[2]!, /^Not in the catalog: NO\b/);

  const json = await mazaneh(["import", "--json", "--data", data, file("bad.csv")]);
  assert.deepEqual([json.code, json.err], [65, ""]);
  const report = json.json();
  assert.deepEqual(
    ["accepted", "replaced", "unchanged", "refused"].map((name) => report[name]),
    [0, 0, 1, 12_000],
  );
  assert.deepEqual(report["files"], [{ ...NOTHING, file: file("bad.csv"), unchanged: 1, refused: 12_000 }]);
  const refusals = report["refusals"] as unknown as readonly object[];
  assert.equal(refusals.length, 1_000);
  assert.deepEqual(refusals[999], { file: file("bad.csv"), line: 1_001, reason: 'code "NO" is not in the catalog' });
});

test("import: several files, one of which cannot be read: the others are taken in: 65", async (t) => {
  const { data, file } = await workplace(t, {
    "a.csv": HEADER + GOOD,
    "ohlc.csv": "code,businessTime,last\nUSD_RLS,2026-08-21T16:30:00Z,1\n",
    "torn.csv.gz": gzipSync(HEADER + GOOD + OTHER.repeat(50_000)).subarray(0, 300),
    "b.ndjson":
      '{"code":"GBP_RLS","value":2600000.5,"businessTime":"2026-08-21T16:30:00Z"}\n{"code":"EUR_RLS","value":"2.0"}\n',
  });
  await mkdir(file("folder"));
  const names = ["a.csv", "none.csv", "folder", "ohlc.csv", "torn.csv.gz", "b.ndjson"].map(file);
  const { code, out, err } = await program(["import", "--yes", "--data", data, ...names], { asks: true });
  assert.equal(code, 65);
  const lines = withoutShown(err)
    .replaceAll(`${file("")}/`, "")
    .trimEnd()
    .split("\n");
  assert.deepEqual(
    lines.filter((line) => !line.startsWith("torn")),
    [
      "none.csv: not imported: there is no such file",
      "folder: not imported: it is a directory",
      'ohlc.csv: its header lacks value: it is "code,businessTime,last"',
      'b.ndjson:2: businessTime must be ISO 8601 with a zone, e.g. 2026-01-31T12:00:00Z: received ""',
      "To import: mazaneh import ohlc.csv --yes --data data --map value=last",
    ],
  );
  assert.match(
    lines.find((line) => line.startsWith("torn"))!,
    /^torn\.csv\.gz: not read to its end: its compressed data is damaged: unexpected end of file$/,
  );
  assert.match(out, /a\.csv +1 +0 +0 +0\n/);
  assert.match(out, /ohlc\.csv +0 +0 +0 +0 +not imported\n/);
  assert.match(out, /b\.ndjson +1 +0 +0 +1\n/);
  assert.deepEqual(await stored(data), [
    "USD_RLS 1905000 2026-08-21T16:30:00.000Z null",
    "EUR_RLS 2200000 2026-08-21T16:30:00.000Z null",
    "GBP_RLS 2600000.5 2026-08-21T16:30:00.000Z null",
  ]);

  const report = (await mazaneh(["import", "--json", "--data", data, file("none.csv")])).json();
  assert.deepEqual(report["files"], [{ ...NOTHING, file: file("none.csv"), failure: "there is no such file" }]);
});

test("import: gzip is told by its first bytes, in files of any name and on standard input, several members too", async (t) => {
  const { data, file } = await workplace(t, { "packed.csv": gzipSync(HEADER + GOOD) });
  const members = Buffer.concat([gzipSync(HEADER + GOOD), gzipSync(HEADER + OTHER)]);
  const { code, out } = await mazaneh(["import", "--data", data, file("packed.csv"), "-"], { input: members });
  assert.equal(code, 0);
  assert.match(out, /packed\.csv +1 +0 +0 +0\nstandard input +1 +0 +1 +0\ntotal +2 +0 +1 +0\nThis is import 1/);
  assert.match(out, UNDO);
});

test("import: standard input may come in any pieces", async (t) => {
  const { data } = await workplace(t, {});
  const bytes = [...gzipSync(HEADER + GOOD)].map((byte) => Uint8Array.of(byte));
  const { code, out } = await program(["import", "--data", data, "-"], { input: bytes });
  assert.equal(code, 0);
  assert.match(
    out,
    /standard input +1 +0 +0 +0\nThis is import 1\. To take it back: (?:mazaneh|npx tsx \S+) imports undo 1 --data \S+\n$/,
  );
});

test("import: an empty file and an empty standard input are refused: 65", async (t) => {
  const { data, file } = await workplace(t, { "empty.csv": "" });
  const { code, err } = await mazaneh(["import", "--data", data, file("empty.csv"), "-"]);
  assert.equal(code, 65);
  assert.equal(err, `${file("empty.csv")}: not imported: it is empty\nstandard input: not imported: it is empty\n`);
});

test("import: a file again leaves every record unchanged, also beyond a batch and the newest first", async (t) => {
  const rows = Array.from(
    { length: 12_345 },
    (_, at) => `BTC_USD,${at + 1},${new Date(Date.UTC(2026, 9, 1) - at * 60_000).toISOString()}\n`,
  );
  const { data, file } = await workplace(t, { "many.csv": HEADER + rows.join("") });
  const countsOf = async () => {
    const { accepted, replaced, unchanged } = (
      await mazaneh(["import", "--json", "--data", data, file("many.csv")])
    ).json();
    return [accepted, replaced, unchanged];
  };
  assert.deepEqual(
    [await countsOf(), await countsOf()],
    [
      [12_345, 0, 0],
      [0, 0, 12_345],
    ],
  );
  const records = await stored(data);
  assert.deepEqual([records.length, records.at(-1)], [12_345, "BTC_USD 1 2026-10-01T00:00:00.000Z null"]);
});

test("import: refused lines come in the order of the file, those of the reader and those of the catalog", async (t) => {
  const bad = ["NO,1,2026-08-21T16:30:00Z", "USD_RLS,1", "NO,1,2026-08-21T16:30:00Z", "USD_RLS,2"];
  const { data, file } = await workplace(t, { "bad.csv": `${HEADER}${bad.join("\n")}\n` });
  const report = (await mazaneh(["import", "--json", "--data", data, file("bad.csv")])).json();
  const refusals = report["refusals"] as unknown as readonly { readonly line: number }[];
  assert.deepEqual(
    refusals.map(({ line }) => line),
    [2, 3, 4, 5],
  );
});

test("import: a person sees the progress, a pipe does not", async (t) => {
  const { data, file } = await workplace(t, { "prices.csv": HEADER + GOOD + OTHER });
  const seen = await program(["import", "--data", data, file("prices.csv")], { isTTY: true });
  assert.equal(withoutShown(seen.err), `\r\u001b[K${file("prices.csv")}: 2 records stored\r\u001b[K`);
  const piped = await program(["import", "--data", data, file("prices.csv")]);
  assert.equal(piped.err, "");
});

test("import: a wrong option leaves no data directory behind", async (t) => {
  const directory = await temporaryDirectory(t);
  assert.equal((await program(["import", "--init", "--data", join(directory, "data"), "--force", "x.csv"])).code, 64);
  assert.deepEqual(await readdir(directory), []);
});
