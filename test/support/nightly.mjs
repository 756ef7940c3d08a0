// Runs what takes long: `npm run nightly`, an hour at most. Once before something is called done; `.ci/run` has what every change has to pass.
import { spawnSync } from "node:child_process";

const STEPS = [
  ["tests, with ten times the rounds", "test/support/run.mjs", "--nightly"],
  ["faults, several instances, servers of one's own, the page in a browser", "test/support/run.mjs", "--nightly", "faults", "cluster", "deploy", "browser"],
  ["tests under other versions of Node", "test/runtimes/matrix.mjs", "22", "24", "26"],
  ["the same answers on all runtimes", "test/support/run.mjs", "--nightly", "runtimes"],
  ["the same answers on PostgreSQL and Redis in Bun and Deno", "test/support/run.mjs", "runtimes/engines.ts"],
  ["the oldest and the newest PostgreSQL", "--import", "tsx", "test/runtimes/postgres.ts"],
];

const results = STEPS.map(([what, ...args]) => {
  console.log(`\n== ${what}`);
  const began = Date.now();
  const hasPassed = spawnSync(process.execPath, args, { stdio: "inherit" }).status === 0;
  return { hasPassed, line: `${hasPassed ? "passed" : "FAILED"} ${what} (${Math.round((Date.now() - began) / 60_000)} minutes)` };
});
console.log(`\n${results.map(({ line }) => line).join("\n")}`);
process.exitCode = results.every(({ hasPassed }) => hasPassed) ? 0 : 1;
