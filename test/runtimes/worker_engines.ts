// The app as a fetch handler, on PostgreSQL and Redis, with the client libraries that the environment names. `deno serve` runs
// it as it is, and worker_engines_bun.ts says where Bun listens.
import { fetchHandler } from "../../adapters/fetch_http.ts";
import { openPostgres } from "../../adapters/postgres/mod.ts";
import type { PostgresClient } from "../../adapters/postgres/mod.ts";
import { createRedisQuota } from "../../adapters/redis/mod.ts";
import type { RedisClient } from "../../adapters/redis/mod.ts";
import { withDeadline } from "../../adapters/store/with_deadline.ts";
import { NOW, createApp, withOneName } from "./app.ts";

const { STORE = "", QUOTA = "", LIBRARIES = "" } = process.env;
let handle: Promise<ReturnType<typeof fetchHandler>> | undefined;

export default {
  async fetch(request: Request): Promise<Response> {
    return (await (handle ??= open()))(request);
  },
};

async function open(): Promise<ReturnType<typeof fetchHandler>> {
  const [postgres, redis] = LIBRARIES === "pg redis" ? [await withPg(), await withNodeRedis()] : [await withPostgresJs(), await withIoRedis()];
  const store = await openPostgres(postgres, { clock: () => NOW });
  const quota = await createRedisQuota(redis);
  return fetchHandler(createApp({ ...withDeadline({ ...store, quota }, { ms: 10_000 }), observations: withOneName(store.observations) }));
}

async function withPg(): Promise<PostgresClient> {
  const { default: pg } = await import("pg");
  return new pg.Pool({ connectionString: STORE, max: 4 }).on("error", () => {});
}

async function withPostgresJs(): Promise<PostgresClient> {
  const { default: postgres } = await import("postgres");
  return postgres(STORE, { max: 4, onnotice: () => {} });
}

async function withNodeRedis(): Promise<RedisClient> {
  const { createClient } = await import("redis");
  const client = createClient({ url: QUOTA, disableOfflineQueue: true, pingInterval: 2_000, socket: { socketTimeout: 5_000 } });
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function withIoRedis(): Promise<RedisClient> {
  const { Redis } = await import("ioredis");
  const client = new Redis(QUOTA, {
    ...{ lazyConnect: true, enableOfflineQueue: false, autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0, socketTimeout: 5_000 },
  });
  client.on("error", () => {});
  await client.connect();
  return client;
}
