import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";

/** Folders whose tests `npm test` runs; those in test/faults take longer and have a command of their own. */
const FOLDERS = ["contract", "core", "adapters", "page", "fixtures", "readme"];

/** How many files run at once. Many wait for processes, disks and time-outs: with one file for each core, a third of a core is idle. */
const CONCURRENCY = availableParallelism() + 1;

const REPORTERS = ["--test-reporter=spec", "--test-reporter-destination=stdout", "--test-reporter=./test/support/skipped_reporter.mjs", "--test-reporter-destination=stdout"];

/** The paths of all test files in these folders of test/, in order. */
export function testFiles(folders = FOLDERS) {
  const names = folders.flatMap((folder) => readdirSync(join("test", folder), { recursive: true }).map((name) => join("test", folder, name)));
  return names.filter((name) => name.endsWith(".test.ts")).sort();
}

/**
 * Runs test files by Node's runner and resolves to its exit code, 0 when all pass.
 *
 * @param {readonly string[]} files
 * @param {{ given?: readonly string[], loader?: readonly string[], env?: NodeJS.ProcessEnv }} options `given`: more options of
 *   the runner; `loader`: how Node gets to read TypeScript.
 */
export function runTests(files, { given = [], loader = ["--import", "tsx"], env = process.env } = {}) {
  const reporters = given.some((one) => one.startsWith("--test-reporter")) ? [] : REPORTERS;
  const { status } = spawnSync(process.execPath, [...loader, "--test", `--test-concurrency=${CONCURRENCY}`, ...reporters, ...given, ...files], { stdio: "inherit", env });
  return status ?? 1;
}
