// Writes more than 384 MB, which takes seconds and a gigabyte of memory.
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { mirrorStateFile } from "../../../adapters/stores/json_files/mod.ts";
import { newDirectory } from "../../support/json_files_fixtures.ts";

test("documents: one that would be too large to read again is not written, and the previous one stays", async () => {
  const directory = await newDirectory();
  const file = mirrorStateFile(directory, "https://prices.example");
  await file.save({ used: 1 });
  const large = "é".repeat(192 << 20); // two bytes each: with the rest of the document, a few bytes too many
  await assert.rejects(async () => file.save({ large }), /at most 402653184 bytes: received "4026\d+"/);
  assert.deepEqual(await file.load(), { used: 1 });
  assert.equal((await readdir(join(directory, "mirror"))).length, 1, "no temporary file is left");
});
