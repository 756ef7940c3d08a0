import { dayNumber } from "../../core/internal.ts";
import type { CalendarDate } from "../../core/mod.ts";

/** The names of a ledger's keys. All have one hash tag, so that a cluster holds them on one node and scripts may use them together. */
export interface LedgerKeys {
  /** A hash: `id` of the ledger, and each day of which units were counted, with its state (see scripts.ts). It never expires. */
  readonly ledger: string;
  /** A hash: units of each account on a day. */
  units(day: CalendarDate): string;
  /** A hash: keys that were used on a day, and the account of each. */
  keys(day: CalendarDate): string;
  /** A hash that is written and expires, to find out whether units could be counted. */
  readonly probe: string;
}

const SECONDS_A_DAY = 86_400;

/** @param prefix Keeps ledgers in one Redis apart. Throws `TypeError` where it has braces, which Redis reads as a hash tag. */
export function ledgerKeys(prefix: string): LedgerKeys {
  if (!/^[^{}]+$/.test(prefix)) throw new TypeError(`Cannot name keys of Redis as the prefix must be a text without braces: received "${prefix}"`);
  const base = `${prefix}:{quota}`;
  return { ledger: `${base}:ledger`, units: (day) => `${base}:${day}`, keys: (day) => `${base}:${day}:keys`, probe: `${base}:probe` };
}

/** When the counters of a day may be forgotten, in seconds since 1970: two days after its end in any time zone. */
export function expiryOf(day: CalendarDate): number {
  return (dayNumber(day) + 4) * SECONDS_A_DAY;
}
