// Runs the tests under c8 and prints the coverage of the TypeScript lines. tsx writes each file as one line, so
// c8 would count every line as covered. So this needs a Node that strips types itself: the running one from 22.18
// on, else one that is fetched into .cache/.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { buildPage } from "../../adapters/page/build.mjs";
import { CONCURRENCY, testFiles } from "./test_files.mjs";

const FLOOR = { lines: "97", branches: "93" };
/** Modules that contain only types: nothing of them exists at run time. */
const TYPES_ONLY = ["core/brand.ts", "core/routes/handler.ts", "core/http/messages.ts"];
/** What makes the page, and what it makes. */
const BUILD = ["adapters/page/build.mjs", "adapters/page/built_files.ts"];

await buildPage();
const node = process.features.typescript ? process.execPath : fetchNode();
const { status } = spawnSync(
  node,
  [
    "node_modules/c8/bin/c8.js", "--all", "--src", "core", "--src", "adapters", "--include", "core/**", "--include", "adapters/**",
    ...[...TYPES_ONLY, ...BUILD, ...drawing()].flatMap((file) => ["--exclude", file]),
    "--reporter", "text", "--reporter", "lcovonly",
    "--check-coverage", "--lines", FLOOR.lines, "--branches", FLOOR.branches,
    node, "--test", `--test-concurrency=${CONCURRENCY}`, "--test-reporter", "dot", ...testFiles(),
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
