// Files that are no plain table, as programs and services write them: what they hold is imported, or one sentence says what to do.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createRecordReader } from "../../adapters/intake/tables/record_reader.ts";
import { createWorld } from "../support/api_under_test.ts";
import { temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";
import { formats } from "../support/import_formats.ts";
import { importOne } from "../support/run_import.ts";
import { zipOf } from "../support/zip.ts";

const T = "2026-08-21T16:30:00Z";
const MS = Date.parse(T);
const ISO = "2026-08-21T16:30:00.000Z";
const USD = [`USD_RLS 1905000 ${ISO}`];
const ROW = { code: "USD_RLS", value: 1905000, businessTime: T };
const CODE = ["--code", "USD_RLS"];
const CANDLE_END = "2026-08-21T16:44:59.999Z";

/** What is stored of JSON, and how it is read. */
const shapes: readonly (readonly [
  what: string,
  json: unknown,
  args: readonly string[],
  form: string,
  stored: readonly string[],
])[] = [
  [
    "an answer with a list",
    { status: "ok", data: [ROW, { code: "EUR_RLS", value: null, businessTime: T }] },
    [],
    'list "data"',
    USD,
  ],
  ["a list within a list's place", { code: 0, result: { page: 1, items: [ROW] } }, [], 'list "items"', USD],
  ["a list under a name of its own", { ok: true, نرخ‌ها: [ROW], tags: ["a"] }, [], 'list "نرخ‌ها"', USD],
  ["one code for all rows", { symbol: "USD_RLS", history: [{ time: T, price: 1905000 }] }, [], 'list "history"', USD],
  ["one object in an answer", { data: ROW }, [], 'object "data"', USD],
  ["an object over several lines", ROW, [], "objects", USD],
  [
    "prices of CoinGecko",
    {
      prices: [
        [MS, 1905000],
        [MS + 1, null],
      ],
      market_caps: [[MS, 1]],
    },
    CODE,
    "pairs of time and value",
    USD,
  ],
  [
    "klines of Binance",
    [[MS, "1", "4", "1", "3", "9", MS + 899_999, "1", 5, "1", "1", "0"]],
    CODE,
    "lists without names",
    [`USD_RLS 3 ${CANDLE_END}`],
  ],
  [
    "history of TradingView",
    { s: "ok", t: [MS / 1000, MS / 1000 + 900], o: [1, 2], h: [4, 4], l: [1, 2], c: [3, 4], v: [] },
    CODE,
    "history of TradingView",
    [`USD_RLS 3 ${CANDLE_END}`, "USD_RLS 4 2026-08-21T16:59:59.999Z"],
  ],
  ["a line of TradingView", { t: [MS / 1000], c: [1905000] }, CODE, "history of TradingView", USD],
  [
    "a table of tgju",
    {
      draw: 1,
      data: [
        [
          "1,900,000",
          "1,890,000",
          "1,910,000",
          "1,905,000",
          "<span>5</span>",
          "<span>1%</span>",
          "2026/08/21",
          "1405/05/30",
        ],
      ],
    },
    [...CODE, "--zone", "UTC"],
    "table of tgju",
    ["USD_RLS 1905000 2026-08-21T23:59:59.999Z"],
  ],
  [
    "prices of tgju by name",
    { current: { USD_RLS: { p: "1,905,000", h: "1", dt: "low", ts: "2026-08-21 16:30:00" } }, last: [] },
    ["--zone", "UTC"],
    "of tgju",
    USD,
  ],
  ["records of pandas", [ROW], [], "array", USD],
  [
    "split of pandas",
    { columns: ["code", "value"], index: [MS], data: [["USD_RLS", 1905000]] },
    [],
    "split of pandas",
    USD,
  ],
  [
    "index of pandas",
    { 0: { code: "USD_RLS", value: 1905000, date: T }, 1: { code: "USD_RLS", value: null, date: T } },
    [],
    "rows of pandas",
    USD,
  ],
  ["index of pandas with times", { [T]: { code: "USD_RLS", value: 1905000 } }, [], "rows of pandas", USD],
  [
    "columns of pandas",
    { code: { 0: "USD_RLS" }, value: { 0: 1905000 }, date: { 0: MS } },
    [],
    "columns of pandas",
    USD,
  ],
  [
    "columns of pandas for each asset",
    { USD_RLS: { [MS]: 1905000, [MS + 1]: null } },
    ["--wide"],
    "columns of pandas",
    USD,
  ],
  [
    "a table of pandas",
    { schema: { fields: [{ name: "index" }], pandas_version: "1" }, data: [{ index: 0, ...ROW }] },
    [],
    'list "data"',
    USD,
  ],
  ["values by time", { [T]: 1905000 }, CODE, "values by time", USD],
  ["columns as lists", { date: [T], price: [1905000] }, CODE, "lists by column", USD],
  [
    "lists under names",
    [
      ["code", "price", "date"],
      ["USD_RLS", 1905000, T],
    ],
    [],
    "lists under names",
    USD,
  ],
];
for (const [what, json, args, form, expected] of shapes) {
  test(`JSON: ${what}`, async (t) => {
    for (const space of [0, 2]) {
      if (space === 0 && what.includes("over several lines")) continue;
      const { code, notes, stored } = await importOne(t, JSON.stringify(json, null, space), args);
      assert.deepEqual([code, stored], [0, expected], notes.join("\n"));
      assert.ok(notes[0]?.startsWith(`read as: JSON ${form}, whose elements are counted as lines`), notes[0]);
    }
  });
}

test("JSON: an answer without a code asks for it", async (t) => {
  const { code, notes, ready } = await importOne(t, JSON.stringify({ prices: [[MS, 1905000]] }));
  assert.deepEqual([code, notes.at(-1), ready], [65, "add --code CODE, where CODE is the asset's code", undefined]);
});

test("JSON: saved answers of all routes are imported, also two in one file; candles that are not complete are left out", async (t) => {
  const world = await createWorld({}, "2026-08-21T16:50:00Z");
  await world.feed(["USD_RLS", 1905000, T], ["USD_RLS", 1906000, "2026-08-21T16:46:00Z"]);
  const latest = ["USD_RLS 1906000 2026-08-21T16:46:00.000Z"];
  const base = "/api/v1/assets";
  const range = "from=2026-08-21T00:00:00Z&to=2026-08-22T00:00:00Z";
  const routes: readonly (readonly [target: string, stored: readonly string[]])[] = [
    [base, latest],
    [`${base}/supported`, latest],
    [`${base}/USD_RLS`, latest],
    [`${base}/USD_RLS/2026-08-21`, latest],
    [`${base}/USD_RLS/history?from=2026-08-20&to=2026-08-21`, latest],
    [`${base}/USD_RLS/ohlc?interval=15m&${range}`, [`USD_RLS 1905000 ${CANDLE_END}`]],
  ];
  for (const [target, expected] of routes) {
    const { text } = await world.ask(target);
    for (const file of [text, `${text}\n${text}`, `[${text},${text}]`, JSON.stringify(JSON.parse(text), null, 2)]) {
      const { stored, notes } = await importOne(t, file);
      assert.deepEqual(stored, expected, `${target}: ${notes.join("\n")}`);
    }
  }
});

test("JSON: an array, or objects of one line each, with lists in records is what it was", async (t) => {
  const record = { ...ROW, tags: [{ a: 1 }], meta: { b: {} } };
  for (const file of [JSON.stringify([record]), `${JSON.stringify(record)}\n${JSON.stringify(record)}\n`])
    assert.deepEqual((await importOne(t, file)).stored, USD);
});

const damaged: readonly (readonly [what: string, json: string, reason: string])[] = [
  ["ten million brackets", "[".repeat(10_000_000), "its JSON is more than 10 lists or objects deep"],
  ["objects in objects", `${'{"a":'.repeat(30)}1${"}".repeat(30)}`, "its JSON is more than 10 lists or objects deep"],
  ["brackets in texts", `["${"[".repeat(100)}\\"[`, "its JSON is damaged, or does not end; nothing of it was read"],
  [
    "four million lists",
    `[${"[],".repeat(4_000_000)}[]]`,
    "its JSON has more than 8,000,000 values: write one object a line, e.g. with jq -c '.[]'",
  ],
  [
    "an end that is cut",
    '{"data":[{"code":"USD_RLS"},',
    "its JSON is damaged, or does not end; nothing of it was read",
  ],
  ["no rows", '{"data":[]}', "its JSON is empty"],
];
for (const [what, json, reason] of damaged) {
  test(`JSON: ${what}: the file is refused`, () => {
    const reader = createRecordReader(formats());
    for (let at = 0; at < json.length; at += 65_536) reader.push(Buffer.from(json.slice(at, at + 65_536)));
    assert.deepEqual([[...reader.end()], reader.failure], [[], { reason }]);
  });
}

const foreign: readonly (readonly [what: string, bytes: string | Uint8Array, reason: RegExp])[] = [
  [
    "a PDF",
    "%PDF-1.7\n%âãÏÓ",
    /^not imported: it is a PDF, which has text on pages and no table: ask for the numbers as \.xlsx or CSV/,
  ],
  [
    "an old workbook",
    Buffer.from("d0cf11e0a1b11ae1", "hex"),
    /^not imported: it is an Excel file of the old kind \(\.xls\), or one with a password: save it as \.xlsx/,
  ],
  [
    "a web page saved as .xls",
    '\ufeff\n<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table>',
    /^not imported: it is a web page \(HTML\), as some sites name \.xls: open it/,
  ],
  ["a web page in UTF-16", Buffer.from("\ufeff<TABLE><tr>", "utf16le"), /^not imported: it is a web page \(HTML\)/],
  [
    "XML",
    '<?xml version="1.0"?><Workbook>',
    /^not imported: it is XML: open it in a spreadsheet program, and save it as \.xlsx or CSV$/,
  ],
  ["a RAR archive", "Rar!\x1a\x07", /^not imported: it is a RAR or 7z archive: unpack it first$/],
];
for (const [what, bytes, reason] of foreign) {
  test(`import: ${what}: one sentence says what to do: 65`, async (t) => {
    const { code, notes } = await importOne(t, bytes);
    assert.deepEqual([code, notes.length], [65, 1]);
    assert.match(notes[0]!, reason);
  });
}

test("import: Persian text of Windows is read, and the line says so, wherever its first letter stands", async (t) => {
  // نماد,قيمت,زمان, as Windows-1256 has it.
  const header = Buffer.from([0xe4, 0xe3, 0xc7, 0xcf, 0x2c, 0xde, 0xed, 0xe3, 0xca, 0x2c, 0xd2, 0xe3, 0xc7, 0xe4]);
  const { notes, stored } = await importOne(t, Buffer.concat([header, Buffer.from(`\nUSD_RLS,1905000,${T}\n`)]));
  const reading =
    'read as: text in Windows-1256, CSV, code from "نماد", value from "قيمت", businessTime from "زمان", values in rial for codes that end in _RLS';
  assert.deepEqual([notes, stored], [[reading], USD]);
  const before = `code,value,businessTime,provider\n${`USD_RLS,1905000,${T},\n`.repeat(5_000)}USD_RLS,1905000,${T},`;
  const late = Buffer.concat([Buffer.from(before), Buffer.from([0xd5, 0x0a])]);
  const { code, notes: notesOfLate } = await importOne(t, late);
  assert.deepEqual([code, notesOfLate], [0, ["read as: text in Windows-1256"]]);
});

test("zip: each of several files is imported under its own name, or one that is named alone", async (t) => {
  const directory = await temporaryDirectory(t);
  const archive = join(directory, "prices.zip");
  const table = (code: string): string => `code,value,businessTime\n${code},1905000,${T}\n`;
  await writeFile(
    archive,
    zipOf([
      { name: "a/usd.csv", content: table("USD_RLS") },
      { name: "__MACOSX/x", content: "" },
      { name: "eur.json", content: JSON.stringify([ROW]) },
    ]),
  );
  const run = (name: string): ReturnType<typeof program> =>
    program(["import", "--init", "--data", join(directory, "data"), name, "--json"], { now: "2026-11-21T10:00:00Z" });
  const { code, out } = await run(archive);
  const { files } = JSON.parse(out) as { files: readonly { file: string; failure: string | null }[] };
  assert.deepEqual(
    [code, files.map(({ file, failure }) => [file.slice(directory.length), failure])],
    [
      0,
      [
        ["/prices.zip/a/usd.csv", null],
        ["/prices.zip/eur.json", null],
      ],
    ],
  );
  assert.equal(JSON.parse((await run(join(archive, "eur.json"))).out).unchanged, 1);
  assert.equal(
    JSON.parse((await run(join(archive, "no.csv"))).out).files[0].failure,
    'its zip archive has no file "no.csv"',
  );
});
