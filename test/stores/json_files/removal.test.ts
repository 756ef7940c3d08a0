import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { logSeed, seal } from "../../../adapters/stores/json_files/log/sealed_line.ts";
import { type JsonFileStore, verifyStore } from "../../../adapters/stores/json_files/mod.ts";
import { type ObservationKey, Unavailable } from "../../../core/ports.ts";
import { imported, undo } from "../../support/imports_suite.ts";
import {
  FIRST_SEGMENT,
  faultyFileSystem,
  linesOf,
  NOW,
  newDirectory,
  openAt,
  systemError,
} from "../../support/json_files_fixtures.ts";
import { observed } from "../../support/store_suite.ts";

function keyAt(minute: number): ObservationKey {
  const { code, businessTime } = observed(minute, 1);
  return { code, businessTime };
}

function valuesOf({ observations }: Pick<JsonFileStore, "observations">): number[] {
  return [...observations.records()].map(({ value }) => value);
}

/** A store that was closed: records 1 to 5, of which an undo has removed 2 and 4, and 2 came again as 20. */
async function filled(): Promise<string> {
  const directory = await newDirectory();
  const store = await openAt(directory);
  await store.observations.append([1, 3, 5].map((minute) => observed(minute, minute)));
  await undo(store.imports, await imported(store.imports, [observed(4, 4), observed(2, 2)]));
  await store.observations.append([observed(2, 20)]);
  await store.close();
  return directory;
}

test("removal: it is one line of the log, which names the times", async () => {
  const directory = await filled();
  const removal = JSON.parse((await linesOf(join(directory, FIRST_SEGMENT)))[6]!) as Record<string, unknown>;
  const { s, type, code, businessTime } = removal;
  const times = [keyAt(2).businessTime, keyAt(4).businessTime];
  assert.deepEqual([s, type, code, businessTime], [6, "removal", "USD_RLS", times]);
});

test("removal: a line of it that is not as the program writes it is damage, and takes nothing out", async () => {
  const wrongTimes = ["[1.5]", '["1"]', "1", "[1e17]"].map((times) => `"code":"USD_RLS","businessTime":${times}`);
  const wrong = [...wrongTimes, '"code":7,"businessTime":[1]', '"code":"","businessTime":[1]'];
  for (const members of wrong) {
    const directory = await filled();
    const path = join(directory, FIRST_SEGMENT);
    const { storeId } = JSON.parse((await linesOf(path))[0]!) as { storeId: string };
    await writeFile(
      path,
      `${await readFile(path, "utf8")}${seal(`{"s":9,"g":1,"type":"removal",${members},"e":1`, logSeed(storeId, "obs"))}\n`,
    );
    const { state, files } = await verifyStore(directory);
    assert.deepEqual(
      [state, files.flatMap(({ bad }) => bad.map(({ reason }) => reason))],
      [2, ["not a record"]],
      members,
    );
    const store = await openAt(directory);
    assert.deepEqual(valuesOf(store), [1, 20, 3, 5]);
    await store.close();
  }
});

test("unchanged: a batch in which nothing changes writes and syncs nothing", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] }); // No heartbeat.
  const directory = await newDirectory();
  const calls: string[] = [];
  const fs = faultyFileSystem((call, path) => void calls.push(`${call} ${path.slice(directory.length)}`));
  const store = await openAt(directory, { fs });
  await store.observations.append([observed(1, 1), observed(2, 2)]);
  calls.length = 0;
  assert.deepEqual(await store.observations.append([observed(2, 2), observed(1, 1, { insertTime: NOW })]), {
    accepted: 0,
    replaced: 0,
    unchanged: 2,
  });
  assert.deepEqual(calls, []);
  await store.observations.append([observed(2, 2), observed(3, 3)]);
  await store.close();
  await assert.rejects(store.observations.append([observed(1, 1)]), Unavailable, "a closed store acknowledges nothing");
  assert.equal((await linesOf(join(directory, FIRST_SEGMENT))).length, 1 + 2, "only what is new was written");
});

test("unchanged: a record that is being written is not relied on: when its write fails, the one that comes again is there", async () => {
  const directory = await newDirectory();
  let failing = false;
  const fs = faultyFileSystem((call) => {
    if (failing && call === "write") throw systemError("ENOSPC");
  });
  const store = await openAt(directory, { fs });
  await store.observations.append([observed(1, 1)]);
  failing = true;
  const both = [store.observations.append([observed(2, 2)]), store.observations.append([observed(2, 2)])];
  const outcomes = await Promise.allSettled(both);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["rejected", "rejected"],
    "neither is acknowledged",
  );
  await store.close();
});
