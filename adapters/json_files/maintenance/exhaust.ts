import type { AccountBook, AccountId, CalendarDate } from "../../../core/mod.ts";
import { openLog } from "../log/open_log.ts";
import type { QuotaPlan } from "../quota/quota.ts";
import { appendLines, decodeQuotaLine, encodeQuotaLines, quotaLog } from "../quota/quota_line.ts";
import type { QuotaLine } from "../quota/quota_line.ts";
import type { AccountUsage } from "../../store/store.ts";

/**
 * Sets counters of a day to the daily units of the account's plan, so that nobody gets units again whose
 * use is no longer known. Returns how many accounts that were.
 *
 * @param who `users`: accounts that have used a unit that day; `all`: every account with a limit.
 * @param known Counters and keys besides those in the log.
 */
export async function exhaustDay(
  plan: QuotaPlan,
  date: CalendarDate,
  { plans, accounts }: AccountBook,
  who: "users" | "all",
  known: readonly AccountUsage[] = [],
): Promise<number> {
  const logged = new Map<AccountId, number>();
  const accept = ({ account, units }: QuotaLine): void => void logged.set(account, units);
  const { log, readOnly } = await openLog<QuotaLine>({ ...plan, kind: quotaLog(date), strict: true, decode: decodeQuotaLine, accept });
  try {
    if (readOnly) throw readOnly;
    const counters = new Map([...known.map(({ account, units }) => [account, units] as const), ...logged]);
    const keys = new Map(known.map((usage) => [usage.account, usage.keys]));
    let exhausted = 0;
    for (const { id, plan: name } of accounts) {
      const limit = plans.find((other) => other.name === name)?.dailyUnits ?? null;
      const used = counters.get(id) ?? 0;
      if (limit === null || (who === "users" && used === 0)) continue;
      counters.set(id, Math.max(used, limit));
      exhausted++;
    }
    const changed = [...counters].filter(([account, units]) => logged.get(account) !== units);
    await appendLines(log, changed.flatMap(([account, units]) => encodeQuotaLines("r", account, units, keys.get(account) ?? [])));
    return exhausted;
  } finally {
    await log.close();
  }
}
