// Statements of the documents about the sources: files, commands, tables and figures.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { EXIT_CODES } from "../../adapters/cli/command_failure.ts";
import { dashed, SETTING_NAMES, SETTINGS, variableOf } from "../../adapters/cli/settings.ts";
import { MAX_RANGE_DAYS } from "../../core/market/date_range.ts";
import { CATEGORIES, ERRORS, FREE_STARTER } from "../../core/mod.ts";
import { ROUTES } from "../../core/routes/route_table.ts";
import { PAGES, pageText } from "./pages.ts";

/** The matches of a pattern's group in all documents, with the document's path. */
function found(pattern: RegExp): readonly { readonly page: string; readonly text: string }[] {
  return PAGES.flatMap((page) => [...pageText(page).matchAll(pattern)].map(([, text]) => ({ page, text: text! })));
}

test("README.md is at most 170 lines and 1,900 words long", () => {
  const text = pageText("README.md");
  const [lines, words] = [text.trimEnd().split("\n").length, text.trim().split(/\s+/).length];
  assert.ok(lines <= 170 && words <= 1_900, `${lines} lines, ${words} words`);
});

test("documents: every link, picture, path, script and program in them exists", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const linked = (text: string, page: string): boolean => existsSync(join(dirname(page), text));
  for (const [pattern, least, isThere] of [
    [/\]\((?!https?:)([^)#]+)/g, 10, linked],
    [/<img [^>]*src="([^"]+)"/g, 1, linked],
    [/`((?:core|adapters|fixtures|test|\.ci)\/[\w./]*)`/g, 80, existsSync],
    [/\bnpm run ([\w-]+)/g, 5, (text: string): boolean => text in scripts],
    [/\b(?:npx tsx(?: --test)?|node) ((?:adapters|test)\/[\w./]+\.(?:ts|mjs))/g, 8, existsSync],
  ] as const) {
    const all = found(pattern);
    assert.ok(all.length >= least, `${pattern}: ${all.length}`);
    for (const { text, page } of all) assert.ok(isThere(text, page), `${page}: ${text}`);
  }
});

test("documents: every exit code in them exists; TROUBLESHOOTING.md lists all exit codes, and only messages that the sources contain", () => {
  const text = pageText("adapters/cli/TROUBLESHOOTING.md");
  const codes = EXIT_CODES.map(([code]) => code);
  const listed = [...text.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  assert.deepEqual(listed, codes);
  const sources = ["cli", "intake", "stores", "server"].flatMap((folder) =>
    readdirSync(`adapters/${folder}`, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(`adapters/${folder}/${name}`, "utf8")),
  );
  const all = sources.join("\n").replace(/\$\{[^{}]*\}/g, "…");
  const rows = [...text.matchAll(/^\| `([^`]+)` \| (\d*) ?\|/gm)];
  assert.ok(rows.length >= 20, `${rows.length} messages`);
  assert.deepEqual(
    rows.filter(([, message, code]) => !all.includes(message!) || (code !== "" && !codes.includes(Number(code)))),
    [],
  );
  const named = found(/\bexit code(?: is(?: then)?)? (\d+)/g);
  assert.ok(named.length >= 5, `${named.length} codes`);
  for (const { text, page } of named) assert.ok(codes.includes(Number(text)), `${page}: exit code ${text}`);
});

test("README.md: the table of routes has all routes in order", () => {
  const named = [...pageText("README.md").matchAll(/^\| `((?:GET|POST) \/api[^`]*)` \|/gm)].map(([, route]) => route);
  assert.deepEqual(
    named,
    ROUTES.map(({ method, path }) => `${method} ${path}`),
  );
});

for (const [page, isHere] of [
  ["adapters/cli/README.md", (name: string) => !/^mirror./.test(name)],
  ["adapters/feeds/mirror/README.md", (name: string) => /^mirror./.test(name)],
] as const) {
  test(`${page}: the table of settings matches the program`, () => {
    const rows = SETTING_NAMES.filter(isHere).map((name) => {
      const { summary, fallback } = SETTINGS[name];
      return `| \`--${dashed(name)}\` | \`${variableOf(name)}\` | \`${String(fallback)}\` | ${summary} |`;
    });
    const table = ["| Flag | Variable | Default | |", "|---|---|---|---|", ...rows].join("\n");
    assert.equal(/<!-- settings -->\n(.*)\n<!-- \/settings -->/s.exec(pageText(page))?.[1], table);
  });
}

test("CONTRIBUTING.md: the map has every folder of core, adapters and test", () => {
  const map = pageText("CONTRIBUTING.md").split("### Where is")[0]!;
  const entries = (folder: string) => readdirSync(folder, { withFileTypes: true });
  const wanted = [
    ...entries("core")
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `core/${name}/`),
    ...entries("adapters").map(({ name }) => `adapters/${name}/`),
    ...entries("test")
      .filter((entry) => entry.isDirectory() && !["core", "fixtures", ...readdirSync("adapters")].includes(entry.name))
      .map(({ name }) => `${name}/`),
  ];
  for (const path of wanted) assert.ok(map.includes(`\`${path}\``), path);
});

test("documents: error codes, categories and limits match the code", () => {
  const text = pageText("core/DECISIONS.md");
  const codes = [...text.matchAll(/\b[1-5]\d\d\s+`([A-Z_]+)`/g)].map(([, code]) => code!);
  assert.ok(codes.length >= 4, `${codes.length} codes`);
  for (const code of codes) assert.ok(code in ERRORS, code);
  const [, categories] = /The categories are (.*)\./.exec(text) ?? [];
  const names = [...categories!.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  assert.deepEqual(names, [...CATEGORIES]);
  assert.match(text, new RegExp(`0 to ${MAX_RANGE_DAYS} days after`));
  assert.match(pageText("README.md"), new RegExp(`at most ${MAX_RANGE_DAYS} days apart`));
  assert.match(
    pageText("README.md"),
    new RegExp(`plan ${FREE_STARTER.name} has ${FREE_STARTER.dailyUnits} units a day`),
  );
});
