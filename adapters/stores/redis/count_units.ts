import { type AccountId, type CalendarDate, Unavailable } from "../../../core/mod.ts";
import type { Receipt, Settlement } from "../shared/quota_receipts.ts";
import type { TakeGroup } from "../shared/share_quota_takes.ts";
import type { Send } from "./client.ts";
import { expiryOf, type LedgerKeys } from "./ledger_keys.ts";
import { COUNT, PROBE, SETTLE, UNLIMITED } from "./lua_scripts.ts";

/** A change to the units of an account: a positive count takes units, a negative count gives them back, 0 only reads. */
export type Act = Omit<TakeGroup, "day">;

/** Reads the units of an account, and changes nothing. */
export function readingOf(account: AccountId): Act {
  return { account, count: 0, limit: 0, keys: new Set() };
}

/** How long a client should wait if only an operator can help, in seconds. */
const LOST_RETRY_SECONDS = 60;

const LOSSES: Readonly<Record<string, string>> = {
  "no-ledger":
    "Redis has no ledger because it has lost its data or is another Redis: no units are granted until `mazaneh migrate --counters` or initRedisQuota makes one",
  "no-counters":
    "Redis has lost the units used on a quota day: no units are granted for that day until `mazaneh migrate --counters` or initRedisQuota decides how they count",
};

/** Runs a Lua script in Redis with keys and arguments. */
export function run(send: Send, lua: string, keys: readonly string[], args: readonly string[] = []): Promise<unknown> {
  return send(["EVAL", lua, String(keys.length), ...keys, ...args]);
}

/** The commands for the counts of a ledger. Each throws the errors of `Send`, and `Unavailable` for lost counts. */
export function createCounting(send: Send, names: LedgerKeys) {
  return {
    /** Takes units, gives units back or reads counts of a day in one command. Resolves to the count before each act. */
    async perform(day: CalendarDate, acts: readonly Act[], receipt?: Receipt): Promise<readonly number[]> {
      const args = [day, String(expiryOf(day)), String(acts.length), receipt?.sender ?? "", String(receipt?.number)];
      args.push(...acts.map(({ account }) => account));
      args.push(...acts.map(({ limit }) => String(Math.min(Math.ceil(limit), UNLIMITED))));
      args.push(...acts.map((act) => String(act.count)));
      for (const { account, keys } of acts) for (const key of keys) args.push(key, account);
      const keys = [names.ledger, names.units(day), names.keys(day), names.receipts(day)];
      return countsOf(await run(send, COUNT, keys, args), acts.length);
    },
    /** Gives back, only once, the units that a command took for these groups. Does nothing if it took no units. */
    async settle(lost: readonly TakeGroup[], { sender, number, of }: Settlement): Promise<void> {
      const { day } = lost[0]!;
      const args = [String(expiryOf(day)), sender, String(number), String(of), ...lost.map(({ account }) => account)];
      await run(send, SETTLE, [names.units(day), names.receipts(day)], args);
    },
    /** Throws if units cannot be counted at the moment. */
    async probe(): Promise<void> {
      found(await run(send, PROBE, [names.ledger, names.probe]));
    },
  };
}

/** Returns the counts before the acts, as Redis sent them. Throws for any other answer, so that it grants no unit. */
function countsOf(answer: unknown, length: number): readonly number[] {
  const counts = found(answer);
  const isSound =
    Array.isArray(counts) &&
    counts.length === length &&
    counts.every((count) => Number.isSafeInteger(Number(count)) && Number(count) >= 0);
  if (!isSound)
    throw new Unavailable("Redis has sent an unexpected answer: is there a proxy in between?", LOST_RETRY_SECONDS);
  return counts.map(Number);
}

/** Returns the answer of a script. Throws if the script reports that the counts are lost. */
function found(answer: unknown): unknown {
  const loss = Array.isArray(answer) ? undefined : LOSSES[String(answer)];
  if (loss !== undefined) throw new Unavailable(loss, LOST_RETRY_SECONDS);
  return answer;
}
