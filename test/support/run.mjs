// Runs the tests: `npm test`. Arguments go to Node's test runner, e.g. `npm test -- --test-name-pattern "31 days"`.
import { spawnSync } from "node:child_process";
import { buildPage } from "../../adapters/page/build.mjs";
import { CONCURRENCY, testFiles } from "./test_files.mjs";

await buildPage();
const given = process.argv.slice(2);
const reporters = ["--test-reporter=spec", "--test-reporter-destination=stdout", "--test-reporter=./test/support/skipped_reporter.mjs", "--test-reporter-destination=stdout"];
const options = ["--import", "tsx", "--test", `--test-concurrency=${CONCURRENCY}`, ...(given.some((one) => one.startsWith("--test-reporter")) ? [] : reporters), ...given];
const { status } = spawnSync(process.execPath, [...options, ...testFiles()], { stdio: "inherit" });
process.exit(status ?? 1);
