import type { Pool } from "pg";
import { Unavailable } from "../../../core/mod.ts";
import { textOf } from "../../stores/redis/client.ts";
import { CommandFailure, EXIT, messageOf } from "../command_failure.ts";
import type { ServerAddress } from "../store_setting.ts";

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
  /** Has the pool hold one connection less while the server has too few left for commands, and one more, up to its limit, while there are many. */
  leaveConnections(): Promise<void>;
  close(): Promise<void>;
}

/** How long a command waits for a lock of another program, as long as for a directory that another one has open. */
export const COMMAND_LOCK_MS = 60_000;
/** Time for the answer of a server that has ended a statement. */
const SPARE_MS = 1_000;
/** Time after which a connection that is not there has failed. */
const CONNECT_S = 5;
/** Time after which a connection that waits for an answer is probed by the system, so that a long statement outlives a lost network only briefly. */
const PROBE_MS = 10_000;
/** Time after which a connection to Redis on which nothing comes back is given up; an idle one is asked for a sign of life more often. */
const SILENCE_MS = 5_000;
const PING_MS = 2_000;
/** In a stricter isolation, statements fail beside others; and to compile them takes longer than to run them. */
const SESSION = "-c default_transaction_isolation=read\\ committed -c jit=off";

/** How many connections servers leave for commands: one that reads units has two. */
const LEFT_FREE = 2;
// All may read both, unlike what others do. Where there is no such setting, it is NULL.
const FREE = `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
  - coalesce(current_setting('reserved_connections', true)::int, 0) - sum(numbackends)::int AS free FROM pg_stat_database`;

/** Makes a pool of connections to PostgreSQL. Nothing is connected yet. `pg` itself asks PGPASSWORD and ~/.pgpass where the URL has no password. */
export async function openPostgresClient(
  address: ServerAddress,
  { max, statementMs, lockMs }: PostgresClientOptions,
): Promise<OpenedPostgres> {
  const url = new URL(address.url());
  const given = url.searchParams;
  const [prepare, isBound] = [given.get("pgbouncer") !== "true", given.get("channel_binding") === "require"];
  completeTls(given, isBound);
  // As parameters of the connection, which a pooler refuses.
  if (prepare) given.set("options", `${SESSION} ${given.get("options") ?? process.env["PGOPTIONS"] ?? ""}`);
  const limits = prepare && {
    ...(statementMs !== undefined && { statement_timeout: statementMs - SPARE_MS }),
    ...(lockMs !== undefined && { lock_timeout: lockMs }),
  };
  // By their names alone, so that the program starts without the libraries, and its bundle leaves them out.
  const pg = (await library(() => import("pg"), "pg", "PostgreSQL")).default;
  const options = {
    ...{ max, application_name: "mazaneh", ...limits, connectionString: url.href, enableChannelBinding: isBound },
    ...{
      connectionTimeoutMillis: Number(given.get("connect_timeout") ?? CONNECT_S) * 1_000,
      query_timeout: statementMs,
    },
    ...{ keepAlive: true, keepAliveInitialDelayMillis: PROBE_MS },
  };
  try {
    new pg.Client(options); // A pool would read the URL, and files that it names, only later.
  } catch (error) {
    throw new CommandFailure(`Cannot use the URL in MAZANEH_STORE: ${messageOf(error)}`, EXIT.config, { cause: error });
  }
  const pool = new pg.Pool(options);
  // The pool does not listen to a client that is in use: a lost connection would end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));

  async function leaveConnections(): Promise<void> {
    if (!prepare) return; // A pooler shares its own.
    const client = await pool.connect();
    let isTooMany = false;
    try {
      const { free } = (await client.query<{ free: number }>(FREE)).rows[0]!;
      isTooMany = free < LEFT_FREE && pool.totalCount > 1;
      if (isTooMany) pool.options.max = pool.totalCount - 1;
      else if (free >= 2 * LEFT_FREE) pool.options.max = Math.min(max, pool.options.max + 1);
    } finally {
      client.release(isTooMany);
    }
  }

  return { pool, prepare, leaveConnections, close: () => pool.end() };
}

/** Says in the parameters of a URL what `pg` would do otherwise than `psql`, or only with a warning. */
function completeTls(given: URLSearchParams, isBound: boolean): void {
  const mode = given.get("sslmode");
  // `pg` checks the certificate in each mode but `no-verify`, and warns that it will not for ever.
  if (mode === "verify-ca") given.set("uselibpqcompat", "true");
  else if (mode !== "disable" && mode !== "no-verify" && (mode !== null || isBound))
    given.set("sslmode", "verify-full");
  // The authorities that Node trusts.
  if (given.get("sslrootcert") === "system") given.delete("sslrootcert");
}

/** Connects to Redis. A connection that is lost later is made anew; commands meanwhile fail, and none is ever sent twice. */
export async function openRedisClient(address: ServerAddress) {
  const redis = await library(() => import("redis"), "redis", "Redis");
  let isConnected = false;
  const client = redis.createClient({
    url: address.url(),
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: CONNECT_S * 1_000,
      socketTimeout: SILENCE_MS,
      reconnectStrategy: (times, cause) => (isConnected ? Math.min(50 * times, 1_000) : cause),
    },
  });
  client.on("error", () => undefined);
  await client.connect().catch((error: unknown) => {
    throw new Unavailable(`Redis is not available: ${textOf(error)}`, undefined, { cause: error });
  });
  isConnected = true;
  return { client, close: async () => client.destroy() };
}

async function library<Module>(load: () => Promise<Module>, name: string, server: string): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    // An installed library that misses a package of its own: its error says which.
    const isMissing =
      error instanceof Error &&
      "code" in error &&
      error.code === "ERR_MODULE_NOT_FOUND" &&
      error.message.includes(`'${name}'`);
    if (!isMissing) throw error;
    throw new CommandFailure(
      `The client library for ${server} is not installed: npm install ${name}, beside mazaneh (with -g where mazaneh is)`,
      EXIT.config,
    );
  }
}
