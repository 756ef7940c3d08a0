import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { atEnd } from "./cleanup.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Makes JavaScript of programs as `build.mjs` makes it of the package, in a folder of this run: a build of
 * the package beside it, or another benchmark, cannot pull the files away.
 *
 * @param sources Paths from the project's folder, e.g. `adapters/cli/main.ts`.
 * @returns Tells the path of what was made of a source.
 */
export async function buildPrograms(...sources: readonly string[]): Promise<(source: string) => string> {
  const cache = join(ROOT, ".cache/bench");
  mkdirSync(cache, { recursive: true });
  const home = mkdtempSync(join(cache, "build-"));
  atEnd(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  // The program tells its version from the package that it lies in.
  copyFileSync(join(ROOT, "package.json"), join(home, "package.json"));
  await build({
    entryPoints: [...sources],
    absWorkingDir: ROOT,
    outdir: join(home, "dist"),
    outbase: ".",
    bundle: true,
    splitting: true,
    chunkNames: "shared/[hash]",
    format: "esm",
    platform: "node",
    target: "es2023",
    charset: "utf8",
    logLevel: "error",
  });
  return (source) => join(home, "dist", source.replace(/\.ts$/, ".js"));
}

/**
 * Runs a benchmark as the JavaScript that users get, with the options given: tsx names every closure when it
 * is made, which costs.
 */
export async function runBuilt(source: string): Promise<void> {
  const built = await buildPrograms(source);
  const child = spawn(process.execPath, [built(source), ...process.argv.slice(2)], { stdio: "inherit" });
  atEnd(() => child.kill());
  const [code] = await once(child, "exit");
  process.exitCode = Number(code ?? 1);
}
