import { join } from "node:path";
import { type AccountId, type CalendarDate, type KeyId, type QuotaTaken, Unavailable } from "../../../../core/mod.ts";
import { type AccountUsage, type DayUsage, KEPT_DAYS } from "../../shared/store.ts";
import { removeIfThere } from "../file_system.ts";
import type { FileDamage } from "../log/damage.ts";
import type { Marks } from "../log/log_end_marks.ts";
import { type LogPlan, openLog } from "../log/open_log.ts";
import { createTally, decodeQuotaLine, encodeQuotaLines, quotaDays, quotaLog } from "./quota_line.ts";
import {
  addKey,
  type Counter,
  type CounterLog,
  createCounter,
  giveUnitBack,
  lineOf,
  takeUnit,
  usageOf,
} from "./unit_counter.ts";

/** How the counters of a day are opened. */
export interface QuotaPlan
  extends Pick<CounterLog, "planOf">,
    Omit<LogPlan<AccountUsage>, "kind" | "marks" | "onSegment" | "strict" | "decode" | "accept"> {}

interface Day extends CounterLog {
  readonly counters: Map<AccountId, Counter>;
}

/** How many days are kept open: a request from before midnight may still give its unit back. */
const OPEN_DAYS = 3;

/**
 * Opens the counters: one log for each quota day, read on first use.
 *
 * A unit is granted only after a line on disk allows it. A crash can therefore lose reserved units that were not used,
 * but never forgets a used unit. Units are reserved in blocks. A crash costs an account at most 0.5 % of its limit, and
 * at most as many units as the account has used since the start. An account with a limit below 400 loses nothing. For a
 * plan without a limit, a block has at most 5,000 units. A crash also costs the units of requests that were in progress
 * or had failed within the last second.
 *
 * @param first Days that are opened at the start if they have a file, so that damage is reported then, not at midnight.
 */
export async function openQuota(plan: QuotaPlan, marks: Marks, first: readonly CalendarDate[]) {
  const { fs, health, directory, planOf } = plan;
  const days = new Map<CalendarDate, Day>();
  /** Days that are being opened or closed. */
  const changing = new Map<CalendarDate, Promise<void>>();
  const torn: FileDamage[] = [];
  let closed = false;

  /** Opens a day if necessary, then runs `work` on it. Throws `Unavailable` if the store has failed or is closed. */
  function onDay<T>(date: CalendarDate, work: (day: Day) => T | Promise<T>): T | Promise<T> {
    health.demand();
    if (closed) throw new Unavailable("The store is closed");
    const day = days.get(date);
    if (day) return work(day);
    const open = (): Promise<void> =>
      openDay(date).catch((error: unknown) => {
        // A unit that cannot be counted is not granted.
        throw new Unavailable(`Cannot count units of ${date}: ${String(error)}`, 5, { cause: error });
      });
    return (changing.get(date) ?? change(date, open)).then(() => onDay(date, work));
  }

  function change(date: CalendarDate, act: () => Promise<void>): Promise<void> {
    // A day may be closed before it has been opened completely.
    const done = act().finally(() => changing.get(date) === done && changing.delete(date));
    changing.set(date, done);
    return done;
  }

  async function openDay(date: CalendarDate): Promise<void> {
    const { accept, accounts } = createTally();
    const kind = quotaLog(date);
    // With the mark, a later start notices if the day's file is lost, instead of granting its units again.
    const known = { kind, marks: { [kind]: marks.of(kind) }, onSegment: marks.record };
    const opened = await openLog({ ...plan, ...known, strict: true, decode: decodeQuotaLine, accept });
    if (opened.torn) torn.push(opened.torn);
    const counters = new Map(accounts().map((usage) => [usage.account, createCounter(usage)]));
    days.set(date, { log: opened.log, planOf, counters });
    for (const old of [...days.keys()].slice(0, -OPEN_DAYS)) closeDay(old);
    await removeOldFiles(date).catch(() => {}); // If this fails, it is tried again on the next day.
  }

  function closeDay(date: CalendarDate): Promise<void> {
    const day = days.get(date)!;
    days.delete(date);
    return change(date, async () => {
      await settle(day);
      marks.set(quotaLog(date), day.log.end());
    });
  }

  async function removeOldFiles(opened: CalendarDate): Promise<void> {
    const names = await fs.list(directory);
    // Limits the number of days, not their age: a clock that is ahead for a moment must not expire today's counters.
    const recent = new Set([opened, ...quotaDays(names).slice(-KEPT_DAYS)]);
    const old = names.filter((name) => quotaDays([name]).some((day) => !recent.has(day)));
    if (old.length === 0) return;
    // Marks are dropped first, because a day with a mark but without a file counts as damaged.
    for (const day of quotaDays(old)) marks.drop(quotaLog(day));
    await marks.save();
    for (const name of old) await removeIfThere(fs, join(directory, name));
  }

  const present = new Set(quotaDays(await fs.list(directory)));
  try {
    for (const date of first) if (present.has(date) || marks.of(quotaLog(date))) await openDay(date);
  } catch (error) {
    // The caller cannot close the days that are already open, because it gets only the error.
    for (const { log } of days.values()) await log.close();
    throw error;
  }

  return {
    take: (account: AccountId, date: CalendarDate, limit: number, key?: KeyId) =>
      onDay<QuotaTaken>(date, (day) => {
        const counter = counterOf(day, account);
        if (key !== undefined) addKey(counter, day, key);
        return takeUnit(counter, day, limit, key);
      }),
    giveBack: (account: AccountId, date: CalendarDate) =>
      onDay(date, (day) => giveUnitBack(counterOf(day, account), day)),
    used: (account: AccountId, date: CalendarDate) => onDay(date, ({ counters }) => counters.get(account)?.used ?? 0),
    /** Incomplete writes at the ends of logs, which are cut off before the first append. */
    torn: torn as readonly FileDamage[],
    usage: (): readonly DayUsage[] =>
      [...days].map(([day, { counters }]) => ({ day, accounts: [...counters.values()].map(usageOf) })),
    /** Writes the used units, so that accounts do not lose reserved units, and closes all days. */
    async close(): Promise<void> {
      closed = true;
      await Promise.allSettled(changing.values());
      for (const date of days.keys()) void closeDay(date);
      await Promise.all(changing.values());
    },
  };
}

/** Waits for running reservations, writes the used units, and closes the day's log. */
async function settle(day: Day): Promise<void> {
  const { log, counters } = day;
  for (const { lowering } of counters.values()) clearTimeout(lowering);
  await log.idle();
  const lines = [...counters.values()].flatMap((counter) => {
    const { used, reserved, newKeys } = counter;
    return used < reserved || newKeys.length > 0 ? encodeQuotaLines("u", lineOf(counter, used, newKeys)) : [];
  });
  // If writing fails, all reserved units count as used: the account loses units, but gets none twice.
  for (const line of lines) log.append(() => ({ lines: [line], publish() {} })).catch(() => {});
  await log.close();
}

function counterOf({ counters }: Day, account: AccountId): Counter {
  let counter = counters.get(account);
  if (!counter) counters.set(account, (counter = createCounter({ account, units: 0, keys: [] })));
  return counter;
}
