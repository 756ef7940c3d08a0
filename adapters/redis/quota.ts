import type { AccountId, CalendarDate, KeyId } from "../../core/mod.ts";
import { StoreError } from "../store/store_error.ts";
import type { StoredQuota } from "../store/store.ts";
import type { Watcher } from "../store/watcher.ts";
import { addAct, addTake, createBatches } from "./batches.ts";
import type { Batch } from "./batches.ts";
import { createSend, demandDatabase } from "./client.ts";
import type { RedisClient } from "./client.ts";
import { readLedgerId } from "./init.ts";
import { expiryOf, fieldOf, ledgerKeys } from "./keys.ts";
import { createProbe, demandRights } from "./probe.ts";
import { createScript } from "./script.ts";
import { COUNT, SPENT } from "./scripts.ts";
import { findUnsafeSettings } from "./server_settings.ts";
import { readRedisUsage } from "./usage.ts";
import { createQuotaWatcher } from "./watcher.ts";

/** How a ledger is opened. */
export interface RedisQuotaOptions {
  /** Keeps ledgers in one Redis apart. Default: `mazaneh`. */
  readonly prefix?: string;
  /** How long an answer of Redis may take, in milliseconds. Default: 2,000. */
  readonly timeoutMs?: number;
}

/** Counters in Redis or Valkey, exact for all instances that use the same. */
export interface RedisQuota extends StoredQuota {
  /** Names the ledger: another one was made after a loss. */
  readonly ledgerId: string;
  /** Tells whether units can be counted just now. */
  readonly watcher: Watcher;
  /** What is wrong with the settings of this Redis, each a sentence for the operator. */
  readonly warnings: readonly string[];
}

/** How many days' used keys are remembered, so that each is noted once. */
const NOTED_DAYS = 3;

/**
 * Opens the ledger that `initRedisQuota` has made. A take is answered by Redis, in one round trip; takes that come while
 * one is under way share the next. No command is sent twice, so a unit whose answer was lost may be counted without
 * being used, and none is given twice. All else that Redis, its client or the network does makes `Unavailable`.
 *
 * @param client Connected, and for this ledger alone.
 * @returns Throws `TypeError` for a client that sends commands twice or late, `StoreError` where there is no ledger, or
 * Redis is too old or a replica that may be written, and `Unavailable` where it cannot be reached or forbids what counting needs.
 */
export async function createRedisQuota(client: RedisClient, options: RedisQuotaOptions = {}): Promise<RedisQuota> {
  const { prefix = "mazaneh", timeoutMs = 2_000 } = options;
  const send = createSend(client, timeoutMs);
  const names = ledgerKeys(prefix);
  const count = createScript(send, COUNT);
  const probe = createProbe(send, names);
  const noted = new Map<CalendarDate, Set<KeyId>>();

  async function sendBatch(day: CalendarDate, { acts, keys }: Batch): Promise<readonly number[]> {
    const args = [day, String(expiryOf(day)), String(acts.length), ...acts.map(({ field }) => field)];
    for (const { limit } of acts) args.push(String(limit));
    for (const { units } of acts) args.push(String(units));
    for (const [key, account] of keys) args.push(fieldOf(key), fieldOf(account));
    try {
      const answer = await watcher.watch(count([names.ledger, names.units(day), names.keys(day)], args));
      return (answer as readonly unknown[]).map(Number);
    } catch (error) {
      // Also those that were noted before: Redis may have lost them.
      noted.delete(day);
      throw error;
    }
  }

  /** Notes that a key is used, with the takes that are sent next. */
  function noteKey(batch: Batch, day: CalendarDate, key: KeyId, account: AccountId): void {
    let known = noted.get(day);
    if (!known) {
      noted.set(day, (known = new Set()));
      for (const old of [...noted.keys()].slice(0, -NOTED_DAYS)) noted.delete(old);
    }
    if (known.has(key)) return;
    known.add(key);
    batch.keys.set(key, account);
  }

  const watcher = createQuotaWatcher(probe);
  const nextBatch = createBatches(sendBatch);
  await demandDatabase(client, send);
  const warnings = await findUnsafeSettings(send);
  const ledgerId = await readLedgerId(client, { prefix, timeoutMs });
  if (ledgerId === undefined) {
    throw new StoreError("Redis has no ledger of units: `mazaneh migrate` or initRedisQuota makes one. Where units were used before, it has lost them: `mazaneh migrate --counters` says how they count", 78);
  }
  await demandRights(watcher.watch(probe()));

  return {
    ledgerId,
    watcher,
    warnings,
    take(account, day, limit, key) {
      const batch = nextBatch(day);
      if (key !== undefined) noteKey(batch, day, key, account);
      return addTake(batch, account, limit);
    },
    async giveBack(account, day) {
      const before = await addAct(nextBatch(day), account, -1);
      return before % SPENT > 0 ? before - 1 : before;
    },
    used: (account, day) => addAct(nextBatch(day), account, 0),
    usage: (query) => readRedisUsage(send, names, query),
  };
}
