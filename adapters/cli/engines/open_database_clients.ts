import { Unavailable } from "../../../core/mod.ts";
import { textOf } from "../../stores/redis/client.ts";
import { codeOf, messageOf, wrongSetting } from "../command_failure.ts";
import type { ServerAddress } from "../store_setting.ts";

/** How connections to PostgreSQL are made. */
export interface PostgresClientOptions {
  /** The most connections. */
  readonly max: number;
  /**
   * The maximum time of a statement. After this time, the client drops the connection. Without this limit, the system
   * would keep the connection to a vanished machine for a quarter of an hour. Unless the URL sets `statement_timeout`,
   * PostgreSQL ends the statement a second earlier. Otherwise, an abandoned statement would still wait for locks and
   * occupy a connection. Default: no limit.
   */
  readonly statementMs?: number | undefined;
  /** How long a statement waits for a lock. `lock_timeout` in the URL overrides this. Default: no limit. */
  readonly lockMs?: number | undefined;
}

/** How long a command waits for a lock: a minute, the same time as for a data directory that is in use. */
export const COMMAND_LOCK_MS = 60_000;
/** PostgreSQL ends a statement this long before the client would drop the connection. */
const SPARE_MS = 1_000;
/** Time to connect. */
const CONNECT_S = 5;
/** How often the system probes an idle connection, so that a lost network is noticed soon. */
const PROBE_MS = 10_000;
/** A connection to Redis is dropped after this time without data. Pings every `PING_MS` keep it open. */
const SILENCE_MS = 5_000;
const PING_MS = 2_000;
/** With stricter isolation, concurrent statements would fail; JIT compilation would take longer than the statements. */
const SESSION = "-c default_transaction_isolation=read\\ committed -c jit=off";

/** How many connections a server leaves free for commands. A command that reads units needs two. */
const LEFT_FREE = 2;
// Every role may read these settings. A setting that this version of the server does not have is NULL.
const FREE = `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
  - coalesce(current_setting('reserved_connections', true)::int, 0) - sum(numbackends)::int AS free FROM pg_stat_database`;

/** Makes a pool of connections to PostgreSQL. `pg` reads PGPASSWORD and ~/.pgpass if the URL has no password. */
export async function openPostgresClient(address: ServerAddress, { max, statementMs, lockMs }: PostgresClientOptions) {
  const url = new URL(address.url());
  const given = url.searchParams;
  const [prepare, isBound] = [given.get("pgbouncer") !== "true", given.get("channel_binding") === "require"];
  completeTls(given, isBound);
  // With a pooler, these parameters are left out, because it would refuse the connection.
  if (prepare) given.set("options", `${SESSION} ${given.get("options") ?? process.env["PGOPTIONS"] ?? ""}`);
  const limits = prepare && {
    ...(statementMs !== undefined && { statement_timeout: statementMs - SPARE_MS }),
    ...(lockMs !== undefined && { lock_timeout: lockMs }),
  };
  // Imported here, so that the program starts without the client libraries and does not bundle them.
  const pg = (await library(() => import("pg"), "pg", "PostgreSQL")).default;
  const options = {
    max,
    application_name: "mazaneh",
    ...limits,
    connectionString: url.href,
    enableChannelBinding: isBound,
    connectionTimeoutMillis: Number(given.get("connect_timeout") ?? CONNECT_S) * 1_000,
    query_timeout: statementMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_MS,
  };
  try {
    new pg.Client(options); // Checks the URL and the files that it names. A pool would check them only later.
  } catch (error) {
    throw wrongSetting(`Cannot use the URL in MAZANEH_STORE: ${messageOf(error)}`, error);
  }
  const pool = new pg.Pool(options);
  // The pool ignores errors of a client in use. Without this listener, a lost connection would end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));

  /** Lowers the limit of the pool while the server has too few free connections for commands. Raises it again later. */
  async function leaveConnections(): Promise<void> {
    if (!prepare) return; // A pooler limits its connections itself.
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

  const close = (): Promise<void> => pool.end();
  return { pool, /** Whether statements may be prepared. */ prepare, leaveConnections, close };
}

/** Changes the parameters of a URL that `pg` treats differently from `psql`, or would warn about. */
function completeTls(given: URLSearchParams, isBound: boolean): void {
  const mode = given.get("sslmode");
  // `pg` checks the certificate in every mode except `no-verify`, but warns that this will change.
  if (mode === "verify-ca") given.set("uselibpqcompat", "true");
  else if (mode !== "disable" && mode !== "no-verify" && (mode !== null || isBound))
    given.set("sslmode", "verify-full");
  // Without this parameter, `pg` uses the authorities that Node trusts.
  if (given.get("sslrootcert") === "system") given.delete("sslrootcert");
}

/** Connects to Redis. Reopens a lost connection; until then, commands fail. Never sends a command twice. */
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
    // If a library is installed but one of its own dependencies is not, the error names that dependency.
    if (codeOf(error) !== "ERR_MODULE_NOT_FOUND" || !messageOf(error).includes(`'${name}'`)) throw error;
    throw wrongSetting(
      `The client library for ${server} is not installed: npm install ${name}, beside mazaneh (with -g if you installed mazaneh with -g)`,
    );
  }
}
