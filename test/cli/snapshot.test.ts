import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { readJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import { openSnapshot } from "../../adapters/stores/snapshot/mod.ts";
import type { AssetCode } from "../../core/mod.ts";
import { makeStore, temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

const RECORDS = `code,value,businessTime,sourceTime,provider,qualityStatus,qualityMessage
BTC_USD,60000.5,2026-08-21T16:30:00Z,,,,
USD_RLS,1910000,2026-08-24T16:30:00Z,,our desk,PENDING,to be looked at
USD_RLS,1905000,2026-08-21T16:30:00Z,2026-08-21T16:29:59.5Z,our desk,,
USD_RLS,1900000,2026-08-23T16:30:00Z,,میز ما,ACCEPTED,«نرخ»
`;
const CODES = ["USD_RLS", "BTC_USD", "EUR_RLS"] as AssetCode[];

test("export --snapshot: the file gives the same answers as the store; with a selection, only for the selected records", async (t) => {
  const directory = await temporaryDirectory(t);
  const [data, file] = [await makeStore(join(directory, "data")), join(directory, "prices.snapshot")];
  assert.equal((await program(["import", "--data", data, "-"], { input: [RECORDS] })).code, 0);
  const run = await program(["export", "--data", data, "--snapshot", "--out", file]);
  assert.deepEqual([run.code, run.out, run.err], [0, `3 records are in ${file}.\n`, ""]);
  const snapshot = openSnapshot(await readFile(file));
  const { observations } = await readJsonFiles(data);
  assert.deepEqual((await snapshot.coverage(CODES)).value, (await observations.coverage(CODES)).value);

  const { out } = await program(["export", "--data", data, "--snapshot", "--to", "2026-08-22"]);
  const values = (await openSnapshot(out).latest(CODES)).value.map((latest) => latest?.value);
  assert.deepEqual(values, [1_905_000, 60_000.5, undefined]);
});
