import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { readJsonFiles } from "../../../adapters/json_files/mod.ts";
import { mazaneh, temporaryDirectory } from "../../support/cli.ts";
import { program } from "../../support/cli_program.ts";

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
  const data = join(directory, "data");
  const { code, err } = await program(["import", "--data", data, "-"], { input: [RECORDS] });
  assert.deepEqual([code, err], [0, ""]);
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
  assert.equal(out, `${COLUMNS}
USD_RLS,1,2026-08-20T16:30:00.000Z,,,REJECTED,typing error
USD_RLS,1905000,2026-08-21T16:30:00.000Z,,our desk,ACCEPTED,
USD_RLS,1910000,2026-08-22T16:30:00.000Z,,our desk,PENDING,"to be
looked at"
USD_RLS,1900000,2026-08-23T16:30:00.000Z,,میز ما,ACCEPTED,fine
`);
});

test("export: --code may be given several times; --from is included, --to excluded", async (t) => {
  const { data } = await filled(t);
  const { out } = await program([
    "export", "--data", data, "--format", "ndjson", "--code", "PEPE_USD", "--code", "USD_RLS",
    "--from", "2026-08-21T16:30:00Z", "--to", "2026-08-23T20:00:00+03:30",
  ]);
  assert.equal(out, [
    '{"code":"USD_RLS","value":1905000,"businessTime":"2026-08-21T16:30:00.000Z","provider":"our desk","qualityStatus":"ACCEPTED"}\n',
    '{"code":"PEPE_USD","value":0.00000098,"businessTime":"2026-08-21T16:30:00.000Z","sourceTime":"2026-08-21T16:29:59.500Z","provider":"desk \\"A\\", Tehran","qualityStatus":"ACCEPTED"}\n',
  ].join(""));
});

for (const format of ["csv", "ndjson"]) {
  test(`export --format ${format}, then import into an empty store: the same records`, async (t) => {
    const { directory, data } = await filled(t);
    const { out } = await program(["export", "--data", data, "--all-statuses", "--format", format]);
    const copy = join(directory, "copy");
    assert.equal((await program(["import", "--data", copy, "-"], { input: [out] })).code, 0);
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
  assert.deepEqual(JSON.parse(json.out), { file, records: 4 });
  assert.deepEqual((await readdir(directory)).sort(), ["all.csv", "data"]);

  const wrong = await program(["export", "--data", data, "--out", join(directory, "none", "all.csv")]);
  assert.equal(wrong.code, 70);
  assert.match(wrong.err, /^mazaneh: ENOENT.*\n$/);
});

test("export: without a store there is nothing to export, and none is made", async (t) => {
  const directory = await temporaryDirectory(t);
  const { code, err } = await program(["export", "--data", join(directory, "data")]);
  assert.equal(code, 64);
  assert.match(err, /^mazaneh: There is no data directory ".*"; serve, import and keys create make one\n$/);
  assert.deepEqual(await readdir(directory), []);
  assert.equal((await program(["export", "--data", directory])).code, 65);
});

test("export: a reader that has enough ends it without an error", async (t) => {
  const directory = await temporaryDirectory(t);
  const data = join(directory, "data");
  const rows = Array.from({ length: 30_000 }, (_, at) => `BTC_USD,1,${new Date(at * 60_000).toISOString()}\n`);
  await program(["import", "--data", data, "-"], { input: ["code,value,businessTime\n", ...rows] });
  const run = await mazaneh(["export", "--data", data], { readBytes: 100 });
  assert.deepEqual([run.code, run.err], [0, ""]);
});
