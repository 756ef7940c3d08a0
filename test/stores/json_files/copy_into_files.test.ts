import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeStore } from "../../../adapters/stores/json_files/maintenance/make_store_from_content.ts";
import { readContent } from "../../../adapters/stores/json_files/maintenance/read_content.ts";
import type { JsonFileStore } from "../../../adapters/stores/json_files/mod.ts";
import type { StoreContent } from "../../../adapters/stores/shared/store_copying.ts";
import type { AccountId } from "../../../core/mod.ts";
import { fillInstallation, type Installation, TODAY, valuesOfContent } from "../../support/filled_installation.ts";
import { NOW, newDirectory, openAt } from "../../support/json_files_fixtures.ts";
import { observed } from "../../support/store_suite.ts";

const OPTIONS = { now: NOW, progress() {} };

test("copy: from a store in use, reads everything acknowledged so far, and nothing later", async () => {
  const directory = await newDirectory();
  const source = await openAt(directory);
  await fillInstallation(installationOf(source));
  const before = await readContent(directory);
  const expected = await valuesOfContent(before);
  await source.observations.append([observed(7, 7)]);
  await source.quota.take("carol" as AccountId, TODAY, 50);
  await source.access.imports.undo(1);
  assert.notDeepEqual(await valuesOfContent(await readContent(directory)), expected);
  assert.deepEqual(await valuesOfContent(before), expected);
  await source.close();
});

test("copy: if the content cannot be read completely, nothing is left of the target", async () => {
  const directory = await newDirectory();
  await (await openAt(directory)).close();
  const parent = await newDirectory();
  const broken: StoreContent = {
    ...(await readContent(directory)),
    async *records() {
      throw new Error("lost");
    },
  };
  await assert.rejects(makeStore(join(parent, "copy"), broken, OPTIONS), /lost/);
  assert.deepEqual(await readdir(parent), []);
});

test("copy: refuses a target directory with a store or anything else in it", async () => {
  const directory = await newDirectory();
  await (await openAt(directory)).close();
  const refusal = { name: "StoreError", exitCode: 64, message: /because it is not empty/ };
  await assert.rejects(makeStore(directory, await readContent(directory), OPTIONS), refusal);
});

function installationOf({ observations, accounts, quota, access }: JsonFileStore): Installation {
  return { observations, accounts, quota, imports: access.imports };
}
