import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** c8 counts the lines of the sources, so there the children run these: run.mjs lets every process read TypeScript. */
const MEASURES_COVERAGE = process.env["NODE_V8_COVERAGE"] !== undefined;

const built = new Map<string, string>();

/**
 * The file that a child process is started from: a bundle of the source and all that it imports, which starts
 * in a fifth of the time that tsx takes. It is made at the first call in a test file (60 ms, less than keeping
 * a shared one up to date would be worth), and removed with the process.
 *
 * @param source Absolute path, or one from the project's folder, e.g. `adapters/cli/main.ts`.
 */
export function childProgram(source: string): string {
  return MEASURES_COVERAGE ? resolve(ROOT, source) : bundledProgram(source);
}

/** The bundle, also while lines are counted: for a child that cannot reach the sources. Run it with `BUNDLED_ENV`. */
export function bundledProgram(source: string): string {
  const path = built.get(source) ?? build(source);
  built.set(source, path);
  return path;
}

/** The variables of this process, without those that count lines. */
export const BUNDLED_ENV = { ...process.env, NODE_OPTIONS: "", NODE_V8_COVERAGE: "", MAZANEH_TEST_DATA: "" };

function build(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), "mazaneh-program-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, "program.mjs");
  // By the command: programs that are bundled with this module in them cannot import esbuild.
  const options = [
    "--bundle",
    "--format=esm",
    "--platform=node",
    "--target=es2023",
    "--log-level=error",
    "--packages=external",
  ];
  execFileSync(join(ROOT, "node_modules/.bin/esbuild"), [resolve(ROOT, source), `--outfile=${outfile}`, ...options], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return outfile;
}
