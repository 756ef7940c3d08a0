import type { AccountId, CalendarDate } from "../../../core/mod.ts";

/** Requests an account's count of units on a day. */
type Call = (account: AccountId, day: CalendarDate) => Promise<number>;

/**
 * Makes a call whose callers share round trips. For each account and day, only one call runs at a time. Callers that
 * arrive meanwhile share the next call. The requests of one account therefore use at most one connection.
 */
export function shareCalls(send: Call): Call {
  /** The running call and the next call of each account and day. */
  const underWay = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<number>>();

  async function sendNext(name: string, account: AccountId, day: CalendarDate): Promise<number> {
    await underWay.get(name);
    waiting.delete(name);
    const answer = send(account, day);
    const settled = answer.catch(() => {}).then(() => void underWay.delete(name));
    underWay.set(name, settled);
    return answer;
  }

  return (account, day) => {
    const name = `${day} ${account}`;
    const next = waiting.get(name) ?? sendNext(name, account, day);
    waiting.set(name, next);
    return next;
  };
}
