import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { findUser, serverDirectory, startServer } from "./server_process.ts";
import type { ServerProcess, User } from "./server_process.ts";

/** A PostgreSQL server of a test file, with a cluster of its own. */
export interface PostgresServer extends ServerProcess {
  /** The address of its first database, as a superuser without a password. */
  readonly url: string;
  /** Makes a database, and gives its address. */
  database(): Promise<string>;
}

/** How a test wants its server. */
export interface PostgresOptions {
  /** Settings of postgresql.conf. Default: `fsync` is `off`, as most tests do not cut the power. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The superuser of the cluster, and the user of the system that Debian's package makes. */
const POSTGRES = "postgres";
const DEBIAN = "/usr/lib/postgresql";
const PROGRAMS = findPrograms();
/** The server refuses to run as root. */
const AS_ROOT = process.getuid?.() === 0;
const USER: User | undefined = AS_ROOT && PROGRAMS !== undefined ? findUser(POSTGRES) : undefined;

/** Why there is no PostgreSQL for tests here; `undefined` where there is one. */
export const postgresMissing: string | undefined =
  PROGRAMS === undefined ? "there is no PostgreSQL server (Debian: apt-get install postgresql)"
  : AS_ROOT && USER === undefined ? `PostgreSQL does not run as root, and there is no user "${POSTGRES}"`
  : undefined;

/**
 * Starts PostgreSQL for this test file: an empty cluster on a free port of 127.0.0.1, which ends with the file.
 * `undefined` where it is not installed: see `postgresMissing` and `skipAloud`.
 */
export async function startPostgres({ settings = {} }: PostgresOptions = {}): Promise<PostgresServer | undefined> {
  if (PROGRAMS === undefined || postgresMissing !== undefined) return undefined;
  const directory = serverDirectory(USER);
  const data = join(directory, "data");
  execFileSync(join(PROGRAMS, "initdb"), ["-D", data, "-A", "trust", "-U", POSTGRES, "--no-locale", "--encoding=UTF8", "--no-sync"], { cwd: directory, stdio: "ignore", ...USER });
  const set = { listen_addresses: "127.0.0.1", unix_socket_directories: "", fsync: "off", ...settings };
  const server = await startServer({
    command: join(PROGRAMS, "postgres"),
    args: (port) => ["-D", data, "-p", String(port), ...Object.entries(set).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    ready: /database system is ready to accept connections/,
    portInUse: /Address already in use|could not create any TCP\/IP sockets/,
    // A fast shutdown: sessions are ended, not waited for.
    stopSignal: "SIGINT",
    directory,
    user: USER,
  });
  const urlOf = (database: string): string => `postgres://${POSTGRES}@127.0.0.1:${server.port}/${database}`;
  let made = 0;
  return Object.assign(server, {
    url: urlOf(POSTGRES),
    async database() {
      const name = `test_${++made}`;
      const client = new pg.Client(urlOf(POSTGRES));
      await client.connect();
      try {
        await client.query(`CREATE DATABASE ${name}`);
      } finally {
        await client.end();
      }
      return urlOf(name);
    },
  });
}

/** The directory with `initdb` and `postgres`: the highest version of Debian's packages. */
function findPrograms(): string | undefined {
  if (!existsSync(DEBIAN)) return undefined;
  const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(DEBIAN, version, "bin")).find((path) => existsSync(join(path, "initdb")) && existsSync(join(path, "postgres")));
}
