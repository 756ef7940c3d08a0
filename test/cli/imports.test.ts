import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { decideAbout } from "../../adapters/cli/accept_or_reject_records.ts";
import { formatChange } from "../../adapters/cli/describe_value_changes.ts";
import { undoImport } from "../../adapters/cli/import/undo_import.ts";
import { makeStore, serving, startMazaneh, temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";
import { imported, many } from "../support/imports_suite.ts";
import { newDirectory, openAt } from "../support/json_files_fixtures.ts";
import { until } from "../support/wait_until.ts";

const HEADER = "code,value,businessTime,provider\n";
const DAY_MS = 86_400_000;
const START = Date.parse("2015-01-01T16:30:00Z");

/** One record a day. */
function days(count: number, first = 0): string {
  return Array.from({ length: count }, (_, i) => {
    return `USD_RLS,${1_000_000 + (first + i) * 100},${new Date(START + (first + i) * DAY_MS).toISOString()},\n`;
  }).join("");
}

/** Makes a store, and files to import. */
async function filled(t: TestContext, files: Readonly<Record<string, string>>) {
  const directory = await temporaryDirectory(t);
  const data = await makeStore(join(directory, "data"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), HEADER + text);
  const file = (name: string): string => join(directory, name);
  const run = (...args: string[]) => program([...args, "--data", data]);
  const exported = async (): Promise<string> => (await run("export", "--all-statuses")).out;
  const listed = async () =>
    (JSON.parse((await run("imports", "list", "--json")).out) as { imports: readonly Record<string, unknown>[] })
      .imports;
  return { data, file, run, exported, listed };
}

test("import: after SIGTERM it reports the stored records and how to undo them; after kill -9 it is listed as interrupted; both can be undone", async (t) => {
  const minutes = Array.from(
    { length: 40_000 },
    (_, i) => `USD_RLS,1000000,${new Date(START + (i + 1) * 60_000).toISOString()},\n`,
  );
  const { data, run, file, exported, listed } = await filled(t, { "a.csv": days(100), "big.csv": minutes.join("") });
  await run("import", file("a.csv"));
  const before = await exported();
  for (const [signal, exitCode, state] of [
    ["SIGTERM", 143, "stopped"],
    ["SIGKILL", null, "interrupted"],
  ] as const) {
    const child = startMazaneh(["import", file("big.csv"), "--data", data]);
    // The log grows as soon as the first of 20 batches is stored.
    const size = async (): Promise<number> => (await stat(join(data, "obs/obs-00000001.ndjson"))).size;
    const begun = await size();
    await until("a batch is stored", async () => (await size()) > begun + 100_000);
    assert.equal(await child.end(signal), exitCode);
    const [entry] = await listed();
    assert.equal(entry?.["state"], state);
    if (state === "stopped") {
      assert.match(child.out(), /^This is import \d\. To undo it: \S.* imports undo \d --data \S+\n$/m);
      assert.match(child.err(), new RegExp(`stopped by ${signal}`));
      assert.match(
        child.err(),
        /big\.csv: not read to its end: the import ended before all of its records were stored/,
      );
    } else {
      assert.ok(Number(entry?.["stored"]) >= 2_000, "the first batch is stored");
    }
    assert.equal((await run("imports", "undo", String(entry?.["id"]))).code, 0);
    assert.equal(await exported(), before);
  }
});

test("imports undo: if the log is damaged, records that may have replaced others are kept; with a running server, output and exit code 65 are the same", async (t) => {
  const { data, run, file } = await filled(t, { "a.csv": days(1), "b.csv": days(2, 5) });
  await run("import", file("a.csv"));
  await run("import", "--yes", file("b.csv"));
  const log = join(data, "obs", "obs-00000001.ndjson");
  const lines = (await readFile(log, "utf8")).split("\n");
  lines[2] = lines[2]!.replace('"value":[', '"value":[1');
  await writeFile(log, lines.join("\n"));
  const { code, out } = await run("imports", "undo", "2");
  assert.match(out, /Not undone: 2 records, because damaged data does not show/);
  const server = await serving(t, ["--data", data]);
  const beside = await run("imports", "undo", "2");
  assert.deepEqual([code, beside.code, beside.out], [65, 65, out]);
  assert.equal(await server.stop(), 0);
});

test("imports list: a changed value is shown as a percentage, or as a factor if it is large", () => {
  const changes = [
    [100, 103.2],
    [100, 96.8],
    [100, 100.5],
    [100, 100.001],
    [100, 99.999],
    [10, 100],
    [100, 10],
    [1, 2_500],
    [1, 2],
  ] as const;
  const texts = changes.map(([from, to]) => formatChange({ from, to }));
  assert.deepEqual(texts, ["+3.2%", "-3.2%", "+0.50%", "<+0.01%", ">-0.01%", "×10", "÷10", "×2,500", "×2"]);
});

test("imports undo and withdraw: count all changes, even if they repeat a request because its answer was lost", async () => {
  const { access, close } = await openAt(await newDirectory());
  const batch = many(3_000, 1);
  const id = await imported(access.imports, batch);
  const { code, businessTime } = batch[0]!;
  /** Wraps a function so that it runs twice, as if the first answer were lost. */
  const twice =
    <Args extends unknown[], Value>(act: (...args: Args) => Promise<Value>) =>
    (...args: Args): Promise<Value> =>
      act(...args).then(() => act(...args));
  const asking = { ...access.imports, decide: twice(access.imports.decide), undo: twice(access.imports.undo) };
  const to = (businessTime + 10_000 * DAY_MS) as typeof businessTime;
  const selection = { code, from: businessTime, to, provider: null, pending: false };
  const decision = { qualityStatus: "REJECTED", qualityMessage: "toman" } as const;
  const withdrawal = await decideAbout(asking, decision, { subject: "all", selections: [selection] });
  assert.equal(withdrawal.decided, 3_000);
  const listed = await access.imports.list();
  assert.equal(listed.find((one) => one.imported.id === withdrawal.id)?.imported.summary?.replaced, 3_000);

  for (const [undone, counts] of [
    [withdrawal.id, { restored: 3_000, removed: 0 }],
    [id, { restored: 0, removed: 3_000 }],
  ] as const) {
    const entry = listed.find((one) => one.imported.id === undone)!;
    const { restored, removed } = await undoImport(asking, entry, () => undefined);
    assert.deepEqual({ restored, removed }, counts);
  }
  await close();
});
