import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const built = new Map<string, string>();

/**
 * The file that a child process is started from: a bundle of the source and all that it imports, which starts
 * in a fifth of the time that tsx takes. It is made at the first call in a test file (60 ms, less than keeping
 * a shared one up to date would be worth), and removed with the process.
 *
 * @param source Absolute path, or one from the project's folder, e.g. `adapters/cli/main.ts`.
 */
export function childProgram(source: string): string {
  const path = built.get(source) ?? build(source);
  built.set(source, path);
  return path;
}

/** A bundle beside which this package is not installed, though it is here. */
export function programWithout(source: string, absent: string): string {
  const name = `${source} without ${absent}`;
  const path = built.get(name) ?? build(source, absent);
  built.set(name, path);
  return path;
}

function build(source: string, absent?: string): string {
  const folder = mkdtempSync(join(tmpdir(), "mazaneh-program-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, "program.mjs");
  // By the command: programs that are bundled with this module in them cannot import esbuild.
  const options = ["--bundle", "--format=esm", "--platform=node", "--target=es2023", "--log-level=error", "--packages=external"];
  // With it, c8 counts the lines of the sources.
  if (process.env["NODE_V8_COVERAGE"] !== undefined) options.push("--sourcemap=inline", "--sources-content=false");
  execFileSync(join(ROOT, "node_modules/.bin/esbuild"), [resolve(ROOT, source), `--outfile=${outfile}`, ...options], { stdio: ["ignore", "ignore", "inherit"] });
  // The program reads its version from the package that it lies in.
  copyFileSync(join(ROOT, "package.json"), join(folder, "package.json"));
  const [from, to] = [join(ROOT, "node_modules"), join(folder, "node_modules")];
  if (absent === undefined) symlinkSync(from, to);
  else {
    mkdirSync(to);
    for (const name of readdirSync(from)) if (name !== absent) symlinkSync(join(from, name), join(to, name));
  }
  return outfile;
}
