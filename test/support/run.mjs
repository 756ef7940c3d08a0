// Runs the tests: `npm test`. With `--coverage` it also counts the lines that they run; all other arguments go to Node's test
// runner, e.g. `npm test -- --test-name-pattern "31 days"`.
import { buildPage } from "../../adapters/page/build.mjs";
import { runWithCoverage } from "./coverage.mjs";
import { runTests, testFiles } from "./test_files.mjs";

const given = process.argv.slice(2).filter((one) => one !== "--coverage");
await buildPage();
process.exit(process.argv.includes("--coverage") ? runWithCoverage(given) : runTests(testFiles(), { given }));
