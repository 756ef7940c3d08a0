import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { mirrorStateFile, verifyStore } from "../../../adapters/stores/json_files/mod.ts";
import { edit, newDirectory, openAt } from "../../support/json_files_fixtures.ts";

const URL = "https://Prices.example:8443/market/";

test("mirror state file: loads the last state saved for each upstream, from a file that only the owner can access", async () => {
  const directory = await newDirectory();
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

test("mirror state file: a damaged file is refused with advice, and stays as it is", async () => {
  const directory = await newDirectory();
  await mirrorStateFile(directory, URL).save({ used: 12 });
  const [name = ""] = await readdir(join(directory, "mirror"));
  const path = join(directory, "mirror", name);
  await edit(directory, `mirror/${name}`, (text) => text.replace('"used":12', '"used":10'));
  const damaged = await readFile(path, "utf8");
  await assert.rejects(async () => mirrorStateFile(directory, URL).load(), /is damaged: wrong checksum.*Or remove it/);
  assert.equal(await readFile(path, "utf8"), damaged);
});

test("mirror state file: the store in the same directory opens, and passes verify", async () => {
  const directory = join(await newDirectory(), "data");
  await (await openAt(directory)).close();
  await mirrorStateFile(directory, URL).save({});
  await (await openAt(directory)).close();
  assert.equal((await verifyStore(directory)).state, 0);
});
