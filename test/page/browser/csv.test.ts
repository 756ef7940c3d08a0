import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { recordsCsv } from "../../../adapters/page/browser/data/ranges.ts";
import { readJsonFiles } from "../../../adapters/stores/json_files/mod.ts";
import { makeStore, mazaneh, temporaryDirectory } from "../../support/cli.ts";
import { withoutShown } from "../../support/run_import.ts";

const REST = { quoteUnit: "USD", labelEn: "Pepe / US Dollar", labelFa: "پپه / دلار آمریکا" } as const;

test("csv: small values are plain decimals, as the API writes them", () => {
  assert.match(
    recordsCsv([{ code: "PEPE_USD", value: 6.125e-7, businessTime: "2026-08-21T16:30:00.000Z", ...REST }]),
    /PEPE_USD,0\.0000006125,/,
  );
});

test("csv: all that the API tells of a record is in it, quoted where it must be", () => {
  const record = {
    code: "A",
    value: 1,
    businessTime: "2026-08-21T16:30:00.000Z",
    quoteUnit: "USD",
    labelEn: 'A "B", C',
    labelFa: "الف",
  } as const;
  assert.equal(
    recordsCsv([record]),
    'code,value,businessTime,quoteUnit,labelEn,labelFa\r\nA,1,2026-08-21T16:30:00.000Z,USD,"A ""B"", C",الف\r\n',
  );
});

test("csv: mazaneh import takes the file in as it is, to the last digit", async (t) => {
  const records = [
    { code: "PEPE_USD", value: 6.125e-7, businessTime: "2026-08-21T16:30:00.000Z", ...REST },
    { code: "PEPE_USD", value: 7.000000000000001e-7, businessTime: "2026-08-22T16:30:00.000Z", ...REST },
  ];
  const directory = await temporaryDirectory(t);
  const [data, file] = [await makeStore(join(directory, "data")), join(directory, "PEPE_USD.csv")];
  await writeFile(file, recordsCsv(records));
  const { code, err } = await mazaneh(["import", "--yes", "--data", data, file]);
  assert.deepEqual(
    [code, withoutShown(err).replaceAll(file, "FILE")],
    [
      0,
      'FILE: read as: CSV, values in the unit that column "quoteUnit" says\nFILE: ignored columns: labelEn, labelFa\n',
    ],
  );
  const { observations } = await readJsonFiles(data);
  const stored = [...observations.records()].map(({ code, value, businessTime }) => ({
    code,
    value,
    businessTime: new Date(businessTime).toISOString(),
  }));
  assert.deepEqual(
    stored,
    records.map(({ code, value, businessTime }) => ({ code, value, businessTime })),
  );
});
