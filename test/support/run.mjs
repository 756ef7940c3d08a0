// Runs the tests: `npm test`. Arguments go to Node's test runner, e.g. `npm test -- --test-name-pattern "31 days"`.
import { buildPage } from "../../adapters/page/build.mjs";
import { runTests, testFiles } from "./test_files.mjs";

await buildPage();
process.exit(runTests(testFiles(), { given: process.argv.slice(2) }));
