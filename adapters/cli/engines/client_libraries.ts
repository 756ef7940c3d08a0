import { readFile } from "node:fs/promises";
import type { Pool } from "pg";
import { Unavailable } from "../../../core/mod.ts";
import { CommandFailure, EXIT, messageOf } from "../failure.ts";
import { readPostgresUrl } from "../postgres_url.ts";
import type { PostgresTls } from "../postgres_url.ts";
import type { ServerAddress } from "../store_setting.ts";
import { usingDatabase } from "./database_failure.ts";

/** How connections to PostgreSQL are made. */
export interface PostgresClientOptions {
  /** The most connections. */
  readonly max: number;
  /**
   * A connection on which a statement has no answer for so long is given up: when the machine of the database is gone
   * without a word, the system would keep it open for a quarter of an hour. The server ends the statement a second before,
   * where the URL does not say when: it notices no client that has given up, so that statements which wait for a lock would
   * take one connection after the other. Default: none.
   */
  readonly statementMs?: number | undefined;
  /** How long a statement waits for a lock, where the URL does not say it. Default: as long as the database lets it. */
  readonly lockMs?: number | undefined;
}

/** A pool of connections to PostgreSQL. */
export interface OpenedPostgres {
  readonly pool: Pool;
  /** Whether statements may be prepared. */
  readonly prepare: boolean;
  close(): Promise<void>;
}

/** How long a command waits for a lock of another program, as long as for a directory that another one has open. */
export const COMMAND_LOCK_MS = 60_000;
/** Time for the answer of a server that has ended a statement. */
const SPARE_MS = 1_000;
/** Time after which a connection that is not there has failed. */
const CONNECT_MS = 5_000;
/** Time after which a connection that waits for an answer is probed by the system, so that a long statement outlives a lost network only briefly. */
const PROBE_MS = 10_000;
/** Time after which a connection to Redis on which nothing comes back is given up; an idle one is asked for a sign of life more often. */
const SILENCE_MS = 5_000;
const PING_MS = 2_000;

/** Makes a pool of connections to PostgreSQL. Nothing is connected yet. `pg` itself asks PGPASSWORD and ~/.pgpass where the URL has no password. */
export async function openPostgresClient(address: ServerAddress, { max, statementMs, lockMs }: PostgresClientOptions): Promise<OpenedPostgres> {
  const { tls, connectMs = CONNECT_MS, limits: given, isPooled, ...target } = readPostgresUrl(new URL(address.url()));
  // As parameters of the connection, which a pooler refuses.
  const limits = { ...(statementMs !== undefined && { statement_timeout: statementMs - SPARE_MS }), ...(lockMs !== undefined && { lock_timeout: lockMs }), ...given };
  const ssl = tls === undefined || tls === "disable" ? tls && false : await tlsOptions(tls);
  // By their names alone, so that the program starts without the libraries, and its bundle leaves them out.
  const pg = await library(() => import("pg"), "pg", "PostgreSQL");
  const pool = new pg.default.Pool({
    ...{ max, ...target, ...(isPooled ? {} : limits), ...(ssl !== undefined && { ssl }) },
    ...(typeof tls === "object" && { enableChannelBinding: tls.isBound, ...(tls.isDirect && { sslnegotiation: "direct" as const }) }),
    ...{ connectionTimeoutMillis: connectMs, query_timeout: statementMs, keepAlive: true, keepAliveInitialDelayMillis: PROBE_MS },
  });
  return { pool, prepare: !isPooled, close: () => pool.end() };
}

/** Throws a failure for a file that cannot be read. */
async function tlsOptions({ check, rootFile, certificateFile, keyFile }: PostgresTls) {
  const [ca, cert, key] = await Promise.all([readPem("sslrootcert", rootFile), readPem("sslcert", certificateFile), readPem("sslkey", keyFile)]);
  return {
    rejectUnauthorized: check !== "nothing",
    ...(check === "signer" && { checkServerIdentity: () => undefined }),
    ...{ ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) },
  };
}

async function readPem(parameter: string, path: string | undefined): Promise<string | undefined> {
  try {
    return path === undefined ? undefined : await readFile(path, "utf8");
  } catch (error) {
    throw new CommandFailure(`Cannot read the file of ${parameter} in MAZANEH_STORE: ${messageOf(error)}`, EXIT.config, { cause: error });
  }
}

/** Connects to Redis. A connection that is lost later is made anew; commands meanwhile fail, and none is ever sent twice. */
export async function openRedisClient(address: ServerAddress) {
  const redis = await library(() => import("redis"), "redis", "Redis");
  let isConnected = false;
  const client = redis.createClient({
    url: address.url(),
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: { connectTimeout: CONNECT_MS, socketTimeout: SILENCE_MS, reconnectStrategy: (times, cause) => (isConnected ? Math.min(50 * times, 1_000) : cause) },
  });
  client.on("error", () => undefined);
  await usingDatabase(address, () => client.connect().catch((error: unknown) => {
    throw new Unavailable(String(error), undefined, { cause: error });
  }));
  isConnected = true;
  return { client, close: async () => client.destroy() };
}

async function library<Module>(load: () => Promise<Module>, name: string, server: string): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    // A library that is there, and misses something itself, is told as it is.
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND" && error.message.includes(`'${name}'`);
    if (!isMissing) throw error;
    throw new CommandFailure(`The client library for ${server} is not installed: npm install ${name}, beside mazaneh (with -g where mazaneh is)`, EXIT.config);
  }
}
