import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";

const CORE = new URL("../../core/", import.meta.url);
const files = (await readdir(CORE, { recursive: true })).filter((name) => name.endsWith(".ts")).sort();
const sources = new Map(
  await Promise.all(files.map(async (name) => [name, await readFile(new URL(name, CORE), "utf8")] as const)),
);

/** Whatever a module is taken from: `import`, `export ... from`, `import()`, `require()`; not the word "from" in quotes. */
const SPECIFIER = /(?<!["'\w])(?:from|import|require)\s*\(?\s*(["'`])(.*?)\1/g;

/** What the core may not name, and how it would be written. */
const FORBIDDEN: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["Date.now", /\bDate\s*\.\s*now\b/],
  ["the time of the machine", /\bnew\s+Date\s*(?:\(\s*\)|(?![\s\w(]))|(?<!new\s+)(?<![\w.])Date\s*\(/],
  ["Math.random", /\bMath\s*\.\s*random\b/],
  ["process", /(?<![\w.])process\b/],
  ["globalThis", /\bglobalThis\b/],
  ["global", /(?<![\w.])global\s*[.[]/],
  ["performance", /(?<![\w.])performance\b/],
  ["console", /(?<![\w.])console\b/],
  ["a timer", /(?<![\w.])(?:setTimeout|setInterval|setImmediate|queueMicrotask)\b/],
  ["fetch", /(?<![\w.])fetch\b/],
  ["URL", /(?<![\w.])URL(?:SearchParams)?\b/],
  ["crypto", /(?<![\w.])crypto\b/],
  ["a runtime by its name", /(?<![\w.])(?:Deno|Bun|Buffer|require)\b/],
  ["code made of text", /(?<![\w.])eval\s*\(|\bnew\s+Function\b/],
  ["import.meta", /\bimport\s*\.\s*meta\b/],
];

/** A source without its comments and without what stands inside string quotes. Regular expressions may hold quotes, so they are taken whole. */
function code(source: string): string {
  const token =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<=[=(,:|&?!]\s*|return\s)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;
  return source.replace(token, (text) =>
    text.startsWith('"') || text.startsWith("'") ? '""' : text.startsWith("//") || text.startsWith("/*") ? " " : "/ /",
  );
}

function found(source: string): string[] {
  return FORBIDDEN.filter(([, pattern]) => pattern.test(code(source))).map(([what]) => what);
}

test("purity: the core takes nothing from outside itself", () => {
  assert.ok(sources.has("api.ts") && sources.has("time/zone.ts"), "the sources are there");
  for (const [name, source] of sources) {
    // Comments may hold examples; specifiers are strings, so only comments are taken away.
    const bare = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    for (const [, , specifier = ""] of bare.matchAll(SPECIFIER)) {
      assert.match(specifier, /^\.\.?\/[a-z0-9_/.]+\.ts$/, `core/${name} imports "${specifier}"`);
      assert.ok(sources.has(join(dirname(name), specifier)), `core/${name} imports "${specifier}"`);
    }
  }
});

test("purity: the core reads no clock, no chance and no runtime", () => {
  for (const [name, source] of sources) assert.deepEqual(found(source), [], `core/${name}`);
});

/** The folders that a folder or a file of the core imports from. */
function roomsOf(room: string): ReadonlySet<string> {
  const own = [...sources].filter(([name]) => name === room || name.startsWith(`${room}/`));
  const imported = own.flatMap(([name, source]) =>
    [...source.matchAll(SPECIFIER)].map(([, , specifier = ""]) => join(dirname(name), specifier)),
  );
  return new Set(
    imported
      .filter((name) => name.includes("/"))
      .map((name) => name.split("/")[0]!)
      .filter((folder) => folder !== room),
  );
}

test("rooms: http imports nothing of accounts and routes, and ports nothing of series", () => {
  assert.deepEqual(
    [...roomsOf("http")].filter((folder) => ["accounts", "routes", "queries", "series"].includes(folder)),
    [],
  );
  assert.ok(!roomsOf("ports.ts").has("series"), "ports.ts");
});

test("rooms: no folder of the core imports one that imports it, however far away", () => {
  const folders = [...new Set(files.filter((name) => name.includes("/")).map((name) => name.split("/")[0]!))];
  for (const folder of folders) {
    const reached = new Set<string>();
    const follow = (from: string): void =>
      roomsOf(from).forEach((to) => reached.has(to) || (reached.add(to), follow(to)));
    follow(folder);
    assert.ok(!reached.has(folder), `${folder} reaches itself through ${[...roomsOf(folder)].join(", ")}`);
  }
});

test("purity: the core is compiled with the language alone: no types of a runtime, no DOM", async () => {
  const config: unknown = JSON.parse(await readFile(new URL("tsconfig.json", CORE), "utf8"));
  assert.ok(
    typeof config === "object" && config !== null && "compilerOptions" in config,
    "core/tsconfig.json has compiler options",
  );
  const { compilerOptions } = config;
  assert.ok(typeof compilerOptions === "object" && compilerOptions !== null, "they are an object");
  assert.deepEqual(compilerOptions, { lib: ["ES2023"], types: [] });
  assert.ok("include" in config && !("exclude" in config), "it includes all of core");
  assert.deepEqual(config.include, ["."]);
});
