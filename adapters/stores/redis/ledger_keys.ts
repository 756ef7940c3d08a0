import { dayNumber } from "../../../core/internal.ts";
import type { CalendarDate } from "../../../core/mod.ts";

const SECONDS_A_DAY = 86_400;

/** How a ledger is opened. */
export interface RedisQuotaOptions {
  /** Separates several ledgers in one Redis. Default: `mazaneh`. */
  readonly prefix?: string;
  /** How long an answer of Redis may take, in milliseconds. Default: 2,000. */
  readonly timeoutMs?: number;
}

/**
 * The names of a ledger's keys, all of them hashes. All keys have the same hash tag, which keeps them on one node of a
 * cluster, so that one script can use them.
 *
 * @param prefix Separates several ledgers in one Redis. Throws `TypeError` for braces, which Redis reads as a hash tag.
 */
export function ledgerKeys(prefix: string) {
  if (!/^[^{}]+$/.test(prefix))
    throw new TypeError(`Cannot name keys of Redis because the prefix must have no braces: received "${prefix}"`);
  const base = `${prefix}:{quota}`;
  return {
    // The `id` of the ledger, and the state of each counted day (see lua_scripts.ts). It never expires.
    ledger: `${base}:ledger`,
    // Units of each account on a day.
    units: (day: CalendarDate) => `${base}:${day}`,
    // Keys that were used on a day, with their accounts.
    keys: (day: CalendarDate) => `${base}:${day}:keys`,
    // For each sender, the number of its last receipt on a day, and the units granted with this receipt.
    receipts: (day: CalendarDate) => `${base}:${day}:receipts`,
    // Written to find out whether units could be counted. This key expires.
    probe: `${base}:probe`,
  };
}

export type LedgerKeys = ReturnType<typeof ledgerKeys>;

/** When the counters of a day may expire, in seconds since 1970: two days after its end in every time zone. */
export function expiryOf(day: CalendarDate): number {
  return (dayNumber(day) + 4) * SECONDS_A_DAY;
}
