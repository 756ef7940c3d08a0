import { join } from "node:path";
import { Unavailable } from "../../../core/mod.ts";
import type { AccountId, CalendarDate, QuotaLedger, QuotaTaken } from "../../../core/mod.ts";
import { removeIfThere } from "../fs.ts";
import type { Log, LogPosition } from "../log/log.ts";
import { textLines } from "../log/log_lines.ts";
import { openLog } from "../log/open_log.ts";
import type { FileDamage, LogPlan } from "../log/open_log.ts";
import { appendLines, decodeQuotaLine, encodeQuotaLine, quotaLog } from "./quota_line.ts";
import type { QuotaLine } from "./quota_line.ts";

/** What the counters of all days share. */
export type QuotaPlan = Omit<LogPlan<QuotaLine>, "kind" | "strict" | "decode" | "quick" | "accept">;

/** Counters on disk. */
export interface QuotaLog extends QuotaLedger {
  /** Torn ends that were cut off. */
  readonly torn: readonly FileDamage[];
  /** Waits until no day is being opened or closed. */
  settled(): Promise<void>;
  /** Where the log of each open day stands, by the log's name. */
  positions(): readonly (readonly [kind: string, position: LogPosition])[];
  /** Writes down what was really used, so that nothing reserved is lost; then closes. */
  close(): Promise<void>;
}

interface Counter {
  used: number;
  /** Units that the disk allows to be served. Never below `used`. */
  reserved: number;
  waiters: Waiter[];
  reserving: Promise<void> | undefined;
}

interface Waiter {
  readonly limit: number;
  readonly resolve: (taken: QuotaTaken) => void;
  readonly reject: (error: unknown) => void;
}

interface Day {
  readonly log: Log;
  readonly counters: Map<AccountId, Counter>;
}

/** Days whose files are kept, the highest dates: a clock that is set back meets its old counters. */
const KEPT_DAYS = 35;
/** Days kept open: a request begun before midnight still gives its unit back. */
const OPEN_DAYS = 3;
const MAX_BLOCK = 5_000;
const FILE = /^quota-(\d{4}-\d\d-\d\d)-\d{8}\.ndjson$/;

/**
 * Opens the counters: one log for each quota day, read when the day is first asked for.
 *
 * A unit is served only after a line on disk allows it, so a crash can forget units that were
 * reserved and not used, and never one that was used. Units are reserved in blocks: a crash costs at
 * most 0.5 % of a limit, and nothing where the limit is below 400.
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

  function demand(): void {
    health.demand();
    if (closed) throw new Unavailable("The store is closed");
  }

  /** The day, when it is open. */
  function openNow(date: CalendarDate): Day | undefined {
    demand();
    return days.get(date);
  }

  async function whenOpen<T>(date: CalendarDate, act: () => T | Promise<T>): Promise<T> {
    let wait = opening.get(date);
    if (!wait) {
      wait = openDay(date).finally(() => opening.delete(date));
      opening.set(date, wait);
    }
    try {
      await wait;
    } catch (error) {
      // Nothing is served that cannot be counted.
      throw new Unavailable(`Cannot count units of ${date}: ${String(error)}`, 5, { cause: error });
    }
    return act();
  }

  async function openDay(date: CalendarDate): Promise<void> {
    await closing.get(date);
    const counters = new Map<AccountId, Counter>();
    const accept = ({ account, units }: QuotaLine): void => void counters.set(account, newCounter(units));
    const opened = await openLog<QuotaLine>({ ...plan, kind: quotaLog(date), strict: true, decode: decodeQuotaLine, accept });
    if (opened.torn) torn.push(opened.torn);
    days.set(date, { log: opened.log, counters });
    for (const old of [...days.keys()].slice(0, -OPEN_DAYS)) closeDay(old);
    await dropOldFiles(date).catch(() => {}); // There is always a next day.
  }

  function closeDay(date: CalendarDate): Promise<void> {
    const day = days.get(date)!;
    days.delete(date);
    const done = settle(day).finally(() => closing.delete(date));
    closing.set(date, done);
    return done;
  }

  async function dropOldFiles(opened: CalendarDate): Promise<void> {
    const dateOf = (name: string): string => FILE.exec(name)?.[1] ?? "";
    const names = (await fs.list(directory)).filter((name) => dateOf(name) !== "");
    // By number, not by age: a clock far ahead for a moment must not make today's counters old.
    const kept = new Set([...new Set(names.map(dateOf))].sort().slice(-KEPT_DAYS));
    for (const name of names) {
      if (!kept.has(dateOf(name)) && dateOf(name) !== opened) await removeIfThere(fs, join(directory, name));
    }
  }

  function take(account: AccountId, date: CalendarDate, limit: number): QuotaTaken | Promise<QuotaTaken> {
    const day = openNow(date);
    if (!day) return whenOpen(date, () => take(account, date, limit));
    const counter = counterOf(day, account);
    if (counter.used >= limit) return { granted: false, used: counter.used };
    if (counter.used < counter.reserved) {
      counter.used++;
      // Before the last one goes, so that nobody has to wait for the disk.
      if (counter.reserving === undefined && isLow(counter, limit)) counter.reserving = reserve(day.log, account, counter, limit);
      return { granted: true, used: counter.used };
    }
    return new Promise((resolve, reject) => {
      counter.waiters.push({ limit, resolve, reject });
      counter.reserving ??= reserve(day.log, account, counter);
    });
  }

  function giveBack(account: AccountId, date: CalendarDate): number | Promise<number> {
    const day = openNow(date);
    if (!day) return whenOpen(date, () => giveBack(account, date));
    const counter = counterOf(day, account);
    // What is reserved stays so: the unit can be taken again without another line.
    counter.used = Math.max(0, counter.used - 1);
    return counter.used;
  }

  function used(account: AccountId, date: CalendarDate): number | Promise<number> {
    const day = openNow(date);
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

/**
 * Reserves units for those who wait, until nobody does. All who wait share a line, and its sync.
 * `aheadOf` is the limit where units are to be reserved before anybody waits for them.
 */
async function reserve(log: Log, account: AccountId, counter: Counter, aheadOf = 0): Promise<void> {
  await undefined; // So that all who ask in this turn are seen.
  try {
    for (serve(counter); counter.waiters.length > 0 || isLow(counter, aheadOf); ) {
      const units = counter.waiters.length > 0 ? nextReservation(counter) : counter.used + blockOf(counter, aheadOf);
      await log.append(textLines([encodeQuotaLine("r", account, units)]), () => {
        counter.reserved = units;
        serve(counter);
      });
    }
  } catch (error) {
    // One that was made ahead fails nobody: whoever comes when nothing is left asks again.
    for (const waiter of counter.waiters.splice(0)) waiter.reject(error);
  }
  // In the same turn as the look at those who wait: one who comes later must find nobody at work, or would wait for ever.
  counter.reserving = undefined;
}

/** Answers those who wait as far as the reservation goes; the others go on waiting. */
function serve(counter: Counter): void {
  counter.waiters = counter.waiters.filter(({ limit, resolve }) => {
    if (counter.used >= limit) resolve({ granted: false, used: counter.used });
    else if (counter.used < counter.reserved) resolve({ granted: true, used: ++counter.used });
    else return true;
    return false;
  });
}

/** How far to reserve: for all who wait, or a block, of which a crash may cost what is not used yet. */
function nextReservation(counter: Counter): number {
  const { reserved, waiters } = counter;
  const limit = Math.max(...waiters.map((waiter) => waiter.limit));
  return Math.min(limit, reserved + Math.max(waiters.length, blockOf(counter, limit)));
}

/** How many units a crash may cost, for which fewer lines have to be written. */
function blockOf({ reserved }: Counter, limit: number): number {
  return Math.min(Math.max(Math.floor(limit / 200), 1), MAX_BLOCK, Math.floor((limit - reserved) / 4));
}

/**
 * Whether less than half a block is left, and it is time to bring it to a block again: not to more, which a
 * crash must not cost. With blocks of one unit nothing is reserved ahead, and a crash costs nothing.
 */
function isLow(counter: Counter, limit: number): boolean {
  const block = blockOf(counter, limit);
  return block > 1 && (counter.reserved - counter.used) * 2 < block;
}

/** Waits for reservations under way, writes what was really used of them, and closes the day's log. */
async function settle({ log, counters }: Day): Promise<void> {
  await Promise.all([...counters.values()].map((counter) => counter.reserving));
  const lines = [...counters].flatMap(([account, { used, reserved }]) => (used < reserved ? encodeQuotaLine("u", account, used) : []));
  try {
    await appendLines(log, lines);
  } catch {
    // Then what was reserved counts as used: a loss to the account, never to the limit.
  }
  await log.close().catch(() => {});
}

function counterOf({ counters }: Day, account: AccountId): Counter {
  let counter = counters.get(account);
  if (!counter) counters.set(account, (counter = newCounter(0)));
  return counter;
}

function newCounter(units: number): Counter {
  return { used: units, reserved: units, waiters: [], reserving: undefined };
}
