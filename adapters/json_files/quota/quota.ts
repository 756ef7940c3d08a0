import { join } from "node:path";
import { Unavailable } from "../../../core/mod.ts";
import type { AccountId, CalendarDate, QuotaLedger, QuotaTaken } from "../../../core/mod.ts";
import { removeIfThere } from "../fs.ts";
import type { Log, LogPosition } from "../log/log.ts";
import { openLog } from "../log/open_log.ts";
import type { FileDamage, LogPlan } from "../log/open_log.ts";
import { createCounter, giveUnitBack, takeUnit } from "./counter.ts";
import type { Counter } from "./counter.ts";
import { appendLines, decodeQuotaLine, encodeQuotaLine, quotaLog } from "./quota_line.ts";
import type { QuotaLine } from "./quota_line.ts";

/** How the counters of all days are opened. */
export type QuotaPlan = Omit<LogPlan<QuotaLine>, "kind" | "strict" | "decode" | "fastParser" | "accept">;

/** Counters on disk. */
export interface QuotaLog extends QuotaLedger {
  /** Torn ends that were cut off. */
  readonly torn: readonly FileDamage[];
  /** Waits until no day is being opened or closed. */
  settled(): Promise<void>;
  /** Up to where the log of each open day is on the device, by the log's name. */
  positions(): readonly (readonly [kind: string, position: LogPosition])[];
  /** Writes down what was really used, so that nothing reserved is lost; then closes. */
  close(): Promise<void>;
}

interface Day {
  readonly log: Log;
  readonly counters: Map<AccountId, Counter>;
}

/** How many days' files are kept, those with the highest dates: a clock that is set back finds its old counters. */
const MAX_DAYS = 35;
/** Days kept open: a request begun before midnight still gives its unit back. */
const OPEN_DAYS = 3;
const FILE = /^quota-(\d{4}-\d\d-\d\d)-\d{8}\.ndjson$/;

/**
 * Opens the counters: one log for each quota day, read when the day is first asked for.
 *
 * A unit is granted only after a line on disk allows it, so a crash can forget units that were reserved and not used,
 * and never one that was used. Units are reserved in blocks: a crash costs at most 0.5 % of a limit, and nothing where
 * the limit is below 400. Without a limit, a block is 5,000 units.
 *
 * @param first Days to read now where there is a file, so that damage shows at the start and not at midnight.
 */
export async function openQuota(plan: QuotaPlan, first: readonly CalendarDate[]): Promise<QuotaLog> {
  const { fs, health, directory } = plan;
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

  async function whenOpen<T>(date: CalendarDate, act: () => T | Promise<T>): Promise<T> {
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
    return act();
  }

  async function openDay(date: CalendarDate): Promise<void> {
    await closing.get(date);
    const counters = new Map<AccountId, Counter>();
    const accept = ({ account, units }: QuotaLine): void => void counters.set(account, createCounter(account, units));
    const opened = await openLog<QuotaLine>({ ...plan, kind: quotaLog(date), strict: true, decode: decodeQuotaLine, accept });
    if (opened.torn) torn.push(opened.torn);
    days.set(date, { log: opened.log, counters });
    for (const old of [...days.keys()].slice(0, -OPEN_DAYS)) closeDay(old);
    await removeOldFiles(date).catch(() => {}); // The next day tries again.
  }

  function closeDay(date: CalendarDate): Promise<void> {
    const day = days.get(date)!;
    days.delete(date);
    const done = settle(day).finally(() => closing.delete(date));
    closing.set(date, done);
    return done;
  }

  async function removeOldFiles(opened: CalendarDate): Promise<void> {
    const dateOf = (name: string): string => FILE.exec(name)?.[1] ?? "";
    const names = (await fs.list(directory)).filter((name) => dateOf(name) !== "");
    // By number, not by age: a clock that is far ahead for a moment must not make today's counters old.
    const recent = new Set([...new Set(names.map(dateOf))].sort().slice(-MAX_DAYS));
    for (const name of names) {
      if (!recent.has(dateOf(name)) && dateOf(name) !== opened) await removeIfThere(fs, join(directory, name));
    }
  }

  function take(account: AccountId, date: CalendarDate, limit: number): QuotaTaken | Promise<QuotaTaken> {
    const day = openDayOf(date);
    return day ? takeUnit(counterOf(day, account), day.log, limit) : whenOpen(date, () => take(account, date, limit));
  }

  function giveBack(account: AccountId, date: CalendarDate): number | Promise<number> {
    const day = openDayOf(date);
    return day ? giveUnitBack(counterOf(day, account)) : whenOpen(date, () => giveBack(account, date));
  }

  function used(account: AccountId, date: CalendarDate): number | Promise<number> {
    const day = openDayOf(date);
    return day ? (day.counters.get(account)?.used ?? 0) : whenOpen(date, () => used(account, date));
  }

  const present = new Set((await fs.list(directory)).map((name) => FILE.exec(name)?.[1]));
  for (const date of first) if (present.has(date)) await openDay(date);

  return {
    take,
    giveBack,
    used,
    torn,
    async settled() {
      while (opening.size + closing.size > 0) await Promise.allSettled([...opening.values(), ...closing.values()]);
    },
    positions: () => [...days].map(([date, { log }]) => [quotaLog(date), log.position()]),
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
  const lines = [...counters].flatMap(([account, { used, reserved }]) => (used < reserved ? encodeQuotaLine("u", account, used) : []));
  try {
    await appendLines(log, lines);
  } catch {
    // Then what was reserved counts as used: a loss to the account, and never more than its limit.
  }
  await log.close().catch(() => {});
}

function counterOf({ counters }: Day, account: AccountId): Counter {
  let counter = counters.get(account);
  if (!counter) counters.set(account, (counter = createCounter(account, 0)));
  return counter;
}
