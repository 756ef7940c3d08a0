import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { findPrograms, WANTED_VERSION } from "./postgres_programs.ts";
import { findUser, type ServerProcess, serverDirectory, startServer, type User } from "./server_process.ts";

/** A PostgreSQL server of a test file, with a cluster of its own. */
export interface PostgresServer extends ServerProcess {
  /** The address of its first database, as a superuser without a password. */
  readonly url: string;
  /** Its data, which can be copied while it is stopped. */
  readonly data: string;
  /** Makes a database, and gives its address. */
  database(): Promise<string>;
}

/** How a test wants its server. */
export interface PostgresOptions {
  /** Settings of postgresql.conf. Default: `fsync` is `off`, as most tests do not cut the power. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The data of a stopped server, which are copied for this one, a replica. Default: an empty cluster. */
  readonly replicaOf?: string;
}

/** The superuser of the cluster. */
const POSTGRES = "postgres";
const PROGRAMS = findPrograms();
if (PROGRAMS === undefined && WANTED_VERSION !== undefined)
  throw new Error(
    `There is no PostgreSQL ${WANTED_VERSION} here: npx tsx test/runtimes/postgres.ts ${WANTED_VERSION} fetches it`,
  );
/** The server refuses to run as root: then as the user that Debian's package makes, or as the one that owns nothing. */
const AS_ROOT = process.getuid?.() === 0;
const USER: User | undefined =
  AS_ROOT && PROGRAMS !== undefined ? (findUser(POSTGRES) ?? findUser("nobody")) : undefined;

/** The directory with the tools of the server, `pg_dump` among them; not every one has them. */
export const postgresTools: string | undefined =
  PROGRAMS !== undefined && existsSync(join(PROGRAMS, "pg_dump")) ? PROGRAMS : undefined;

/** Why there is no PostgreSQL for tests here; `undefined` where there is one. */
export const postgresMissing: string | undefined = findMissing();

function findMissing(): string | undefined {
  if (PROGRAMS === undefined)
    return "there is no PostgreSQL server (Debian: apt-get install postgresql; elsewhere: npx tsx test/runtimes/postgres.ts --fetch)";
  if (AS_ROOT && USER === undefined) return `PostgreSQL does not run as root, and there is no user "${POSTGRES}"`;
  const { status } = spawnSync(join(PROGRAMS, "initdb"), ["--version"], { ...USER, cwd: "/" });
  return status === 0 ? undefined : `the user that PostgreSQL runs as cannot run the programs in ${PROGRAMS}`;
}

let shared: Promise<PostgresServer | undefined> | undefined;

/** The server of all test files of this process that neither stop nor freeze it. */
export function sharedPostgres(): Promise<PostgresServer | undefined> {
  return (shared ??= startPostgres());
}

/**
 * Starts PostgreSQL for this test file: an empty cluster on a free port of 127.0.0.1, which ends with the file.
 * `undefined` where it is not installed: see `postgresMissing` and `skipAloud`.
 */
export async function startPostgres({
  settings = {},
  replicaOf,
}: PostgresOptions = {}): Promise<PostgresServer | undefined> {
  if (PROGRAMS === undefined || postgresMissing !== undefined) return undefined;
  const directory = serverDirectory(USER);
  const data = join(directory, "data");
  if (replicaOf !== undefined) {
    execFileSync("cp", ["-a", replicaOf, data]);
    writeFileSync(join(data, "standby.signal"), "");
  } else {
    const options = ["-D", data, "-A", "trust", "-U", POSTGRES, "--no-locale", "--encoding=UTF8", "--no-sync"];
    execFileSync(join(PROGRAMS, "initdb"), options, { cwd: directory, stdio: "ignore", ...USER });
  }
  const set = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    fsync: "off",
    log_min_messages: "log",
    log_checkpoints: "off",
    ...settings,
  };
  const server = await startServer({
    command: join(PROGRAMS, "postgres"),
    args: (port) => [
      "-D",
      data,
      "-p",
      String(port),
      ...Object.entries(set).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    ready: /database system is ready to accept (?:read-only )?connections/,
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
    data,
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
