// Runs all tests, counts the lines that they run, and holds the counts against a floor: `npm test -- --coverage`.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { transformSync } from "esbuild";
import { runTests, testFiles } from "./test_files.mjs";

/**
 * Test files that run here, too, but whose lines are not counted. They take the most processor time, as they start the program
 * many times, fail every call of a disk in turn, or simulate months; where lines are counted, a program starts from its 200
 * sources. Of all lines, they cover one in a hundred that no other file covers.
 */
const UNCOUNTED = [
  "adapters/cli/accounts", "adapters/cli/archives", "adapters/cli/compact", "adapters/cli/concurrent", "adapters/cli/data_directory",
  "adapters/cli/database_engine", "adapters/cli/export", "adapters/cli/follow", "adapters/cli/follow_database", "adapters/cli/import",
  "adapters/cli/init", "adapters/cli/parallel", "adapters/cli/reliability", "adapters/cli/sample", "adapters/cli/sample_guard",
  "adapters/cli/serve", "adapters/client/browser", "adapters/client/ranges", "adapters/json_files/checkpoint",
  "adapters/json_files/compact", "adapters/json_files/control", "adapters/json_files/lock", "adapters/json_files/loss",
  "adapters/json_files/open", "adapters/json_files/repair", "adapters/json_files/store", "adapters/json_files/verify",
  "adapters/mirror/processes", "adapters/mirror/sixty_days", "adapters/operations/readiness", "adapters/postgres/observations",
  "core/http/response_cache", "core/market/real_data", "core/mirror/planner", "core/series/series_store", "core/time/zone",
  "fixtures/sample",
].map((name) => `test/${name}.test.ts`);

const FLOOR = { lines: "97", branches: "93" };
/** What makes the page, and what it makes. */
const BUILD = ["adapters/page/build.mjs", "adapters/page/built_files.ts"];
/** The library by which Node itself strips types from 22.18 on. */
const AMARO = "amaro@1.2.1";
const COUNTS = resolve(".cache/coverage");

/**
 * Runs all tests and prints how many lines and branches they cover.
 *
 * @param {readonly string[]} given More options of Node's test runner.
 * @returns {number} An exit code, 0 when all pass and cover as much as the floor says.
 */
export function runWithCoverage(given) {
  const all = testFiles();
  const gone = UNCOUNTED.filter((file) => !all.includes(file));
  if (gone.length > 0) throw new Error(`Cannot leave out what is not there: ${gone.join(", ")}`);
  for (const folder of [COUNTS, ".cache/stripped"]) rmSync(folder, { recursive: true, force: true });
  const plain = runTests(UNCOUNTED, { given });
  const counted = runTests(all.filter((file) => !UNCOUNTED.includes(file)), { given, loader: [], env: { ...process.env, ...countingVariables() } });
  const spoilt = transpiled();
  if (spoilt.length > 0) console.error(`Cannot count lines as a process ran TypeScript through a transpiler (see LOADER in test/support/cli.ts): ${spoilt.join(", ")}`);
  return plain || counted || (spoilt.length > 0 ? 1 : report());
}

/** Variables under which Node counts lines, and Node 20 strips types in place: programs that tests start inherit them. */
function countingVariables() {
  // Node 22.18 and later warn of it that they strip types.
  if (process.features.typescript) return { NODE_V8_COVERAGE: COUNTS, NODE_NO_WARNINGS: "1" };
  fetchAmaro();
  const loader = `--import=${new URL("strip_types.mjs", import.meta.url)}`;
  return { NODE_V8_COVERAGE: COUNTS, NODE_OPTIONS: [process.env.NODE_OPTIONS, loader].filter(Boolean).join(" ") };
}

/** Sources of which a process has run another text, with a source map: their counts would be those of other lines. */
function transpiled() {
  const own = pathToFileURL(resolve()).href;
  const found = readdirSync(COUNTS).flatMap((name) => {
    const text = readFileSync(join(COUNTS, name), "utf8");
    const at = text.lastIndexOf('"source-map-cache":');
    return at === -1 ? [] : [...text.slice(at).matchAll(/"(file:[^"]+\.ts)":/g)].map(([, url]) => url);
  });
  return [...new Set(found)].filter((url) => /^\/(core|adapters)\//.test(url.slice(own.length)) && url.startsWith(own));
}

/** Prints the counts; returns an exit code, 1 when they are below the floor. */
function report() {
  const { status } = spawnSync(
    process.execPath,
    [
      "node_modules/c8/bin/c8.js", "report", "--temp-directory", COUNTS, "--all", "--src", "core", "--src", "adapters", "--include", "core/**", "--include", "adapters/**",
      ...[...typesOnly(), ...BUILD, ...drawing()].flatMap((file) => ["--exclude", file]),
      "--reporter", "text", "--reporter", "lcovonly",
      "--check-coverage", "--lines", FLOOR.lines, "--branches", FLOOR.branches,
    ],
    { stdio: "inherit" },
  );
  return status ?? 1;
}

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

function fetchAmaro() {
  const folder = join(".cache", "amaro");
  if (existsSync(join(folder, "node_modules", "amaro"))) return;
  const install = spawnSync("npm", ["install", "--prefix", folder, "--no-save", "--ignore-scripts", AMARO], { stdio: "inherit" });
  if (install.status !== 0) throw new Error(`Cannot count lines as ${AMARO} could not be fetched: npm ended with "${install.status}"`);
}
