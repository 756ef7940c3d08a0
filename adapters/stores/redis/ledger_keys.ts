import { dayNumber } from "../../../core/internal.ts";
import type { CalendarDate } from "../../../core/mod.ts";

const SECONDS_A_DAY = 86_400;

/**
 * The names of a ledger's keys, all hashes. They have one hash tag, so that a cluster holds them on one node and scripts may use
 * them together.
 *
 * @param prefix Keeps ledgers in one Redis apart. Throws `TypeError` where it has braces, which Redis reads as a hash tag.
 */
export function ledgerKeys(prefix: string) {
  if (!/^[^{}]+$/.test(prefix))
    throw new TypeError(`Cannot name keys of Redis as the prefix must be a text without braces: received "${prefix}"`);
  const base = `${prefix}:{quota}`;
  return {
    // `id` of the ledger, and each day of which units were counted, with its state (see lua_scripts.ts). It never expires.
    ledger: `${base}:ledger`,
    // Units of each account on a day.
    units: (day: CalendarDate) => `${base}:${day}`,
    // Keys that were used on a day, and the account of each.
    keys: (day: CalendarDate) => `${base}:${day}:keys`,
    // What the last takes of each sender on a day were granted, after their number.
    receipts: (day: CalendarDate) => `${base}:${day}:receipts`,
    // Is written and expires, to find out whether units could be counted.
    probe: `${base}:probe`,
  };
}

export type LedgerKeys = ReturnType<typeof ledgerKeys>;

/** When the counters of a day may be forgotten, in seconds since 1970: two days after its end in any time zone. */
export function expiryOf(day: CalendarDate): number {
  return (dayNumber(day) + 4) * SECONDS_A_DAY;
}
