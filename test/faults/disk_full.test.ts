import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mock, test } from "node:test";
import type { JsonFileStore } from "../../adapters/json_files/mod.ts";
import { Unavailable } from "../../core/ports.ts";
import { observed } from "../support/store_suite.ts";
import { runs } from "../support/size.ts";
import { newDirectory, openAt } from "../support/store_suite_files.ts";
import { mountable } from "./mounts.ts";
import { tell } from "./trial.ts";

test("disk full: on a real disk of 512 KB", { skip: await mountable("tmpfs") }, async (t) => {
  const place = await newDirectory();
  const counts = { fills: 0, acknowledged: 0 };
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=512k", "tmpfs", place]);
  try {
    for (; counts.fills < runs(2); counts.fills++) {
      const directory = join(place, "data");
      await mkdir(directory, { mode: 0o700 });
      const filler = join(place, "filler");
      await writeFile(filler, Buffer.alloc(400_000 - (counts.fills % 100) * 1_111));
      counts.acknowledged += await fill(directory, () => rm(filler));
      await rm(directory, { recursive: true });
    }
  } finally {
    execFileSync("umount", ["-l", place]);
  }
  tell(t, counts);
});

/** Appends until the disk is full, makes room, appends again, and reads all of it anew; tells how many records there were. */
async function fill(directory: string, makeRoom: () => Promise<void>): Promise<number> {
  let store = await openAt(directory);
  let minute = 0;
  const fillUp = async (): Promise<void> => {
    for (;;) {
      await store.observations.append(Array.from({ length: 37 }, (_, i) => observed(minute + i, minute + i + 1)));
      minute += 37;
    }
  };
  await assert.rejects(fillUp(), Unavailable);
  assert.equal(countOf(store), minute, "reads go on");
  await makeRoom();
  const now = performance.now();
  mock.method(performance, "now", () => now + 6_000);
  await store.observations.append([observed(minute, minute + 1)]);
  mock.restoreAll();
  await store.close();
  store = await openAt(directory);
  assert.deepEqual([countOf(store), store.damages, store.torn], [minute + 1, [], []]);
  for (const { businessTime, value } of store.observations.records()) assert.equal(observed(value - 1, value).businessTime, businessTime);
  await store.close();
  return minute + 1;
}

function countOf(store: JsonFileStore): number {
  return [...store.observations.records()].length;
}
