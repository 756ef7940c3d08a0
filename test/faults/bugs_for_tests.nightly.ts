// Tests the tests: plants one bug at a time in a copy of the sources, and runs the test file that must find it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { BUGS_FOR_TESTS } from "./bugs_for_tests.ts";
import { printCounts } from "./random_trial.ts";
import { plant } from "./seeded_bugs.ts";

/** The files and folders that the test files need. */
const COPIED = ["core", "adapters", "test", "fixtures", "package.json", "tsconfig.json"];
/** A run that takes longer than this is killed. A killed run has found the bug only if a test failed before. */
const TIMEOUT_MS = 120_000;

const copy = mkdtempSync(join(tmpdir(), "mazaneh-bugs-"));
after(() => rmSync(copy, { recursive: true, force: true }));
for (const name of COPIED) cpSync(name, join(copy, name), { recursive: true });
symlinkSync(realpathSync("node_modules"), join(copy, "node_modules"));

/** Runs a test file of the copy, as `npm test` does; returns its exit code and the failed tests. */
function run(file: string) {
  // After a failed test, open handles could keep the process running.
  const args = ["--import", "./test/support/typescript.mjs", "--test-force-exit", "--test-reporter=tap", file];
  const env = { ...process.env, MAZANEH_TEST_SIZE: "1", NODE_TEST_CONTEXT: undefined };
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: copy,
    env,
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
    maxBuffer: 1 << 28,
  });
  return { status, failed: [...stdout.matchAll(/^ *not ok \d+ - (.*)$/gm)].map(([, title]) => title) };
}

for (const file of new Set(BUGS_FOR_TESTS.map(({ found }) => found))) {
  test(`without a bug, ${file} passes`, () => assert.deepEqual(run(file), { status: 0, failed: [] }));
}

for (const bug of BUGS_FOR_TESTS) {
  const { name, file, found } = bug;
  test(`seeded bug: ${name}: found by ${found}`, (t) => {
    const path = join(copy, file);
    const source = readFileSync(path, "utf8");
    writeFileSync(path, plant(source, bug));
    const { failed } = run(found);
    writeFileSync(path, source);
    printCounts(t, { "a failing test's name": failed[0] ?? "none" });
    assert.notEqual(failed.length, 0, "the test file does not find the bug");
  });
}
