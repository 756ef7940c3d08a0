import { Unavailable } from "../../core/mod.ts";
import type { AccountId, CalendarDate, KeyId } from "../../core/mod.ts";
import type { Send } from "./client.ts";
import { expiryOf, fieldOf } from "./keys.ts";
import type { LedgerKeys } from "./keys.ts";
import { COUNT, PROBE, UNLIMITED } from "./scripts.ts";

/** Units to take as far as the limit allows; -1: one is given back; 0: the count is only read. */
export interface Act {
  readonly account: AccountId;
  readonly units: number;
  readonly limit: number;
  readonly keys: Iterable<KeyId>;
}

/** What is done with the counts of a ledger. Throws as `Send` does, and `Unavailable` where Redis has lost the counts. */
export interface Counting {
  /** Carries out acts on the counts of a day, in one command; resolves to the count before each. Keys that were noted before are not sent again. */
  perform(day: CalendarDate, acts: readonly Act[]): Promise<readonly number[]>;
  /** Finds out whether units could be counted now. */
  probe(): Promise<void>;
}

/** How many days' used keys are remembered, so that each is noted once. */
const NOTED_DAYS = 3;
/** How many seconds a client is to wait for what only an operator can mend. */
const LOST_RETRY_SECONDS = 60;

const LOSSES: Readonly<Record<string, string>> = {
  "no-ledger": "Redis has no ledger, as it has lost its data or is another one: no unit is given until `mazaneh migrate --counters` or initRedisQuota makes one",
  "no-counters": "Redis has lost the units used on a quota day: none of that day is given until `mazaneh migrate --counters` or initRedisQuota says how they count",
};

/** Makes the function that runs a Lua script in Redis, as one act, on the keys that it names. */
export function createScript(send: Send, lua: string): (keys: readonly string[], args: readonly string[]) => Promise<unknown> {
  return (keys, args) => send(["EVAL", lua, String(keys.length), ...keys, ...args]);
}

export function createCounting(send: Send, names: LedgerKeys): Counting {
  const count = createScript(send, COUNT);
  const noted = new Map<CalendarDate, Set<KeyId>>();

  function notedOn(day: CalendarDate): Set<KeyId> {
    const keys = noted.get(day) ?? new Set();
    noted.set(day, keys);
    for (const old of [...noted.keys()].slice(0, -NOTED_DAYS)) noted.delete(old);
    return keys;
  }

  return {
    async perform(day, acts) {
      const args = [day, String(expiryOf(day)), String(acts.length)];
      for (const { account } of acts) args.push(fieldOf(account));
      for (const { limit } of acts) args.push(String(Math.min(Math.ceil(limit), UNLIMITED)));
      for (const { units } of acts) args.push(String(units));
      const known = notedOn(day);
      const fresh = acts.flatMap(({ account, keys }) => [...keys].filter((key) => !known.has(key)).map((key) => [key, account] as const));
      for (const [key, account] of fresh) {
        known.add(key);
        args.push(fieldOf(key), fieldOf(account));
      }
      try {
        return (found(await count([names.ledger, names.units(day), names.keys(day)], args)) as readonly unknown[]).map(Number);
      } catch (error) {
        // Also those that were noted before: Redis may have lost them.
        noted.delete(day);
        throw error;
      }
    },
    async probe() {
      found(await createScript(send, PROBE)([names.ledger, names.probe], []));
    },
  };
}

/** What a script has answered; throws where that is that the counts are lost. */
function found(answer: unknown): unknown {
  const loss = Array.isArray(answer) ? undefined : LOSSES[String(answer)];
  if (loss !== undefined) throw new Unavailable(loss, LOST_RETRY_SECONDS);
  return answer;
}
