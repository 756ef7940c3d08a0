import pg from "pg";
import { createClient } from "redis";
import { createNodeServer, nodeSystem } from "../../adapters/node/mod.ts";
import { openPostgres } from "../../adapters/postgres/mod.ts";
import { createRedisQuota } from "../../adapters/redis/mod.ts";
import { withDeadline } from "../../adapters/store/with_deadline.ts";
import { createApi } from "../../core/mod.ts";
import type { Written } from "./installation.ts";

// An instance as an embedder may make it, which asks the database for each request. It writes what its parent sends, and
// acknowledges it when the store has.

/** What the program is given as its argument, in JSON. */
export interface InstanceSettings {
  readonly postgres: string;
  readonly redis: string;
}

/** What the parent sends; the answer is `id`, or `failed` with it. */
export interface WriteMessage extends Written {
  readonly id: number;
}

/** How long a call of the store may take, in milliseconds. */
const LIMIT_MS = 1_000;
/** A connection on which no answer has come for so long is given up, or the pool would wait for a machine that is gone. */
const LOST_MS = 3_000;

const settings = JSON.parse(process.argv[2]!) as InstanceSettings;
const pool = new pg.Pool({ connectionString: settings.postgres, max: 10, connectionTimeoutMillis: LOST_MS, query_timeout: LOST_MS });
pool.on("error", () => {});
const store = await openPostgres(pool, { clock: nodeSystem.clock, follow: false });
process.on("message", (message: WriteMessage) => void write(message));

const client = createClient({ url: settings.redis, disableOfflineQueue: true, pingInterval: LOST_MS / 3, socket: { reconnectStrategy: () => 20, socketTimeout: LOST_MS } });
client.on("error", () => {});
await client.connect();
const api = createApi({ ...nodeSystem, ...withDeadline({ ...store, quota: await createRedisQuota(client) }, { ms: LIMIT_MS }) });
const { port } = await createNodeServer(api).listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`http://127.0.0.1:${port}\n`);

async function write({ id, records, changes }: WriteMessage): Promise<void> {
  try {
    if (records) await store.observations.append(records);
    if (changes) await store.accounts.update(changes);
    process.send?.({ id });
  } catch (error) {
    process.send?.({ id, failed: String(error) });
  }
}
