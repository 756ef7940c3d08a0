import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Json } from "../support/api_under_test.ts";
import { makeStore, serving, temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

const KEY = /\bmz_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}\b/;
const HOUR = 3_600_000;

interface Made {
  readonly id: string;
  readonly key: string;
}

async function json<T = Json>(...args: readonly string[]): Promise<T> {
  const { code, out, err } = await program([...args, "--json"]);
  assert.deepEqual([code, err], [0, ""], args.join(" "));
  return JSON.parse(out) as T;
}

/** A data directory with a key and two records. */
async function filled(t: TestContext): Promise<{ directory: string; data: string; made: Made }> {
  const directory = await temporaryDirectory(t);
  const data = await makeStore(join(directory, "data"));
  const made = await json<Made>("keys", "create", "alice", "--note", "phone", "--data", data);
  const input = [
    "code,value,businessTime\nUSD_RLS,1905000,2026-08-21T16:30:00Z\nUSD_RLS,1905001,2026-08-21T16:31:00Z\n",
  ];
  assert.equal((await program(["import", "-", "--data", data], { input })).code, 0);
  return { directory, data, made };
}

test("keys roll beside a server: both keys work and share the units until the overlap ends, then only the new one works", async (t) => {
  const { data, made } = await filled(t);
  const server = await serving(t, ["--data", data]);
  const status = async (key: string): Promise<number> => (await server.get("/api/v1/assets/USD_RLS", key)).status;
  const remaining = async (key: string): Promise<string | null> => {
    const response = await fetch(`${server.url}/api/v1/assets/USD_RLS`, { headers: { "X-API-Key": key } });
    return response.headers.get("X-RateLimit-Remaining");
  };
  const second = await json<Made>("keys", "roll", made.id, "--data", data);
  assert.deepEqual(
    [await remaining(made.key), await remaining(second.key), await remaining(made.key)],
    ["49", "48", "47"],
  );
  // One change stores the new key and the end of the old key, so the previous version of the file has neither.
  const { book } = JSON.parse(await readFile(join(data, "accounts/accounts.prev.json"), "utf8")) as {
    book: { keys: readonly { id: string; expiresAt: number | null }[] };
  };
  const keys = book.keys.map(({ id, expiresAt }) => [id, expiresAt]);
  assert.deepEqual(keys, [[made.id, null]]);

  // The clock of this command is 25 hours slow, so the overlap of 24 hours ended an hour ago.
  const now = new Date(Date.now() - 25 * HOUR).toISOString();
  const [third = ""] = KEY.exec((await program(["keys", "roll", second.key, "--data", data], { now })).out) ?? [];
  assert.deepEqual([await status(second.key), await status(third)], [401, 200]);
  const next = await json<Made>("keys", "roll", third, "--overlap", "0h", "--data", data);
  assert.deepEqual([await status(third), await status(next.key)], [401, 200]);
  await server.stop();
});

test("verify: ends with exit code 1 for a torn write, and with 2 for a wrong checksum, a cut file or a missing file", async (t) => {
  const { data } = await filled(t);
  const file = join(data, "obs/obs-00000001.ndjson");
  const good = await readFile(file, "utf8");
  const cut = good.slice(0, good.lastIndexOf("\n", good.length - 2) + 1);
  for (const [text, state, place] of [
    [`${good}{"s":4`, 1, `, line 5, byte ${good.length}, length 6: torn`],
    [good.replace("1905000", "1905007"), 2, `, line 3, byte ${good.indexOf('{"s":2')}, length`],
    [cut, 2, `, line 4, byte ${cut.length}: ends here`],
    [undefined, 2, ": is missing"],
  ] as const) {
    await (text === undefined ? rm(file) : writeFile(file, text));
    const { code, out } = await program(["verify", "--data", data]);
    assert.deepEqual([code, out.includes(`obs/obs-00000001.ndjson${place}`)], [state, true], out);
    assert.equal((await program(["verify", "--json", "--data", data])).json()["state"], state);
  }
});

test("the server's log has a line for each refused key, and for each change by a command: who made it, what it changed, and its import", async (t) => {
  const { data } = await filled(t);
  const server = await serving(t, ["--data", data]);
  const { id, key } = await json<Made>("keys", "create", "carol", "--data", data);
  const input = ["code,value,businessTime\nUSD_RLS,1905001,2026-08-02T00:00:00Z\n"];
  assert.equal((await program(["import", "-", "--data", data], { input })).code, 0);
  await json("keys", "revoke", id, "--data", data);
  assert.equal((await server.get("/api/v1/access", key)).status, 401);
  const lines = server
    .errors()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    lines
      .filter(({ event }) => event === "changed")
      .map((line) => {
        const [actor, what] = String(line["message"]).split(`, process ${process.pid}) `);
        return [actor?.startsWith(`${String(line["user"])} (`), what, line["import"], line["records"], line["pid"]];
      }),
    [
      [true, `made key ${id} of account carol`, undefined, undefined, process.pid],
      [true, "import 2 of standard input: 1 record", 2, 1, process.pid],
      [true, `revoked key ${id}`, undefined, undefined, process.pid],
    ],
  );
  assert.equal(lines.find(({ event }) => event === "key-refused")?.["keyId"], id);
});

test("a damaged price: the server serves the rest and reports the damage everywhere, backup copies the readable data and the damaged file and ends with exit code 2, and repair removes the damage", async (t) => {
  const { directory, data } = await filled(t);
  const file = join(data, "obs/obs-00000001.ndjson");
  await writeFile(file, (await readFile(file, "utf8")).replace("1905000", "1905007"));
  const server = await serving(t, ["--data", data, "--admin-port", "0"]);
  assert.match(String(server.state["warnings"]), /obs-00000001\.ndjson, byte \d+: wrong checksum/);
  assert.match(server.errors(), /"level":"warn","event":"warning"/);
  const { adminUrl, damages, ready } = await json("status", "--data", data);
  assert.deepEqual([ready, damages], [true, 1]);
  const answer = (await (await fetch(`${String(adminUrl)}/readyz`)).json()) as object;
  assert.deepEqual(answer, { ready: true, reasons: [], pending: 0, damages: 1 });
  assert.match(await (await fetch(`${String(adminUrl)}/metrics`)).text(), /^store_damages 1$/m);
  const run = async (...args: readonly string[]) => program([...args, "--data", data]);
  assert.match((await run("status")).out, /^Ready\.\n1 place /);
  assert.equal((await run("backup", join(directory, "backup"))).code, 2);
  assert.equal((await program(["restore", join(directory, "backup"), join(directory, "restored")])).code, 2);
  assert.equal((await run("compact")).code, 65);
  assert.equal((await run("repair")).code, 69, "the server owns the store");
  await server.stop();
  assert.match((await run("repair", "--yes")).out, /^Lost: a line of USD_RLS at 2\S+Z to 2\S+Z \(2 prices\)/m);
  for (const args of [["compact"], ["backup", join(directory, "again")], ["verify"]])
    assert.equal((await run(...args)).code, 0, args[0]);
  assert.equal((await program(["copy", "--from", data, "--to", join(directory, "copy")])).code, 0);
});
