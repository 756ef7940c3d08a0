import { parseDate } from "../../../core/internal.ts";
import type { AccountBook, CalendarDate, UtcMillis } from "../../../core/mod.ts";
import type { AccountUsage, DayUsage } from "../shared/store.ts";
import { inBatches } from "../shared/store_copying.ts";
import { StoreError } from "../shared/store_error.ts";
import { createSend, type RedisClient } from "./client.ts";
import { type Act, createCounting, readingOf } from "./count_units.ts";
import { expiryOf, ledgerKeys } from "./ledger_keys.ts";
import { SPENT, UNLIMITED } from "./lua_scripts.ts";
import { readHash, readRedisUsage } from "./read_usage.ts";

/** A longer limit than for requests, because no client waits. */
const TIMEOUT_MS = 30_000;
/** How many accounts one command has. With many more, Lua could not unpack the list of their used keys. */
const BATCH = 200;
const names = ledgerKeys("mazaneh");

/**
 * Reads the counters of a ledger for a copy. A counter never shows fewer units than were used. If an account's use is
 * unknown, withholds its remaining units. Throws `StoreError` if the counters of a current day are lost.
 */
export async function readCounters(
  client: RedisClient,
  { plans, accounts: all }: AccountBook,
  now: UtcMillis,
): Promise<readonly DayUsage[]> {
  const send = createSend(client, TIMEOUT_MS);
  const limits = new Map(plans.map(({ name, dailyUnits }) => [name, dailyUnits]));

  function withoutUnits({ day, accounts }: DayUsage): DayUsage {
    const usage = new Map(accounts.map((one): [string, AccountUsage] => [one.account, one]));
    for (const { id: account, plan } of all) {
      const known = usage.get(account) ?? { account, units: 0, keys: [] };
      const withheld = (limits.get(plan) ?? 0) - known.units;
      usage.set(account, { ...known, ...(withheld > 0 && { withheld }) });
    }
    return { day, accounts: [...usage.values()] };
  }

  const states = await readHash(send, names.ledger);
  const days: DayUsage[] = [];
  for await (const day of readRedisUsage(send, names)) days.push(day.damaged ? withoutUnits(day) : day);
  for (const [field, state] of states) {
    const date = state === "counted" ? parseDate(field) : undefined;
    if (date !== undefined && isInForce(date, now) && !days.some(({ day }) => day === date))
      throw new StoreError(
        `Cannot copy counters because Redis has lost those of ${field}: run mazaneh migrate --counters first, then copy again`,
        65,
      );
  }
  return days;
}

/**
 * Raises the counters of one ledger to at least the counters of another. Afterwards, each account has at least as many
 * used units as in the other ledger. An account with withheld units has none left. Skips days that are so old that
 * Redis would have dropped them. If Redis has lost the counters of a day, throws `Unavailable` and changes nothing.
 */
export async function raiseCounters(client: RedisClient, usage: readonly DayUsage[], now: UtcMillis): Promise<void> {
  const { perform } = createCounting(createSend(client, TIMEOUT_MS), names);
  const missing: (readonly [day: CalendarDate, acts: readonly Act[]])[] = [];
  for (const { day, accounts } of usage.filter(({ day }) => isInForce(day, now))) {
    for await (const part of inBatches(accounts, BATCH)) {
      const readings = part.map(({ account }) => readingOf(account));
      const counts = await perform(day, readings);
      const acts = part.map(({ account, units, withheld, keys }, i) => ({
        account,
        count: Math.max(0, units - (counts[i]! % SPENT)) + (withheld && counts[i]! < SPENT ? SPENT : 0),
        limit: UNLIMITED,
        keys: new Set(keys),
      }));
      missing.push([day, acts]);
    }
  }
  for (const [day, acts] of missing) await perform(day, acts);
}

/** Whether Redis still has the counters of a day. */
function isInForce(day: CalendarDate, now: UtcMillis): boolean {
  return expiryOf(day) * 1_000 > now;
}
