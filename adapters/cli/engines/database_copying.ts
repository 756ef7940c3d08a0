import type { UtcMillis } from "../../../core/mod.ts";
import { type Connection, connectionOf } from "../../stores/postgres/connection.ts";
import { demandLedger } from "../../stores/postgres/external_ledger_id.ts";
import { makePostgresStore } from "../../stores/postgres/make_store.ts";
import { demandSchema } from "../../stores/postgres/migrations/migrate.ts";
import { withPostgresContent } from "../../stores/postgres/store_content.ts";
import { raiseCounters, readCounters } from "../../stores/redis/copied_counters.ts";
import { demandLedgerId } from "../../stores/redis/init_ledger.ts";
import type { RedisClient } from "../../stores/redis/mod.ts";
import type { DayUsage } from "../../stores/shared/store.ts";
import type { Copying } from "../../stores/shared/store_copying.ts";
import type { DatabasePlace } from "./database_engine.ts";
import { COMMAND_LOCK_MS, openPostgresClient, openRedisClient } from "./open_database_clients.ts";

/** Copies from and to a database, including the counters of its ledger. */
export function databaseCopying({ store: database, quota: ledger }: DatabasePlace, now: UtcMillis): Copying {
  /** Calls `work` with connections to PostgreSQL and Redis; throws if the database has no tables. */
  async function connected<Value>(work: (connection: Connection, redis: RedisClient | undefined) => Promise<Value>) {
    const redis = ledger === "store" ? undefined : await openRedisClient(ledger);
    try {
      const postgres = await openPostgresClient(database, { max: 1, lockMs: COMMAND_LOCK_MS });
      try {
        const connection = connectionOf(postgres.pool, postgres);
        await demandSchema(connection.query, connection.schema);
        await demandLedger(connection.query, redis && (await demandLedgerId(redis.client)));
        return await work(connection, redis?.client);
      } finally {
        await postgres.close();
      }
    } finally {
      await redis?.close();
    }
  }

  return {
    withContent: (use) =>
      connected((connection, redis) =>
        withPostgresContent(connection, async (content) => {
          const usage = redis ? inForce(await readCounters(redis, content.book, now), content.usage) : content.usage;
          return use({ ...content, usage });
        }),
      ),
    make: (content, options) =>
      connected((connection, redis) => {
        // Runs after all checks, so that a refused target keeps its counters; and before the commit, because the
        // copied accounts must not be usable until their counters are in place.
        const beforeCommit = redis && (() => raiseCounters(redis, content.usage, now));
        return makePostgresStore(connection, content, { ...options, beforeCommit });
      }),
  };
}

/** The counters in Redis or, for days that Redis no longer has, the counters in the database. */
function inForce(inRedis: readonly DayUsage[], inDatabase: readonly DayUsage[]): readonly DayUsage[] {
  const days = new Map([...inDatabase, ...inRedis].map((usage) => [usage.day, usage]));
  return [...days.values()].sort((one, other) => (one.day < other.day ? 1 : -1));
}
