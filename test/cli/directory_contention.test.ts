// Commands and servers that use one data directory at the same time.
import assert from "node:assert/strict";
import { hostname } from "node:os";
import { Readable } from "node:stream";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { systemClock } from "../../adapters/http/web_system.ts";
import { sessionWith } from "../../adapters/stores/json_files/connect_or_open.ts";
import { createHealth } from "../../adapters/stores/json_files/errors.ts";
import { acquireLock } from "../../adapters/stores/json_files/lock/directory_lock.ts";
import { nodeFileSystem, openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import { serving, started, temporaryStore } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";
import { until } from "../support/wait_until.ts";

const clock = systemClock;

async function withKey(t: TestContext): Promise<string> {
  const data = await temporaryStore(t);
  assert.equal((await program(["keys", "create", "alice", "--data", data])).code, 0);
  return data;
}

test("list commands take no lock: they work while a slow process owns the directory, and while a server starts", async (t) => {
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
  assert.ok((await lists) > 0, "no list command ran while the server was starting");
  assert.equal(await server.stop(), 0);
});

test("a wait of less than a second for another process is not reported", async (t) => {
  const data = await withKey(t);
  const lock = await acquireLock({ fs: nodeFileSystem, health: createHealth(assert.fail), directory: data }, clock());
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const notes: string[] = [];
  const reading = sessionWith(data, { clock }, (note) => notes.push(note)).book();
  for (let ms = 0; ms < 999; ms++, await setImmediate()) t.mock.timers.tick(1);
  assert.deepEqual(notes, []);
  await lock.close();
  const ticking = setInterval(() => t.mock.timers.tick(1));
  await reading.finally(() => clearInterval(ticking));
});

test("`keys create` and `serve` wait if the process that owns the directory does not answer; after a second, they name the process", async (t) => {
  const data = await withKey(t);
  const lock = await acquireLock({ fs: nodeFileSystem, health: createHealth(assert.fail), directory: data }, clock());
  const input = Readable.from([]);
  const commands = [
    started(["keys", "create", "bob", "--data", data], { input }),
    started(["serve", "--port", "0", "--data", data], { input }),
  ] as const;
  const note = `Waiting for process ${process.pid} on host "${hostname()}", which has "${data}" in use, for at most 60 seconds.\n`;
  for (const { texts } of commands) await until("it waits", () => texts.err.startsWith(note));
  await lock.close();
  const [created, server] = commands;
  assert.equal(await created.ended, 0);
  assert.match(created.texts.out, /account bob/);
  await until("the server listens", () => server.texts.out.includes("Listening on http"));
  server.stop();
  assert.equal(await server.ended, 0);
});
