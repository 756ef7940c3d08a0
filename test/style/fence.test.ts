// Adapters import the core only through its entry points, so that moving a file in the core does not change adapters.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { sourceOf } from "../readme/pages.ts";

const ADAPTERS = new URL("../../adapters/", import.meta.url);
const files = (await readdir(ADAPTERS, { recursive: true })).filter((name) => /\.tsx?$/.test(name)).sort();
const sources = new Map(
  await Promise.all(files.map(async (name) => [name, await readFile(new URL(name, ADAPTERS), "utf8")] as const)),
);
/** The public entry points, the entry point of the code that the client shares, and the entry point for adapters. */
const DOORS = ["mod.ts", "openapi/mod.ts", "client_entry.ts", "internal.ts"];
const CORE_SPECIFIER = /["'`](?:\.\.\/)+core\/(.*?)["'`]/g;

test("fence: adapters import the core only through its public entries or core/internal.ts", () => {
  assert.ok(files.length >= 30, `${files.length} files`);
  for (const name of files)
    for (const [, module = ""] of sources.get(name)!.matchAll(CORE_SPECIFIER))
      assert.ok(DOORS.includes(module), `adapters/${name} imports "core/${module}"`);
});

test("fence: entry points have no import.meta and no top-level await, so that apps can bundle them as CommonJS", async () => {
  const { exports } = JSON.parse(await readFile("package.json", "utf8")) as { exports: Record<string, unknown> };
  const entryPoints = Object.keys(exports)
    .filter((name) => name !== "./package.json")
    .map((name) => sourceOf(name.replace(".", "mazaneh")));
  const options = { bundle: true, write: false, platform: "node", packages: "external", logLevel: "silent" } as const;
  const { warnings } = await build({ entryPoints, ...options, format: "cjs", outdir: "." });
  assert.deepEqual(warnings, []);
});

/** Modules that select the file engine, or only work with files. */
const CHOOSE_FILES = [
  "cli/commands/maintenance.ts",
  "cli/engines/files_engine.ts",
  "cli/commands/backup_and_restore.ts",
];

test("fence: only modules that choose an engine import the JSON file engine", () => {
  const found = files.filter(
    (name) =>
      !name.startsWith("stores/json_files/") && importsOf(name).some((path) => path.startsWith("stores/json_files/")),
  );
  assert.deepEqual(found, CHOOSE_FILES.toSorted());
});

/** The modules that a folder may import besides the core. */
const MAY_IMPORT: Readonly<Record<string, RegExp>> = {
  intake: /^intake\//,
  http: /^http\//,
  client: /^client\//,
  "stores/shared": /^(?:stores\/shared|http\/web_system)/,
  // A store notes which process, and which version of the program, changed it.
  stores: /^(?:stores|http\/web_system|server\/(?:this_process|program_version))/,
  feeds: /^(?:feeds|stores\/shared|intake|client|http\/web_system)/,
  page: /^(?:page|client|intake\/names)/,
};
for (const [folder, allowed] of Object.entries(MAY_IMPORT)) {
  test(`fence: adapters/${folder} imports only the core and ${allowed.source}`, () => {
    const own = files.filter((name) => name.startsWith(`${folder}/`));
    assert.ok(own.length >= 5, `${own.length} files`);
    for (const name of own) for (const path of importsOf(name)) assert.match(path, allowed, `adapters/${name}`);
  });
}

test("fence: the folder adapters/ has eight folders and nothing else", async () => {
  const folders = "cli client feeds http intake page server stores";
  assert.deepEqual((await readdir(ADAPTERS)).sort(), folders.split(" "));
});

test("fence: no file imports itself through another folder", () => {
  const reached = new Map(files.map((name) => [name, reachedFrom(name)]));
  const isCircle = (one: string, other: string): boolean =>
    dirname(one) !== dirname(other) && reached.get(one)!.has(other) && reached.get(other)!.has(one);
  assert.deepEqual(
    files.filter((one) => files.some((other) => isCircle(one, other))),
    [],
  );
});

/** Returns the files in `adapters/` that a file imports. */
function importsOf(name: string): readonly string[] {
  const specifiers = [...sources.get(name)!.matchAll(/(?:from |import\()"(\.[^"]+)"/g)].map(([, specifier = ""]) =>
    join(dirname(name), specifier),
  );
  return specifiers.filter((path) => !path.startsWith(".."));
}

function reachedFrom(name: string): ReadonlySet<string> {
  const reached = new Set(importsOf(name));
  // A loop over a set also visits members that are added during the loop.
  for (const next of reached) if (sources.has(next)) for (const path of importsOf(next)) reached.add(path);
  return reached;
}
