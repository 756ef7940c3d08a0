import { readFile } from "node:fs/promises";
import { Unavailable } from "../../../core/mod.ts";
import { CommandFailure, EXIT, messageOf } from "../failure.ts";
import { readPostgresUrl } from "../postgres_url.ts";
import type { PostgresTls } from "../postgres_url.ts";
import type { ServerAddress } from "../store_setting.ts";
import { usingDatabase } from "./database_failure.ts";

/** A client of a server that keeps data, and its end. */
export interface Opened<Client> {
  readonly client: Client;
  close(): Promise<void>;
}

/** How connections to PostgreSQL are made. */
export interface PostgresClientOptions {
  /** The most connections. */
  readonly max: number;
  /**
   * A connection on which a statement has no answer for so long is given up: when the machine of the database is gone
   * without a word, the system would keep it open for a quarter of an hour. `postgres` cannot do it. The server ends the
   * statement a second before, where the URL does not say when: it notices no client that has given up, so that statements
   * which wait for a lock would take one connection after the other. Default: none.
   */
  readonly statementMs?: number | undefined;
  /** How long a statement waits for a lock, where the URL does not say it. Default: as long as the database lets it. */
  readonly lockMs?: number | undefined;
}

/** How long a command waits for a lock of another program, as long as for a directory that another one holds. */
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

/**
 * Makes a pool of connections to PostgreSQL, with `pg`, or else with `postgres`. Nothing is connected yet. Neither gets the
 * URL: of its parameters each knows others, and sends the rest to the server.
 */
export async function openPostgresClient(address: ServerAddress, { max, statementMs, lockMs }: PostgresClientOptions) {
  const { host, port, user, password, database, tls, connectMs = CONNECT_MS, applicationName = "mazaneh", options, limits: given } = readPostgresUrl(new URL(address.url()));
  const limits = { ...(statementMs !== undefined && { statement_timeout: statementMs - SPARE_MS }), ...(lockMs !== undefined && { lock_timeout: lockMs }), ...given };
  const ssl = tls === undefined || tls === "disable" ? tls && false : await tlsOptions(tls);
  const known = { max, database, ...(user !== undefined && { user }), ...(password !== undefined && { password }), ...(ssl !== undefined && { ssl }) };
  const isDirect = typeof tls === "object" && tls.isDirect;
  // By their names alone, so that the program starts without them, and its bundle leaves them out.
  const pg = await library(() => import("pg"), "pg");
  if (pg) {
    // `pg` itself asks PGPASSWORD and ~/.pgpass where the URL has no password.
    const client = new pg.default.Pool({
      ...{ ...known, ...limits, host, ...(port !== undefined && { port }), application_name: applicationName, ...(options !== undefined && { options }) },
      ...{ ...(isDirect && { sslnegotiation: "direct" as const }), enableChannelBinding: typeof tls === "object" && tls.isBound },
      ...{ connectionTimeoutMillis: connectMs, query_timeout: statementMs, keepAlive: true, keepAliveInitialDelayMillis: PROBE_MS },
    });
    return { client, close: () => client.end() };
  }
  const postgres = await library(() => import("postgres"), "postgres");
  if (!postgres) throw missing("PostgreSQL", "pg");
  const portOrUsual = port ?? (Number(process.env["PGPORT"]) || 5432);
  // As lists, which its types do not have: it would cut an IPv6 address at its first colon.
  const place: object = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${portOrUsual}` } : { host: [host], port: [portOrUsual] };
  const client = postgres.default({
    ...{ ...known, ...(isDirect && { sslnegotiation: "direct" as const }), connect_timeout: connectMs / 1_000, onnotice: () => undefined },
    ...place,
    connection: { application_name: applicationName, ...limits, ...(options !== undefined && { options }) },
  });
  return { client, close: () => client.end({ timeout: 1 }) };
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

/**
 * Connects to Redis, with `redis`, or else with `ioredis`. A connection that is lost later is made anew; commands meanwhile
 * fail, and none is ever sent twice.
 */
export async function openRedisClient(address: ServerAddress) {
  let isConnected = false;
  const pauseMs = (times: number): number => Math.min(50 * times, 1_000);
  const redis = await library(() => import("redis"), "redis");
  if (redis) {
    const client = redis.createClient({
      url: address.url(),
      disableOfflineQueue: true,
      pingInterval: PING_MS,
      socket: { connectTimeout: CONNECT_MS, socketTimeout: SILENCE_MS, reconnectStrategy: (times, cause) => (isConnected ? pauseMs(times) : cause) },
    });
    client.on("error", () => undefined);
    await reach(client.connect(), address);
    isConnected = true;
    return { client, close: async () => client.destroy() };
  }
  const ioredis = await library(() => import("ioredis"), "ioredis");
  if (!ioredis) throw missing("Redis", "redis");
  const client = new ioredis.Redis(address.url(), {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    retryStrategy: (times) => (isConnected ? pauseMs(times) : null),
  });
  let problem: unknown;
  client.on("error", (error) => (problem = error));
  await reach(client.connect().catch((error: unknown) => Promise.reject(problem ?? error)), address);
  isConnected = true;
  return { client, close: async () => client.disconnect() };
}

async function library<Module>(load: () => Promise<Module>, name: string): Promise<Module | undefined> {
  try {
    return await load();
  } catch (error) {
    // A library that is there, and misses something itself, is told as it is.
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND" && error.message.includes(`'${name}'`);
    if (isMissing) return undefined;
    throw error;
  }
}

async function reach(connected: Promise<unknown>, address: ServerAddress): Promise<void> {
  await usingDatabase(address, () => connected.catch((error: unknown) => {
    throw new Unavailable(String(error), undefined, { cause: error });
  }));
}

function missing(server: string, name: string): CommandFailure {
  return new CommandFailure(`The client library for ${server} is not installed: npm install ${name}, beside mazaneh (with -g where mazaneh is)`, EXIT.config);
}
