import { parseDate } from "../../../../core/internal.ts";
import type { AccountBook, AccountId, CalendarDate, KeyId } from "../../../../core/mod.ts";
import { type AccountUsage, countedUnits, type DayPlan } from "../../shared/store.ts";
import { logsIn } from "../log/segments.ts";

const PREFIX = "quota-";

/** The maximum number of keys in one line. This limit keeps a line far below its maximum length. */
export const MAX_KEYS = 100;

/** The log of a day. */
export function quotaLog(date: CalendarDate): string {
  return `${PREFIX}${date}`;
}

/** The days with a file among these names, or with a mark, in ascending order. */
export function quotaDays(names: readonly string[], marks: object = {}): CalendarDate[] {
  const logs = [...logsIn(names), ...Object.keys(marks)].filter((log) => log.startsWith(PREFIX));
  return [...new Set(logs.flatMap((log) => parseDate(log.slice(PREFIX.length)) ?? []))].sort();
}

/** A line, as `encodeQuotaLines` writes it. */
interface QuotaLine extends Partial<Pick<AccountUsage, "withheld" | "keys"> & Pick<DayPlan, "dailyUnits">> {
  readonly a?: AccountId;
  readonly r?: number;
  readonly u?: number;
  readonly plan?: string;
}

/**
 * Lines for the units of an account: several lines for many keys. `r`: up to this many units are reserved. `u`: used
 * units at a clean stop. The last line of an account applies.
 */
export function encodeQuotaLines(kind: "r" | "u", usage: AccountUsage): string[] {
  const { account, units, withheld, keys, plan } = usage;
  const members = { t: kind, a: account, [kind]: units, withheld, plan: plan?.name, dailyUnits: plan?.dailyUnits };
  return Array.from({ length: Math.max(1, Math.ceil(keys.length / MAX_KEYS)) }, (_, at) => {
    const some = keys.slice(at * MAX_KEYS, (at + 1) * MAX_KEYS);
    // Without braces, which the log adds with the checksum.
    return JSON.stringify({ ...members, ...(some.length > 0 && { keys: some }) }).slice(1, -1);
  });
}

/** Reads a line of a day's log whose checksum is right. Returns `undefined` for a line without units, e.g. a header. */
export function decodeQuotaLine(line: object): AccountUsage | undefined {
  const { a, r, u = r, withheld, plan, dailyUnits = null, keys = [] } = line as QuotaLine;
  if (a === undefined || u === undefined) return undefined;
  return {
    ...{ account: a, units: u, keys },
    ...(withheld !== undefined && { withheld }),
    ...(plan !== undefined && { plan: { name: plan, dailyUnits } }),
  };
}

/** Collects the used units of a day from the lines of its log. For each account, the last line has the used units. */
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
 * Withholds the units that accounts have left on a day. It is unknown whether these units were used, so they must not
 * be granted. Returns the counters, and the number of accounts with withheld units.
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
