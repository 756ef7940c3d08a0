import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { readJsonFiles } from "../../../adapters/json_files/mod.ts";
import { openSnapshot } from "../../../adapters/edge_snapshot/mod.ts";
import { parseTimestamp } from "../../../core/time/timestamps.ts";
import type { AssetCode, UtcMillis } from "../../../core/mod.ts";
import { makeStore, temporaryDirectory } from "../../support/cli.ts";
import { program } from "../../support/cli_program.ts";

const RECORDS = `code,value,businessTime,sourceTime,provider,qualityStatus,qualityMessage
BTC_USD,60000.5,2026-08-21T16:30:00Z,,,,
USD_RLS,1910000,2026-08-22T16:30:00Z,,our desk,PENDING,to be looked at
USD_RLS,1905000,2026-08-21T16:30:00Z,2026-08-21T16:29:59.5Z,our desk,,
USD_RLS,1900000,2026-08-23T16:30:00Z,,میز ما,ACCEPTED,«نرخ»
`;
const CODES = ["USD_RLS", "BTC_USD", "EUR_RLS"] as AssetCode[];
const EDGES = ["2026-08-21T00:00:00Z", "2026-08-22T00:00:00Z", "2026-08-23T00:00:00Z", "2026-08-24T00:00:00Z"].map((text): UtcMillis => parseTimestamp(text)!.millis);

async function filled(t: TestContext): Promise<{ data: string; file: string }> {
  const directory = await temporaryDirectory(t);
  const data = await makeStore(join(directory, "data"));
  assert.equal((await program(["import", "--data", data, "-"], { input: [RECORDS] })).code, 0);
  return { data, file: join(directory, "prices.snapshot") };
}

test("export --snapshot: what the file answers is what the store answers, under the same versions", async (t) => {
  const { data, file } = await filled(t);
  const run = await program(["export", "--data", data, "--snapshot", "--out", file]);
  assert.deepEqual([run.code, run.out, run.err], [0, `3 records are in ${file}.\n`, ""]);
  const snapshot = openSnapshot(await readFile(file));
  const { observations } = await readJsonFiles(data);
  assert.deepEqual((await snapshot.latest(CODES)).value, (await observations.latest(CODES)).value);
  for (const code of ["USD_RLS", "BTC_USD"] as AssetCode[]) {
    assert.deepEqual((await snapshot.lastOfEach(code, EDGES)).value, (await observations.lastOfEach(code, EDGES)).value);
    assert.equal(await snapshot.version([code]), await observations.version([code]));
  }
  assert.equal(await snapshot.version(), await observations.version());
});

test("export --snapshot goes to standard output too; the same store makes the same bytes", async (t) => {
  const { data, file } = await filled(t);
  const { out } = await program(["export", "--data", data, "--snapshot"]);
  assert.equal((await program(["export", "--data", data, "--snapshot", "--out", file, "--json"])).out, `${JSON.stringify({ file, records: 3, leftOut: {} })}\n`);
  assert.equal(await readFile(file, "utf8"), out);
});

test("export --snapshot of a selection has a version of its own, as its answers differ", async (t) => {
  const { data } = await filled(t);
  const versions = new Set<string>();
  for (const selection of [[], ["--code", "USD_RLS"], ["--code", "BTC_USD"], ["--from", "2026-08-22T00:00:00Z"], ["--to", "2026-08-22T00:00:00Z"]]) {
    const { out } = await program(["export", "--data", data, "--snapshot", ...selection]);
    const version = await openSnapshot(out).version();
    assert.match(version, /^[0-9A-Za-z.]+$/);
    versions.add(version);
  }
  assert.equal(versions.size, 5);
  const { out } = await program(["export", "--data", data, "--snapshot", "--code", "USD_RLS", "--from", "2026-08-22T00:00:00Z"]);
  const snapshot = openSnapshot(out);
  assert.deepEqual((await snapshot.lastOfEach(CODES[0]!, EDGES)).value.map(({ value }) => value), [1_900_000]);
  assert.deepEqual((await snapshot.latest(CODES)).value.map((latest) => latest?.value), [1_900_000, undefined, undefined]);
});

test("export --snapshot takes neither a format nor records that are not accepted", async (t) => {
  const { data } = await filled(t);
  for (const more of [["--format", "csv"], ["--all-statuses"]]) {
    const { code, err } = await program(["export", "--data", data, "--snapshot", ...more]);
    assert.equal(code, 64);
    assert.match(err, /^mazaneh: --snapshot has a format of its own, and accepted records only: leave --format and --all-statuses out\n$/);
  }
});
