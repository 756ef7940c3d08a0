import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The folder of the benchmark package. Its dependencies are the peers; the project itself does not install them. */
const HOME = fileURLToPath(new URL("../", import.meta.url));

/** Packages that a benchmark compares with. */
export interface Peers {
  /** The folder whose `node_modules` holds them. */
  readonly home: string;
  /** Loads a package as CommonJS, from there. */
  readonly require: NodeJS.Require;
  /** Loads a package as an ES module, from there. */
  import(name: string): Promise<unknown>;
}

/**
 * The packages of these names. Where one is missing or has another version, `npm ci` installs all peers of
 * test/bench/package.json; where that fails, it prints the command and returns `undefined`.
 */
export function fetchPeers(...names: readonly string[]): Peers | undefined {
  if (!areInstalled(names)) {
    console.error("Installing the peers of test/bench/package.json ...");
    spawnSync("npm", ["ci", "--loglevel=error"], { cwd: HOME, stdio: ["ignore", "ignore", "inherit"] });
  }
  if (areInstalled(names)) return peersIn(HOME);
  console.error(`SKIPPED ${names.join(" ")}: not installed. This installs all peers: npm ci --prefix test/bench`);
  return undefined;
}

/** A peer with its version, e.g. `fastify@5.12.8`. */
export function withVersion(name: string): string {
  return `${name}@${dependencies()[name]}`;
}

/** The packages of a folder: for programs that a benchmark starts, which run from another one. */
export function peersIn(home: string): Peers {
  const require = createRequire(join(home, "index.js"));
  return { home, require, import: (name) => import(pathToFileURL(modulePath(home, require, name)).href) };
}

/** The module that `import` finds; `require.resolve` finds the CommonJS one, which Deno does not run. */
function modulePath(home: string, require: NodeJS.Require, name: string): string {
  const folder = join(home, "node_modules", name);
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { exports?: { "."?: { import?: unknown } } };
  const module = exports?.["."]?.import;
  return typeof module === "string" ? join(folder, module) : require.resolve(name);
}

/** The programs that `fetchRuntime` fetches. */
export type RuntimeName = "node20" | "node22" | "node24" | "node26" | "bun" | "deno";

/** The path of a runtime's program, fetched into `.cache/runtimes` if it is missing; `undefined` if that fails. */
export async function fetchRuntime(name: RuntimeName): Promise<string | undefined> {
  const path = new URL("../../runtimes/fetch_runtimes.mjs", import.meta.url).href;
  const module = (await import(path)) as { fetchRuntime(name: string): string | undefined };
  return module.fetchRuntime(name);
}

function areInstalled(names: readonly string[]): boolean {
  return names.every((name) => {
    const path = join(HOME, "node_modules", name, "package.json");
    return existsSync(path) && (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version === dependencies()[name];
  });
}

function dependencies(): Readonly<Record<string, string>> {
  return (JSON.parse(readFileSync(join(HOME, "package.json"), "utf8")) as { dependencies: Record<string, string> }).dependencies;
}
