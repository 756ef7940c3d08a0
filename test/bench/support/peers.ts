import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const FOLDER = fileURLToPath(new URL("../../../.cache/bench/", import.meta.url));

/** Packages brought for a benchmark: none of them is a dependency of the project. */
export interface Peers {
  /** The folder whose `node_modules` holds them. */
  readonly home: string;
  /** Loads a package as CommonJS, from there. */
  readonly require: NodeJS.Require;
  /** Loads a package as an ES module, from there. */
  import(name: string): Promise<unknown>;
}

/**
 * Brings npm packages into `.cache/bench`, unless they are there; `undefined` where they cannot be had,
 * which is said aloud with the command that brings them.
 *
 * @param specs Names with exact versions, e.g. `hono@4.12.0`; those of one call share a folder.
 */
export function fetchPeers(...specs: readonly string[]): Peers | undefined {
  const home = join(FOLDER, specs.map((spec) => spec.replaceAll("/", "_")).join("+"));
  if (!existsSync(home)) install(home, specs);
  if (!existsSync(home)) {
    const names = specs.join(" ");
    console.error(`SKIPPED ${names}: not here. This brings it: npm install --prefix ${relative(".", home)} --no-save ${names}`);
    return undefined;
  }
  return peersIn(home);
}

/** The packages in a folder that `fetchPeers` made: for programs that a benchmark starts. */
export function peersIn(home: string): Peers {
  const require = createRequire(join(home, "index.js"));
  return { home, require, import: (name) => import(pathToFileURL(modulePath(home, require, name)).href) };
}

/** What `import` would find: `require.resolve` finds what `require` would, which Deno does not run. */
function modulePath(home: string, require: NodeJS.Require, name: string): string {
  const folder = join(home, "node_modules", name);
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { exports?: { "."?: { import?: unknown } } };
  const module = exports?.["."]?.import;
  return typeof module === "string" ? join(folder, module) : require.resolve(name);
}

/** The programs that `fetchRuntime` brings. */
export type RuntimeName = "node20" | "node22" | "node24" | "node26" | "bun" | "deno";

/** The path of a runtime's program, brought into `.cache/runtimes` where it is not there; `undefined` where it cannot be had. */
export async function fetchRuntime(name: RuntimeName): Promise<string | undefined> {
  const place = new URL("../../runtimes/fetch_runtimes.mjs", import.meta.url).href;
  const module = (await import(place)) as { fetchRuntime(name: string): string | undefined };
  return module.fetchRuntime(name);
}

function install(home: string, specs: readonly string[]): void {
  // Made beside its place and then put there, so that two runs at once do not meet in half of it.
  const partial = `${home}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  console.error(`Fetching ${specs.join(" ")} ...`);
  const args = ["install", "--prefix", partial, "--no-save", "--no-audit", "--no-fund", "--loglevel=error", ...specs];
  const { status } = spawnSync("npm", args, { stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" });
  if (status === 0 && !existsSync(home)) renameSync(partial, home);
  rmSync(partial, { recursive: true, force: true });
}
