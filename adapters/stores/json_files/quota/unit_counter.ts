import type { AccountId, KeyId, QuotaTaken } from "../../../../core/mod.ts";
import { type AccountUsage, countedUnits, type DayPlan } from "../../shared/store.ts";
import type { Log } from "../log/log.ts";
import { textLines } from "../log/log_lines.ts";
import { encodeQuotaLine, MAX_KEYS } from "./quota_line.ts";

/** The units of an account on a day. */
export interface Counter {
  readonly account: AccountId;
  /** Units that count against the limit: those that were served, and those withheld. */
  used: number;
  readonly withheld: number;
  /** Units that the log allows to be granted. Never below `used`. */
  reserved: number;
  /** What was used when the counter was opened. */
  readonly opened: number;
  /** Keys that were used for the first time on this day, and are in no line yet. */
  readonly keys: KeyId[];
  /** The plan that the log has last noted. */
  plan: DayPlan | undefined;
  waiting: WaitingTake[];
  reserving: Promise<void> | undefined;
}

interface WaitingTake {
  readonly limit: number;
  readonly key: KeyId | undefined;
  readonly resolve: (taken: QuotaTaken) => void;
  readonly reject: (error: unknown) => void;
}

/** Finds the plan of a key as it is now. */
export type PlanOf = (key: KeyId) => DayPlan | undefined;

/** Where the counters of a day are written down. */
export interface CounterLog {
  readonly log: Log;
  readonly planOf: PlanOf;
}

const MAX_BLOCK = 5_000;

/** Makes the counter of an account. */
export function createCounter({ account, plan, ...usage }: Omit<AccountUsage, "keys">): Counter {
  const { withheld = 0 } = usage;
  const counted = countedUnits(usage);
  const units = { used: counted, withheld, reserved: counted, opened: counted };
  return { account, ...units, plan, keys: [], waiting: [], reserving: undefined };
}

/** A line that allows so many units to be used, those withheld included. */
export function lineOf({ account, withheld }: Counter, used: number, keys: readonly KeyId[]): AccountUsage {
  return { account, units: used - withheld, ...(withheld > 0 && { withheld }), keys };
}

/** Takes a unit: at once where one is reserved or none is left, and else when more are. */
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
    counter.reserving ??= reserve(counter, day);
  });
}

/** Writes down that a key is used, with the account's next line: the one that this call's unit needs, or else one that nobody waits for. */
export function addKey(counter: Counter, day: CounterLog, key: KeyId): void {
  counter.keys.push(key);
  counter.reserving ??= reserve(counter, day);
}

/** Gives a unit back; returns the units used. What is reserved stays so: the unit can be taken again without another line. */
export function giveUnitBack(counter: Counter): number {
  counter.used = Math.max(counter.withheld, counter.used - 1);
  return counter.used;
}

/** Reserves units for those who wait, until nobody does. All who wait share a line and its sync, and the keys are in it. */
async function reserve(counter: Counter, { log, planOf }: CounterLog): Promise<void> {
  await undefined; // So that all who ask in this turn are seen.
  try {
    for (grantWaiting(counter); counter.waiting.length + counter.keys.length > 0; ) {
      const units = counter.waiting.length > 0 ? nextReservation(counter) : counter.reserved;
      const keys = counter.keys.slice(0, MAX_KEYS);
      const plan = newPlan(counter, planOf);
      const line = { ...lineOf(counter, units, keys), ...(plan && { plan }) };
      await log.append(textLines([encodeQuotaLine("r", line)]), () => {
        counter.keys.splice(0, keys.length);
        counter.plan = plan ?? counter.plan;
        counter.reserved = units;
        grantWaiting(counter);
      });
    }
  } catch (error) {
    // Keys fail nobody: the account's next line has them.
    for (const { reject } of counter.waiting.splice(0)) reject(error);
  }
  // In the same turn as the last check for waiting callers: a later one must not find a reservation under way that has ended.
  counter.reserving = undefined;
}

/** The plan that the last key in the queue has now, unless the log has it. */
function newPlan({ waiting, plan: noted }: Counter, planOf: PlanOf): DayPlan | undefined {
  const key = waiting.at(-1)?.key;
  const plan = key && planOf(key);
  if (!plan || (plan.name === noted?.name && plan.dailyUnits === noted.dailyUnits)) return undefined;
  return { name: plan.name, dailyUnits: plan.dailyUnits };
}

/** Grants units to those who wait, as far as the reservation goes; the others go on waiting. */
function grantWaiting(counter: Counter): void {
  counter.waiting = counter.waiting.filter(({ limit, resolve }) => {
    if (counter.used >= limit) resolve({ granted: false, used: counter.used });
    else if (counter.used < counter.reserved) resolve({ granted: true, used: ++counter.used });
    else return true;
    return false;
  });
}

/**
 * How far to reserve: for all who wait, or a block, in exchange for fewer lines and syncs. Of a block, a crash costs what is not
 * used yet, so a block is never more than was used since the start: a crash right after one costs next to nothing.
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

/** The usage of a day that is open. */
export function usageOf(
  counters: ReadonlyMap<AccountId, Counter>,
  keys: ReadonlyMap<KeyId, AccountId>,
): readonly AccountUsage[] {
  const keysOf = new Map([...counters.keys()].map((account) => [account, [] as KeyId[]]));
  for (const [key, account] of keys) keysOf.get(account)?.push(key);
  return [...counters.values()].map((counter) => {
    const { account, used, plan } = counter;
    return { ...lineOf(counter, used, keysOf.get(account)!), ...(plan && { plan }) };
  });
}
