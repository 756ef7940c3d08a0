import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { decideAbout } from "../../adapters/cli/accept_or_reject_records.ts";
import { formatChange } from "../../adapters/cli/describe_value_changes.ts";
import { undoImport } from "../../adapters/cli/import/undo_import.ts";
import { makeStore, mazaneh, serving, startMazaneh, temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";
import { imported, many } from "../support/imports_suite.ts";
import { newDirectory, openAt } from "../support/json_files_fixtures.ts";
import { until } from "../support/wait_until.ts";

const HEADER = "code,value,businessTime,provider\n";
const DAY_MS = 86_400_000;
const START = Date.parse("2015-01-01T16:30:00Z");

/** One record a day, with values of about 1,000,000 rial. */
function days(count: number, { factor = 1, first = 0, provider = "" } = {}): string {
  const lines = Array.from({ length: count }, (_, i) => {
    return `USD_RLS,${(1_000_000 + (first + i) * 100) * factor},${new Date(START + (first + i) * DAY_MS).toISOString()},${provider}\n`;
  });
  return lines.join("");
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

test("import: import: after SIGTERM it reports the stored records and how to undo them; after kill -9 it is listed as interrupted; both can be undone", async (t) => {
  const minutes = Array.from(
    { length: 300_000 },
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
    const closed = once(child, "close");
    t.after(() => void child.kill("SIGKILL"));
    const texts = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.err += text));
    // The log grows as soon as the first of 150 batches is stored.
    const size = async (): Promise<number> => (await stat(join(data, "obs/obs-00000001.ndjson"))).size;
    const begun = await size();
    await until("a batch is stored", async () => (await size()) > begun + 100_000, 25);
    child.kill(signal);
    const [code] = await closed;
    assert.equal(code, exitCode);
    const [entry] = await listed();
    assert.equal(entry?.["state"], state);
    if (state === "stopped") {
      assert.match(
        texts.out,
        /not read to its end\nThis is import \d\. To undo it: \S.* imports undo \d --data \S+\n$/,
      );
      assert.match(texts.err, new RegExp(`was stopped by ${signal}; records counted in the table are stored\n$`));
    } else {
      assert.ok(Number(entry?.["stored"]) >= 2_000, "the first batch is stored");
    }
    assert.equal((await run("imports", "undo", String(entry?.["id"]))).code, 0);
    assert.equal(await exported(), before);
  }
});

test("imports: beside a running server an import is undone at once, and answers are as before it", async (t) => {
  const { data, file } = await filled(t, { "a.csv": days(50), "b.csv": days(50, { factor: 1.5 }) });
  await mazaneh(["import", file("a.csv"), "--data", data]);
  const key = (await mazaneh(["keys", "create", "alice", "--json", "--data", data])).json()["key"] as unknown as string;
  const server = await serving(t, ["--data", data]);
  const latest = async (): Promise<unknown> => (await server.get("/api/v1/assets/USD_RLS", key)).json["value"];
  const before = await latest();
  assert.equal((await mazaneh(["import", "--yes", file("b.csv"), "--data", data])).code, 0);
  assert.notEqual(await latest(), before);
  assert.match((await mazaneh(["imports", "undo", "2", "--data", data])).out, /50 records are restored/);
  assert.equal(await latest(), before);
  assert.equal(await server.stop(), 0);
});

test("imports undo: in a damaged log, records that may have replaced others are kept; output and exit code 65 are the same beside a server", async (t) => {
  const { data, run, file } = await filled(t, { "a.csv": days(1), "b.csv": days(2, { first: 5 }) });
  await run("import", file("a.csv"));
  await run("import", "--yes", file("b.csv"));
  const log = join(data, "obs", "obs-00000001.ndjson");
  const lines = (await readFile(log, "utf8")).split("\n");
  lines[2] = lines[2]!.replace('"value":[', '"value":[1');
  await writeFile(log, lines.join("\n"));
  const { code, out } = await run("imports", "undo", "2");
  assert.match(out, /2 records were left, as the data is damaged/);
  const server = await serving(t, ["--data", data]);
  const beside = await run("imports", "undo", "2");
  assert.deepEqual([code, beside.code, beside.out], [65, 65, out]);
  assert.equal(await server.stop(), 0);
});

test("imports list: a changed value is shown as a percentage, or as a factor if it is large", () => {
  const changed = [103.2, 96.8, 100.5, 100.001, 99.999, 1_000, 10, 250_000, 200];
  assert.deepEqual(
    changed.map((to) => formatChange({ from: 100, to })),
    ["+3.2%", "-3.2%", "+0.50%", "<+0.01%", ">-0.01%", "×10", "÷10", "×2,500", "×2"],
  );
});

test("imports undo, withdraw: they count all changes, even if an answer was lost and they had to repeat the request", async () => {
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
