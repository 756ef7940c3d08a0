// Runs the documented command lines and the edge program unchanged, with files and keys made for this test.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { fetchHandler } from "../../adapters/http/fetch_handler.ts";
import { webSystem } from "../../adapters/http/web_system.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import { fixedAccounts, makeSnapshot, openSnapshot } from "../../adapters/stores/snapshot/mod.ts";
import { createApi, createIngest, createKey } from "../../core/mod.ts";
import { program } from "../support/cli_program.ts";
import { PAGES, pageText } from "./pages.ts";

const HEADER = "code,value,businessTime\n";
const folder = mkdtempSync(join(tmpdir(), "mazaneh-readme-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("documents: every `mazaneh` command line works: exit code 0", async () => {
  const data = join(folder, "data");
  const run = (args: readonly string[], input: readonly string[] = []) =>
    program(args, { env: { MAZANEH_DATA: data, MAZANEH_PORT: "0" }, input });
  writeFileSync(join(folder, "prices.csv"), `${HEADER}USD_RLS,1905000,2026-08-21T16:30:00Z\n`);
  writeFileSync(join(folder, "older.csv.gz"), gzipSync(`${HEADER}USD_RLS,156500,2018-10-01T16:30:00Z\n`));

  const lines = PAGES.flatMap((page) => [...pageText(page).matchAll(/^(?:curl .*\| )?mazaneh ([^#\n]*[^#\s])/gm)])
    .map(([, line]) => line!)
    .filter((line) => line !== "serve");
  assert.ok(lines.length >= 14, `the number of command lines in the documents: ${lines.length}`);
  // One document may export a file that another document imports.
  const inOrder = [
    ...lines.filter((line) => line.startsWith("import")),
    ...lines.filter((line) => !line.startsWith("import")),
  ];
  for (const line of inOrder) {
    const args: string[] = [];
    for (const word of line.split(/\s+/)) args.push(await realWord(word));
    const { code, err } = await run(args, [HEADER, "BTC_USD,83125.4,2026-11-20T09:45:00Z\n"]);
    assert.equal(code, 0, `${line}: ${err}`);
  }

  /** Replaces the documents' file names, key id and import id with those of this test. */
  async function realWord(word: string): Promise<string> {
    if (/^(?:prices|older)\.|^data$/.test(word)) return join(folder, word === "data" ? "restored" : word);
    if (word.startsWith("/backups/")) return join(folder, "backup");
    if (word === "store") return join(folder, "copy"); // A directory, because test/cluster/ tests databases.
    if (word === "17")
      return String(
        (JSON.parse((await run(["imports", "list", "--json"])).out) as { imports: { id: number }[] }).imports[0]!.id,
      );
    if (word !== "3kT9xQ2a") return word;
    const { out } = await run(["keys", "create", "bob", "--json"]);
    return (JSON.parse(out) as { id: string }).id;
  }
});

test("examples: the edge program answers from a snapshot: 200", async () => {
  const store = createMemoryStore();
  await createIngest({ ...webSystem, ...store })([
    { code: "BTC_USD", value: 83125.4, businessTime: "2026-11-20T09:45:00Z" },
  ]);
  const key = await createKey(store.accounts, webSystem, "me");
  const [, source] = /## At the edge.*?```ts\n(.*?)```/s.exec(pageText("fixtures/examples/README.md")) ?? [];
  assert.ok(source, "the document has the program");
  const names = {
    ...{ createApi, fetchHandler, fixedAccounts, openSnapshot, webSystem },
    pricesFile: await makeSnapshot(store.observations.records()),
    accountsDocument: JSON.parse(JSON.stringify(store.accounts.book())) as unknown,
    counterLedger: () => store.quota, // In place of the host's ledger.
    env: {},
  };
  const make = new Function(...Object.keys(names), `${source}\nreturn handle;`) as (
    ...values: unknown[]
  ) => (request: Request) => Promise<Response>;
  const handle = make(...Object.values(names));
  const answer = await handle(
    new Request("https://edge.example/api/v1/assets/BTC_USD", { headers: { "X-API-Key": key } }),
  );
  assert.deepEqual([answer.status, ((await answer.json()) as { value: number }).value], [200, 83125.4]);
});
