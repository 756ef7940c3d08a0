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

test("export: accepted records in catalog order, then by business time, values in plain decimal", async (t) => {
  const { data } = await filled(t);
  const { code, out, err } = await mazaneh(["export", "--data", data]);
  assert.deepEqual([code, out, err], [0, ACCEPTED, ""]);
});

test("export: --all-statuses has the others in their places", async (t) => {
  const { data } = await filled(t);
  const { out } = await program(["export", "--data", data, "--all-statuses", "--code", "USD_RLS"]);
  assert.equal(
    out,
    `${COLUMNS}
USD_RLS,1,2026-08-20T16:30:00.000Z,,,REJECTED,typing error
USD_RLS,1905000,2026-08-21T16:30:00.000Z,,our desk,ACCEPTED,
USD_RLS,1910000,2026-08-22T16:30:00.000Z,,our desk,PENDING,"to be
looked at"
USD_RLS,1900000,2026-08-23T16:30:00.000Z,,میز ما,ACCEPTED,fine
`,
  );
});

test("export: --code may be given several times; --from is included, --to excluded", async (t) => {
  const { data } = await filled(t);
  const { out } = await program([
    "export",
    "--data",
    data,
    "--format",
    "ndjson",
    "--code",
    "PEPE_USD",
    "--code",
    "USD_RLS",
    "--from",
    "2026-08-21T16:30:00Z",
    "--to",
    "2026-08-23T20:00:00+03:30",
  ]);
  assert.equal(
    out,
    [
      '{"code":"USD_RLS","value":1905000,"businessTime":"2026-08-21T16:30:00.000Z","provider":"our desk","qualityStatus":"ACCEPTED"}\n',
      '{"code":"PEPE_USD","value":0.00000098,"businessTime":"2026-08-21T16:30:00.000Z","sourceTime":"2026-08-21T16:29:59.500Z",',
      '"provider":"desk \\"A\\", Tehran","qualityStatus":"ACCEPTED"}\n',
    ].join(""),
  );
});

test("export: a day of --from and --to is one of the market, and that of --to is included", async (t) => {
  const { data } = await filled(t);
  const run = async (...args: string[]) =>
    (await program(["export", "--data", data, "--code", "USD_RLS", ...args])).out.match(/2026-08-\d\d/g);
  assert.deepEqual(await run("--from", "2026-08-22"), ["2026-08-23"]);
  assert.deepEqual(await run("--to", "2026-08-21"), ["2026-08-21"]);
  assert.deepEqual(await run("--from", "2026-08-21", "--to", "2026-08-23"), ["2026-08-21", "2026-08-23"]);
  assert.deepEqual(
    await run("--to", "2026-08-21", "--market-time-zone", "Pacific/Auckland"),
    null,
    "16:30 UTC is the next day there",
  );
});

test("export: records of codes that the catalog does not have are left out, and said on standard error", async (t) => {
  const { directory, data } = await filled(t);
  const [adds, drops, file] = ["adds.json", "drops.json", "all.csv"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(
    adds,
    JSON.stringify({
      assets: { add: [{ code: "ZZZ_USD", category: "FX", nameEn: "Nobody's Krone", nameFa: "کرون هیچ‌کس" }] },
    }),
  );
  await writeFile(drops, JSON.stringify({ assets: { drop: ["USD_RLS"] } }));
  const input = ["code,value,businessTime\nZZZ_USD,0.1,2026-08-21T16:30:00Z\n"];
  assert.equal((await program(["import", "--data", data, "--config", adds, "-"], { input })).code, 0);
  const run = (...args: string[]) => program(["export", "--data", data, ...args]);
  const note =
    "Records of codes that the catalog does not have were left out: 1 of ZZZ_USD; name the --config that adds them\n";

  const plain = await run();
  assert.deepEqual([plain.code, plain.out, plain.err], [0, ACCEPTED, note]);
  const json = await run("--out", file, "--json");
  assert.deepEqual(
    [json.code, JSON.parse(json.out), json.err],
    [0, { file, records: 4, leftOut: { ZZZ_USD: 1 } }, note],
  );
  const snapshot = await run("--snapshot", "--out", file);
  assert.deepEqual([snapshot.code, snapshot.err], [0, note]);
  const dropped = await run("--config", drops, "--all-statuses");
  assert.equal(
    dropped.err,
    `Records of codes that the catalog does not have were left out: 5 of USD_RLS, ZZZ_USD; ${drops} drops them, or does not add them\n`,
  );

  const whole: readonly (readonly string[])[] = [
    ["--config", adds],
    ["--code", "BTC_USD"],
    ["--from", "2026-08-22"],
  ];
  for (const args of whole) assert.equal((await run(...args)).err, "", args.join(" "));
});

test("export --format csv-excel: the bytes of CSV after a byte order mark, so that Excel reads Persian text, also in a file", async (t) => {
  const { directory, data } = await filled(t);
  const file = join(directory, "excel.csv");
  assert.equal((await program(["export", "--data", data, "--format", "csv-excel", "--out", file])).code, 0);
  const { out } = await mazaneh(["export", "--data", data, "--format", "csv-excel"]);
  assert.deepEqual([await readFile(file, "utf8"), out], [`\ufeff${ACCEPTED}`, `\ufeff${ACCEPTED}`]);
});

for (const format of ["csv", "csv-excel", "ndjson"]) {
  test(`export --format ${format}, then import into an empty store: the same records`, async (t) => {
    const { directory, data } = await filled(t);
    const { out } = await program(["export", "--data", data, "--all-statuses", "--format", format]);
    const copy = join(directory, "copy");
    assert.equal((await program(["import", "--init", "--data", copy, "-"], { input: [out] })).code, 0);
    const records = async (place: string): Promise<object[]> => {
      const { observations } = await readJsonFiles(place);
      return [...observations.records()]
        .map(({ insertTime: _, ...rest }) => rest)
        .sort((a, b) => (a.code + a.businessTime < b.code + b.businessTime ? -1 : 1));
    };
    assert.deepEqual(await records(copy), await records(data));
    assert.equal((await program(["export", "--data", copy, "--all-statuses", "--format", format])).out, out);
  });
}

test("export --out: the file appears when all is written; --json tells how many", async (t) => {
  const { directory, data } = await filled(t);
  const file = join(directory, "all.csv");
  await writeFile(file, "old");
  const { code, out } = await program(["export", "--data", data, "--out", file]);
  assert.deepEqual([code, out], [0, `4 records are in ${file}.\n`]);
  assert.equal(await readFile(file, "utf8"), ACCEPTED);
  const json = await program(["export", "--data", data, "--out", file, "--json"]);
  assert.deepEqual(JSON.parse(json.out), { file, records: 4, leftOut: {} });
  assert.deepEqual((await readdir(directory)).sort(), ["all.csv", "data"]);

  const wrong = await program(["export", "--data", data, "--out", join(directory, "none", "all.csv")]);
  assert.equal(wrong.code, 70);
  assert.match(wrong.err, /^mazaneh: ENOENT.*\n$/);
});

test("export --out: a link is neither followed nor replaced, and nothing is left behind", async (t) => {
  const { directory, data } = await filled(t);
  const victim = join(directory, "victim");
  await writeFile(victim, "precious");
  const link = join(directory, "link.csv");
  await symlink(victim, link);
  for (const [path, what] of [
    [link, "is a symbolic link; name the file itself"],
    [data, "is not a regular file"],
  ] as const) {
    const { code, out, err } = await program(["export", "--data", data, "--out", path]);
    assert.deepEqual([code, out, err], [64, "", `mazaneh: Cannot write to "${path}" as it ${what}\n`]);
  }
  assert.equal(await readlink(link), victim);
  assert.equal(await readFile(victim, "utf8"), "precious");
  assert.deepEqual((await readdir(directory)).sort(), ["data", "link.csv", "victim"]);
});

test("export: what a spreadsheet would run gets an apostrophe in CSV, which import takes away; NDJSON has the text as it is", async (t) => {
  const directory = await temporaryDirectory(t);
  const data = await makeStore(join(directory, "data"));
  const texts = [
    "=1+1",
    "+1",
    "-1",
    "@x",
    "'=1",
    "''@x",
    "＝1+1",
    "'＠x",
    "'quoted",
    "a=b",
    "",
    "=cmd|' /C calc'!A0",
    '="a,b"',
  ];
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
  const cells = cellsOf(out);
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

/** All cells of a CSV text without line ends in its cells. */
function cellsOf(text: string): string[] {
  return text
    .trim()
    .split("\n")
    .flatMap((line) => {
      const fields = splitCsv(line);
      assert.ok(fields.ok, line);
      return [...fields.value];
    });
}

test("export: a reader that has enough ends it without an error", async (t) => {
  const directory = await temporaryDirectory(t);
  const data = await makeStore(join(directory, "data"));
  const rows = Array.from({ length: 2_500 }, (_, at) => `BTC_USD,1,${new Date(at * 60_000).toISOString()}\n`);
  await program(["import", "--data", data, "-"], { input: ["code,value,businessTime\n", ...rows] });
  const run = await spawned(["export", "--data", data], { readBytes: 100 });
  assert.deepEqual([run.code, run.err], [0, ""]);
});

test("export: it has read no more records than it has written, but for those of a part", async () => {
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
    assert.ok(read - written <= 5_000, `${read} were read, ${written} are written`);
  }
  assert.equal(written, 40_000);
});
