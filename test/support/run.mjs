// Runs the tests: `npm test`.
//
//   npm test                                   the tests that take seconds, and a part of some long lists
//   npm test -- stores/postgres core/time      only these folders and files of test/
//   npm test -- --test-name-pattern "31 days"  options of Node's runner come after the folders
//   npm test -- --coverage                     measures coverage: .c8rc.json has the minimum
//   npm test -- --nightly                      whole lists, ten times the rounds, and the long tests in *.nightly.ts
import { spawnSync } from "node:child_process";
import { readdirSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { buildPage } from "../../adapters/page/build.mjs";
import { compileSources } from "./compile_sources.mjs";

/**
 * The folders that `npm test` runs. The test files of a folder, or of some subfolders, share a process. Files
 * that start and kill servers have a process each.
 */
const FOLDERS = [
  "cli",
  "client",
  "contract",
  "core",
  "deploy",
  "feeds",
  "fixtures",
  "http",
  "intake",
  "openapi",
  "page",
  "readme",
  "server",
  "stores",
  "style",
];

/** The folders with the most work, whose subfolders have a process each. */
const DIVIDED = ["cli", "feeds", "stores"];

/** Whether Node itself can run all TypeScript files in one process. If not, this script compiles and groups them. */
const RUNS_IN_ONE_PROCESS = Number(process.versions.node.split(".")[0]) >= 24;

/** Two processes per core, because tests of processes, disks and databases spend half of their time waiting. */
const CONCURRENCY = 2 * availableParallelism();

/** The slowest folders, which start first. The folders with the most files follow. */
const LONGEST = ["stores/json_files", "cli", "stores/postgres", "stores/redis", "server"];

/** A process that takes longer than this hangs, even on a busy machine. The reporter names the hanging test. */
const TIMEOUT_MS = 3_600_000;

const REPORTERS = ["spec", "./test/support/reporter.mjs"].flatMap((reporter) => [
  `--test-reporter=${reporter}`,
  "--test-reporter-destination=stdout",
]);

const given = process.argv.slice(2);
const hasCoverage = take("--coverage");
const isNightly = take("--nightly");
const options = given.splice(given.findIndex((one) => one.startsWith("-")) >>> 0);

await buildPage();
const compiled = RUNS_IN_ONE_PROCESS ? undefined : await compileSources();
const node = [
  "--test",
  `--test-timeout=${TIMEOUT_MS}`,
  ...REPORTERS,
  ...options,
  ...(RUNS_IN_ONE_PROCESS
    ? ["--test-isolation=none", ...filesOf(given).map((file) => join("test", file))]
    : ["--enable-source-maps", `--test-concurrency=${CONCURRENCY}`, ...programs(given)]),
];
const { status } = spawnSync(
  process.execPath,
  hasCoverage ? ["node_modules/c8/bin/c8.js", process.execPath, ...node] : node,
  {
    stdio: "inherit",
    env: {
      ...process.env,
      TMPDIR: process.env.TMPDIR ?? memoryFolder(),
      ...(isNightly && { MAZANEH_TEST_SIZE: "10" }),
      ...(hasCoverage && compiled && { MAZANEH_TEST_COMPILED: resolve(compiled) }),
    },
  },
);
process.exit(status ?? 1);

/** A temporary folder in memory, where syncs cost nothing; the system's folder if memory has less than a gigabyte. */
function memoryFolder() {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > 1 << 30 ? "/dev/shm" : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Removes an option of this script from the arguments; returns whether it was there. */
function take(option) {
  const at = given.indexOf(option);
  if (at >= 0) given.splice(at, 1);
  return at >= 0;
}

/** The modules to run, each in its own process, the slowest first. */
function programs(folders) {
  const shared = new Map();
  for (const file of filesOf(folders)) {
    const [folder] = file.split("/");
    let name = FOLDERS.includes(folder) ? folder : file;
    if (DIVIDED.includes(folder)) name = dirname(file).split("/", 2).join("/");
    shared.set(name, [...(shared.get(name) ?? []), file]);
  }
  const rank = (name) => (LONGEST.includes(name) ? LONGEST.indexOf(name) : Infinity);
  const inOrder = [...shared].sort(([a, files], [b, others]) => rank(a) - rank(b) || others.length - files.length);
  // Node starts the programs in the order of their names.
  return inOrder.map(([name, files], i) => index(`${String(i).padStart(2, "0")}_${name}`, files));
}

/** The test files of these folders of test/, by default of all folders. */
function filesOf(folders) {
  const files = (folders.length > 0 ? folders : FOLDERS).flatMap(testFiles);
  // Without a file name, Node's runner would start every script of the repository.
  if (files.length === 0) throw new RangeError(`There are no tests in ${folders.join(", ")}`);
  return files;
}

function testFiles(folder) {
  if (folder.endsWith(".ts")) return [folder];
  const names = readdirSync(join("test", folder), { recursive: true }).filter(
    (name) => name.endsWith(".test.ts") || (isNightly && name.endsWith(".nightly.ts")),
  );
  return names.sort().map((name) => join(folder, name));
}

/** Writes a module that imports these files; returns its path. */
function index(name, files) {
  const path = join(compiled, `${name.replace(/\.ts$/, "").replaceAll("/", "_")}.js`);
  const imports = files.map((file) => `import ${JSON.stringify(`./test/${file.replace(/ts$/, "js")}`)};\n`);
  writeFileSync(path, imports.join(""));
  return path;
}
