import { join } from "node:path";
import {
  type AccountId,
  type CalendarDate,
  type KeyId,
  type QuotaLedger,
  type QuotaTaken,
  Unavailable,
} from "../../../../core/mod.ts";
import { type DayUsage, KEPT_DAYS } from "../../shared/store.ts";
import { removeIfThere } from "../file_system.ts";
import type { FileDamage } from "../log/damage.ts";
import type { Marks } from "../log/log_end_marks.ts";
import { type LogPlan, openLog } from "../log/open_log.ts";
import { appendLines, createTally, decodeQuotaLine, encodeQuotaLines, type QuotaLine, quotaLog } from "./quota_line.ts";
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
    Pick<
      LogPlan<QuotaLine>,
      | "fs"
      | "health"
      | "directory"
      | "quarantineDirectory"
      | "storeId"
      | "generation"
      | "segmentBytes"
      | "now"
      | "marks"
    > {}

/** Counters on disk. */
export interface QuotaLog extends QuotaLedger {
  /** Torn ends. They were cut off, or are before the first append. */
  readonly torn: readonly FileDamage[];
  /** What was used on the days that are open. */
  usage(): readonly DayUsage[];
  /** Writes down what was really used, so that nothing reserved is lost; then closes. */
  close(): Promise<void>;
}

interface Day extends CounterLog {
  readonly counters: Map<AccountId, Counter>;
  /** The keys that were used, and their accounts. */
  readonly keys: Map<KeyId, AccountId>;
}

/** Days kept open: a request begun before midnight still gives its unit back. */
const OPEN_DAYS = 3;
const FILE = /^quota-(\d{4}-\d\d-\d\d)-\d{8}\.ndjson$/;

/**
 * Opens the counters: one log for each quota day, read when the day is first asked for.
 *
 * A unit is granted only after a line on disk allows it, so a crash can forget units that were reserved and not used,
 * and never one that was used. Units are reserved in blocks: a crash costs at most 0.5 % of a limit, no more than was used
 * since the start, and nothing where the limit is below 400. Without a limit, a block is 5,000 units.
 *
 * @param first Days to read now where there is a file, so that damage shows at the start and not at midnight.
 */
export async function openQuota(plan: QuotaPlan, marks: Marks, first: readonly CalendarDate[]): Promise<QuotaLog> {
  const { fs, health, directory, planOf } = plan;
  const days = new Map<CalendarDate, Day>();
  const opening = new Map<CalendarDate, Promise<void>>();
  const closing = new Map<CalendarDate, Promise<void>>();
  const torn: FileDamage[] = [];
  let closed = false;

  /** The day, where it is open. Throws `Unavailable` when the store has failed or is closed. */
  function openDayOf(date: CalendarDate): Day | undefined {
    health.demand();
    if (closed) throw new Unavailable("The store is closed");
    return days.get(date);
  }

  async function whenOpen<T>(date: CalendarDate, work: () => T | Promise<T>): Promise<T> {
    let opened = opening.get(date);
    if (!opened) {
      opened = openDay(date).finally(() => opening.delete(date));
      opening.set(date, opened);
    }
    try {
      await opened;
    } catch (error) {
      // Nothing is granted that cannot be counted.
      throw new Unavailable(`Cannot count units of ${date}: ${String(error)}`, 5, { cause: error });
    }
    return work();
  }

  async function openDay(date: CalendarDate): Promise<void> {
    await closing.get(date);
    const { accept, accounts } = createTally();
    const kind = quotaLog(date);
    // A later start has to know that the day has a file: without it, the day's units would be granted again.
    const known = { marks: { [kind]: marks.of(kind) }, onSegment: marks.record };
    const opened = await openLog<QuotaLine>({ ...plan, ...known, kind, strict: true, decode: decodeQuotaLine, accept });
    if (opened.torn) torn.push(opened.torn);
    const counters = new Map(accounts().map((usage) => [usage.account, createCounter(usage)]));
    const keys = new Map(accounts().flatMap(({ account, keys }) => keys.map((key) => [key, account])));
    days.set(date, { log: opened.log, planOf, counters, keys });
    for (const old of [...days.keys()].slice(0, -OPEN_DAYS)) closeDay(old);
    await removeOldFiles(date).catch(() => {}); // The next day tries again.
  }

  function closeDay(date: CalendarDate): Promise<void> {
    const day = days.get(date)!;
    days.delete(date);
    const done = settle(day).finally(() => {
      closing.delete(date);
      marks.set(quotaLog(date), day.log.end());
    });
    closing.set(date, done);
    return done;
  }

  async function removeOldFiles(opened: CalendarDate): Promise<void> {
    const dateOf = (name: string): string => FILE.exec(name)?.[1] ?? "";
    const names = (await fs.list(directory)).filter((name) => dateOf(name) !== "");
    // By number, not by age: a clock that is far ahead for a moment must not make today's counters old.
    const recent = new Set([...new Set(names.map(dateOf))].sort().slice(-KEPT_DAYS));
    const old = names.filter((name) => !recent.has(dateOf(name)) && dateOf(name) !== opened);
    if (old.length === 0) return;
    // First the marks: a day with a mark and without a file is damaged.
    for (const name of old) marks.drop(quotaLog(dateOf(name) as CalendarDate));
    await marks.save();
    for (const name of old) await removeIfThere(fs, join(directory, name));
  }

  function onDay<T>(date: CalendarDate, work: (day: Day) => T | Promise<T>): T | Promise<T> {
    const day = openDayOf(date);
    return day ? work(day) : whenOpen(date, () => onDay(date, work));
  }

  const present = new Set((await fs.list(directory)).map((name) => FILE.exec(name)?.[1]));
  try {
    for (const date of first) if (present.has(date) || marks.of(quotaLog(date))) await openDay(date);
  } catch (error) {
    // Nobody else closes the files of the days before the one that is refused.
    for (const { log } of days.values()) await log.close();
    throw error;
  }

  return {
    take: (account, date, limit, key) =>
      onDay<QuotaTaken>(date, (day) => {
        const counter = counterOf(day, account);
        if (key !== undefined && !day.keys.has(key)) {
          day.keys.set(key, account);
          addKey(counter, day, key);
        }
        return takeUnit(counter, day, limit, key);
      }),
    giveBack: (account, date) => onDay(date, (day) => giveUnitBack(counterOf(day, account))),
    used: (account, date) => onDay(date, ({ counters }) => counters.get(account)?.used ?? 0),
    torn,
    usage: () => [...days].map(([day, { counters, keys }]) => ({ day, accounts: usageOf(counters, keys) })),
    async close() {
      closed = true;
      await Promise.allSettled(opening.values());
      await Promise.all([...closing.values(), ...[...days.keys()].map(closeDay)]);
    },
  };
}

/** Waits for reservations under way, writes down what was really used of them, and closes the day's log. */
async function settle({ log, counters }: Day): Promise<void> {
  await Promise.all([...counters.values()].map((counter) => counter.reserving));
  const lines = [...counters.values()].flatMap((counter) => {
    const { used, reserved, keys } = counter;
    return used < reserved || keys.length > 0 ? encodeQuotaLines("u", lineOf(counter, used, keys)) : [];
  });
  try {
    await appendLines(log, lines);
  } catch {
    // Then what was reserved counts as used: a loss to the account, and never more than its limit.
  }
  await log.close().catch(() => {});
}

function counterOf({ counters }: Day, account: AccountId): Counter {
  let counter = counters.get(account);
  if (!counter) counters.set(account, (counter = createCounter({ account, units: 0 })));
  return counter;
}
