import { ANSWER_MS } from "../shared/answer_in_time.ts";
import { createSender, type Receipt, shareGiveBacks } from "../shared/quota_receipts.ts";
import { type GroupTaken, shareTakes, type TakeGroup } from "../shared/share_quota_takes.ts";
import type { StoredQuota } from "../shared/store.ts";
import type { Trouble, Watcher } from "../shared/store_troubles.ts";
import { createSend, type RedisClient } from "./client.ts";
import { createCounting } from "./count_units.ts";
import { demandLedgerId } from "./init_ledger.ts";
import { ledgerKeys } from "./ledger_keys.ts";
import { readRedisUsage } from "./read_usage.ts";
import { findUnsafeSettings } from "./unsafe_settings.ts";

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
  /** Ends what the ledger has begun. The client is the caller's, and stays open. */
  close(): Promise<void>;
}

/**
 * Opens the ledger that `initRedisQuota` has made. A take is answered by Redis, in one round trip; takes that come while
 * one is under way share the next. Units whose answer is lost or comes too late are given back. All that Redis, its client
 * or the network does besides makes `Unavailable`.
 *
 * @param client Connected, and for this ledger alone.
 * @returns Throws `TypeError` for a client that sends commands late, `StoreError` where there is no ledger, or Redis is
 * a replica that may be written, and `Unavailable` where it cannot be reached, or cannot count just now.
 */
export async function createRedisQuota(client: RedisClient, options: RedisQuotaOptions = {}): Promise<RedisQuota> {
  const { prefix = "mazaneh", timeoutMs = ANSWER_MS } = options;
  const send = createSend(client, timeoutMs);
  const names = ledgerKeys(prefix);
  const closing = new AbortController();
  const closed = closing.signal;
  const { perform, settle, probe } = createCounting(send, names);
  let trouble: Trouble | undefined;

  /** Returns what a command resolves to. Whatever it throws is a trouble until the next answer. */
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

  /** Gives back, and reads what is used after that: of a give-back that was carried out before, the first does nothing. */
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
      sweep: () => watch(probe()).catch(() => {}), // It is among the troubles now.
    },
    warnings,
    take: shareTakes({ senders: [createSender({ take, settle }, closed)], maxWaitMs: timeoutMs }),
    giveBack: shareGiveBacks(returnUnits, { closed }),
    used: async (account, day) => (await watch(perform(day, [{ account, count: 0, limit: 0, keys: new Set() }])))[0]!,
    usage: (query) => readRedisUsage(send, names, query),
    close: async () => closing.abort(),
  };
}
