import assert from "node:assert/strict";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { DEMO_KEY_FILE, endDemoKey, keepDemoKey } from "../../../adapters/cli/demo_key.ts";
import type { DemoKey } from "../../../adapters/cli/demo_key.ts";
import { openJsonFiles } from "../../../adapters/json_files/mod.ts";
import type { JsonFileStore } from "../../../adapters/json_files/mod.ts";
import { nodeSystem } from "../../../adapters/node/mod.ts";
import { systemClock } from "../../../adapters/system.ts";
import { createKey } from "../../../core/mod.ts";
import { makeStore, serving, temporaryDirectory } from "../../support/cli.ts";

interface Place {
  readonly store: JsonFileStore;
  readonly data: string;
  readonly file: string;
  keep(): Promise<DemoKey | undefined>;
}

async function place(t: TestContext): Promise<Place> {
  const data = join(await temporaryDirectory(t), "data");
  const store = await openJsonFiles(data, { clock: systemClock });
  t.after(() => store.close());
  return { store, data, file: join(data, DEMO_KEY_FILE), keep: () => keepDemoKey(store, data, systemClock) };
}

function planOf(store: JsonFileStore, account = "demo"): unknown {
  const { accounts, plans } = store.accounts.book();
  return plans.find(({ name }) => name === accounts.find(({ id }) => id === account)?.plan);
}

test("demo key: it is made once, with a plan of its own, and kept where only the owner may read it", async (t) => {
  const { store, file, keep } = await place(t);
  const made = await keep();
  assert.deepEqual(planOf(store), { name: "SAMPLE", dailyUnits: 5_000, attributionRequired: false });
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal(await readFile(file, "utf8"), `${made!.key}\n`);
  assert.deepEqual([await keep(), store.accounts.book().keys.length], [made, 1]);
  const { plans } = store.accounts.book();
  assert.equal(plans.find(({ name }) => name === "FREE_STARTER")?.dailyUnits, 50);
});

const losses: readonly (readonly [what: string, lose: (place: Place, made: DemoKey) => unknown])[] = [
  ["removed", ({ file }) => rm(file)],
  ["empty", ({ file }) => writeFile(file, "")],
  ["no key", ({ file }) => writeFile(file, "x".repeat(1_000))],
  ["of another store", async ({ file }) => writeFile(file, (await createKey({ update: () => ({ plans: [], accounts: [], keys: [] }) }, nodeSystem, "demo")))],
  ["of a key that was revoked", ({ store }, { id }) => store.accounts.update([{ op: "key.revoke", id, at: systemClock() }])],
  ["of a key that has ended", ({ store }, { id }) => store.accounts.update([{ op: "key.expire", id, at: systemClock() }])],
];
for (const [what, lose] of losses) {
  test(`demo key: where its file is ${what}, a new one is made and kept`, async (t) => {
    const here = await place(t);
    const made = (await here.keep())!;
    await lose(here, made);
    const anew = (await here.keep())!;
    assert.notEqual(anew.key, made.key);
    assert.deepEqual([await here.keep(), (await readFile(here.file, "utf8")).trim()], [anew, anew.key]);
    assert.ok(here.store.accounts.book().keys.some(({ id }) => id === anew.id));
  });
}

test("demo key: a plan that the operator has changed stays; an account of an earlier version gets the sample's", async (t) => {
  const { store, file, keep } = await place(t);
  await createKey(store.accounts, nodeSystem, "demo");
  await keep();
  assert.deepEqual(planOf(store), { name: "SAMPLE", dailyUnits: 5_000, attributionRequired: false });
  await store.accounts.update([{ op: "plan.patch", name: "SAMPLE", dailyUnits: 7 }]);
  await rm(file);
  await keep();
  assert.deepEqual(planOf(store), { name: "SAMPLE", dailyUnits: 7, attributionRequired: false });
});

test("demo key: where it cannot be kept there is none, and the store is as before", async (t) => {
  const { store, file, keep } = await place(t);
  await mkdir(file);
  await assert.rejects(keep(), /not a regular file/);
  assert.deepEqual(store.accounts.book().keys, []);
});

test("demo key: it ends with its file, also when nothing was kept", async (t) => {
  const { store, data, keep } = await place(t);
  await endDemoKey(store.accounts, data, systemClock);
  const made = (await keep())!;
  await endDemoKey(store.accounts, data, systemClock);
  assert.notEqual(store.accounts.book().keys.find(({ id }) => id === made.id)?.revokedAt, null);
  await assert.rejects(stat(join(data, DEMO_KEY_FILE)), { code: "ENOENT" });
});

test("serve --sample: where the demo key cannot be kept, the prices are served all the same", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  await makeStore(data);
  await mkdir(join(data, DEMO_KEY_FILE));
  const server = await serving(t, ["--sample", "--data", data]);
  assert.deepEqual([server.state["demoKey"], server.state["sample"]], [null, "all"]);
  assert.equal((await server.get("/api/v1/status")).status, 200);
});

test("serve --sample: the page gets the key that the terminal shows; a server without --sample gives none", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  const server = await serving(t, ["--sample", "--data", data]);
  const key = String(server.state["demoKey"]?.["key"]);
  assert.ok((await (await fetch(`${server.url}/docs`)).text()).includes(`"demoKey":"${key}"`));
  assert.equal((await server.get("/docs/market", key)).status, 200);
  assert.equal(await server.stop(), 0);
  const plain = await serving(t, ["--data", data]);
  const page = await (await fetch(`${plain.url}/docs`)).text();
  assert.ok(page.includes('"isSample":true') && !page.includes("mz_live_"));
});
