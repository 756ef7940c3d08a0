import assert from "node:assert/strict";
import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Json } from "../support/api_under_test.ts";
import { makeStore, serving, temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

const KEY = /\bmz_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}\b/;
const NOW = "2026-11-21T10:00:00Z";
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

test("restore: after an old backup is restored, units used since then are not available again", async (t) => {
  const { directory, data, made } = await filled(t);
  const used = async (place: string, requests: number): Promise<number[]> => {
    const server = await serving(t, ["--data", place]);
    const statuses: number[] = [];
    for (let i = 0; i < requests; i++) statuses.push((await server.get("/api/v1/assets/USD_RLS", made.key)).status);
    if (place === data) {
      assert.equal((await program(["backup", join(directory, "backup"), "--data", data])).code, 0);
      for (let i = 0; i < 10; i++) await server.get("/api/v1/assets/USD_RLS", made.key);
    }
    await server.stop();
    return statuses;
  };
  assert.deepEqual(await used(data, 1), [200]);
  const { spent } = await json<{ spent: readonly { accounts: number }[] }>(
    "restore",
    join(directory, "backup"),
    join(directory, "a"),
  );
  assert.deepEqual(
    spent.map(({ accounts }) => accounts),
    [1],
  );
  assert.deepEqual(await used(join(directory, "a"), 1), [429]);
  await json("restore", join(directory, "backup"), join(directory, "b"), "--counters", "as-backed-up");
  assert.deepEqual(await used(join(directory, "b"), 1), [200]);
});

test("keys roll beside a server: both keys work and share the units until the overlap ends, then only the new one works", async (t) => {
  const { data, made } = await filled(t);
  const server = await serving(t, ["--data", data]);
  const status = async (key: string): Promise<number> => (await server.get("/api/v1/assets/USD_RLS", key)).status;
  const remaining = async (key: string): Promise<string | null> => {
    const response = await fetch(`${server.url}/api/v1/assets/USD_RLS`, { headers: { "X-API-Key": key } });
    return response.headers.get("X-RateLimit-Remaining");
  };
  const roll = async (id: string, ...args: readonly string[]): Promise<string> =>
    (await json<Made>("keys", "roll", id, ...args, "--data", data)).key;
  const second = await roll(made.id);
  assert.deepEqual([await remaining(made.key), await remaining(second), await remaining(made.key)], ["49", "48", "47"]);

  // For this command, the clock is ahead: the overlap ended an hour ago.
  const rolled = await program(["keys", "roll", second, "--data", data], {
    now: new Date(Date.now() - 25 * HOUR).toISOString(),
  });
  const [third = ""] = KEY.exec(rolled.out) ?? [];
  assert.deepEqual([await status(second), await status(third)], [401, 200]);

  // Without overlap, the next request with the old key is refused.
  const next = await json<Made>("keys", "roll", third, "--overlap", "0h", "--data", data);
  assert.deepEqual([await status(third), await status(next.key)], [401, 200]);
  await json("keys", "revoke", next.id, "--data", data);
  assert.equal(await status(next.key), 401);
  await server.stop();
});

test("keys roll: the new key has the account, note and end of the old one, and is shown once", async (t) => {
  const { data } = await filled(t);
  const run = (...args: readonly string[]): ReturnType<typeof program> =>
    program([...args, "--data", data], { now: NOW });
  const old = JSON.parse(
    (await run("keys", "create", "bob", "--note", "bot", "--expires", "30d", "--json")).out,
  ) as Made;
  const { code, out } = await run("keys", "roll", old.id, "--overlap", "7d");
  assert.equal(code, 0);
  assert.match(
    out,
    new RegExp(
      `^Key \\w{8} of account bob replaces ${old.id}, which works until 2026-11-28T10:00:00\\.000Z:\\n\\n {2}mz_live_\\w+\\n`,
    ),
  );
  const [key = ""] = KEY.exec(out) ?? [];
  const { keys } = JSON.parse((await run("keys", "list", "--json")).out) as { keys: readonly Json[] };
  const rolled = keys.filter(({ account }) => String(account) === "bob");
  assert.deepEqual(
    rolled.map(({ id, state, expiresAt, note }) => [id, state, expiresAt, note]),
    [
      [old.id, "live", "2026-11-28T10:00:00.000Z", "bot"],
      [key.slice(8, 16), "live", "2026-12-21T10:00:00.000Z", "bot"],
    ],
  );
  // The new key and the end of the old key are one change: the previous version of the file has neither.
  const previous = JSON.parse(await readFile(join(data, "accounts/accounts.prev.json"), "utf8")) as {
    book: { keys: readonly { id: string; expiresAt: number }[] };
  };
  assert.deepEqual(
    previous.book.keys.filter(({ id }) => id === old.id || id === key.slice(8, 16)).map(({ expiresAt }) => expiresAt),
    [Date.parse("2026-12-21T10:00:00Z")],
  );
  for (const entry of await readdir(data, { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      assert.equal((await readFile(join(entry.parentPath, entry.name), "utf8")).includes(key.slice(17)), false);
  }
});

test("verify: exit codes 0 to 3 depend on the damage, in words and as JSON; after repair the store opens again", async (t) => {
  const { data } = await filled(t);
  const file = join(data, "obs/obs-00000001.ndjson");
  const good = await readFile(file, "utf8");
  const verify = async (): Promise<{ code: number; out: string }> => {
    const { state } = JSON.parse((await program(["verify", "--json", "--data", data])).out) as { state: number };
    const { code, out } = await program(["verify", "--data", data]);
    assert.equal(code, state);
    return { code, out };
  };
  const clean = await verify();
  assert.equal(clean.code, 0);
  assert.match(clean.out, /^obs\/obs-00000001\.ndjson +3 +\d+ +1 to 3 +good$/m);
  assert.match(clean.out, /\nAll is well\.\n$/);

  await appendFile(file, '{"s":4');
  const torn = await verify();
  assert.equal(torn.code, 1);
  assert.match(
    torn.out,
    new RegExp(`^obs/obs-00000001\\.ndjson, line 5, byte ${good.length}, length 6: torn write$`, "m"),
  );

  await writeFile(file, good.replace("1905000", "1905007"));
  const bad = await verify();
  assert.equal(bad.code, 2);
  assert.match(bad.out, /: wrong checksum\n\nLines are bad or missing\. Restore a backup, or .* use repair\.\n$/);
  assert.match(
    bad.out,
    new RegExp(`^obs/obs-00000001\\.ndjson, line 3, byte ${good.indexOf('{"s":2')}, length \\d+: wrong checksum$`, "m"),
  );

  const cut = good.slice(0, good.lastIndexOf("\n", good.length - 2) + 1);
  await writeFile(file, cut);
  const lost = await verify();
  assert.equal(lost.code, 2);
  assert.match(
    lost.out,
    new RegExp(
      `^obs/obs-00000001\\.ndjson, line 4, byte ${cut.length}: ends here, but once had ${good.length} bytes\n\nLines are bad or missing\\.`,
      "m",
    ),
  );
  await rm(file);
  const missing = await verify();
  assert.equal(missing.code, 2);
  assert.match(missing.out, /^obs\/obs-00000001\.ndjson: is missing\n\nLines are bad or missing\. Restore a backup, /m);
  await writeFile(file, good);

  await writeFile(join(data, "MANIFEST.json"), "{}");
  const unreadable = await verify();
  assert.equal(unreadable.code, 3);
  assert.match(unreadable.out, /^MANIFEST\.json: .* is damaged/m);

  const asked = await program(["repair", "--data", data]);
  const plan = "MANIFEST.json is made anew from the logs.\n";
  assert.deepEqual([asked.code, asked.err], [64, `${plan}mazaneh: Repair gives up lost data: confirm with --yes\n`]);
  const repaired = await program(["repair", "--yes", "--data", data]);
  assert.deepEqual([repaired.code, repaired.out], [0, `${plan}The data is whole again.\n`]);
  assert.deepEqual(await json("repair", "--data", data), { repairs: [], lost: [] });
  assert.equal((await program(["repair", "--data", data])).out, "There is nothing to repair.\n");
  assert.equal((await verify()).code, 0);
});

test("changes: each change by a command or the server itself has a line in the server's log with actor, subject, number and import", async (t) => {
  const { data } = await filled(t);
  const server = await serving(t, ["--data", data]);
  const { id, key } = await json<Made>("keys", "create", "carol", "--data", data);
  const input = ["code,value,businessTime\nUSD_RLS,1905001,2026-08-02T00:00:00Z\n"];
  assert.equal((await program(["import", "-", "--data", data], { input })).code, 0);
  await json("keys", "revoke", id, "--data", data);
  const texts = server
    .errors()
    .split("\n")
    .filter((line) => line.includes('"event":"changed"'));
  const lines = texts.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.equal((await server.get("/api/v1/access", key)).status, 401);
  assert.match(
    server.errors(),
    new RegExp(
      `"event":"key-refused","message":"Key ${id} of account carol was refused: it is revoked or expired".*"keyId":"${id}"`,
    ),
  );
  assert.match(
    (await program(["keys", "list", "--data", data])).out,
    new RegExp(`^${id} +carol +revoked .*${new Date().toISOString().slice(0, 10)}`, "m"),
  );
  const expected = [
    [`made key ${id} of account carol`],
    ["import 2 of standard input: 1 record", 2, 1],
    [`revoked key ${id}`],
  ] as const;
  assert.deepEqual(
    lines.map((line) => [line["import"], line["records"]]),
    expected.map(([, number, records]) => [number, records]),
  );
  for (const [index, [what]] of expected.entries()) {
    const { message, user, pid, level } = lines[index]!;
    assert.ok(String(message).endsWith(`, process ${process.pid}) ${what}`), String(message));
    assert.deepEqual([String(message).startsWith(`${String(user)} (`), pid, level], [true, process.pid, "info"]);
  }
});

test("a damaged price: the server serves the rest and reports the damage everywhere, backup keeps it and ends with 2, and repair removes it", async (t) => {
  const { directory, data } = await filled(t);
  const file = join(data, "obs/obs-00000001.ndjson");
  await writeFile(file, (await readFile(file, "utf8")).replace("1905000", "1905007"));
  const server = await serving(t, ["--data", data, "--admin-port", "0"]);
  assert.match(
    String(server.state["warnings"]),
    /^A place in the prices could not be read \(obs\/obs-00000001\.ndjson, byte \d+: wrong checksum\)/,
  );
  assert.match(server.errors(), /"level":"warn","event":"warning","message":"A place in the prices could not be read/);
  const { adminUrl, damages, ready } = await json<{ adminUrl: string; damages: number; ready: boolean }>(
    "status",
    "--data",
    data,
  );
  assert.deepEqual([ready, damages], [true, 1]);
  assert.deepEqual(await (await fetch(`${adminUrl}/readyz`)).json(), {
    ready: true,
    reasons: [],
    pending: 0,
    damages: 1,
  });
  assert.match(await (await fetch(`${adminUrl}/metrics`)).text(), /^store_damages 1$/m);
  assert.match(
    (await program(["status", "--data", data])).out,
    /^Ready\.\n1 place in the data could not be read, the rest is served: see verify, then repair\.\n/,
  );
  const made = await program(["backup", join(directory, "backup"), "--data", data]);
  assert.equal(made.code, 2);
  assert.match(
    made.out,
    /\nIt lacks a place that could not be read, in obs\/obs-00000001\.ndjson; the damaged files are in its quarantine\/\. Run mazaneh repair/,
  );
  assert.equal((await program(["restore", join(directory, "backup"), join(directory, "restored")])).code, 2);
  assert.equal((await program(["compact", "--data", data])).code, 65);
  await server.stop();
  assert.match(
    (await program(["repair", "--yes", "--data", data])).out,
    /^Lost: a line of USD_RLS at 2\S+Z to 2\S+Z \(2 prices\), obs\/obs-00000001\.ndjson, byte \d+: wrong checksum\.$/m,
  );
  const after = [
    ["compact"],
    ["backup", join(directory, "again")],
    ["verify"],
    ["copy", "--from", data, "--to", join(directory, "copy")],
  ];
  for (const args of after)
    assert.equal((await program(args[0] === "copy" ? args : [...args, "--data", data])).code, 0, args[0]);
});

test("repair beside a server is refused with 69; so are a backup to an existing path, and restoring something that is not a backup", async (t) => {
  const { directory, data } = await filled(t);
  const server = await serving(t, ["--data", data]);
  const code = async (...args: readonly string[]): Promise<number> => (await program(args)).code;
  assert.equal(await code("repair", "--data", data), 69);
  assert.equal(await code("backup", directory, "--data", data), 64);
  assert.equal(await code("backup", join(directory, "no", "such"), "--data", data), 64);
  assert.equal(await code("restore", data, join(directory, "new")), 65);
  assert.equal(await code("restore", data, join(directory, "new"), "--counters", "all"), 64);
  assert.equal(await code("restore", data, join(directory, "new"), "--quota", "spent"), 64);
  assert.equal(await code("backup", join(directory, "backup"), "--data", data), 0);
  assert.equal(await code("keys", "list", "--data", join(directory, "backup")), 65);
  assert.equal(await code("verify", "--data", join(directory, "backup")), 0);
  assert.deepEqual((await readdir(directory)).sort(), ["backup", "data"]);
  await server.stop();
});
