// Starts PostgreSQL and Redis, which sync to the disk before they answer, and prints their URLs.
// This is a separate program, because the functions that it imports use `node:test`, which prints to the terminal.
import { startPostgres } from "../../support/postgres_server.ts";
import { startRedis } from "../../support/redis_server.ts";

/** The URLs of the databases. */
export interface EngineUrls {
  readonly postgres: string;
  /** A second database on the same server, for a ledger only. */
  readonly ledger: string;
  readonly redis: string;
  /** A Redis that writes to the disk once a second. */
  readonly redisEachSecond: string;
}

const postgres = await startPostgres({ settings: { fsync: "on" } });
const redis = await startRedis({ settings: { appendonly: "yes", appendfsync: "always" } });
const redisEachSecond = await startRedis({ settings: { appendonly: "yes", appendfsync: "everysec" } });
if (!postgres || !redis || !redisEachSecond)
  throw new Error("PostgreSQL and Redis must be installed: apt-get install postgresql redis-server");
const urls: EngineUrls = {
  postgres: await postgres.database(),
  ledger: await postgres.database(),
  redis: redis.url,
  redisEachSecond: redisEachSecond.url,
};
console.log(`urls: ${JSON.stringify(urls)}`);
process.channel!.ref(); // It stays.
