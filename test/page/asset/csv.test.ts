import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { readJsonFiles } from "../../../adapters/json_files/mod.ts";
import { recordsCsv } from "../../../adapters/page/browser/asset/csv.ts";
import { makeStore, mazaneh, temporaryDirectory } from "../../support/cli.ts";
import { withoutShown } from "../../support/imported.ts";

test("csv: small values are plain decimals, as the API writes them", () => {
  assert.match(recordsCsv([{ code: "PEPE_USD", value: 6.125e-7, businessTime: "2026-08-21T16:30:00.000Z" }]), /PEPE_USD,0\.0000006125,/);
});

test("csv: mazaneh import takes the file in as it is, to the last digit", async (t) => {
  const records = [
    { code: "PEPE_USD", value: 6.125e-7, businessTime: "2026-08-21T16:30:00.000Z" },
    { code: "PEPE_USD", value: 7.000000000000001e-7, businessTime: "2026-08-22T16:30:00.000Z" },
  ];
  const directory = await temporaryDirectory(t);
  const [data, file] = [await makeStore(join(directory, "data")), join(directory, "PEPE_USD.csv")];
  await writeFile(file, recordsCsv(records));
  const { code, err } = await mazaneh(["import", "--yes", "--data", data, file]);
  assert.deepEqual([code, withoutShown(err)], [0, ""]);
  const { observations } = await readJsonFiles(data);
  const stored = [...observations.records()].map(({ code, value, businessTime }) => ({ code, value, businessTime: new Date(businessTime).toISOString() }));
  assert.deepEqual(stored, records);
});
