// The app as a fetch handler, on PostgreSQL and Redis, with `pg` and `redis`, for `deno serve` and `bun run`.
import pg from "pg";
import { createClient } from "redis";
import { fetchHandler } from "../../adapters/http/fetch_handler.ts";
import { openPostgres } from "../../adapters/stores/postgres/mod.ts";
import { createRedisQuota } from "../../adapters/stores/redis/mod.ts";
import { withDeadline } from "../../adapters/stores/shared/with_deadline.ts";
import { createApp, NOW, withOneName } from "./app.ts";

const { STORE = "", QUOTA = "" } = process.env;
let handle: Promise<ReturnType<typeof fetchHandler>> | undefined;

export default {
  // Bun listens on this address.
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request: Request): Promise<Response> {
    return (await (handle ??= open()))(request);
  },
};

async function open(): Promise<ReturnType<typeof fetchHandler>> {
  const redis = createClient({
    url: QUOTA,
    disableOfflineQueue: true,
    pingInterval: 2_000,
    socket: { socketTimeout: 5_000 },
  });
  redis.on("error", () => {});
  await redis.connect();
  const store = await openPostgres(new pg.Pool({ connectionString: STORE, max: 4 }), { clock: () => NOW });
  const quota = await createRedisQuota(redis);
  return fetchHandler(
    createApp({ ...withDeadline({ ...store, quota }, { ms: 10_000 }), observations: withOneName(store.observations) }),
  );
}
