// Commands and servers that use one data directory at the same time.
import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "../../adapters/http/web_system.ts";
import { acquireLock } from "../../adapters/stores/json_files/lock/directory_lock.ts";
import { connectToStore, nodeFileSystem, openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import { serving, startMazaneh, temporaryDirectory, temporaryStore } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";
import { until } from "../support/wait_until.ts";

const clock = systemClock;

async function withKey(t: TestContext): Promise<string> {
  const data = await temporaryStore(t);
  assert.equal((await program(["keys", "create", "alice", "--data", data])).code, 0);
  return data;
}

test("lists take no lock: they work while a slow process owns the directory, and while a server starts", async (t) => {
  const data = await withKey(t);
  const owner = await openJsonFiles(data, { clock });
  for (const noun of ["keys", "accounts", "plans"]) {
    const { code, out } = await program([noun, "list", "--data", data]);
    assert.deepEqual([code, out.includes(noun === "plans" ? "FREE_STARTER" : "alice")], [0, true]);
  }
  await owner.close();
  let starting = true;
  const lists = (async () => {
    let count = 0;
    for (; starting; count++) assert.equal((await program(["keys", "list", "--data", data])).code, 0);
    return count;
  })();
  const server = await serving(t, ["--data", data]).finally(() => (starting = false));
  assert.ok((await lists) > 0, "no list has run while the server started");
  assert.equal(await server.stop(), 0);
});

test("serve: waits for an import, even a busy one, and says for which process and how long", {
  timeout: 300_000,
}, async (t) => {
  const data = await withKey(t);
  const file = join(await temporaryDirectory(t), "prices.csv");
  const rows = Array.from(
    { length: 400_000 },
    (_, minute) => `USD_RLS,1,${new Date(minute * 60_000 + 1e12).toISOString()}\n`,
  );
  await writeFile(file, `code,value,businessTime\n${rows.join("")}`);
  const reader = startMazaneh(["import", file, "--data", data]);
  t.after(() => reader.kill("SIGKILL"));
  await until("the import owns the directory", async () => (await ownerOf(data)) === reader.pid, 20);
  const child = startMazaneh(["serve", "--json", "--port", "0", "--data", data]);
  t.after(() => child.kill("SIGKILL"));
  const [note] = (await once(createInterface(child.stderr), "line")) as [string];
  assert.equal(
    note,
    `Waiting for process ${reader.pid} on host "${hostname()}", which has "${data}" in use, for at most 60 seconds.`,
  );
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  assert.match(line, /"url":"http/);
  const closed = once(child, "close");
  child.kill("SIGTERM");
  assert.deepEqual(await closed, [0, null]);
});

/** The process id of the owner of the directory; `undefined` if no owner answers. */
async function ownerOf(data: string): Promise<number | undefined> {
  const access = await connectToStore(data);
  const info = await access?.info().catch(() => undefined);
  await access?.close();
  return info?.pid;
}

test("keys create: waits for a process that owns the directory and does not answer, and names it after a second", async (t) => {
  const data = await withKey(t);
  const lock = await acquireLock(nodeFileSystem, data, { now: clock(), onLost: (error) => assert.fail(error) });
  const created = program(["keys", "create", "bob", "--data", data]);
  await delay(1_500);
  await lock.close();
  const { code, out, err } = await created;
  assert.deepEqual(
    [code, err],
    [
      0,
      `Waiting for process ${process.pid} on host "${hostname()}", which has "${data}" in use, for at most 60 seconds.\n`,
    ],
  );
  assert.match(out, /account bob/);
});
