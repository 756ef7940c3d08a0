// `usage` for a running and for a stopped server, by account and quota day. Also the last use of each key.
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { cp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import type { AccountId, CalendarDate, KeyId, UtcMillis } from "../../core/mod.ts";
import type { Json } from "../support/api_under_test.ts";
import { makeStore, serving, temporaryDirectory, temporaryStore } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

const NOW = "2026-11-21T10:00:00Z";

const folder = mkdtempSync(join(tmpdir(), "mazaneh-usage-"));
after(() => rm(folder, { recursive: true }));

interface Office {
  readonly data: string;
  readonly keys: readonly string[];
  run(...args: string[]): Promise<{ code: number; out: string; err: string }>;
}

/** Alice has a plan of 10,000 units and two keys. Bob has 50 units. Both have used units on three days. */
async function fill(): Promise<Office> {
  const data = await makeStore(join(folder, "data"));
  const run = (...args: string[]): ReturnType<typeof program> => program([...args, "--data", data], { now: NOW });
  await run("plans", "set", "PRO", "--daily-units", "10000", "--attribution", "no");
  const keys: string[] = [];
  for (const args of [["alice", "--plan", "PRO"], ["alice"], ["bob"], ["carol"]]) {
    keys.push((JSON.parse((await run("keys", "create", ...args, "--json")).out) as { id: string }).id);
  }
  const store = await openJsonFiles(data, { clock: () => Date.parse(NOW) as UtcMillis });
  const used = [
    ["alice", "2026-10-25", 9, keys[1], 10_000],
    ["alice", "2026-11-19", 3, keys[1], 10_000],
    ["alice", "2026-11-21", 1_200, keys[0], 10_000],
    ["alice", "2026-11-21", 4, keys[1], 10_000],
    ["bob", "2026-11-21", 60, keys[2], 50],
  ] as const;
  for (const [account, day, units, key, limit] of used) {
    for (let unit = 0; unit < units; unit++)
      await store.quota.take(account as AccountId, day as CalendarDate, limit, key as KeyId);
  }
  await store.close();
  return { data, keys, run };
}

let filled: Promise<Office> | undefined;

/** The data directory of all tests. The tests only read it. */
function office(): Promise<Office> {
  return (filled ??= fill());
}

test("usage: a table of units by day and account, with limit, plan and totals, 80 columns wide at most", async () => {
  const { run } = await office();
  const { code, out, err } = await run("usage");
  assert.deepEqual([code, err], [0, ""]);
  assert.equal(
    out,
    [
      "day         account  units  limit   plan",
      "2026-11-21  alice    1,204  10,000  PRO",
      "2026-11-21  bob         50      50  FREE_STARTER",
      "2026-11-19  alice        3  10,000  PRO",
      "total       alice    1,207",
      "total       bob         50",
      "total                1,257",
      "",
    ].join("\n"),
  );
  assert.match((await run("usage", "--days", "1")).out, /^total +1,254$/m);
  assert.match((await run("usage", "--days", "35")).out, /^2026-10-25 +alice +9 /m);
});

test("usage ACCOUNT: its days with the used keys; an account without used units", async () => {
  const { run, keys } = await office();
  assert.equal(
    (await run("usage", "alice")).out,
    [
      `day         account  units  limit   plan  keys`,
      `2026-11-21  alice    1,204  10,000  PRO   ${keys[0]} ${keys[1]}`,
      `2026-11-19  alice        3  10,000  PRO   ${keys[1]}`,
      `total       alice    1,207`,
      "",
    ].join("\n"),
  );
  assert.equal((await run("usage", "carol")).out, "No units were used on these days.\n");
});

test("usage --json and --csv: every row with plan and limit", async () => {
  const { run, keys } = await office();
  const { from, usage, totals } = JSON.parse((await run("usage", "--json")).out) as Json;
  assert.equal(from, "2026-11-15");
  assert.deepEqual(usage?.["0"], {
    day: "2026-11-21",
    account: "alice",
    units: 1_204,
    withheld: 0,
    keys: keys.slice(0, 2),
    plan: "PRO",
    dailyUnits: 10_000,
  });
  assert.deepEqual(totals, [
    { account: "alice", units: 1_207 },
    { account: "bob", units: 50 },
  ]);
  assert.equal(
    (await run("usage", "--csv")).out,
    [
      "day,account,units,dailyUnits,plan,withheld",
      "2026-11-21,alice,1204,10000,PRO,0",
      "2026-11-21,bob,50,50,FREE_STARTER,0",
      "2026-11-19,alice,3,10000,PRO,0",
      "",
    ].join("\n"),
  );
});

test("usage --from --to: the days of an inclusive range, with their plan and limit at that time", async (t) => {
  const data = await temporaryStore(t);
  await cp((await office()).data, data, { recursive: true });
  const run = (...args: string[]): ReturnType<typeof program> => program([...args, "--data", data], { now: NOW });
  await run("plans", "set", "PRO", "--daily-units", "20000", "--attribution", "no");
  await run("accounts", "set", "alice", "--plan", "FREE_STARTER");
  const read = async (...args: string[]) => (await run("usage", ...args, "--csv")).out.split("\n").slice(1, -1);
  const [october, november] = ["2026-10-25,alice,9,10000,PRO,0", "2026-11-19,alice,3,10000,PRO,0"];
  assert.deepEqual(await read("--from", "2026-10-25", "--to", "2026-11-19"), [november, october]);
  assert.deepEqual(await read("--to", "2026-11-18"), [october]);
  assert.equal((await read("--from", "2026-11-20"))[0], "2026-11-21,alice,1204,10000,PRO,0");
  assert.match((await run("usage", "--from", "2025-10-01")).err, /^Units of days before 2025-10-18 may be missing/);
});

test("usage: units that a restore has withheld are shown separately, and finished days stay unchanged", async (t) => {
  const { data } = await office();
  const target = await temporaryDirectory(t);
  const run = (...args: string[]): ReturnType<typeof program> => program(args, { now: NOW });
  await run("backup", join(target, "backup"), "--data", data);
  await run("restore", join(target, "backup"), join(target, "data"));
  assert.deepEqual((await run("usage", "--data", join(target, "data"))).out.split("\n").slice(0, 5), [
    "day         account  units  withheld  limit   plan",
    "2026-11-21  alice    1,204     8,796  10,000  PRO",
    "2026-11-21  bob         50         0      50  FREE_STARTER",
    "2026-11-19  alice        3         0  10,000  PRO",
    "total       alice    1,207",
  ]);
});

test("usage: days follow the quota time zone; --days counts back from today in that zone", async () => {
  const { run } = await office();
  // The 22nd has already begun in Kiritimati.
  const days = async (count: string): Promise<string> =>
    (await run("usage", "--days", count, "--quota-time-zone", "Pacific/Kiritimati")).out;
  assert.equal(await days("1"), "No units were used on these days.\n");
  assert.match(await days("2"), /^2026-11-21 +alice/m);
});

test("keys list: shows the last quota day on which each key was used, among the kept days", async () => {
  const { run, keys } = await office();
  const listed = (
    JSON.parse((await run("keys", "list", "--json")).out) as { keys: { id: string; lastUsedOn: string | null }[] }
  ).keys;
  assert.deepEqual(
    listed.map(({ id, lastUsedOn }) => [id, lastUsedOn]),
    [
      [keys[0], "2026-11-21"],
      [keys[1], "2026-11-21"],
      [keys[2], "2026-11-21"],
      [keys[3], null],
    ],
  );
  assert.match((await run("keys", "list")).out, new RegExp(`^${keys[3]} +carol +live +read +- `, "m"));
});

test("usage and keys list beside a server: they show units used just now, and a new key at once", async (t) => {
  const data = await temporaryStore(t);
  const run = async (...args: string[]): Promise<Json> => {
    const { code, out, err } = await program([...args, "--data", data, "--json"]);
    assert.deepEqual([code, err], [0, ""]);
    return JSON.parse(out) as Json;
  };
  await run("plans", "set", "PRO", "--daily-units", "100000", "--attribution", "no");
  const { key, id } = await run("keys", "create", "alice", "--plan", "PRO");
  const server = await serving(t, ["--data", data]);
  for (let asked = 0; asked < 3; asked++)
    assert.equal((await server.get("/api/v1/assets/supported", String(key))).status, 200);
  const { usage } = await run("usage");
  assert.deepEqual([usage?.["0"]?.["units"], usage?.["0"]?.["keys"]], [3, [id]]);
  assert.equal((await run("keys", "list"))["keys"]?.["0"]?.["lastUsedOn"], usage?.["0"]?.["day"]);
  assert.equal(await server.stop(), 0);
  assert.deepEqual((await run("usage"))["usage"], usage);
});

test("usage: a damaged day is reported, and the others are shown; keys are listed without counters", async (t) => {
  const data = await temporaryStore(t);
  await cp((await office()).data, data, { recursive: true });
  const run = (...args: string[]): ReturnType<typeof program> => program([...args, "--data", data], { now: NOW });
  await writeFile(join(data, "quota/quota-2026-11-21-00000001.ndjson"), "rubbish\n");
  const { code, out, err } = await run("usage");
  assert.deepEqual(
    [code, err],
    [0, "The file of 2026-11-21 is damaged, so units of that day may be missing; verify has the details.\n"],
  );
  assert.match(out, /^2026-11-19 +alice +3 /m);
  assert.equal((await run("keys", "list")).code, 0);
  await rm(join(data, "quota"), { recursive: true });
  const listed = await run("keys", "list");
  assert.deepEqual([listed.code, listed.err], [0, ""]);
});
