import type { AccountId, KeyId, QuotaTaken } from "../../../../core/mod.ts";
import { type AccountUsage, countedUnits, type DayPlan } from "../../shared/store.ts";
import { demandRoomFor } from "../log/group.ts";
import type { Log } from "../log/log.ts";
import { encodeQuotaLines, MAX_KEYS } from "./quota_line.ts";

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
  /** Whether the account's next lines are requested and not made yet. */
  isDue: boolean;
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
}

const MAX_BLOCK = 5_000;
/** How long a unit that was given back stays reserved. Failed requests are free, so not each may write a line. */
const LOWERING_MS = 1_000;

/** Makes the counter of an account. */
export function createCounter(usage: AccountUsage): Counter {
  const { account, plan, keys, withheld = 0 } = usage;
  const counted = countedUnits(usage);
  const units = { used: counted, withheld, reserved: counted, returned: 0, opened: counted };
  return { account, ...units, lowering: undefined, plan, keys: new Set(keys), newKeys: [], waiting: [], isDue: false };
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

/** Writes the account's next lines soon. Callers that arrive before the lines are made share them. */
function writeSoon(counter: Counter, day: CounterLog): void {
  if (counter.isDue) return;
  counter.isDue = true;
  day.log
    .append(() => {
      counter.isDue = false;
      return nextLines(counter, day);
    })
    .catch((error: unknown) => {
      // Keys that were not written go into the account's next lines.
      for (const { reject } of counter.waiting.splice(0)) reject(error);
    });
}

/** Lines for waiting callers, for keys that are not in the log, or to lower the reserved units; empty without these. */
function nextLines(counter: Counter, day: CounterLog) {
  grantWaiting(counter);
  const { returned } = counter;
  if (counter.waiting.length + counter.newKeys.length + returned === 0) return { lines: [], publish() {} };
  // Lowered before the line is written, so that no unit above the line is granted meanwhile.
  counter.reserved = Math.max(counter.used, counter.reserved - returned);
  const units = counter.waiting.length > 0 ? nextReservation(counter) : counter.reserved;
  const keys = counter.newKeys.slice(0, MAX_KEYS);
  const plan = newPlan(counter, day.planOf);
  const lines = encodeQuotaLines("r", { ...lineOf(counter, units, keys), ...(plan && { plan }) });
  demandRoomFor(lines);
  return {
    lines,
    publish() {
      counter.newKeys.splice(0, keys.length);
      counter.plan = plan ?? counter.plan;
      counter.reserved = units;
      counter.returned -= returned;
      grantWaiting(counter);
      if (counter.waiting.length + counter.newKeys.length > 0) writeSoon(counter, day);
    },
  };
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
