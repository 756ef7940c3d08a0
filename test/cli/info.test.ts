import assert from "node:assert/strict";
import { appendFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { mazaneh, serving, temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

const PRICES = `code,value,businessTime,provider,qualityStatus
USD_RLS,1900000,2026-08-01T16:30:00Z,desk,
USD_RLS,1910000,2026-08-02T16:30:00Z,desk,
USD_RLS,191000,2026-08-12T16:30:00Z,,
USD_RLS,1915000,2026-08-13T16:30:00Z,desk,PENDING
PEPE_USD,0.00000098,2026-08-01T16:30:00Z,,REJECTED
EUR_RLS,2200000,2026-07-01T16:30:00Z,other,
`;

async function store(t: TestContext): Promise<string> {
  const data = join(await temporaryDirectory(t), "data");
  const { code, err } = await program(["import", "--init", "--yes", "--data", data, "-"], { input: [PRICES] });
  assert.equal(code, 0, err);
  return data;
}

test("info --json: prints the same facts as JSON", async (t) => {
  const data = await store(t);
  const { code, out } = await program(["info", "--data", data, "--json"]);
  assert.equal(code, 0);
  const found = JSON.parse(out) as Record<string, unknown> & {
    assets: Record<string, unknown>[];
    disk: Record<string, number>;
  };
  assert.deepEqual([found["directory"], found["records"], found["damages"]], [data, 6, []]);
  assert.deepEqual(found["quality"], { ACCEPTED: 4, PENDING: 1, REJECTED: 1 });
  assert.deepEqual(found.assets[0], {
    ...{ code: "USD_RLS", inCatalog: true, records: 4, quality: { ACCEPTED: 3, PENDING: 1, REJECTED: 0 } },
    ...{ first: "2026-08-01T16:30:00.000Z", last: "2026-08-12T16:30:00.000Z" },
    providers: [
      { provider: "desk", records: 3 },
      { provider: null, records: 1 },
    ],
    gaps: 1,
    longestGap: { from: "2026-08-02T16:30:00.000Z", to: "2026-08-12T16:30:00.000Z" },
    largestJump: { at: "2026-08-12T16:30:00.000Z", before: 1_910_000, after: 191_000, factor: 10 },
  });
  const { total, ...parts } = found.disk;
  assert.equal(
    Object.values(parts).reduce((sum, bytes) => sum + bytes, 0),
    total,
  );
  let bytes = 0;
  for (const entry of await readdir(data, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  assert.equal(total, bytes);
});

test("info: works beside a running server, changes no file, and reports damage", async (t) => {
  const data = await store(t);
  const server = await serving(t, ["--data", data]);
  const before = await filesOf(data);
  assert.equal((await mazaneh(["info", "--data", data])).code, 0);
  assert.deepEqual(await filesOf(data), before);
  assert.equal(await server.stop(), 0);
  const [name] = (await readdir(join(data, "obs"))).filter((file) => file.endsWith(".ndjson"));
  await appendFile(join(data, "obs", name!), "not a line\nnor this\n");
  const { code, out } = await program(["info", "--data", data]);
  assert.equal(code, 0);
  assert.match(out, /^Damage {5}unreadable places in the records: \d/m);
});

async function filesOf(data: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(data, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !path.includes("lock") && !path.includes("control"))
      found.push(`${path} ${(await stat(path)).size} ${(await stat(path)).mtimeMs}`);
  }
  return found.sort();
}
