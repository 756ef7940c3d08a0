// Runs the fault tests: `npm run faults`.
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { testFiles } from "./test_files.mjs";

/** With ten times the rounds, times are judged too, so that each file needs the machine for itself. */
const isTimed = Number(process.env["MAZANEH_FAULTS"] ?? 1) >= 10;
const options = ["--import", "tsx", "--test", `--test-concurrency=${isTimed ? 1 : Math.max(1, availableParallelism())}`, ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, [...options, ...testFiles(["faults"])], { stdio: "inherit" });
process.exit(status ?? 1);
