import type { AccountId, CalendarDate } from "../../../core/mod.ts";

/** Asks about an account's day; the count of units. */
type Call = (account: AccountId, day: CalendarDate) => Promise<number>;

/**
 * Makes a call whose callers share round trips: of an account's day one is under way at a time, and those that ask meanwhile go
 * together with the next. So whoever asks for nothing again and again keeps one connection busy at most.
 */
export function shareCalls(send: Call): Call {
  /** By account and day: what is under way, and what goes next. */
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
