// Runs the tests of the PostgreSQL store with other PostgreSQL versions, fetched from npm into .cache/.
//
//   npx tsx test/runtimes/postgres.ts                        the oldest and the newest version
//   npx tsx test/runtimes/postgres.ts 14                     only this version
//   npx tsx test/runtimes/postgres.ts 14 imports migrate  this version, and only these files of test/stores/postgres/
//   npx tsx test/runtimes/postgres.ts --fetch                only fetches the newest version, for machines without Debian's packages
import { spawnSync } from "node:child_process";
import { FETCHABLE, fetchPrograms } from "../support/postgres_programs.ts";

const given = process.argv.slice(2);
if (given[0] === "--fetch") process.exit(fetchPrograms(FETCHABLE.at(-1)!) ? 0 : 1);

const isVersion = (word: string): boolean => /^\d+$/.test(word);
const versions = given.some(isVersion) ? given.filter(isVersion) : FETCHABLE;
const named = given.filter((word) => !isVersion(word)).map((name) => `stores/postgres/${name}.test.ts`);
const results = versions.map((version) => [version, run(version)] as const);
for (const [version, result] of results) console.log(`PostgreSQL ${version}: ${result}`);
process.exitCode = results.some(([, result]) => result === "failed") ? 1 : 0;

function run(version: string): "passed" | "failed" | "SKIPPED: it could not be fetched" {
  if (!fetchPrograms(version)) return "SKIPPED: it could not be fetched";
  const args = ["test/support/run.mjs", ...(named.length > 0 ? named : ["stores/postgres"])];
  const { status } = spawnSync(process.execPath, args, {
    stdio: "inherit",
    env: { ...process.env, MAZANEH_TEST_POSTGRES: version },
  });
  return status === 0 ? "passed" : "failed";
}
