import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Copies the files of the project as a clone would have them, with what is not committed yet, and builds its program. */
export function buildCopy(folder: string): void {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" });
  // Git ignores the files of the page, which every build makes.
  execFileSync(process.execPath, ["adapters/page/build.mjs"]);
  const built = execFileSync("git", ["ls-files", "--others", "*/built_*.ts"], { encoding: "utf8" });
  for (const file of `${built}${files}`.split("\n").filter((name) => name !== "" && name !== "node_modules")) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(file, join(folder, file));
  }
  // As build.mjs does, without the declarations, which take seconds and which nobody needs here.
  const options = [
    "--bundle",
    "--format=esm",
    "--platform=node",
    "--target=es2023",
    "--charset=utf8",
    "--log-level=error",
    "--packages=external",
    "--outdir=dist",
    "--outbase=.",
  ];
  execFileSync(resolve("node_modules/.bin/esbuild"), ["adapters/cli/main.ts", ...options], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
}
