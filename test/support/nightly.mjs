// Runs the long tests, for at most an hour. `npm run nightly faults node` runs only these two steps.
import { spawnSync } from "node:child_process";

const STEPS = {
  tests: ["test/support/run.mjs", "--nightly"],
  faults: ["test/support/run.mjs", "--nightly", "faults", "cluster", "browser"],
  node: ["test/runtimes/matrix.mjs", "22", "24", "26"],
  runtimes: ["test/support/run.mjs", "--nightly", "runtimes"],
  engines: ["test/support/run.mjs", "runtimes/engines.ts"],
  package: ["test/package/run.mjs", "--nightly"],
  bundlers: ["test/support/run.mjs", "--nightly", "package"],
  postgres: ["--import", "tsx", "test/runtimes/postgres.ts"],
  speed: ["--import", "tsx", "test/bench/http.ts", "--peers", "none", "--recorded", "check"],
};

const given = process.argv.slice(2);
const names = given.length > 0 ? given : Object.keys(STEPS);
if (!names.every((name) => Object.hasOwn(STEPS, name))) {
  console.error(`The steps are ${Object.keys(STEPS).join(", ")}: received "${given.join(" ")}"`);
  process.exit(1);
}
const results = names.map((name) => {
  console.log(`\n== ${name}`);
  const began = Date.now();
  const hasPassed = spawnSync(process.execPath, STEPS[name], { stdio: "inherit" }).status === 0;
  const minutes = Math.round((Date.now() - began) / 60_000);
  return { hasPassed, line: `${hasPassed ? "passed" : "FAILED"} ${name} (${minutes} minutes)` };
});
console.log(`\n${results.map(({ line }) => line).join("\n")}`);
process.exitCode = results.every(({ hasPassed }) => hasPassed) ? 0 : 1;
