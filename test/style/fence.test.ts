// Adapters know the doors of the core alone, so that what stands behind them can be moved without a look at every adapter.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
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

/** What chooses the engine of files, or is for files alone. The edge snapshot shares a parser of accounts with it. */
const CHOOSE_FILES = [
  "standalone.ts",
  "cli/engine.ts",
  "cli/files_engine.ts",
  "cli/commands/backup.ts",
  "edge_snapshot/mod.ts",
];
const FILES_SPECIFIER = /["'`](?:\.\.?\/)+json_files\//;
const ENGINE_FOLDER = /^(?:json_files|postgres|redis)\//;

test("fence: only modules that choose an engine import the one of JSON files", async () => {
  const found: string[] = [];
  for (const name of files.filter((file) => !file.startsWith("json_files/"))) {
    if (FILES_SPECIFIER.test(await readFile(new URL(name, ADAPTERS), "utf8"))) found.push(name);
  }
  assert.deepEqual(found, CHOOSE_FILES.toSorted());
});

test("fence: what all engines share imports none of them; neither they nor what takes prices in import server or program", async () => {
  for (const name of files.filter((file) => /^(?:store|csv|ingest)\//.test(file) || ENGINE_FOLDER.test(file))) {
    const source = await readFile(new URL(name, ADAPTERS), "utf8");
    for (const [, specifier = ""] of source.matchAll(/from "(\.[^"]+)"/g)) {
      const path = new URL(specifier, new URL(name, ADAPTERS)).href.slice(ADAPTERS.href.length);
      assert.doesNotMatch(path, /^(?:cli|operations|standalone)/, `adapters/${name} imports "${specifier}"`);
      if (name.startsWith("store/"))
        assert.doesNotMatch(path, ENGINE_FOLDER, `adapters/${name} imports "${specifier}"`);
    }
  }
});
