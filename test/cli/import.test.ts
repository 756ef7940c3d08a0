import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { readJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import { makeStore, mazaneh, temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

const HEADER = "code,value,businessTime\n";
const GOOD = "USD_RLS,1905000,2026-08-21T16:30:00Z\n";
const OTHER = "EUR_RLS,2200000,2026-08-21T16:30:00Z\n";

/** Makes an empty store, and files to import. */
async function workplace(
  t: TestContext,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<{ data: string; file(name: string): string }> {
  const directory = await temporaryDirectory(t);
  const file = (name: string): string => join(directory, name);
  for (const [name, content] of Object.entries(files)) await writeFile(file(name), content);
  return { data: await makeStore(file("data")), file };
}

async function stored(data: string): Promise<string[]> {
  const { observations } = await readJsonFiles(data);
  return [...observations.records()].map(({ code, value, businessTime, provider }) => {
    return `${code} ${value} ${new Date(businessTime).toISOString()} ${provider}`;
  });
}

test("import --json: the first thousand refused lines are listed", async (t) => {
  const { data, file } = await workplace(t, { "bad.csv": HEADER + "NO,1,T\n".repeat(12_000) + GOOD });
  const { code, json } = await mazaneh(["import", "--json", "--data", data, file("bad.csv")]);
  assert.deepEqual([code, json()["accepted"], json()["refused"]], [65, 1, 12_000]);
  const refusals = json()["refusals"] as unknown as readonly object[];
  assert.equal(refusals.length, 1_000);
  assert.deepEqual(refusals[999], { file: file("bad.csv"), line: 1_001, reason: 'code "NO" is not in the catalog' });
});

test("import: the readable part of a damaged file is stored: 65", async (t) => {
  const torn = gzipSync(HEADER + GOOD + OTHER.repeat(50_000)).subarray(0, 300);
  const { data, file } = await workplace(t, { "torn.csv.gz": torn });
  const { code, json } = await mazaneh(["import", "--json", "--data", data, file("torn.csv.gz"), file("none.csv")]);
  const files = json()["files"] as unknown as readonly { failure: string }[];
  assert.deepEqual(
    [code, files.map(({ failure }) => failure)],
    [65, ["its compressed data is damaged: unexpected end of file", "there is no such file"]],
  );
  assert.deepEqual(await stored(data), [
    "USD_RLS 1905000 2026-08-21T16:30:00.000Z null",
    "EUR_RLS 2200000 2026-08-21T16:30:00.000Z null",
  ]);
});

test("import: gzip is recognized by its first bytes in files of any name, and on standard input in chunks of any size", async (t) => {
  const { data, file } = await workplace(t, { "packed.csv": gzipSync(HEADER + GOOD) });
  const members = [...gzipSync(HEADER + GOOD), ...gzipSync(HEADER + OTHER)].map((byte) => Uint8Array.of(byte));
  const { code, out } = await program(["import", "--data", data, file("packed.csv"), "-"], { input: members });
  assert.equal(code, 0);
  assert.match(out, /packed\.csv +1 +0 +0 +0\nstandard input +1 +0 +1 +0\ntotal +2 +0 +1 +0\nThis is import 1/);
});

test("import: repeating a file leaves every record unchanged, even with several batches and the newest record first", async (t) => {
  const rows = Array.from(
    { length: 12_345 },
    (_, at) => `BTC_USD,${at + 1},${new Date(Date.UTC(2026, 9, 1) - at * 60_000).toISOString()}\n`,
  );
  const { data, file } = await workplace(t, { "many.csv": HEADER + rows.join("") });
  for (const expected of [
    [12_345, 0, 0],
    [0, 0, 12_345],
  ]) {
    const counts = (await mazaneh(["import", "--json", "--data", data, file("many.csv")])).json();
    assert.deepEqual([counts["accepted"], counts["replaced"], counts["unchanged"]], expected);
  }
  const records = await stored(data);
  assert.deepEqual([records.length, records.at(-1)], [12_345, "BTC_USD 1 2026-10-01T00:00:00.000Z null"]);
});

test("import: no copy of standard input is left among the temporary files", async (t) => {
  const { data } = await workplace(t, {});
  const copies = async () => (await readdir(tmpdir())).filter((name) => name.startsWith("mazaneh-import-"));
  const had = await copies();
  await program(["import", "-", "--data", data], { asks: true, input: [HEADER + GOOD] });
  assert.deepEqual(await copies(), had);
});
