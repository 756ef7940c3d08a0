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

test("import --json: at most a thousand refused lines are listed, in the order of the file; their reasons have no control characters", async (t) => {
  const evil = ["USD_RLS,1\u001b[31m\u202e,2026-08-21T16:30:00Z", `USD_RLS,${"9".repeat(20_000)},T`, "USD_RLS,1"];
  const { data, file } = await workplace(t, {
    "bad.csv": `${HEADER}${evil.join("\n")}\n${"NO,1,T\n".repeat(12_000)}${GOOD}`,
  });
  const { code, out, err, json } = await mazaneh(["import", "--json", "--data", data, file("bad.csv")]);
  assert.deepEqual([code, err], [65, ""]);
  assert.doesNotMatch(out.trimEnd(), /[\p{Cc}\p{Bidi_Control}]/u);
  const { files, refusals } = json() as unknown as {
    files: readonly { accepted: number; refused: number }[];
    refusals: readonly { line: number; reason: string }[];
  };
  assert.deepEqual([files[0]?.accepted, files[0]?.refused, refusals.length], [1, 12_003, 1_000]);
  assert.deepEqual(
    refusals.map(({ line }) => line),
    refusals.map((_, at) => at + 2),
  );
  assert.match(refusals[0]!.reason, /received "1\u001b\[31m\u202e"$/);
  assert.match(refusals[1]!.reason, /16384 bytes/);
  assert.match(refusals[999]!.reason, /"NO" is not in the catalog/);
});

test("import: stores the readable part of a damaged file, and ends with exit code 65", async (t) => {
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

test("import: gzip is recognized by its first bytes, even if it has several members or arrives byte by byte", async (t) => {
  const { data, file } = await workplace(t, { "packed.csv": gzipSync(HEADER + GOOD) });
  const members = Buffer.concat([gzipSync(HEADER + GOOD), gzipSync(HEADER + OTHER)]);
  const input = [...members].map((byte) => Uint8Array.of(byte));
  const run = await mazaneh(["import", "--json", "--data", data, file("packed.csv"), "-"], { input });
  assert.equal(run.code, 0);
  assert.deepEqual([run.json()["accepted"], run.json()["unchanged"]], [2, 1]);
});

test("import: repeating a file leaves every record unchanged, even with several batches and the newest record first", async (t) => {
  const rows = Array.from(
    { length: 12_345 },
    (_, at) => `BTC_USD,${at + 1},${new Date(Date.UTC(2026, 9, 1) - at * 60_000).toISOString()}\n`,
  );
  const { data, file } = await workplace(t, { "many.csv": HEADER + rows.join("") });
  const countsOf = async () => {
    const { accepted, replaced, unchanged } = (
      await mazaneh(["import", "--json", "--data", data, file("many.csv")])
    ).json();
    return [accepted, replaced, unchanged];
  };
  assert.deepEqual(
    [await countsOf(), await countsOf()],
    [
      [12_345, 0, 0],
      [0, 0, 12_345],
    ],
  );
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

test("import: a file that is missing does not shift the values of --code for the files after it", async (t) => {
  const file = join(await temporaryDirectory(t), "b.csv");
  await writeFile(file, "date,price\n2026-01-02,2000000\n");
  const given = ["missing.csv", file, "--code", "USD_RLS,EUR_RLS", "--init", "--data", `${file}.data`];
  assert.match((await program(["import", ...given])).err, /To import: .* --code EUR_RLS --day-at/);
});
