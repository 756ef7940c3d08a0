// Runs the tests under other versions of Node, which are fetched into .cache/. Node 20 uses tsx, later ones strip types themselves.
//
//   node test/runtimes/matrix.mjs            20, 22, 24 and 26
//   node test/runtimes/matrix.mjs 22 26      these
import { spawnSync } from "node:child_process";
import { testFiles } from "../support/test_files.mjs";
import { fetchRuntime } from "./fetch_runtimes.mjs";

const VERSIONS = ["20", "22", "24", "26"];

const given = process.argv.slice(2);
const unknown = given.find((version) => !VERSIONS.includes(version));
if (unknown !== undefined) throw new RangeError(`Cannot run the tests as versions are ${VERSIONS.join(", ")}: received "${unknown}"`);

const tests = [...testFiles(), ...testFiles(["faults"])];
const results = (given.length > 0 ? given : VERSIONS).map((version) => [version, run(version)]);
for (const [version, result] of results) console.log(`Node ${version}: ${result}`);
process.exitCode = results.some(([, result]) => result.startsWith("failed")) ? 1 : 0;

function run(version) {
  const program = fetchRuntime(`node${version}`);
  if (!program) return "SKIPPED";
  const loader = version === "20" ? ["--import", "tsx"] : [];
  const began = Date.now();
  // Prints what fails, and at the end how many.
  const { status, stdout } = spawnSync(program, [...loader, "--test", "--test-reporter", "tap", ...tests], {
    env: { ...process.env, NODE_NO_WARNINGS: "1" },
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  const full = spawnSync(program, ["--version"], { encoding: "utf8" }).stdout.trim();
  const count = (what) => new RegExp(`^# ${what} (\\d+)$`, "m").exec(stdout)?.[1] ?? "?";
  if (status !== 0) console.error(failuresOf(stdout));
  const seconds = Math.round((Date.now() - began) / 1_000);
  return `${status === 0 ? "passed" : "failed"} (${full}, ${count("pass")} passed, ${count("fail")} failed, ${count("skipped")} skipped, ${seconds} s)`;
}

/** The failed tests of a TAP text, and the errors that were raised outside of all tests. */
function failuresOf(tap) {
  const failures = tap.matchAll(/^( *)not ok .*\n(?:\1 {2}---\n[^]*?\1 {2}\.\.\.\n)?/gm);
  const errors = tap.matchAll(/^ *# (?:Error|Warning): .*$/gm);
  return [...failures, ...errors].map(([text]) => text).join("\n");
}
