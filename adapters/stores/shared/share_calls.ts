import type { AccountId, CalendarDate } from "../../../core/mod.ts";

/** Asks about an account's day; the count of units after that. */
type Call = (account: AccountId, day: CalendarDate) => Promise<number>;

/**
 * Makes a call whose callers share round trips: of an account's day one is under way at a time, and those that ask meanwhile go
 * together with the next. So whoever asks for nothing again and again keeps one connection busy at most.
 *
 * @param send `calls` tells for how many it is sent.
 */
export function shareCalls(send: (account: AccountId, day: CalendarDate, calls: number) => Promise<number>): Call {
  /** By account and day: what is under way, and what goes next. */
  const underWay = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, { calls: number; readonly answer: Promise<number> }>();

  async function sendNext(name: string, account: AccountId, day: CalendarDate): Promise<number> {
    await underWay.get(name);
    const { calls } = waiting.get(name)!;
    waiting.delete(name);
    const answer = send(account, day, calls);
    const settled = answer.then(
      () => {},
      () => {},
    );
    underWay.set(name, settled);
    void settled.then(() => underWay.get(name) === settled && underWay.delete(name));
    return answer;
  }

  return (account, day) => {
    const name = `${day} ${account}`;
    const next = waiting.get(name) ?? { calls: 0, answer: Promise.resolve().then(() => sendNext(name, account, day)) };
    waiting.set(name, next);
    next.calls++;
    return next.answer;
  };
}
