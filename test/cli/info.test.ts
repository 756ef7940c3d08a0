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

test("info: directory, records, quality, providers, gaps, jumps and disk, as text", async (t) => {
  const data = await store(t);
  const { code, out, err } = await mazaneh(["info", "--data", data]);
  assert.deepEqual([code, err], [0, ""]);
  const lines = out.split("\n");
  assert.match(lines[0]!, new RegExp(`^Directory {2}${data} {2}\\(store \\w+\\)$`));
  assert.deepEqual(lines.slice(1, 4), [
    "Records    6 of 3 assets, 2026-07-01 to 2026-08-12 (UTC)",
    "Quality    4 ACCEPTED, 1 PENDING, 1 REJECTED",
    "Providers  desk 3, (none named) 2, other 1",
  ]);
  assert.equal(lines[4], "Jumps      by a factor of 5 or more, such as toman among rial: USD_RLS");
  assert.match(lines[5]!, /^Disk {7}[\d.]+ kB: observations [\d.]+ (kB|bytes), accounts /);
  assert.equal(lines[6], "Damage     none in the records; verify checks every file");
  assert.match(out, /^code +records +first \(UTC\) +last \(UTC\) +largest jump +gaps > 7 d +longest gap +providers$/m);
  assert.match(
    out,
    /^USD_RLS +4 +2026-08-01 +2026-08-12 +÷10 on 2026-08-12, to 191,000 RLS +1 +10 days from 2026-08-02 +desk, - +دلار آمریکا$/m,
  );
  assert.match(out, /^EUR_RLS +1 +2026-07-01 +2026-07-01 +- +0 +- +other +یورو$/m);
  assert.match(out, /^PEPE_USD +1 +- +- +- +0 +- +- +پپه$/m);
  assert.ok(
    out.indexOf("USD_RLS") < out.indexOf("EUR_RLS") && out.indexOf("EUR_RLS") < out.indexOf("PEPE_USD"),
    "in the order of the catalog",
  );
  assert.doesNotMatch(out, /\u001b/);
});

test("info --json: the same for machines", async (t) => {
  const data = await store(t);
  const { code, out } = await program(["info", "--data", data, "--json"]);
  assert.equal(code, 0);
  const found = JSON.parse(out) as Record<string, unknown> & {
    assets: Record<string, unknown>[];
    disk: Record<string, number>;
  };
  assert.deepEqual(
    [found["directory"], found["records"], found["damages"], found["incompleteWrites"]],
    [data, 6, [], []],
  );
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

test("info: works beside a running server, changes no file, and names damage", async (t) => {
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
  assert.match(out, /^Damage {5}unreadable places in the records: \d|the last write is incomplete/m);
});

test("info: on a narrow terminal, no line of the table is broken, and what was left out is named", async (t) => {
  const data = await store(t);
  const { code, out } = await program(["info", "--data", data], { columns: 60 });
  assert.equal(code, 0);
  const table = out.split("\n").filter((line) => /^(code|[A-Z]+_(RLS|USD)) /.test(line));
  assert.equal(table.length, 4);
  assert.ok(
    table.every((line) => line.length <= 60),
    table.join("\n"),
  );
  assert.match(
    out,
    /^Left out, as the terminal is narrow: largest jump, gaps > 7 d, longest gap, providers\. --json has all\.$/m,
  );
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
