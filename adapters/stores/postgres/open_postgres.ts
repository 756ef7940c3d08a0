import { checkedClock } from "../../../core/internal.ts";
import type { Clock } from "../../../core/mod.ts";
import type { Verification } from "../shared/engine.ts";
import type { ImportAccess } from "../shared/imports.ts";
import type { Store, StoredQuota } from "../shared/store.ts";
import { postgresAccounts } from "./accounts.ts";
import { changesIn } from "./command_changes.ts";
import { type ConnectionOptions, connectionOf, type PgPool } from "./connection.ts";
import { watchPostgres } from "./database_watcher.ts";
import { openingError } from "./errors.ts";
import { follow, noteWrites } from "./follow_changes.ts";
import { createImports } from "./imports.ts";
import { demandSchema } from "./migrations/migrate.ts";
import { createObservations, type PostgresObservations } from "./observations.ts";
import { postgresQuota } from "./quota.ts";
import { readBytes, readInfo, readState } from "./store_state.ts";
import { verifyPostgres } from "./verify.ts";

/** How a store on PostgreSQL is opened. */
export interface PostgresOptions extends ConnectionOptions {
  readonly clock: Clock;
  /**
   * Whether to keep versions and keys in memory. Changes are read twice a second, so this data is at most a second old.
   * Default: true. With false, each request asks the database.
   */
  readonly follow?: boolean;
}

/** A store in a database. */
export interface PostgresStore extends Store {
  readonly observations: PostgresObservations;
  readonly quota: StoredQuota;
  readonly imports: ImportAccess;
  /** The bytes on disk of each table with its indexes, the largest table first. */
  bytes(): Promise<Readonly<Record<string, number>>>;
  readonly changes: ReturnType<typeof changesIn>;
  /** Checks all data, without changing anything. */
  verify(): Promise<Verification>;
  /** Ends everything that the store has started. The pool belongs to the caller and stays open. */
  close(): Promise<void>;
}

/**
 * Opens a store in a database. The role needs only the rights that `migrate` grants. Throws `StoreError` for a database
 * without the tables of this version, or a missing database, table, role or right; `Unavailable` if the database cannot
 * be reached; `TypeError` for anything but a pool.
 */
export async function openPostgres(pool: PgPool, options: PostgresOptions): Promise<PostgresStore> {
  const { follow: follows = true } = options;
  const plain = connectionOf(pool, options);
  await demandSchema(plain.query, plain.schema).catch((error: unknown) => {
    throw openingError(error);
  });
  const follower = follows ? follow(() => readState(plain.query)) : undefined;
  const quota = postgresQuota(plain);
  const clock = checkedClock(options.clock);
  const connection = follower ? noteWrites(plain, follower) : plain;
  return {
    observations: createObservations(connection, follower),
    accounts: postgresAccounts(connection, follower),
    quota,
    imports: createImports(connection, clock),
    changes: changesIn(plain),
    info: () => readInfo(plain.query),
    bytes: () => readBytes(plain),
    verify: () => verifyPostgres(plain),
    watcher: watchPostgres(plain, clock),
    // Never settles: a store on PostgreSQL does not fail for good, but works again as soon as the database does.
    failed: new Promise(() => undefined),
    metrics: () => [],
    warnings: [],
    async close() {
      quota.close();
      follower?.close();
    },
  };
}
