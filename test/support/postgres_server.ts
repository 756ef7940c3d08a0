import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { findPrograms, WANTED_VERSION } from "./postgres_programs.ts";
import { findUser, type ServerProcess, serverDirectory, startServer, type User } from "./server_process.ts";

/** A PostgreSQL server for one test file, with its own cluster. */
export interface PostgresServer extends ServerProcess {
  /** The URL of the server's first database, for a superuser without a password. */
  readonly url: string;
  /** The server's data directory, which can be copied while the server is stopped. */
  readonly data: string;
  /** Makes a database; returns its URL. */
  database(): Promise<string>;
}

/** A test's options for its server. */
export interface PostgresOptions {
  /** Settings of postgresql.conf. Default: `fsync` is `off`, because most tests do not cut the power. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The data directory of a stopped server: the new server becomes its replica. Default: an empty cluster. */
  readonly replicaOf?: string;
}

/** The superuser of the cluster. */
const POSTGRES = "postgres";
const PROGRAMS = findPrograms();
if (PROGRAMS === undefined && WANTED_VERSION !== undefined)
  throw new Error(
    `There is no PostgreSQL ${WANTED_VERSION} here: npx tsx test/runtimes/postgres.ts ${WANTED_VERSION} fetches it`,
  );
/** PostgreSQL refuses to run as root. Root starts it as the user of Debian's package or as `nobody`. */
const AS_ROOT = process.getuid?.() === 0;
const USER: User | undefined =
  AS_ROOT && PROGRAMS !== undefined ? (findUser(POSTGRES) ?? findUser("nobody")) : undefined;

/** The directory with the server's tools, such as `pg_dump`; `undefined` if they are not installed. */
export const postgresTools: string | undefined =
  PROGRAMS !== undefined && existsSync(join(PROGRAMS, "pg_dump")) ? PROGRAMS : undefined;

/** The reason why tests cannot use PostgreSQL here; `undefined` if they can. */
export const postgresMissing: string | undefined = findMissing();

function findMissing(): string | undefined {
  if (PROGRAMS === undefined)
    return "there is no PostgreSQL server (Debian: apt-get install postgresql; elsewhere: npx tsx test/runtimes/postgres.ts --fetch)";
  if (AS_ROOT && USER === undefined) return `PostgreSQL does not run as root, and there is no user "${POSTGRES}"`;
  const { status } = spawnSync(join(PROGRAMS, "initdb"), ["--version"], { ...USER, cwd: "/" });
  return status === 0 ? undefined : `the user that PostgreSQL runs as cannot run the programs in ${PROGRAMS}`;
}

let shared: Promise<PostgresServer | undefined> | undefined;

/** The server that the test files of this process share. Tests that stop or freeze a server start their own. */
export function sharedPostgres(): Promise<PostgresServer | undefined> {
  return (shared ??= startPostgres());
}

/**
 * Starts PostgreSQL for this test file, with an empty cluster on a free port of 127.0.0.1; it ends with the file.
 * Returns `undefined` if PostgreSQL is not installed: see `postgresMissing` and `skipAloud`.
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
    // SIGINT means a fast shutdown, which ends sessions instead of waiting for them.
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
