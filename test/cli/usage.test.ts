// `usage` for a running and for a stopped server, by account and quota day, and the last use of each key.
import assert from "node:assert/strict";
import { cp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, type TestContext, test } from "node:test";
import type { AccountId, CalendarDate, KeyId } from "../../core/mod.ts";
import type { Json } from "../support/api_under_test.ts";
import { serving, temporaryDirectory, temporaryStore } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";
import { newDirectory, openAt } from "../support/json_files_fixtures.ts";

const NOW = "2026-11-21T10:00:00Z";
const KEYS = [["alice", "--plan", "PRO"], ["alice"], ["bob"], ["carol"]];
const data = join(await newDirectory(), "data");
const ids: string[] = [];

/** Runs a command on a data directory, by default on `data`, which no test changes. */
function run(line: string, directory = data): ReturnType<typeof program> {
  return program([...line.split(" "), "--data", directory], { now: NOW });
}

/** A copy of the data directory. */
async function copyOfData(t: TestContext): Promise<string> {
  const copy = join(await temporaryDirectory(t), "copy");
  await cp(data, copy, { recursive: true });
  return copy;
}

// Alice has a plan of 10,000 units and two keys. Bob has 50 units. Alice and Bob have used units on three days.
before(async () => {
  await run("plans set PRO --daily-units 10000 --attribution no --init");
  for (const args of KEYS) ids.push(String((await run(`keys create ${args.join(" ")} --json`)).json()["id"]));
  const store = await openAt(data);
  for (const [account, day, units, key, limit] of [
    ["alice", "2026-10-25", 9, 1, 10_000],
    ["alice", "2026-11-19", 3, 1, 10_000],
    ["alice", "2026-11-21", 1_200, 0, 10_000],
    ["alice", "2026-11-21", 4, 1, 10_000],
    ["bob", "2026-11-21", 60, 2, 50],
  ] as const) {
    for (let unit = 0; unit < units; unit++)
      await store.quota.take(account as AccountId, day as CalendarDate, limit, ids[key] as KeyId);
  }
  await store.close();
});

test("usage: prints a table of units by day and account, with limit, plan and totals; the table of a single account also has its keys", async () => {
  const { code, out, err } = await run("usage");
  assert.deepEqual([code, err], [0, ""]);
  assert.deepEqual(out.split("\n"), [
    "day         account  units  limit   plan",
    "2026-11-21  alice    1,204  10,000  PRO",
    "2026-11-21  bob         50      50  FREE_STARTER",
    "2026-11-19  alice        3  10,000  PRO",
    "total       alice    1,207",
    "total       bob         50",
    "total                1,257",
    "",
  ]);
  for (const [options, expected] of [
    ["--days 1", /^total +1,254$/m],
    ["--days 35", /^2026-10-25 +alice +9 /m],
    ["alice", new RegExp(`^2026-11-21 +alice +1,204 +10,000 +PRO +${ids[0]} ${ids[1]}\n(?!.*bob)`, "m")],
    ["carol", /^No units/],
    // The 22nd has already begun in Kiritimati.
    ["--quota-time-zone Pacific/Kiritimati --days 1", /^No units/],
    ["--quota-time-zone Pacific/Kiritimati --days 2", /^2026-11-21 +alice/m],
  ] as const)
    assert.match((await run(`usage ${options}`)).out, expected, options);
});

test("usage --json and --csv: every row has plan and limit", async () => {
  const { from, usage, totals } = (await run("usage --json")).json();
  const alice = { day: "2026-11-21", account: "alice", units: 1_204, withheld: 0, plan: "PRO", dailyUnits: 10_000 };
  assert.deepEqual([from, usage?.["0"]], ["2026-11-15", { ...alice, keys: ids.slice(0, 2) }]);
  assert.deepEqual(totals, [
    { account: "alice", units: 1_207 },
    { account: "bob", units: 50 },
  ]);
  assert.deepEqual((await run("usage --csv")).out.split("\n"), [
    "day,account,units,dailyUnits,plan,withheld",
    "2026-11-21,alice,1204,10000,PRO,0",
    "2026-11-21,bob,50,50,FREE_STARTER,0",
    "2026-11-19,alice,3,10000,PRO,0",
    "",
  ]);
});

test("usage --from --to: prints the days of an inclusive range, each with the plan and limit of that day", async (t) => {
  const copy = await copyOfData(t);
  await run("plans set PRO --daily-units 20000 --attribution no", copy);
  await run("accounts set alice --plan FREE_STARTER", copy);
  const read = async (range: string) => (await run(`usage ${range} --csv`, copy)).out.split("\n").slice(1, -1);
  const [october, november] = ["2026-10-25,alice,9,10000,PRO,0", "2026-11-19,alice,3,10000,PRO,0"];
  assert.deepEqual(await read("--from 2026-10-25 --to 2026-11-19"), [november, october]);
  assert.deepEqual(await read("--to 2026-11-18"), [october]);
  assert.equal((await read("--from 2026-11-20"))[0], "2026-11-21,alice,1204,10000,PRO,0");
  assert.match((await run("usage --from 2025-10-01", copy)).err, /2025-10-18/);
});

test("restore: withholds the units that a backup may lack and shows them separately, except with --counters as-backed-up", async (t) => {
  const target = await temporaryDirectory(t);
  const backup = join(target, "backup");
  await run(`backup ${backup}`);
  const restore = async (name: string, ...options: readonly string[]): Promise<readonly string[]> => {
    await program(["restore", backup, join(target, name), ...options], { now: NOW });
    return (await run("usage", join(target, name))).out.split("\n").slice(0, 3);
  };
  assert.deepEqual(await restore("default"), [
    "day         account  units  withheld  limit   plan",
    "2026-11-21  alice    1,204     8,796  10,000  PRO",
    "2026-11-21  bob         50         0      50  FREE_STARTER",
  ]);
  assert.equal((await restore("kept", "--counters", "as-backed-up"))[0], "day         account  units  limit   plan");
});

test("keys list: shows the quota day on which each key was last used", async () => {
  const { keys } = (await run("keys list --json")).json();
  assert.deepEqual(
    (keys as unknown as readonly Json[]).map(({ id, lastUsedOn }) => [id, lastUsedOn]),
    ids.map((id, at) => [id, at === 3 ? null : "2026-11-21"]),
  );
});

test("usage and keys list: beside a server, they show units used just now, and a new key at once", async (t) => {
  const store = await temporaryStore(t);
  const json = async (...args: string[]): Promise<Json> => (await program([...args, "--data", store, "--json"])).json();
  const { key, id } = await json("keys", "create", "alice");
  const server = await serving(t, ["--data", store]);
  for (let asked = 0; asked < 3; asked++)
    assert.equal((await server.get("/api/v1/assets/supported", String(key))).status, 200);
  const { usage } = await json("usage");
  assert.deepEqual([usage?.["0"]?.["units"], usage?.["0"]?.["keys"]], [3, [id]]);
  assert.equal((await json("keys", "list"))["keys"]?.["0"]?.["lastUsedOn"], usage?.["0"]?.["day"]);
  assert.equal(await server.stop(), 0);
  assert.deepEqual((await json("usage"))["usage"], usage);
});

test("usage: a damaged day is reported, and the other days are shown; keys are listed even without counters", async (t) => {
  const copy = await copyOfData(t);
  await writeFile(join(copy, "quota/quota-2026-11-21-00000001.ndjson"), "rubbish\n");
  const { code, out, err } = await run("usage", copy);
  assert.equal(code, 0);
  assert.match(err, /^The file of 2026-11-21 is damaged/);
  assert.match(out, /^2026-11-19 +alice +3 /m);
  await rm(join(copy, "quota"), { recursive: true });
  const listed = await run("keys list", copy);
  assert.deepEqual([listed.code, listed.err], [0, ""]);
});
