import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchRuntime } from "../../runtimes/fetch_runtimes.mjs";

/** The folder of the benchmark package. Its dependencies are the peers, which the project itself does not install. */
export const HOME = fileURLToPath(new URL("../", import.meta.url));

/** Whether these packages are installed in the right versions. If not, it first installs all peers with `npm ci`. */
export function havePeers(...names: readonly string[]): boolean {
  if (areInstalled(names)) return true;
  console.error("Installing the peers of test/bench/package.json ...");
  spawnSync("npm", ["ci", "--loglevel=error"], { cwd: HOME, stdio: ["ignore", "ignore", "inherit"] });
  if (areInstalled(names)) return true;
  console.error(`SKIPPED ${names.join(" ")}: not installed. This installs all peers: npm ci --prefix test/bench`);
  return false;
}

/** Loads a peer from `home`. A built program's own `HOME` is wrong, so the benchmark sends it the right folder. */
export function loadPeer(home: string, name: string): unknown {
  return createRequire(join(home, "index.js"))(name);
}

/** The path of a Node version with SQLite, fetched into `.cache/` if needed; `undefined` if fetching fails. */
export function nodeWithSqlite(): string | undefined {
  if (process.versions.node.split(".").map(Number)[0]! >= 24) return process.execPath;
  return fetchRuntime("node24");
}

/** Whether npm finds these packages in the wanted versions. */
function areInstalled(names: readonly string[]): boolean {
  return spawnSync("npm", ["ls", ...names], { cwd: HOME, stdio: "ignore" }).status === 0;
}
