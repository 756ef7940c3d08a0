// What the documents say of the sources: files, commands, tables and figures.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { CATEGORIES, ERRORS, FREE_STARTER } from "../../core/mod.ts";
import { MAX_RANGE_DAYS } from "../../core/market/range.ts";
import { PAGES, pageText } from "./pages.ts";

/** What a pattern's group finds in all documents, with the document's path. */
function found(pattern: RegExp): readonly { readonly page: string; readonly text: string }[] {
  return PAGES.flatMap((page) => [...pageText(page).matchAll(pattern)].map(([, text]) => ({ page, text: text! })));
}

test("documents: every link leads to a file", () => {
  const links = found(/\]\((?!https?:)([^)#]+)/g);
  assert.ok(links.length >= 10, `${links.length} links`);
  assert.deepEqual(links.filter(({ page, text }) => !existsSync(join(dirname(page), text))), []);
});

test("documents: every picture is there and says in words what it shows; together they have less than 150 kB", () => {
  const pictures = found(/<img ([^>]*)>/g).map(({ text }) => ({ path: / src="([^"]+)"/.exec(` ${text}`)?.[1], words: / alt="([^"]+)"/.exec(text)?.[1] }));
  assert.equal(pictures.length, 2);
  for (const { path, words } of pictures) assert.ok(existsSync(path!) && words!.length > 40, path);
  assert.ok(pictures.reduce((bytes, { path }) => bytes + statSync(path!).size, 0) < 150_000);
});

test("documents: every path of the sources that they name is there", () => {
  const paths = found(/`((?:core|adapters|fixtures|test|\.ci)\/[\w./]*)`/g);
  assert.ok(paths.length >= 80, `${paths.length} paths`);
  assert.deepEqual(paths.filter(({ text }) => !existsSync(text)), []);
});

test("documents: every command names a script or a file that is there", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const names = found(/\bnpm run ([\w-]+)/g);
  assert.ok(names.length >= 5, `${names.length} scripts`);
  assert.deepEqual(names.filter(({ text }) => !(text in scripts)), []);
  const files = found(/\b(?:npx tsx(?: --test)?|node) ((?:adapters|test)\/[\w./]+\.(?:ts|mjs))/g);
  assert.ok(files.length >= 10, `${files.length} files`);
  assert.deepEqual(files.filter(({ text }) => !existsSync(text)), []);
});

test("CONTRIBUTING.md: the map has every folder of core, adapters and test, and every adapter that is one file", () => {
  const map = pageText("CONTRIBUTING.md").split("### Where is")[0]!;
  for (const entry of readdirSync("core", { withFileTypes: true })) {
    if (entry.isDirectory()) assert.ok(map.includes(`\`core/${entry.name}/\``), entry.name);
  }
  for (const entry of readdirSync("adapters", { withFileTypes: true })) {
    assert.ok(map.includes(`\`adapters/${entry.name}${entry.isDirectory() ? "/" : ""}\``), entry.name);
  }
  const mirrored = ["core", "adapters", "fixtures"];
  for (const entry of readdirSync("test", { withFileTypes: true })) {
    if (entry.isDirectory() && !mirrored.includes(entry.name)) assert.ok(map.includes(`\`${entry.name}/\``), entry.name);
  }
});

test("CONTRIBUTING.md: the glossary explains each word once", () => {
  const [, glossary] = /## Words\n(.*?)\n## /s.exec(pageText("CONTRIBUTING.md")) ?? [];
  const words = [...glossary!.matchAll(/^\| ([^|]+) \|/gm)].slice(1).flatMap(([, cell]) => cell!.split(", "));
  assert.ok(words.length >= 20, `${words.length} words`);
  assert.deepEqual(words.filter((word, at) => words.indexOf(word) !== at), []);
});

test("core/DECISIONS.md: error codes and categories are those of the core", () => {
  const text = pageText("core/DECISIONS.md");
  const codes = [...text.matchAll(/\b[1-5]\d\d\s+`([A-Z_]+)`/g)].map(([, code]) => code!);
  assert.ok(codes.length >= 4, `${codes.length} codes`);
  assert.deepEqual(codes.filter((code) => !(code in ERRORS)), []);
  const [, categories] = /The categories are (.*)\./.exec(text) ?? [];
  assert.deepEqual([...categories!.matchAll(/`(\w+)`/g)].map(([, name]) => name), [...CATEGORIES]);
});

test("documents: the figures of limits are those of the code", () => {
  assert.match(pageText("core/DECISIONS.md"), new RegExp(`0 to ${MAX_RANGE_DAYS} days after`));
  assert.match(pageText("README.md"), new RegExp(`at most ${MAX_RANGE_DAYS} days apart`));
  assert.match(pageText("README.md"), new RegExp(`on plan ${FREE_STARTER.name} with ${FREE_STARTER.dailyUnits} units a day`));
});

test("test/bench/README.md: it lists every benchmark", () => {
  const listed = [...pageText("test/bench/README.md").matchAll(/^npx tsx (test\/bench\/\w+\.ts)/gm)].map(([, path]) => path);
  const present = readdirSync("test/bench").filter((name) => name.endsWith(".ts")).map((name) => `test/bench/${name}`);
  assert.deepEqual([...listed].sort(), present.sort());
});
