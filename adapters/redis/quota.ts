import type { AccountId, CalendarDate, KeyId } from "../../core/mod.ts";
import { shareTakes } from "../store/shared_takes.ts";
import type { GroupTaken, TakeGroup } from "../store/shared_takes.ts";
import type { StoredQuota } from "../store/store.ts";
import { StoreError } from "../store/store_error.ts";
import type { Watcher } from "../store/watcher.ts";
import { createSend } from "./client.ts";
import type { RedisClient } from "./client.ts";
import { readLedgerId } from "./init.ts";
import { expiryOf, fieldOf, ledgerKeys } from "./keys.ts";
import { createProbe, demandRights } from "./probe.ts";
import { createScript } from "./script.ts";
import { COUNT, SPENT, UNLIMITED } from "./scripts.ts";
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

/** An act on the count of an account: units to take as far as the limit allows; -1: one is given back; 0: the count is only read. */
interface Act {
  readonly account: AccountId;
  readonly units: number;
  readonly limit: number;
  readonly keys: ReadonlySet<KeyId>;
}

const NO_KEYS: ReadonlySet<KeyId> = new Set();
/** How many days' used keys are remembered, so that each is noted once. */
const NOTED_DAYS = 3;

/**
 * Opens the ledger that `initRedisQuota` has made. A take is answered by Redis, in one round trip; takes that come while
 * one is under way share the next. No command is sent twice, so a unit whose answer was lost may be counted without
 * being used, and none is given twice. All else that Redis, its client or the network does makes `Unavailable`.
 *
 * @param client Connected, and for this ledger alone.
 * @returns Throws `TypeError` for a client that sends commands late, `StoreError` where there is no ledger, or Redis is
 * too old or a replica that may be written, and `Unavailable` where it cannot be reached or forbids what counting needs.
 */
export async function createRedisQuota(client: RedisClient, options: RedisQuotaOptions = {}): Promise<RedisQuota> {
  const { prefix = "mazaneh", timeoutMs = 2_000 } = options;
  const send = createSend(client, timeoutMs);
  const names = ledgerKeys(prefix);
  const count = createScript(send, COUNT);
  const probe = createProbe(send, names);
  const watcher = createQuotaWatcher(probe);
  const noted = new Map<CalendarDate, Set<KeyId>>();

  /** Carries out acts on the counts of a day, in one command; resolves to the count before each. */
  async function perform(day: CalendarDate, acts: readonly Act[]): Promise<readonly number[]> {
    const args = [day, String(expiryOf(day)), String(acts.length)];
    for (const { account } of acts) args.push(fieldOf(account));
    for (const { limit } of acts) args.push(String(Math.min(Math.ceil(limit), UNLIMITED)));
    for (const { units } of acts) args.push(String(units));
    const known = notedOn(day);
    const fresh = acts.flatMap(({ account, keys }) => [...keys].filter((key) => !known.has(key)).map((key) => [key, account] as const));
    for (const [key, account] of fresh) {
      known.add(key);
      args.push(fieldOf(key), fieldOf(account));
    }
    try {
      const answer = await watcher.watch(count([names.ledger, names.units(day), names.keys(day)], args));
      return (answer as readonly unknown[]).map(Number);
    } catch (error) {
      // Also those that were noted before: Redis may have lost them.
      noted.delete(day);
      throw error;
    }
  }

  function notedOn(day: CalendarDate): Set<KeyId> {
    const keys = noted.get(day) ?? new Set();
    noted.set(day, keys);
    for (const old of [...noted.keys()].slice(0, -NOTED_DAYS)) noted.delete(old);
    return keys;
  }

  async function takeAll(groups: readonly TakeGroup[]): Promise<readonly GroupTaken[]> {
    const day = groups[0]!.day;
    const counts = await perform(day, groups.map(({ account, limit, count: units, keys }) => ({ account, limit, units, keys })));
    return groups.map(({ limit, count: units }, i) => {
      const granted = Math.max(0, Math.min(units, Math.ceil(limit) - counts[i]!));
      return { granted, used: counts[i]! + granted };
    });
  }

  async function countBefore(account: AccountId, day: CalendarDate, units: -1 | 0): Promise<number> {
    return (await perform(day, [{ account, units, limit: 0, keys: NO_KEYS }]))[0]!;
  }

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
    take: shareTakes({ send: takeAll, maxInFlight: 1, maxWaitMs: timeoutMs }),
    async giveBack(account, day) {
      const before = await countBefore(account, day, -1);
      return before % SPENT > 0 ? before - 1 : before;
    },
    used: (account, day) => countBefore(account, day, 0),
    usage: (query) => readRedisUsage(send, names, query),
  };
}
