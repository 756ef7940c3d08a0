import { ANSWER_MS } from "../shared/answer_in_time.ts";
import { createSender, type Receipt, shareGiveBacks } from "../shared/quota_receipts.ts";
import { type GroupTaken, shareTakes, type TakeGroup } from "../shared/share_quota_takes.ts";
import type { StoredQuota } from "../shared/store.ts";
import type { Trouble, Watcher } from "../shared/store_troubles.ts";
import { createSend, type RedisClient } from "./client.ts";
import { createCounting, readingOf } from "./count_units.ts";
import { demandLedgerId } from "./init_ledger.ts";
import { ledgerKeys, type RedisQuotaOptions } from "./ledger_keys.ts";
import { readRedisUsage } from "./read_usage.ts";
import { findUnsafeSettings } from "./unsafe_settings.ts";

/** Counters in Redis or Valkey, exact across all instances that share them. */
export interface RedisQuota extends StoredQuota {
  /** When a new ledger is made after a loss, it has a new id. */
  readonly ledgerId: string;
  /** Reports whether units can be counted. */
  readonly watcher: Watcher;
  /** Unsafe settings of this Redis, each described for the operator in a sentence or two. */
  readonly warnings: readonly string[];
  /** Stops the give-backs that run in the background. The client belongs to the caller and stays open. */
  close(): Promise<void>;
}

/**
 * Opens the ledger that `initRedisQuota` has made. Each call of `take` needs one round trip; calls that arrive during a
 * round trip share the next one. If an answer is lost or late, the units that were taken are given back. Any failure of
 * Redis, its client or the network becomes `Unavailable`. Throws `TypeError` for a client that queues commands while it
 * is disconnected or has no error listener, `StoreError` if there is no ledger or Redis is a writable replica, and
 * `Unavailable` if Redis cannot be reached or cannot count.
 *
 * @param client A connected client that only this ledger uses.
 */
export async function createRedisQuota(client: RedisClient, options: RedisQuotaOptions = {}): Promise<RedisQuota> {
  const { prefix = "mazaneh", timeoutMs = ANSWER_MS } = options;
  const send = createSend(client, timeoutMs);
  const names = ledgerKeys(prefix);
  const closing = new AbortController();
  const closed = closing.signal;
  const { perform, settle, probe } = createCounting(send, names);
  let trouble: Trouble | undefined;

  /** Awaits an answer. If it is an error, the watcher reports the error until a later answer succeeds. */
  async function watch<T>(answer: Promise<T>): Promise<T> {
    try {
      const found = await answer;
      trouble = undefined;
      return found;
    } catch (error) {
      trouble = { code: "quota-unreachable", message: error instanceof Error ? error.message : String(error) };
      throw error;
    }
  }

  async function take(groups: readonly TakeGroup[], receipt: Receipt): Promise<readonly GroupTaken[]> {
    const counts = await watch(perform(groups[0]!.day, groups, receipt));
    return groups.map(({ limit, count }, i) => {
      const granted = Math.max(0, Math.min(count, Math.ceil(limit) - counts[i]!));
      return { granted, used: counts[i]! + granted };
    });
  }

  /** Gives units back, and reads the counts with the same command, even if a repetition gives nothing back. */
  async function returnUnits(groups: readonly TakeGroup[], receipt: Receipt): Promise<readonly { used: number }[]> {
    const acts = [
      ...groups.map((group) => ({ ...group, count: -group.count })),
      ...groups.map((group) => ({ ...group, count: 0 })),
    ];
    const counts = await watch(perform(groups[0]!.day, acts, receipt));
    return counts.slice(groups.length).map((used) => ({ used }));
  }

  const warnings = await findUnsafeSettings(send);
  const ledgerId = await demandLedgerId(client, { prefix, timeoutMs });
  await probe();

  return {
    ledgerId,
    watcher: {
      troubles: () => (trouble ? [trouble] : []),
      sweep: () => watch(probe()).catch(() => {}), // `troubles` reports the error.
    },
    warnings,
    take: shareTakes({ senders: [createSender({ take, settle }, closed)], maxWaitMs: timeoutMs }),
    giveBack: shareGiveBacks(returnUnits, { closed }),
    used: async (account, day) => (await watch(perform(day, [readingOf(account)])))[0]!,
    usage: (query) => readRedisUsage(send, names, query),
    close: async () => closing.abort(),
  };
}
