// Commands and servers that want one data directory at the same time.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createSession } from "../../../adapters/json_files/session.ts";
import { connectToStore, openAccountStore, openJsonFiles, readJsonFiles } from "../../../adapters/json_files/mod.ts";
import { systemClock } from "../../../adapters/system.ts";
import { serving, startMazaneh, temporaryStore } from "../../support/cli.ts";
import { program } from "../../support/cli_program.ts";
import { runs } from "../../support/size.ts";
import { observed } from "../../support/store_suite.ts";
import { FIRST_SEGMENT, startChild } from "../../support/store_suite_files.ts";

const clock = systemClock;

async function withKey(t: TestContext): Promise<string> {
  const data = await temporaryStore(t);
  assert.equal((await program(["keys", "create", "alice", "--data", data])).code, 0);
  return data;
}

test("keys, accounts and plans: no command reads observations, so none is stopped by those that cannot be read", async (t) => {
  const data = await withKey(t);
  const time = new Date(Date.now() - 60_000).toISOString();
  const imported = (): ReturnType<typeof program> => program(["import", "-", "--data", data], { input: [`code,value,businessTime\nUSD_RLS,1,${time}\n`] });
  assert.equal((await imported()).code, 0);
  const segment = join(data, FIRST_SEGMENT);
  await rm(segment);
  await mkdir(segment);
  assert.equal((await imported()).code, 65);
  const commands = [
    ["plans", "set", "PRO", "--daily-units", "5", "--attribution", "no"], ["keys", "create", "bob", "--plan", "PRO"],
    ["accounts", "set", "bob", "--status", "DISABLED"], ["keys", "list"], ["accounts", "list"], ["plans", "list"],
  ];
  for (const args of commands) {
    const { code, err } = await program([...args, "--data", data]);
    assert.deepEqual([code, err], [0, ""], args.join(" "));
  }
});

test("lists take no lock: they work while another process has the directory and answers nobody, and while a server starts", async (t) => {
  const data = await withKey(t);
  const accounts = await openAccountStore(data, { clock });
  for (const noun of ["keys", "accounts", "plans"]) {
    const { code, out } = await program([noun, "list", "--data", data]);
    assert.deepEqual([code, out.includes(noun === "plans" ? "FREE_STARTER" : "alice")], [0, true]);
  }
  await accounts.close();
  let starting = true;
  const lists = (async () => {
    let count = 0;
    for (; starting; count++) assert.equal((await program(["keys", "list", "--data", data])).code, 0);
    return count;
  })();
  const server = await serving(t, ["--data", data]).finally(() => (starting = false));
  assert.ok((await lists) > 0, "no list while the server started");
  assert.equal(await server.stop(), 0);
});

test("serve: waits for an import, however it is busy, and says for whom and for how long", { timeout: 60_000 }, async (t) => {
  const data = await withKey(t);
  const reader = startMazaneh(["import", "-", "--data", data]);
  t.after(() => reader.kill("SIGKILL"));
  reader.stdin.write("code,value,businessTime\n");
  for (let minute = 0; minute < 6_000; minute++) reader.stdin.write(`USD_RLS,1,${new Date(minute * 60_000 + 1e12).toISOString()}\n`);
  while ((await ownerOf(data)) !== reader.pid) await delay(20);
  const child = startMazaneh(["serve", "--json", "--port", "0", "--data", data]);
  t.after(() => child.kill("SIGKILL"));
  const [note] = (await once(createInterface(child.stderr), "line")) as [string];
  assert.equal(note, `Waiting for process ${reader.pid} on host "${hostname()}", which has "${data}" in use, for at most 60 seconds.`);
  reader.stdin.end();
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  assert.match(line, /"url":"http/);
  const closed = once(child, "close");
  child.kill("SIGTERM");
  assert.deepEqual(await closed, [0, null]);
});

/** The process that owns the directory and answers. */
async function ownerOf(data: string): Promise<number | undefined> {
  const access = await connectToStore(data);
  const info = await access?.info().catch(() => undefined);
  await access?.close();
  return info?.pid;
}

test("keys create: waits for a command that has the directory, and says for whom after a second", async (t) => {
  const data = await withKey(t);
  const accounts = await openAccountStore(data, { clock });
  const created = program(["keys", "create", "bob", "--data", data]);
  await delay(1_500);
  await accounts.close();
  const { code, out, err } = await created;
  assert.deepEqual([code, err], [0, `Waiting for process ${process.pid} on host "${hostname()}", which has "${data}" in use, for at most 60 seconds.\n`]);
  assert.match(out, /account bob/);
});

test("session: when the process that owns the directory is killed in the middle of a call, the call is made by this one", async (t) => {
  const data = await withKey(t);
  const child = startChild("hold", data);
  await child.told();
  const notes: string[] = [];
  const session = createSession(data, async () => {
    const { access, close } = await openJsonFiles(data, { clock });
    return { ...access, close };
  }, { note: (line) => notes.push(line) });
  assert.equal((await session.use((store) => store.info())).pid, child.process.pid);
  child.process.kill("SIGSTOP");
  const asked = session.use((store) => store.info());
  await delay(50);
  await child.kill();
  assert.equal((await asked).pid, process.pid);
  assert.deepEqual(notes, []);
  await session.close();
});

test("session: while the process that owns the directory closes the store, every call is made, once", async (t) => {
  const data = await withKey(t);
  const rounds = runs(4);
  for (let round = 0; round < rounds; round++) {
    const owner = await openJsonFiles(data, { clock });
    const session = createSession(data, async () => {
      const { access, close } = await openJsonFiles(data, { clock });
      return { ...access, close };
    }, { note: (line) => assert.fail(line) });
    const appended = (async () => {
      for (let minute = 0; minute < 30; minute++) {
        assert.deepEqual(await session.use((store) => store.append([observed(round * 30 + minute, 1)])), { accepted: 1, replaced: 0, unchanged: 0 });
      }
    })();
    await delay(round);
    await owner.close();
    await appended;
    await session.close();
  }
  assert.equal([...(await readJsonFiles(data)).observations.records()].length, rounds * 30);
});

test("session: a process that has the directory and does not answer is named, after a time that is bounded: 69", async (t) => {
  const data = await withKey(t);
  const child = startChild("hold", data);
  await child.told();
  child.process.kill("SIGSTOP");
  const session = createSession(data, () => openAccountStore(data, { clock }), { giveUpAfterMs: 300 });
  const owner = `process ${child.process.pid} on host "${hostname()}"`;
  await assert.rejects(session.use((store) => store.update([])), {
    exitCode: 69,
    message: `"${data}" is in use by ${owner}, which has not answered or ended for 0.3 seconds; what was asked of it may or may not be done`,
  });
  await session.close();
  await child.kill();
});
