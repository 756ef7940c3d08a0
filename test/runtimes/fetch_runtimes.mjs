// Fetches runtimes for this platform from npm into .cache/. The project does not depend on them.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../.cache/runtimes/", import.meta.url));
const EXE = process.platform === "win32" ? ".exe" : "";
const NODE = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

/** The package with its version, and the path of the program in it. The platform replaces `*`. */
const RUNTIMES = {
  bun: ["bun@1.4.5", "@oven/*/bin/bun"],
  deno: ["deno@2.9.6", "@deno/*/deno"],
  workerd: ["workerd@1.20261117.1", "@cloudflare/*/bin/workerd"],
  miniflare: ["miniflare@4.20260426.0", "miniflare/dist/src/index.js"],
  node20: [`${NODE}@20`, `${NODE}/bin/node`],
  node22: [`${NODE}@22`, `${NODE}/bin/node`],
  node24: [`${NODE}@24`, `${NODE}/bin/node`],
  node26: [`${NODE}@26`, `${NODE}/bin/node`],
};

/**
 * Returns the path of a runtime's program; fetches it if it is missing. If fetching fails, prints the command to run
 * and returns `undefined`.
 */
export function fetchRuntime(name) {
  const [spec, place] = RUNTIMES[name];
  const home = join(FOLDER, name.startsWith("node") ? name : spec);
  const found = programIn(home, place);
  if (found) return found;
  // Installed under a temporary name and then renamed, so that a concurrent run never uses an incomplete folder.
  const partial = `${home}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const args = [
    "install",
    "--prefix",
    partial,
    "--no-save",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    spec,
  ];
  const { status } = spawnSync("npm", args, { stdio: ["ignore", "ignore", "inherit"], shell: EXE !== "" });
  if (status === 0 && programIn(partial, place) && !existsSync(home)) renameSync(partial, home);
  rmSync(partial, { recursive: true, force: true });
  const program = programIn(home, place);
  if (!program)
    console.error(
      `SKIPPED ${name}: not installed. This installs it: npm install --prefix ${relative(".", home)} --no-save --ignore-scripts ${spec}`,
    );
  return program;
}

function programIn(home, place) {
  const [scope, rest] = place.split("/*/");
  const modules = join(home, "node_modules");
  const suffix = place.endsWith(".js") ? "" : EXE;
  if (rest === undefined) return existing(join(modules, place + suffix));
  const folder = join(modules, scope);
  const packages = existsSync(folder) ? readdirSync(folder) : [];
  return packages.map((name) => existing(join(folder, name, rest + suffix))).find(Boolean);
}

function existing(path) {
  return existsSync(path) ? path : undefined;
}
