// Starts PostgreSQL and Redis for a benchmark, which write to the disk before they answer, and ends them with it. A
// program of its own, as the starters belong to tests and print as tests do.
import { startPostgres } from "../../support/postgres_server.ts";
import { startRedis } from "../../support/redis_server.ts";

/** Where the engines are; `undefined` where one is not installed. */
export interface EngineUrls {
  readonly postgres: string;
  readonly redis: string;
  /** A Redis that writes to the disk once a second. */
  readonly redisEachSecond: string;
}

process.once("disconnect", () => process.exit());
const postgres = await startPostgres({ settings: { fsync: "on" } });
const redis = await startRedis({ settings: { appendonly: "yes", appendfsync: "always" } });
const redisEachSecond = await startRedis({ settings: { appendonly: "yes", appendfsync: "everysec" } });
const urls: EngineUrls | undefined =
  postgres && redis && redisEachSecond && { postgres: await postgres.database(), redis: redis.url, redisEachSecond: redisEachSecond.url };
process.send!(urls ?? "missing");
