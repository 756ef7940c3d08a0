import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";

/** Folders whose tests `npm test` runs; those in test/faults take longer and have a command of their own. */
const FOLDERS = ["contract", "core", "adapters", "page", "fixtures", "readme"];

/** How many files run at once. Many wait for processes, disks and time-outs: with one file for each core, a third of a core is idle. */
export const CONCURRENCY = availableParallelism() + 1;

/** The paths of all test files in these folders of test/, in order. */
export function testFiles(folders = FOLDERS) {
  const names = folders.flatMap((folder) => readdirSync(join("test", folder), { recursive: true }).map((name) => join("test", folder, name)));
  return names.filter((name) => name.endsWith(".test.ts")).sort();
}
