// Adapters know the doors of the core alone, so that what stands behind them can be moved without a look at every adapter.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";

const ADAPTERS = new URL("../../adapters/", import.meta.url);
const files = (await readdir(ADAPTERS, { recursive: true })).filter((name) => name.endsWith(".ts")).sort();
/** The public entries, what a client shares with them, and what only adapters use. */
const DOORS = ["mod.ts", "openapi/mod.ts", "mirror/mod.ts", "calls.ts", "internal.ts"];
const CORE_SPECIFIER = /["'`](?:\.\.\/)+core\/(.*?)["'`]/g;

test("fence: the adapters' sources are there", () => {
  assert.ok(files.length >= 30, `${files.length} files`);
});

for (const name of files) {
  test(`fence: adapters/${name} reaches the core through its public entries or core/internal.ts`, async () => {
    const source = await readFile(new URL(name, ADAPTERS), "utf8");
    for (const [, module = ""] of source.matchAll(CORE_SPECIFIER)) {
      assert.ok(DOORS.includes(module), `adapters/${name} imports "core/${module}"`);
    }
  });
}
