import { parseDate } from "../../../../core/internal.ts";
import type { AccountBook, AccountId, CalendarDate, KeyId } from "../../../../core/mod.ts";
import { type AccountUsage, countedUnits } from "../../shared/store.ts";
import { logsIn } from "../log/segments.ts";

const PREFIX = "quota-";

/** Keys of one line, far below the longest line. */
export const MAX_KEYS = 100;

/** The name of a day's log. */
export function quotaLog(date: CalendarDate): string {
  return `${PREFIX}${date}`;
}

/** The day of a log; `undefined` for one of another name. */
export function quotaDayOf(log: string): CalendarDate | undefined {
  return log.startsWith(PREFIX) ? parseDate(log.slice(PREFIX.length)) : undefined;
}

/** The days of which there are files among these names, or marks, the first one first. */
export function quotaDays(names: readonly string[], marks: object = {}): CalendarDate[] {
  const days = [...logsIn(names), ...Object.keys(marks)].flatMap((log) => quotaDayOf(log) ?? []);
  return [...new Set(days)].sort();
}

/**
 * `r`: up to so many units may be served. `u`: exactly so many were, at a clean stop. Both read alike: the last counts.
 * `withheld` count beside them. Readers that do not know the keys ignore them.
 */
export function encodeQuotaLine(kind: "r" | "u", { account, units, withheld, keys, plan }: AccountUsage): string {
  const members = { t: kind, a: account, [kind]: units, withheld, plan: plan?.name, dailyUnits: plan?.dailyUnits };
  // Without the braces, which the line gets with its checksum.
  return JSON.stringify({ ...members, ...(keys.length > 0 && { keys }) }).slice(1, -1);
}

/** The same as lines of which each has a limited length, however many keys there are. */
export function encodeQuotaLines(kind: "r" | "u", line: AccountUsage): string[] {
  const lines = Math.max(1, Math.ceil(line.keys.length / MAX_KEYS));
  return Array.from({ length: lines }, (_, at) =>
    encodeQuotaLine(kind, { ...line, keys: line.keys.slice(at * MAX_KEYS, (at + 1) * MAX_KEYS) }),
  );
}

/** Reads a line of a day's log; `undefined` when it is none. */
export function decodeQuotaLine(line: object): AccountUsage | undefined {
  const { t, a, r, u, withheld, plan, dailyUnits = null, keys = [] } = line as Record<string, unknown>;
  let units: unknown;
  if (t === "r") units = r;
  else if (t === "u") units = u;
  if (typeof a !== "string" || !isCount(units) || !isCount(withheld ?? 0)) return undefined;
  if (!Array.isArray(keys) || !keys.every((key) => typeof key === "string")) return undefined;
  if (plan !== undefined && (typeof plan !== "string" || !(dailyUnits === null || isCount(dailyUnits))))
    return undefined;
  return {
    ...{ account: a as AccountId, units, keys: keys as KeyId[] },
    ...(isCount(withheld) && { withheld }),
    ...(plan !== undefined && { plan: { name: plan, dailyUnits: dailyUnits as number | null } }),
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Collects what was used on a day of the lines of its log: the last number of units counts, and all keys. */
export function createTally(): { accept(line: AccountUsage): void; accounts(): readonly AccountUsage[] } {
  const accounts = new Map<AccountId, AccountUsage & { readonly keys: KeyId[] }>();
  return {
    accept({ keys, ...line }) {
      const known = accounts.get(line.account);
      if (!known) return void accounts.set(line.account, { ...line, keys: [...keys] });
      Object.assign(known, line);
      known.keys.push(...keys);
    },
    accounts: () => [...accounts.values()],
  };
}

/**
 * The counters of a day with the units withheld that each account has left of its plan, so that nobody gets units again whose use
 * is no longer known, and of how many accounts that are.
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
    const usage = after.get(id) ?? { account: id, units: 0, keys: [] };
    const counted = countedUnits(usage);
    if (limit === null || (who === "users" && counted === 0)) continue;
    spent++;
    if (counted < limit) after.set(id, { ...usage, withheld: limit - usage.units });
  }
  return { accounts: [...after.values()], spent };
}
