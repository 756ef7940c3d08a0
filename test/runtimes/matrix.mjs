// Runs the tests under other versions of Node, which are fetched into .cache/.
//
//   node test/runtimes/matrix.mjs            20, 22, 24 and 26
//   node test/runtimes/matrix.mjs 22 26      only these
import { spawnSync } from "node:child_process";
import { fetchRuntime } from "./fetch_runtimes.mjs";

const VERSIONS = ["20", "22", "24", "26"];

const given = process.argv.slice(2);
const unknown = given.find((version) => !VERSIONS.includes(version));
if (unknown !== undefined)
  throw new RangeError(`A version must be one of ${VERSIONS.join(", ")}: received "${unknown}"`);

const results = (given.length > 0 ? given : VERSIONS).map((version) => [version, run(version)]);
for (const [version, result] of results) console.log(`Node ${version}: ${result}`);
process.exitCode = results.some(([, result]) => result === "failed") ? 1 : 0;

function run(version) {
  const program = fetchRuntime(`node${version}`);
  if (!program) return "SKIPPED";
  return spawnSync(program, ["test/support/run.mjs"], { stdio: "inherit" }).status === 0 ? "passed" : "failed";
}
