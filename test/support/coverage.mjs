// Runs the tests under c8 and prints the coverage of the TypeScript lines. tsx writes each file as one line, so
// c8 would count every line as covered. So this needs a Node that strips types itself: the running one from 22.18
// on, else one that is fetched into .cache/.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { buildPage } from "../../adapters/page/build.mjs";
import { CONCURRENCY, testFiles } from "./test_files.mjs";

/**
 * Test files that are left out here, and that `npm test` runs like all others. They take the most processor time, as they start
 * the program many times, fail every call of a disk in turn, or simulate months; under coverage, a program starts from its 200
 * sources. Of all lines, they cover one in four hundred that no other file covers.
 */
const LEFT_OUT = [
  "adapters/cli/accounts", "adapters/cli/compact", "adapters/cli/concurrent", "adapters/cli/export", "adapters/cli/import",
  "adapters/cli/init", "adapters/cli/parallel", "adapters/cli/reliability", "adapters/cli/sample", "adapters/cli/sample_guard",
  "adapters/cli/serve", "adapters/client/browser", "adapters/client/ranges", "adapters/json_files/checkpoint", "adapters/json_files/compact",
  "adapters/json_files/control", "adapters/json_files/lock", "adapters/json_files/loss", "adapters/json_files/open", "adapters/json_files/repair",
  "adapters/json_files/store", "adapters/json_files/verify", "adapters/mirror/sixty_days", "core/http/response_cache", "core/mirror/planner",
  "core/series/series_store", "core/time/zone", "fixtures/sample",
].map((name) => `test/${name}.test.ts`);

const FLOOR = { lines: "97", branches: "93" };
/** What makes the page, and what it makes. */
const BUILD = ["adapters/page/build.mjs", "adapters/page/built_files.ts"];

const left = testFiles().filter((file) => !LEFT_OUT.includes(file));
const gone = LEFT_OUT.filter((file) => !testFiles().includes(file));
if (gone.length > 0) throw new Error(`Cannot leave out what is not there: ${gone.join(", ")}`);
console.log(`Coverage of ${left.length} test files; ${LEFT_OUT.length} are left out, see LEFT_OUT`);

await buildPage();
const node = process.features.typescript ? process.execPath : fetchNode();
const { status } = spawnSync(
  node,
  [
    "node_modules/c8/bin/c8.js", "--all", "--src", "core", "--src", "adapters", "--include", "core/**", "--include", "adapters/**",
    ...[...typesOnly(), ...BUILD, ...drawing()].flatMap((file) => ["--exclude", file]),
    "--reporter", "text", "--reporter", "lcovonly",
    "--check-coverage", "--lines", FLOOR.lines, "--branches", FLOOR.branches,
    node, "--test", `--test-concurrency=${CONCURRENCY}`, "--test-reporter", "dot", ...left,
  ],
  { stdio: "inherit", env: { ...process.env, NODE_NO_WARNINGS: "1" } },
);
process.exit(status ?? 1);

/**
 * The modules of the page that only a browser runs: they draw, and test/browser/ sees what they draw. Those that a test
 * here imports are without a browser's types, so they count like all others.
 */
function drawing() {
  const folder = "adapters/page/browser";
  const tests = testFiles().map((file) => readFileSync(file, "utf8")).join("\n");
  const imported = new Set([...tests.matchAll(/page\/browser\/([\w./]+\.ts)"/g)].map(([, file]) => file));
  return readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".ts") && !imported.has(file)).map((file) => `${folder}/${file}`);
}

/** Modules that contain only types: nothing of them exists at run time. */
function typesOnly() {
  const modules = ["core", "adapters"].flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name))).filter((file) => file.endsWith(".ts"));
  return modules.filter((file) => transformSync(readFileSync(file, "utf8"), { loader: "ts", format: "esm" }).code.trim() === "");
}

function fetchNode() {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const folder = join(".cache", "node24");
  const path = join(process.cwd(), folder, "node_modules", name, "bin", "node");
  if (!existsSync(path)) {
    const install = spawnSync("npm", ["install", "--prefix", folder, "--no-save", "--ignore-scripts", `${name}@24`], { stdio: "inherit" });
    if (install.status !== 0) throw new Error(`Cannot measure coverage as Node 24 could not be fetched: npm ended with "${install.status}"`);
  }
  return path;
}
