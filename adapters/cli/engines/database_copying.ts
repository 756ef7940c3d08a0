import type { AccountBook, UtcMillis } from "../../../core/mod.ts";
import { connectionOf } from "../../postgres/connection.ts";
import type { Connection } from "../../postgres/connection.ts";
import { demandLedger } from "../../postgres/ledger.ts";
import { withPostgresContent } from "../../postgres/content.ts";
import { makePostgresStore } from "../../postgres/make_store.ts";
import { demandSchema } from "../../postgres/migrations/migrate.ts";
import { DEFAULT_SCHEMA, schemaOf } from "../../postgres/schema.ts";
import { raiseCounters, readCounters } from "../../redis/copied_counters.ts";
import { demandLedgerId } from "../../redis/init.ts";
import type { RedisClient } from "../../redis/mod.ts";
import type { Copying, StoreContent } from "../../store/copy.ts";
import type { DayUsage } from "../../store/store.ts";
import { COMMAND_LOCK_MS, openPostgresClient, openRedisClient } from "./client_libraries.ts";
import type { DatabasePlace } from "./database_engine.ts";
import { readingDatabase, usingDatabase } from "./database_failure.ts";

const schema = schemaOf(DEFAULT_SCHEMA);

/** Copies from and to a database, with the counters of its ledger. */
export function databaseCopying({ store: database, quota: ledger }: DatabasePlace, now: UtcMillis): Copying {
  /** Calls `work` with connections to both, once the database has tables. */
  async function connected<Value>(work: (connection: Connection, redis: RedisClient | undefined) => Promise<Value>): Promise<Value> {
    const redis = ledger === "store" ? undefined : await openRedisClient(ledger);
    try {
      const postgres = await openPostgresClient(database, { max: 1, lockMs: COMMAND_LOCK_MS });
      try {
        return await usingDatabase(database, async () => {
          const connection = connectionOf(postgres.pool, postgres);
          await demandSchema(connection.query, schema);
          await demandLedger(connection.query, schema, redis && (await usingLedger(() => demandLedgerId(redis.client))));
          return work(connection, redis?.client);
        });
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
        withPostgresContent(connection, schema, async (content) => {
          const usage = redis ? inForce(await counting(content.book, redis), content.usage) : content.usage;
          return use({ ...namingFailures(content), usage });
        }),
      ),
    make: (content, options) =>
      connected((connection, redis) => {
        // Last, so that a target which is refused keeps its counters; and before the commit, so that no unit is free.
        const beforeCommit = redis && (() => usingLedger(() => raiseCounters(redis, content.usage, now)));
        return makePostgresStore(connection, schema, content, { ...options, beforeCommit });
      }),
  };

  function counting(book: AccountBook, redis: RedisClient): Promise<readonly DayUsage[]> {
    return usingLedger(() => readCounters(redis, book, now));
  }

  function usingLedger<Value>(work: () => Promise<Value>): Promise<Value> {
    return ledger === "store" ? work() : usingDatabase(ledger, work);
  }

  function namingFailures(content: StoreContent): StoreContent {
    return {
      ...content,
      records: () => readingDatabase(database, content.records()),
      before: (imported) => readingDatabase(database, content.before(imported)),
    };
  }
}

/** The counters of Redis, and of days that it has forgotten those of the database. */
function inForce(inRedis: readonly DayUsage[], inDatabase: readonly DayUsage[]): readonly DayUsage[] {
  const days = new Map([...inDatabase, ...inRedis].map((usage) => [usage.day, usage]));
  return [...days.values()].sort((one, other) => (one.day < other.day ? 1 : -1));
}
