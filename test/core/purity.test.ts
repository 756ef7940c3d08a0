import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";

const CORE = new URL("../../core/", import.meta.url);
const files = (await readdir(CORE, { recursive: true })).filter((name) => name.endsWith(".ts")).sort();
const sources = new Map(await Promise.all(files.map(async (name) => [name, await readFile(new URL(name, CORE), "utf8")] as const)));

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
  const token = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<=[=(,:|&?!]\s*|return\s)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;
  return source.replace(token, (text) => (text.startsWith('"') || text.startsWith("'") ? '""' : text.startsWith("//") || text.startsWith("/*") ? " " : "/ /"));
}

function found(source: string): string[] {
  return FORBIDDEN.filter(([, pattern]) => pattern.test(code(source))).map(([what]) => what);
}

test("purity: the sources are there", () => {
  assert.ok(files.length >= 30, `${files.length} files`);
  for (const name of ["api.ts", "mod.ts", "routes/handler.ts", "time/zone.ts"]) assert.ok(sources.has(name), name);
});

for (const [name, source] of sources) {
  test(`purity: core/${name} takes nothing from outside core/`, () => {
    // Comments may hold examples; specifiers are strings, so only comments are taken away.
    const bare = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    for (const [, , specifier = ""] of bare.matchAll(SPECIFIER)) {
      assert.match(specifier, /^\.\.?\/[a-z0-9_/.]+\.ts$/, `core/${name} imports "${specifier}"`);
      assert.ok(sources.has(join(dirname(name), specifier)), `core/${name} imports "${specifier}"`);
    }
  });

  test(`purity: core/${name} reads no clock, no chance and no runtime`, () => {
    assert.deepEqual(found(source), []);
  });
}

// The check itself: what it must see, and what it must let pass.
const seen: readonly (readonly [line: string, what: string])[] = [
  ["const now = Date.now();", "Date.now"],
  ["const now = Date\n  .now();", "Date.now"],
  ["const now = new Date();", "the time of the machine"],
  ["const now = new Date( );", "the time of the machine"],
  ["const now = new Date;", "the time of the machine"],
  ["const now = Date();", "the time of the machine"],
  ["const x = Math.random();", "Math.random"],
  ["const { env } = process;", "process"],
  ["process.exit(1);", "process"],
  ["globalThis.x = 1;", "globalThis"],
  ["const t = performance.now();", "performance"],
  ["console.log(1);", "console"],
  ["setTimeout(() => {}, 1);", "a timer"],
  ["queueMicrotask(f);", "a timer"],
  ["await fetch(target);", "fetch"],
  ["const url = new URL(target);", "URL"],
  ["new URLSearchParams(query)", "URL"],
  ["crypto.subtle.digest()", "crypto"],
  ["Buffer.from(text)", "a runtime by its name"],
  ["new Function(text)", "code made of text"],
  ["import.meta.url", "import.meta"],
  ['const a = "/*"; console.log(a); const b = "*/";', "console"],
  ["const p = /[\"']/; console.log(p);", "console"],
];
for (const [line, what] of seen) {
  test(`purity: the check sees ${what} in ${JSON.stringify(line)}`, () => {
    assert.ok(found(line).includes(what), `${found(line)}`);
  });
}

const passed = [
  "// Date.now() and new Date() are not read here",
  "/** See console, process and Math.random. */",
  'const message = "a key in the URL is never read; the process goes on";',
  "const time = new Date(0).setUTCFullYear(2026);",
  "const time = new Date(millis).toISOString();",
  "const time = Date.parse(text);",
  "const text = options.fetch(record.process);",
  "const many = company;",
  "const pattern = /^https?:\\/\\/[^/?#]*/i;",
];
for (const line of passed) {
  test(`purity: the check lets pass ${JSON.stringify(line)}`, () => {
    assert.deepEqual(found(line), []);
  });
}

test("purity: the check sees an import that leaves the core, however it is written", () => {
  for (const line of ['import { x } from "node:fs";', "import 'pkg';", 'export * from "../adapters/system.ts";', 'await import("./x.js")', 'require("fs")']) {
    const [[, , specifier = ""] = []] = [...line.matchAll(SPECIFIER)];
    assert.notEqual(specifier, "", line);
    assert.doesNotMatch(specifier, /^\.\/[a-z0-9_]+\.ts$/, line);
  }
});

test("purity: the core is compiled with the language alone: no types of a runtime, no DOM", async () => {
  const config: unknown = JSON.parse(await readFile(new URL("tsconfig.json", CORE), "utf8"));
  assert.ok(typeof config === "object" && config !== null && "compilerOptions" in config, "core/tsconfig.json has compiler options");
  const { compilerOptions } = config;
  assert.ok(typeof compilerOptions === "object" && compilerOptions !== null, "they are an object");
  assert.deepEqual(compilerOptions, { lib: ["ES2023"], types: [] });
  assert.ok("include" in config && !("exclude" in config), "it includes all of core");
  assert.deepEqual(config.include, ["."]);
});
