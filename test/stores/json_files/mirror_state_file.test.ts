import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { systemClock } from "../../../adapters/http/web_system.ts";
import { mirrorStateFile, openJsonFiles, verifyStore } from "../../../adapters/stores/json_files/mod.ts";

const URL = "https://Prices.example:8443/market/";

async function directoryFor(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "mazaneh-mirror-"));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

test("mirror state file: loads the last state saved for each upstream, from a file that only the owner can access", async (t) => {
  const directory = await directoryFor(t);
  const file = mirrorStateFile(directory, URL);
  assert.equal(await file.load(), undefined);
  await file.save({ used: 1 });
  await file.save({ used: 2 });
  for (const end of ["", "/api/v1"])
    assert.deepEqual(await mirrorStateFile(directory, `https://prices.example:8443/market${end}`).load(), { used: 2 });
  assert.equal(await mirrorStateFile(directory, "https://other.example").load(), undefined);
  const path = join(directory, "mirror", "prices.example_8443_market.json");
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal((JSON.parse(await readFile(path, "utf8")) as { kind: string }).kind, "mirror");
});

test("mirror state file: a damaged file is refused with advice, and stays as it is", async (t) => {
  const directory = await directoryFor(t);
  await mirrorStateFile(directory, URL).save({ used: 12 });
  const [name = ""] = await readdir(join(directory, "mirror"));
  const path = join(directory, "mirror", name);
  const damaged = (await readFile(path, "utf8")).replace('"used":12', '"used":10');
  await writeFile(path, damaged);
  const file = mirrorStateFile(directory, URL);
  await assert.rejects(async () => file.load(), /is damaged: wrong checksum.*Or remove it/);
  assert.equal(await readFile(path, "utf8"), damaged);
});

test("mirror state file: the store in the same directory opens, and passes verify", async (t) => {
  const directory = join(await directoryFor(t), "data");
  await (await openJsonFiles(directory, { clock: systemClock })).close();
  await mirrorStateFile(directory, URL).save({});
  await (await openJsonFiles(directory, { clock: systemClock })).close();
  assert.equal((await verifyStore(directory)).state, 0);
});
