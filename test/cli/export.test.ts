import assert from "node:assert/strict";
import { readdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { exportText } from "../../adapters/cli/export_rows.ts";
import { splitCsv } from "../../adapters/intake/tables/split_fields.ts";
import { readJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import type { AssetCode, Observation } from "../../core/mod.ts";
import { makeStore, mazaneh, spawned, temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";
import { withoutShown } from "../support/run_import.ts";
import { observed } from "../support/store_suite.ts";

const COLUMNS = "code,value,businessTime,sourceTime,provider,qualityStatus,qualityMessage";

const RECORDS = `${COLUMNS}
BTC_USD,60000.5,2026-08-21T16:30:00Z,,,,
PEPE_USD,9.8e-7,2026-08-21T16:30:00Z,2026-08-21T16:29:59.5Z,"desk ""A"", Tehran",,
USD_RLS,1910000,2026-08-22T16:30:00Z,,our desk,PENDING,"to be
looked at"
USD_RLS,1905000,2026-08-21T16:30:00Z,,our desk,,
USD_RLS,1900000,2026-08-23T16:30:00Z,,میز ما,ACCEPTED,fine
USD_RLS,1,2026-08-20T16:30:00Z,,,REJECTED,typing error
`;

const ACCEPTED = `${COLUMNS}
USD_RLS,1905000,2026-08-21T16:30:00.000Z,,our desk,ACCEPTED,
USD_RLS,1900000,2026-08-23T16:30:00.000Z,,میز ما,ACCEPTED,fine
BTC_USD,60000.5,2026-08-21T16:30:00.000Z,,,ACCEPTED,
PEPE_USD,0.00000098,2026-08-21T16:30:00.000Z,2026-08-21T16:29:59.500Z,"desk ""A"", Tehran",ACCEPTED,
`;

async function filled(t: TestContext): Promise<{ directory: string; data: string }> {
  const directory = await temporaryDirectory(t);
  const data = await makeStore(join(directory, "data"));
  const { code, err } = await program(["import", "--data", data, "-"], { input: [RECORDS] });
  assert.deepEqual([code, withoutShown(err)], [0, ""]);
  return { directory, data };
}

test("export --format csv-excel: the CSV begins with a byte order mark, on the terminal and in a file, so that Excel reads Persian text", async (t) => {
  const { directory, data } = await filled(t);
  const file = join(directory, "excel.csv");
  assert.equal((await program(["export", "--data", data, "--format", "csv-excel", "--out", file])).code, 0);
  const { out } = await mazaneh(["export", "--data", data, "--format", "csv-excel"]);
  assert.deepEqual([await readFile(file, "utf8"), out], [`\ufeff${ACCEPTED}`, `\ufeff${ACCEPTED}`]);
});

test("export: leaves unreadable records out, says so, and ends with exit code 2", async (t) => {
  const { directory, data } = await filled(t);
  const [name] = (await readdir(join(data, "obs"))).filter((one) => one.startsWith("obs-"));
  const log = await readFile(join(data, "obs", name!), "utf8");
  await writeFile(join(data, "obs", name!), log.replace("1905000", "1905001"));
  const { code, err } = await program(["export", "--data", data, "--out", join(directory, "rest.csv")]);
  assert.deepEqual([code, err.trim()], [2, "Unreadable places, whose records were left out: 1; see mazaneh verify"]);
});

test("export in each format: an import into an empty store gives the same records", async (t) => {
  const { directory, data } = await filled(t);
  const records = async (place: string): Promise<object[]> =>
    [...(await readJsonFiles(place)).observations.records()]
      .map(({ insertTime: _, ...rest }) => rest)
      .sort((a, b) => (a.code + a.businessTime < b.code + b.businessTime ? -1 : 1));
  for (const format of ["csv", "csv-excel", "ndjson"]) {
    const { out } = await program(["export", "--data", data, "--all-statuses", "--format", format]);
    const copy = join(directory, format);
    assert.equal((await program(["import", "--init", "--data", copy, "-"], { input: [out] })).code, 0);
    assert.deepEqual(await records(copy), await records(data));
    assert.equal((await program(["export", "--data", copy, "--all-statuses", "--format", format])).out, out);
  }
});

test("export --out: a link is neither followed nor replaced, and no temporary file is left", async (t) => {
  const { directory, data } = await filled(t);
  const victim = join(directory, "victim");
  await writeFile(victim, "precious");
  const link = join(directory, "link.csv");
  await symlink(victim, link);
  const { code, out } = await program(["export", "--data", data, "--out", link]);
  assert.deepEqual([code, out], [64, ""]);
  assert.equal(await readlink(link), victim);
  assert.equal(await readFile(victim, "utf8"), "precious");
  assert.deepEqual((await readdir(directory)).sort(), ["data", "link.csv", "victim"]);
});

test("export: in CSV, text that a spreadsheet would run gets an apostrophe in front, and import removes the apostrophe; in NDJSON, the text is unchanged", async (t) => {
  const directory = await temporaryDirectory(t);
  const data = await makeStore(join(directory, "data"));
  const texts = ["=1+1", "+1", "-1", "@x", "'=1", "''@x", "＝1+1", "'＠x", "'quoted", "a=b", "", "=cmd|' /C calc'!A0"];
  texts.push('="a,b"');
  const lines = texts.map((text, at) =>
    JSON.stringify({
      code: "BTC_USD",
      value: 1,
      businessTime: new Date(at * 60_000).toISOString(),
      provider: text,
      qualityMessage: text,
    }),
  );
  assert.equal((await program(["import", "--data", data, "-"], { input: [lines.join("\n")] })).code, 0);
  const { out } = await program(["export", "--data", data]);
  const cells = out
    .trim()
    .split("\n")
    .flatMap((line) => {
      const fields = splitCsv(line);
      assert.ok(fields.ok, line);
      return fields.value;
    });
  assert.ok(cells.length > 0 && cells.every((cell) => !/^[=+\-@\t\r＝＠]/.test(cell)), cells.join("\n"));
  const copy = join(directory, "copy");
  assert.equal((await program(["import", "--init", "--data", copy, "-"], { input: [out] })).code, 0);
  const messages = [...(await readJsonFiles(copy)).observations.records()].map(({ qualityMessage }) => qualityMessage);
  assert.deepEqual(messages, texts);
  const { out: ndjson } = await program(["export", "--data", copy, "--format", "ndjson"]);
  assert.deepEqual(
    ndjson
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { qualityMessage?: string }).qualityMessage ?? ""),
    texts,
  );
});

test("export: ends without an error when the reader closes the pipe", async (t) => {
  const directory = await temporaryDirectory(t);
  const data = await makeStore(join(directory, "data"));
  const rows = Array.from({ length: 2_500 }, (_, at) => `BTC_USD,1,${new Date(at * 60_000).toISOString()}\n`);
  await program(["import", "--data", data, "-"], { input: ["code,value,businessTime\n", ...rows] });
  const run = await spawned(["export", "--data", data], { readBytes: 100 });
  assert.deepEqual([run.code, run.err], [0, ""]);
});

test("export: at no time are more than 5,000 records read but not yet written", async () => {
  const codes = ["USD_RLS", "EUR_RLS"] as AssetCode[];
  let read = 0;
  function* records(): Generator<Observation> {
    for (; read < 40_000; read++) yield observed(read, 1_000, { code: codes[Math.floor(read / 20_000)]! });
  }
  const format = { head: "", row: () => "row\n" };
  const selection = { codes, from: -Infinity, to: Infinity, allStatuses: false };
  let written = 0;
  for await (const part of exportText(records(), selection, format).parts) {
    written += part.split("\n").length - 1;
    assert.ok(read - written <= 5_000, `${read} read, ${written} written`);
  }
  assert.equal(written, 40_000);
});
