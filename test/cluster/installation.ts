import assert from "node:assert/strict";
import { after } from "node:test";
import pg from "pg";
import { createClient } from "redis";
import { nodeSystem } from "../../adapters/http/node/mod.ts";
import { migrate, openPostgres } from "../../adapters/stores/postgres/mod.ts";
import { initRedisQuota } from "../../adapters/stores/redis/mod.ts";
import {
  type AccountChange,
  type AccountId,
  issueKey,
  type KeyId,
  type Observation,
  type UtcMillis,
} from "../../core/mod.ts";
import { program } from "../support/cli_program.ts";

/** The parts of a store that a test writes to. */
export interface Written {
  readonly records?: readonly Observation[];
  readonly changes?: readonly AccountChange[];
}

/** A key, and the changes that create its account. */
export interface TestAccount {
  readonly key: string;
  readonly keyId: KeyId;
  readonly changes: readonly AccountChange[];
}

/** Makes the ledger in an empty Redis. */
export async function beginLedger(url: string): Promise<void> {
  const client = createClient({ url, disableOfflineQueue: true });
  client.on("error", () => {});
  await client.connect();
  try {
    await initRedisQuota(client, { counters: "as-backed-up" });
  } finally {
    client.destroy();
  }
}

/** Makes the tables in an empty database. Returns a pool for queries, which is closed after the tests. */
export async function beginDatabase(connectionString: string): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString, max: 4 });
  pool.on("error", () => {});
  after(() => pool.end());
  await migrate(pool);
  return pool;
}

/** Prepares an empty database with `mazaneh migrate`. Returns a function that writes there, as commands do. */
export async function beginInstallation(store: string, quota: string): Promise<(what: Written) => Promise<void>> {
  const { code, err } = await program(["migrate"], { env: { MAZANEH_STORE: store, MAZANEH_QUOTA: quota } });
  assert.equal(code, 0, err);
  const { observations, accounts } = await openPostgres(await beginDatabase(store), {
    clock: nodeSystem.clock,
    follow: false,
  });
  return async ({ records, changes }) => {
    if (records) await observations.append(records);
    if (changes) await accounts.update(changes);
  };
}

/** Makes a key for a new account with this many units a day. */
export async function testAccount(name: string, units: number): Promise<TestAccount> {
  const { key, entry } = await issueKey(nodeSystem, { accountId: name as AccountId, createdAt: 0 as UtcMillis });
  const changes = [
    { op: "plan.patch", name, dailyUnits: units, attributionRequired: false },
    { op: "key.create", entry, plan: name },
  ] as const;
  return { key, keyId: entry.id, changes };
}
