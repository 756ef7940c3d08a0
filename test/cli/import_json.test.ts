// Imports that a case in `odd_files/shapes.txt` cannot express: API answers, damaged JSON, archives of several files.
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
const CANDLE_END = "2026-08-21T16:44:59.999Z";

test("JSON: saved answers of all routes are imported, even two in one file; incomplete candles are left out", async (t) => {
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

test("JSON: ten million brackets and four million lists are refused, and brackets in texts do not count", () => {
  for (const [json, reason] of [
    ["[".repeat(10_000_000), "its JSON is more than 10 lists or objects deep"],
    [`["${"[".repeat(100)}\\"[`, "its JSON is damaged or incomplete; none of it was read"],
    [
      `[${"[],".repeat(4_000_000)}[]]`,
      "its JSON has more than 64 MB or 8,000,000 values: write one object a line, e.g. with jq -c '.[]'",
    ],
  ] as const) {
    const reader = createRecordReader(formats());
    for (let at = 0; at < json.length; at += 65_536) reader.push(Buffer.from(json.slice(at, at + 65_536)));
    assert.deepEqual([[...reader.end()], reader.facts.failure], [[], { reason }]);
  }
});

test("import: a file is read as Windows-1256 if any byte is not UTF-8, even a byte near its end", async (t) => {
  const rows = `code,value,businessTime,provider\n${`USD_RLS,1905000,${T},\n`.repeat(5_000)}USD_RLS,1905000,${T},`;
  const { code, notes } = await importOne(t, Buffer.concat([Buffer.from(rows), Buffer.from([0xd5, 0x0a])]));
  assert.deepEqual([code, notes], [0, ["read as: text in Windows-1256"]]);
});

test("zip: one of several files is imported by its name, and a missing file is reported", async (t) => {
  const directory = await temporaryDirectory(t);
  const archive = join(directory, "prices.zip");
  await writeFile(
    archive,
    zipOf([
      { name: "a/usd.csv", content: "x" },
      { name: "eur.json", content: JSON.stringify([{ code: "USD_RLS", value: 1905000, businessTime: T }]) },
    ]),
  );
  const importOf = async (name: string) =>
    (await program(["import", "--init", "--data", join(directory, "data"), join(archive, name), "--json"])).json();
  assert.equal((await importOf("eur.json"))["accepted"], 1);
  const { files } = (await importOf("no.csv")) as unknown as { files: readonly { failure: string }[] };
  assert.match(files[0]!.failure, /no file "no\.csv"/);
});
