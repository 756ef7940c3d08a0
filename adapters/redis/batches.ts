import type { AccountId, CalendarDate, KeyId, QuotaTaken } from "../../core/mod.ts";
import { fieldOf } from "./keys.ts";
import { UNLIMITED } from "./scripts.ts";

/** An act on the count of an account. */
export interface Act {
  /** The account, as a field of a hash. */
  readonly field: string;
  readonly limit: number;
  /** Units to take as far as the limit allows; -1: one is given back; 0: the count is only read. */
  units: number;
  /** Called with the count before the act. */
  readonly done: (before: number) => void;
  readonly failed: (error: unknown) => void;
}

/** Acts on the counts of one day that go to Redis in one command. */
export interface Batch {
  readonly acts: Act[];
  /** Keys that were used, and the account of each. */
  readonly keys: Map<KeyId, AccountId>;
  /** The takes of each account, which are one act as long as the limit is the same. */
  readonly takes: Map<AccountId, Takes>;
}

interface Takes extends Act {
  readonly callers: Caller[];
}

interface Caller {
  readonly resolve: (taken: QuotaTaken) => void;
  readonly reject: (error: unknown) => void;
}

/** Most acts, and most keys, of one command: Redis serves nobody else while it runs, some milliseconds with so many. */
const MAX_ACTS = 1_000;

/**
 * Gathers acts: while a command of a day is under way, all that come for the day share the next one.
 *
 * @param send Performs a batch; returns the count before each of its acts, in their order.
 * @returns Gives the batch of a day that is sent next: what is added to it in the same turn goes with it.
 */
export function createBatches(send: (day: CalendarDate, batch: Batch) => Promise<readonly number[]>): (day: CalendarDate) => Batch {
  const waiting = new Map<CalendarDate, Batch[]>();

  /** Sends the batches of a day one after the other, until none is waiting. */
  async function drain(day: CalendarDate, batches: Batch[]): Promise<void> {
    await undefined; // So that all who ask in this turn share a command.
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      try {
        const counts = await send(day, batch);
        batch.acts.forEach(({ done }, at) => done(counts[at]!));
      } catch (error) {
        // Those who came meanwhile have nothing better to expect, and as they were not sent, they cost nobody a unit.
        for (const { acts } of [batch, ...batches.splice(0)]) for (const { failed } of acts) failed(error);
      }
    }
    waiting.delete(day);
  }

  return (day) => {
    let batches = waiting.get(day);
    if (!batches) {
      waiting.set(day, (batches = []));
      void drain(day, batches);
    }
    let last = batches.at(-1);
    if (!last || Math.max(last.acts.length, last.keys.size) >= MAX_ACTS) batches.push((last = { acts: [], keys: new Map(), takes: new Map() }));
    return last;
  };
}

/** Adds a take of one unit to a batch. */
export function addTake(batch: Batch, account: AccountId, limit: number): Promise<QuotaTaken> {
  const whole = Math.min(Math.ceil(limit), UNLIMITED);
  let takes = batch.takes.get(account);
  if (takes?.limit !== whole) {
    takes = createTakes(account, whole);
    batch.takes.set(account, takes);
    batch.acts.push(takes);
  }
  const { callers } = takes;
  takes.units++;
  return new Promise((resolve, reject) => callers.push({ resolve, reject }));
}

function createTakes(account: AccountId, limit: number): Takes {
  const callers: Caller[] = [];
  return {
    ...{ field: fieldOf(account), limit, units: 0, callers },
    done(before) {
      const granted = Math.max(0, Math.min(callers.length, limit - before));
      callers.forEach(({ resolve }, at) => resolve({ granted: at < granted, used: before + Math.min(at + 1, granted) }));
    },
    failed: (error) => callers.forEach(({ reject }) => reject(error)),
  };
}

/** Adds an act of one caller to a batch; returns the count before it. */
export function addAct(batch: Batch, account: AccountId, units: -1 | 0): Promise<number> {
  return new Promise((resolve, reject) => batch.acts.push({ field: fieldOf(account), limit: 0, units, done: resolve, failed: reject }));
}
