// Options of imports that are wrong, and questions about several files.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

const HEADER = "code,value,businessTime\n";
const T = "2026-08-21T16:30:00Z";

test("import: files that want the same are told in one line, and those that want nothing are imported", async (t) => {
  const directory = await temporaryDirectory(t);
  const files = {
    "my file.csv": "1,2026-08-21",
    "b.csv": "2,2026-08-22T16:30:00Z",
    "c.csv": "3,2026-08-23",
    "d.csv": `"1,234",${T}`,
  };
  for (const [name, row] of Object.entries(files)) await writeFile(join(directory, name), `${HEADER}USD_RLS,${row}\n`);
  const names = Object.keys(files).map((name) => join(directory, name));
  const data = join(directory, "data");
  const { code, err } = await program(["import", "--init", "--data", data, ...names, "--unit", "rial"], {
    now: "2026-11-21T10:00:00Z",
  });
  const tail = `--yes --doubtful accept --unit rial --init --data ${data}`;
  assert.deepEqual(
    [code, err.split("\n").filter((line) => line.startsWith("To import"))],
    [
      65,
      [
        `To import: mazaneh import '${names[0]!}' ${names[2]!} ${tail} --day-at 16:30`,
        `To import: mazaneh import ${names[3]!} ${tail} --decimal .`,
      ],
    ],
  );
  const json = await program(["import", "--json", "--data", data, names[3]!]);
  const [file] = json.json()["files"] as unknown as readonly { readonly needs: unknown }[];
  assert.deepEqual(file?.needs, [
    { option: "--decimal .", reason: 'value "1,234" can be read in two ways: as 1234 or as 1.234' },
  ]);
  assert.deepEqual(json.json()["toImport"], [
    `mazaneh import ${names[3]!} --yes --doubtful accept --data ${data} --decimal .`,
  ]);
});

test("import: options that cannot be used are refused before anything is read: 64", async () => {
  const wrong: readonly (readonly [readonly string[], string])[] = [
    [["--map", "value"], '--map wants COLUMN=NAME: received "value"'],
    [
      ["--map", "opens=x"],
      '--map has "opens", which is neither a column (code, value, businessTime, sourceTime, provider, qualityStatus, qualityMessage, time, open, high, low, close, end) nor an asset',
    ],
    [["--map", "value=x", "--map", "value=y"], "--map names value twice"],
    [["--code", "BTC"], '--code must be one of the catalog: received "BTC"; it may be BTC_USD or BTC_RLS'],
    [["--code", "BTC_USD", "--unit", "toman"], '--unit toman is for codes that end in _RLS: received "BTC_USD"'],
    [["--names", "x=FOO"], '--names wants NAME=CODE with codes of the catalog: received "x=FOO"'],
    [["--code", "USD_RLS", "--map", "EUR_RLS=x"], "--code is for tables without a column for each asset"],
    [
      ["--unit", "dollar"],
      '--unit is rial or toman or thousand rial or thousand toman or million rial or million toman: received "dollar"',
    ],
    [["--decimal", "x"], '--decimal is . or , or /: received "x"'],
    [["--calendar", "hijri"], '--calendar is gregorian or jalali: received "hijri"'],
    [["--date-order", "ydm"], '--date-order is dmy or mdy or ymd: received "ydm"'],
    [["--interval", "1x"], '--interval is a width such as 15m, 1h, 1d or 1w: received "1x"'],
    [["--day-at", "25:00"], '--day-at is a time such as 16:30: received "25:00"'],
    [["--zone", "Tehran"], '--zone is the name of a time zone such as Asia/Tehran: received "Tehran"'],
  ];
  for (const [args, message] of wrong) {
    const { code, err } = await program(["import", "--data", "/nowhere/at/all", "x.csv", ...args]);
    assert.deepEqual([code, err], [64, `mazaneh: ${message}\n`]);
  }
});
