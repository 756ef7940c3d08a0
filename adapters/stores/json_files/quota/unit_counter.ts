import type { AccountId, KeyId, QuotaTaken } from "../../../../core/mod.ts";
import { type AccountUsage, countedUnits, type DayPlan } from "../../shared/store.ts";
import { demandRoomFor, GROUP_LINES } from "../log/group.ts";
import type { Log } from "../log/log.ts";
import { encodeQuotaLine, MAX_KEYS } from "./quota_line.ts";

/** The units of an account on a day. */
export interface Counter {
  readonly account: AccountId;
  /** Units that count against the limit: the served units and the withheld units. */
  used: number;
  readonly withheld: number;
  /** Units that may be granted according to the log. Never below `used`. */
  reserved: number;
  /** Units that were given back, but are still reserved in the log. */
  returned: number;
  /** Waits before a line with fewer reserved units is written. */
  lowering: NodeJS.Timeout | undefined;
  /** Used units when the counter was opened. */
  readonly opened: number;
  /** Keys used on this day, and the used keys that are not in the log yet. */
  readonly keys: Set<KeyId>;
  readonly newKeys: KeyId[];
  /** The last plan in the log. */
  plan: DayPlan | undefined;
  waiting: WaitingTake[];
}

interface WaitingTake {
  readonly limit: number;
  readonly key: KeyId | undefined;
  readonly resolve: (taken: QuotaTaken) => void;
  readonly reject: (error: unknown) => void;
}

/** The log of a day's counters. */
export interface CounterLog {
  readonly log: Log;
  /** Finds the current plan of a key. */
  readonly planOf: (key: KeyId) => DayPlan | undefined;
  /** Counters with waiting callers, with keys that are not in the log, or with too many reserved units in the log. */
  readonly due: Set<Counter>;
  writing: Promise<void> | undefined;
}

const MAX_BLOCK = 5_000;
/** How long a unit that was given back stays reserved. Failed requests are free, so not each may write a line. */
const LOWERING_MS = 1_000;

/** Makes the counter of an account. */
export function createCounter(usage: AccountUsage): Counter {
  const { account, plan, keys, withheld = 0 } = usage;
  const counted = countedUnits(usage);
  const units = { used: counted, withheld, reserved: counted, returned: 0, opened: counted };
  return { account, ...units, lowering: undefined, plan, keys: new Set(keys), newKeys: [], waiting: [] };
}

/** A line that allows the account to use this many units in total, withheld units included. */
export function lineOf({ account, withheld }: Counter, used: number, keys: readonly KeyId[]): AccountUsage {
  return { account, units: used - withheld, ...(withheld > 0 && { withheld }), keys };
}

/** Takes a unit. Waits only if more units have to be reserved. */
export function takeUnit(
  counter: Counter,
  day: CounterLog,
  limit: number,
  key: KeyId | undefined,
): QuotaTaken | Promise<QuotaTaken> {
  if (counter.used >= limit) return { granted: false, used: counter.used };
  if (counter.used < counter.reserved) return { granted: true, used: ++counter.used };
  return new Promise((resolve, reject) => {
    counter.waiting.push({ limit, key, resolve, reject });
    writeSoon(counter, day);
  });
}

/** Adds a used key to the account's next line. If no caller waits for a line, a line is written just for the key. */
export function addKey(counter: Counter, day: CounterLog, key: KeyId): void {
  if (counter.keys.has(key)) return;
  counter.keys.add(key);
  counter.newKeys.push(key);
  writeSoon(counter, day);
}

/** Gives a unit back; returns the used units. For a second, taking the unit again writes no line. */
export function giveUnitBack(counter: Counter, day: CounterLog): number {
  if (counter.used === counter.withheld) return counter.used;
  counter.returned++;
  counter.lowering ??= setTimeout(() => {
    counter.lowering = undefined;
    writeSoon(counter, day);
  }, LOWERING_MS).unref();
  return --counter.used;
}

function writeSoon(counter: Counter, day: CounterLog): void {
  day.due.add(counter);
  day.writing ??= writeDue(day);
}

/** Writes lines until `due` is empty. Callers that arrive during a write share the next write and its sync. */
async function writeDue(day: CounterLog): Promise<void> {
  await undefined; // Gathers all callers of this turn.
  while (day.due.size > 0) await writeSome(day);
  // Cleared in the same turn as the last check of `due`, so that a later caller starts a new loop.
  day.writing = undefined;
}

async function writeSome({ log, planOf, due }: CounterLog): Promise<void> {
  const lines: string[] = [];
  const written: (() => void)[] = [];
  const counters = [...due].slice(0, GROUP_LINES);
  for (const counter of counters) {
    due.delete(counter);
    grantWaiting(counter);
    const { returned } = counter;
    if (counter.waiting.length + counter.newKeys.length + returned === 0) continue;
    // Lowered before the line is written, so that no unit above the line is granted meanwhile.
    counter.reserved = Math.max(counter.used, counter.reserved - returned);
    const units = counter.waiting.length > 0 ? nextReservation(counter) : counter.reserved;
    const keys = counter.newKeys.slice(0, MAX_KEYS);
    const plan = newPlan(counter, planOf);
    const line = encodeQuotaLine("r", { ...lineOf(counter, units, keys), ...(plan && { plan }) });
    try {
      demandRoomFor([line]);
    } catch (error) {
      rejectWaiting(counter, error);
      continue;
    }
    lines.push(line);
    written.push(() => {
      counter.newKeys.splice(0, keys.length);
      counter.plan = plan ?? counter.plan;
      counter.reserved = units;
      counter.returned -= returned;
      grantWaiting(counter);
      if (counter.waiting.length + counter.newKeys.length > 0) due.add(counter);
    });
  }
  if (lines.length === 0) return;
  try {
    await log.append(lines, () => written.forEach((publish) => publish()));
  } catch (error) {
    for (const counter of counters) rejectWaiting(counter, error);
  }
}

/** Rejects waiting takes. Keys that were not written go into the account's next line. */
function rejectWaiting(counter: Counter, error: unknown): void {
  for (const { reject } of counter.waiting.splice(0)) reject(error);
}

/** The plan of the last waiting key, for the log. `undefined` if no key waits or the log already has the plan. */
function newPlan({ waiting, plan: noted }: Counter, planOf: CounterLog["planOf"]): DayPlan | undefined {
  const key = waiting.at(-1)?.key;
  const plan = key && planOf(key);
  if (!plan || (plan.name === noted?.name && plan.dailyUnits === noted.dailyUnits)) return undefined;
  return { name: plan.name, dailyUnits: plan.dailyUnits };
}

function grantWaiting(counter: Counter): void {
  counter.waiting = counter.waiting.filter(({ limit, resolve }) => {
    if (counter.used >= limit) resolve({ granted: false, used: counter.used });
    else if (counter.used < counter.reserved) resolve({ granted: true, used: ++counter.used });
    else return true;
    return false;
  });
}

/**
 * How many units to reserve: at least enough for all waiting callers. Reserving a block of units means fewer lines and
 * fewer syncs. A crash costs the unused part of the block, so a block is never larger than the use since the start.
 */
function nextReservation({ used, reserved, opened, waiting }: Counter): number {
  const limit = Math.max(...waiting.map((take) => take.limit));
  const block = Math.min(
    Math.max(Math.floor(limit / 200), 1),
    MAX_BLOCK,
    Math.floor((limit - reserved) / 4),
    used - opened,
  );
  return Math.min(limit, reserved + Math.max(waiting.length, block));
}

/** The used units as currently counted. */
export function usageOf(counter: Counter): AccountUsage {
  const { used, keys, plan } = counter;
  return { ...lineOf(counter, used, [...keys]), ...(plan && { plan }) };
}
