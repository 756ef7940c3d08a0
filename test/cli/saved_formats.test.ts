// What --save remembers of an import: --like reads as then, and the program offers it for files that look the same.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

test("import --save remembers options, and --like uses them; files that look the same are told so", async (t) => {
  const home = await temporaryDirectory(t);
  const data = join(home, "data");
  const [first, second] = [join(home, "first.csv"), join(home, "second.csv")];
  await writeFile(first, "Datum;Kurs\n01/02/2026;1.905.000\n");
  await writeFile(second, "Datum;Kurs\n03/02/2026;2.224\n");
  const run = (...args: readonly string[]): ReturnType<typeof program> =>
    program(["import", "--data", data, ...args], { now: "2026-11-21T10:00:00Z", env: { HOME: home } });
  const options = [
    "--map",
    "businessTime=Datum,value=Kurs",
    "--decimal",
    ",",
    "--date-order",
    "dmy",
    "--day-at",
    "16:30",
  ];
  const saved = await run("--init", first, "--code", "USD_RLS", ...options, "--save", "my bank", "--yes");
  assert.equal(saved.code, 0);
  const formats = JSON.parse(await readFile(join(home, ".config/mazaneh/imports.json"), "utf8")) as Readonly<
    Record<string, unknown>
  >;
  assert.deepEqual(formats, { "my bank": { options, headers: ["CSV with semicolons: Datum,Kurs"] } });

  const offered = await run(second);
  assert.match(
    offered.err,
    new RegExp(`${second}: add --like 'my bank' --code CODE, where CODE is the asset's code\n$`),
  );
  const { code, err, out } = await run(
    second,
    "--code",
    "EUR_RLS",
    "--like",
    "my bank",
    "--decimal",
    ".",
    "--day-at",
    "17:00",
    "--yes",
  );
  assert.deepEqual([code, err.includes("dates at 17:00 Asia/Tehran, day first, values in rial")], [0, true]);
  assert.match(out, /second\.csv +1 +0 +0 +0/);

  assert.match((await run(second, "--like", "another")).err, /^mazaneh: --like: nothing was saved as "another"\n$/);
});

test("import: formats that cannot be read are none, and without a home there are none", async (t) => {
  const home = await temporaryDirectory(t);
  await writeFile(join(home, "table.csv"), "date,price\n2026-08-21,1\n");
  await mkdir(join(home, "mazaneh"));
  for (const text of ["{", "[]", '{"mine":{"options":[1],"headers":[]}}', '{"mine":null}']) {
    await writeFile(join(home, "mazaneh", "imports.json"), text);
    const { code } = await program(
      ["import", "--init", "--data", join(home, "data"), join(home, "table.csv"), "--like", "mine"],
      { env: { XDG_CONFIG_HOME: home } },
    );
    assert.equal(code, 64, text);
  }
  const homeless = [
    "import",
    "--init",
    "--data",
    join(home, "data"),
    join(home, "table.csv"),
    "--code",
    "USD_RLS",
    "--day-at",
    "16:30",
    "--save",
    "mine",
    "--yes",
  ];
  const { code, err } = await program(homeless, { env: {} });
  assert.deepEqual([code, err.includes("--save keeps formats below the home directory: set HOME")], [64, true]);
});
