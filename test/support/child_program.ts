import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** With coverage, children run modules that c8 can map to the sources, instead of a bundle. */
const COMPILED = process.env["MAZANEH_TEST_COMPILED"];

const built = new Map<string, string>();

/**
 * Returns the file to start a child process with: a bundle of the source and its imports, which starts five times as
 * fast as tsx. The first call in a test file makes the bundle (60 ms); it is removed when the process exits.
 *
 * @param source An absolute path, or a path relative to the project's folder, such as `adapters/cli/main.ts`.
 */
export function childProgram(source: string): string {
  return COMPILED ? join(COMPILED, relative(ROOT, resolve(ROOT, source)).replace(/ts$/, "js")) : bundledProgram(source);
}

/** Returns the bundle even with coverage, for a child that cannot read the sources. Run it with `BUNDLED_ENV`. */
export function bundledProgram(source: string): string {
  const path = built.get(source) ?? build(source);
  built.set(source, path);
  return path;
}

/** The environment of this process, without the variables that turn coverage on. */
export const BUNDLED_ENV = { ...process.env, NODE_V8_COVERAGE: "", MAZANEH_TEST_DATA: "" };

function build(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), "mazaneh-program-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, "program.mjs");
  // Runs esbuild as a command, because programs that are bundled with this module cannot import esbuild.
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
