import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";

const CORE = "core";
/** The folders that must be as pure as the core, and may import only the core and their own files. */
const PURE = [CORE, "adapters/intake", "adapters/feeds/mirror/planner"];
const sources = new Map((await Promise.all(PURE.map(sourcesIn))).flat());
const files = [...sources.keys()]
  .filter((path) => path.startsWith(`${CORE}/`))
  .map((path) => path.slice(CORE.length + 1));

async function sourcesIn(folder: string): Promise<[path: string, source: string][]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".ts")).sort();
  return Promise.all(
    names.map(
      async (name): Promise<[string, string]> => [`${folder}/${name}`, await readFile(`${folder}/${name}`, "utf8")],
    ),
  );
}

/** Matches `import`, `export ... from`, `import()` and `require()`, but no text such as `value from "${name}"`. */
const SPECIFIER = /(?<!["'\w])(?:from|import|require)\s*\(?\s*(["'`])(?!(?<=")\$\{)(.*?)\1/g;

/** Impure code that the compiler accepts even without the types of Node and browsers, and ways around the compiler. */
const FORBIDDEN: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["Date.now", /\bDate\s*\.\s*now\b/],
  ["the time of the machine", /\bnew\s+Date\s*(?:\(\s*\)|(?![\s\w(]))|(?<!new\s+)(?<![\w.])Date\s*\(/],
  ["Math.random", /\bMath\s*\.\s*random\b/],
  ["globalThis", /\bglobalThis\b/],
  ["code made of text", /(?<![\w.])eval\s*\(|\bnew\s+Function\b/],
  ["import.meta", /\bimport\s*\.\s*meta\b/],
  ["a declared global", /\bdeclare\s+(?:const|let|var|function|class)\s+(?!Text(?:En|De)coder\b|brand\b)/],
];

/** A source without its comments, texts and regular expressions. A regular expression may contain quotes. */
function code(source: string): string {
  const token =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<=[=(,:|&?!]\s*|return\s)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;
  return source.replace(token, (text) => {
    if (text.startsWith('"') || text.startsWith("'")) return '""';
    return text.startsWith("//") || text.startsWith("/*") ? " " : "/ /";
  });
}

for (const folder of PURE) {
  const own = [...sources].filter(([path]) => path.startsWith(`${folder}/`));

  test(`purity: ${folder} imports only itself and the core`, () => {
    assert.ok(own.length >= 5, `${folder} has ${own.length} sources`);
    for (const [path, source] of own) {
      // Comments may contain examples of imports.
      const bare = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
      for (const [, , specifier = ""] of bare.matchAll(SPECIFIER)) {
        assert.match(specifier, /^\.\.?\/[a-z0-9_/.]+\.ts$/, `${path} imports "${specifier}"`);
        const target = join(dirname(path), specifier);
        const isAllowed = [folder, CORE].some((one) => target.startsWith(`${one}/`));
        assert.ok(sources.has(target) && isAllowed, `${path} imports "${specifier}"`);
      }
    }
  });

  test(`purity: ${folder} uses no clock, no randomness and no runtime API`, () => {
    for (const [path, source] of own)
      for (const [what, pattern] of FORBIDDEN) assert.doesNotMatch(code(source), pattern, `${path}: ${what}`);
  });
}

/** The other folders that a folder or a file of the core imports from. */
function importsOf(folder: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const name of files.filter((one) => one === folder || one.startsWith(`${folder}/`))) {
    for (const [, , specifier = ""] of sources.get(`${CORE}/${name}`)!.matchAll(SPECIFIER)) {
      const parts = join(dirname(name), specifier).split("/");
      if (parts.length > 1 && parts[0] !== folder) found.add(parts[0]!);
    }
  }
  return found;
}

test("folders: http imports nothing from accounts, routes, queries or series, and ports.ts imports nothing from series", () => {
  for (const folder of ["accounts", "routes", "queries", "series"]) assert.ok(!importsOf("http").has(folder), folder);
  assert.ok(!importsOf("ports.ts").has("series"), "ports.ts");
});

test("folders: no folder of the core imports itself through other folders", () => {
  const folders = [...new Set(files.filter((name) => name.includes("/")).map((name) => name.split("/")[0]!))];
  for (const folder of folders) {
    const reached = new Set(importsOf(folder));
    // A loop over a set also visits the members that are added during the loop.
    for (const from of reached) for (const to of importsOf(from)) reached.add(to);
    assert.ok(!reached.has(folder), `${folder} reaches itself through ${[...importsOf(folder)].join(", ")}`);
  }
});

const COMPILED: readonly (readonly [config: string, include: readonly string[]])[] = [
  ["core/tsconfig.json", ["."]],
  ["adapters/intake/tsconfig.json", [".", "../feeds/mirror/planner"]],
];
for (const [path, include] of COMPILED) {
  test(`purity: ${path} compiles without the types of Node and browsers`, async () => {
    const config: unknown = JSON.parse(await readFile(path, "utf8"));
    assert.ok(typeof config === "object" && config !== null, "it is an object");
    const { compilerOptions, ...rest } = config as Record<string, unknown>;
    assert.deepEqual(compilerOptions, { lib: ["ES2023"], types: [] });
    assert.deepEqual(rest, { extends: `${"../".repeat(path.split("/").length - 1)}tsconfig.json`, include });
  });
}
