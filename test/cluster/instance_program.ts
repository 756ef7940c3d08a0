import { Redis } from "ioredis";
import pg from "pg";
import { createClient } from "redis";
import { createMemoryStore } from "../../adapters/memory_store.ts";
import { createNodeServer, nodeSystem } from "../../adapters/node/mod.ts";
import { openPostgres } from "../../adapters/postgres/mod.ts";
import { createRedisQuota } from "../../adapters/redis/mod.ts";
import { withDeadline } from "../../adapters/store/with_deadline.ts";
import { createApi } from "../../core/mod.ts";
import type { AccountChange, Observation } from "../../core/mod.ts";

// One instance of a service whose units are counted in Redis. Its accounts and prices are in PostgreSQL, or else those
// that it is given. It writes what its parent sends, and acknowledges it when the store has.

/** What the program is given as its argument, in JSON. */
export interface InstanceSettings {
  readonly redis: string;
  /** Its client of Redis. Default: `redis`. */
  readonly library?: "redis" | "ioredis";
  readonly postgres?: string;
  /** Whether changes of other instances are followed. Default: false, the database is asked for each request. */
  readonly follow?: boolean;
  readonly changes?: readonly AccountChange[];
  readonly records?: readonly Observation[];
}

/** What the parent sends; the answer is `id`, or `failed` with it. */
export interface WriteMessage {
  readonly id: number;
  readonly records?: readonly Observation[];
  readonly changes?: readonly AccountChange[];
}

/** How long a call of the store may take, in milliseconds. */
const LIMIT_MS = 1_000;
/** A connection on which no answer has come for so long is given up, or the pool would wait for a machine that is gone. */
const LOST_MS = 3_000;

const settings = JSON.parse(process.argv[2]!) as InstanceSettings;
const store = settings.postgres === undefined ? createMemoryStore() : await openDatabase(settings.postgres, settings.follow ?? false);
if (settings.changes) await store.accounts.update(settings.changes);
if (settings.records) await store.observations.append(settings.records);
process.on("message", (message: WriteMessage) => void write(message));

const api = createApi({ ...nodeSystem, ...withDeadline({ ...store, quota: await openLedger(settings.redis) }, { ms: LIMIT_MS }) });
const server = createNodeServer(api, { limits: { requests: 1_000 } });
const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`http://127.0.0.1:${port}\n`);

async function openDatabase(connectionString: string, follow: boolean) {
  const pool = new pg.Pool({ connectionString, max: 10, connectionTimeoutMillis: LOST_MS, query_timeout: LOST_MS });
  pool.on("error", () => {});
  return openPostgres(pool, { clock: nodeSystem.clock, follow });
}

async function openLedger(url: string) {
  if (settings.library === "ioredis") {
    const safe = { lazyConnect: true, enableOfflineQueue: false, autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0 };
    const client = new Redis(url, { ...safe, retryStrategy: () => 20, socketTimeout: LOST_MS });
    client.on("error", () => {});
    await client.connect();
    return createRedisQuota(client);
  }
  const client = createClient({ url, disableOfflineQueue: true, pingInterval: LOST_MS / 3, socket: { reconnectStrategy: () => 20, socketTimeout: LOST_MS } });
  client.on("error", () => {});
  await client.connect();
  return createRedisQuota(client);
}

async function write({ id, records, changes }: WriteMessage): Promise<void> {
  try {
    if (records) await store.observations.append(records);
    if (changes) await store.accounts.update(changes);
    process.send?.({ id });
  } catch (error) {
    process.send?.({ id, failed: String(error) });
  }
}
