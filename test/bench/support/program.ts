import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { atEnd } from "./cleanup.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Builds JavaScript from programs as `build.mjs` does for the package, in a folder of this run, so that a build of
 * the package or another benchmark at the same time cannot remove the files.
 *
 * @param sources Paths from the project's folder, e.g. `adapters/cli/main.ts`.
 * @returns A function from the path of a source to the path of its JavaScript.
 */
export async function buildPrograms(...sources: readonly string[]): Promise<(source: string) => string> {
  const cache = join(ROOT, ".cache/bench");
  mkdirSync(cache, { recursive: true });
  const home = mkdtempSync(join(cache, "build-"));
  atEnd(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  // The program reads its version from the package that it lies in.
  copyFileSync(join(ROOT, "package.json"), join(home, "package.json"));
  await build({
    entryPoints: [...sources],
    absWorkingDir: ROOT,
    outdir: join(home, "dist"),
    outbase: ".",
    bundle: true,
    external: ["pg", "redis"],
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
 * Runs a benchmark as the JavaScript that users get, with the options of the command line. Under tsx every closure
 * is named when it is made, which takes time.
 */
export async function runBuilt(source: string): Promise<void> {
  const built = await buildPrograms(source);
  const child = spawn(process.execPath, [built(source), ...process.argv.slice(2)], { stdio: "inherit" });
  atEnd(() => child.kill());
  const [code] = await once(child, "exit");
  process.exitCode = Number(code ?? 1);
}
