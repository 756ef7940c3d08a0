import { parseDate } from "../../../../core/internal.ts";
import type { AccountBook, AccountId, CalendarDate, KeyId } from "../../../../core/mod.ts";
import type { AccountUsage } from "../../shared/store.ts";
import type { Log } from "../log/log.ts";
import { textLines } from "../log/log_lines.ts";

/** A line of a day's log: so many units of an account may be taken as served. */
export interface QuotaLine {
  readonly account: AccountId;
  readonly units: number;
  /** Keys of the account that were used on this day for the first time, before the line was written. */
  readonly keys: readonly KeyId[];
}

const PREFIX = "quota-";

/** Keys of one line, far below the longest line. */
export const MAX_KEYS = 100;

/** Appends any number of lines, each by itself; they share writes and syncs. */
export async function appendLines(log: Log, lines: readonly string[]): Promise<void> {
  await Promise.all(lines.map((line) => log.append(textLines([line]), () => undefined)));
}

/** The name of a day's log. */
export function quotaLog(date: CalendarDate): string {
  return `${PREFIX}${date}`;
}

/** The day of a log; `undefined` for one of another name. */
export function quotaDayOf(log: string): CalendarDate | undefined {
  return log.startsWith(PREFIX) ? parseDate(log.slice(PREFIX.length)) : undefined;
}

/**
 * `r`: up to `units` may be served. `u`: exactly `units` were, at a clean stop. Both read alike: the last counts.
 * Readers that do not know the keys ignore them.
 */
export function encodeQuotaLine(kind: "r" | "u", { account, units, keys }: QuotaLine): string {
  const used = keys.length === 0 ? "" : `,"keys":${JSON.stringify(keys)}`;
  return `"t":"${kind}","a":${JSON.stringify(account)},"${kind}":${units}${used}`;
}

/** The same as lines of which each has a limited length, however many keys there are. */
export function encodeQuotaLines(kind: "r" | "u", { account, units, keys }: QuotaLine): string[] {
  const lines = Math.max(1, Math.ceil(keys.length / MAX_KEYS));
  return Array.from({ length: lines }, (_, at) =>
    encodeQuotaLine(kind, { account, units, keys: keys.slice(at * MAX_KEYS, (at + 1) * MAX_KEYS) }),
  );
}

/** Reads a line of a day's log; `undefined` when it is none. */
export function decodeQuotaLine(line: object): QuotaLine | undefined {
  const { t, a, r, u, keys = [] } = line as { t?: unknown; a?: unknown; r?: unknown; u?: unknown; keys?: unknown };
  let units: unknown;
  if (t === "r") units = r;
  else if (t === "u") units = u;
  if (typeof a !== "string" || !Number.isSafeInteger(units) || (units as number) < 0) return undefined;
  if (!Array.isArray(keys) || !keys.every((key) => typeof key === "string")) return undefined;
  return { account: a as AccountId, units: units as number, keys: keys as KeyId[] };
}

/** Collects what was used on a day of the lines of its log: the last number of units counts, and all keys. */
export function createTally(): { accept(line: QuotaLine): void; accounts(): readonly AccountUsage[] } {
  const accounts = new Map<AccountId, { account: AccountId; units: number; keys: KeyId[] }>();
  return {
    accept({ account, units, keys }) {
      let known = accounts.get(account);
      if (!known) accounts.set(account, (known = { account, units, keys: [] }));
      known.units = units;
      known.keys.push(...keys);
    },
    accounts: () => [...accounts.values()],
  };
}

/**
 * The counters of a day with all daily units of the account's plan used, so that nobody gets units again whose use is no longer
 * known, and of how many accounts that are.
 *
 * @param who `users`: accounts that have used a unit that day; `all`: every account with a limit.
 */
export function spendUnits(
  used: readonly AccountUsage[],
  { plans, accounts }: AccountBook,
  who: "users" | "all",
): { readonly accounts: readonly AccountUsage[]; readonly spent: number } {
  const limits = new Map(plans.map(({ name, dailyUnits }) => [name, dailyUnits]));
  const after = new Map(used.map((usage) => [usage.account, usage]));
  let spent = 0;
  for (const { id, plan } of accounts) {
    const limit = limits.get(plan) ?? null;
    const { units, keys } = after.get(id) ?? { units: 0, keys: [] };
    if (limit === null || (who === "users" && units === 0)) continue;
    spent++;
    after.set(id, { account: id, units: Math.max(units, limit), keys });
  }
  return { accounts: [...after.values()], spent };
}
