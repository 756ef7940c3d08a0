import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { transformSync } from "esbuild";
import { importSource } from "../support/import_source.ts";

/** The documents of the project, by path. */
export const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "core/ARCHITECTURE.md",
  "core/DECISIONS.md",
  "adapters/cli/README.md",
  "adapters/cli/DATA.md",
  "adapters/cli/TROUBLESHOOTING.md",
  "adapters/cli/import/README.md",
  "adapters/client/README.md",
  "adapters/feeds/push/README.md",
  "adapters/feeds/mirror/README.md",
  "adapters/server/monitoring/README.md",
  "adapters/page/README.md",
  "adapters/stores/postgres/README.md",
  "adapters/stores/redis/README.md",
  "fixtures/deploy/README.md",
  "fixtures/examples/README.md",
  "fixtures/examples/cluster/README.md",
  "test/bench/README.md",
  "test/faults/README.md",
  "test/package/RELEASE.md",
] as const;

/** The path of a document. */
export type Page = (typeof PAGES)[number];

/** The text of a document. */
export function pageText(path: Page): string {
  return readFileSync(path, "utf8");
}

/** The first code block in a language below a heading, or the block that begins with a name such as `embedded.ts`. */
export function programOf(
  page: Page,
  { heading, file, language }: { readonly heading?: string; readonly file?: string; readonly language: string },
): string {
  const start =
    heading === undefined ? `^\`\`\`${language}\\n(// ${file}\\n` : `^## ${heading}\\n.*?^\`\`\`${language}\\n(`;
  const [, program] = new RegExp(`${start}.*?)^\`\`\``, "ms").exec(pageText(page)) ?? [];
  assert.ok(program, `${page} has a program ${file ?? `below "${heading}"`}`);
  return program;
}

/** The path of the source that an import name such as `mazaneh/node` means. */
export function sourceOf(name: string): string {
  const doors = (
    JSON.parse(readFileSync("package.json", "utf8")) as { exports: Record<string, { default?: string } | string> }
  ).exports;
  const door = doors[name.replace("mazaneh", ".")];
  assert.ok(typeof door === "object" && door.default, `package.json has the export ${name}`);
  return resolve(door.default.replace("./dist/", "").replace(/\.js$/, ".ts"));
}

/**
 * Runs a program in this process. It imports the sources; `instead` replaces imported names and globals. Resolves to
 * its exports.
 */
export async function runProgram(
  program: string,
  instead: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> {
  const names: Record<string, unknown> = {};
  for (const [, whole, list = "", from] of program.matchAll(/^import (?:(\w+)|\{ (.*) \}) from "([^".]+)";/gm)) {
    const isOurs = from!.startsWith("mazaneh");
    const module = isOurs ? await importSource(sourceOf(from!)) : ((await import(from!)) as Record<string, unknown>);
    if (whole !== undefined) names[whole] = module["default"];
    else for (const name of list.split(", ")) names[name] = module[name];
  }
  const exported: Record<string, unknown> = {};
  const source = program
    .replace(/^import .*$/gm, "")
    .replace("export default ", "exported.default = ")
    .replace(/^export const (\w+) =/gm, "const $1 = exported.$1 =");
  const { code } = transformSync(source, { loader: "ts", format: "esm", supported: { "top-level-await": true } });
  const given = { ...names, ...instead, exported };
  const AsyncFunction = (async () => undefined).constructor as new (
    ...texts: readonly string[]
  ) => (...values: readonly unknown[]) => Promise<void>;
  await new AsyncFunction(...Object.keys(given), code)(...Object.values(given));
  return exported;
}
