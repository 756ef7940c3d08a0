import { type AccountId, type CalendarDate, type KeyId, type QuotaTaken, Unavailable } from "../../../core/mod.ts";

/** Takes of one account on one day under one limit, which are sent together. */
export interface TakeGroup {
  readonly account: AccountId;
  readonly day: CalendarDate;
  /** Infinity for a plan without one. */
  readonly limit: number;
  /** How many units are asked for. */
  readonly count: number;
  /** The keys that ask for them. */
  readonly keys: ReadonlySet<KeyId>;
}

/** How many units of a group were granted, and the day's count after that. */
export interface GroupTaken {
  readonly granted: number;
  readonly used: number;
}

/** Sends groups of one day, of which no two have the same account, as one round trip; answers in their order. */
export type SendTakes = (groups: readonly TakeGroup[]) => Promise<readonly GroupTaken[]>;

/** How takes are sent. */
export interface SharedTakesOptions {
  /** One for each round trip at the same time: while all are under way, the takes for the next come together. */
  readonly senders: readonly SendTakes[];
  /** A take that has waited longer is refused: its caller has most likely gone, and should not pay. */
  readonly maxWaitMs: number;
  /** Whether a round trip for so many accounts has done nothing, and each of them is sent alone, as when a counter is locked. Default: never. */
  readonly isSentAlone?: (error: unknown, accounts: number) => boolean;
}

/** A take that waits for its round trip. */
interface WaitingTake {
  readonly account: AccountId;
  readonly day: CalendarDate;
  readonly limit: number;
  readonly key: KeyId | undefined;
  readonly since: number;
  readonly resolve: (taken: QuotaTaken) => void;
  readonly reject: (error: unknown) => void;
}

/** Takes units, as the port `QuotaLedger` says. */
export type Take = (account: AccountId, day: CalendarDate, limit: number, key?: KeyId) => Promise<QuotaTaken>;

/** A round trip with more accounts, or more takes, takes long for each of them; and a script of Redis has no room for thousands of keys. */
const MAX_GROUPS = 256;
const MAX_TAKES = 1_000;

/**
 * Makes a `take` whose callers share round trips: those that ask while the allowed ones are under way go with the next,
 * and of an account's last units the first to ask get them. When a round trip fails, all of its takes reject, and
 * none is sent again. Where a counter is locked, each account is sent alone until that works: it holds up no other.
 */
export function shareTakes({ senders, maxWaitMs, isSentAlone = () => false }: SharedTakesOptions): Take {
  let waiting: WaitingTake[] = [];
  const idle = [...senders];
  /** Accounts whose counter was locked, and those of them that are under way, each by one sender. */
  const alone = new Set<AccountId>();
  const underWay = new Set<AccountId>();

  function sendWaiting(): void {
    const send = idle.pop();
    if (send) void sendAll(send);
  }

  async function sendAll(send: SendTakes): Promise<void> {
    await undefined; // So that all who ask in this turn are seen.
    for (let groups = nextGroups(); groups.length > 0; groups = nextGroups()) await sendGroups(send, groups);
    idle.push(send);
  }

  /** Takes out of those that wait the ones that can be sent together, grouped in the order in which they came. */
  function nextGroups(): readonly (readonly WaitingTake[])[] {
    const groups = new Map<AccountId, WaitingTake[]>();
    const rest: WaitingTake[] = [];
    const timely = withinWait(waiting, maxWaitMs);
    const ready = timely.filter(({ account }) => !underWay.has(account));
    const isAlone = ready[0] !== undefined && alone.has(ready[0].account);
    for (const take of ready.slice(0, MAX_TAKES)) {
      const group = groups.get(take.account);
      if (take.day !== ready[0]!.day)
        rest.push(take); // Those about midnight go next.
      else if (group && group[0]!.limit === take.limit) group.push(take);
      else if (!group && groups.size < (isAlone ? 1 : MAX_GROUPS) && alone.has(take.account) === isAlone)
        groups.set(take.account, [take]);
      else rest.push(take); // An account whose limit was changed meanwhile, or that is sent alone, or one too many.
    }
    waiting = [...rest, ...ready.slice(MAX_TAKES), ...timely.filter(({ account }) => underWay.has(account))];
    return [...groups.values()];
  }

  async function sendGroups(send: SendTakes, groups: readonly (readonly WaitingTake[])[]): Promise<void> {
    for (const [take] of groups) if (alone.has(take!.account)) underWay.add(take!.account);
    try {
      const taken = await send(groups.map(toTakeGroup));
      groups.forEach((takes, i) => answerTakes(takes, taken[i]!));
      for (const [take] of groups) alone.delete(take!.account);
    } catch (error) {
      if (!isSentAlone(error, groups.length)) return groups.flat().forEach(({ reject }) => reject(error));
      for (const [take] of groups) alone.add(take!.account);
      waiting.push(...groups.flat());
      sendWaiting();
    } finally {
      for (const [take] of groups) underWay.delete(take!.account);
    }
  }

  return (account, day, limit, key) =>
    new Promise((resolve, reject) => {
      waiting.push({ account, day, limit, key, since: performance.now(), resolve, reject });
      sendWaiting();
    });
}

/** Refuses the takes that have waited too long, and gives the others. */
function withinWait(waiting: readonly WaitingTake[], maxWaitMs: number): readonly WaitingTake[] {
  const earliest = performance.now() - maxWaitMs;
  for (const { since, reject } of waiting)
    if (since < earliest) reject(new Unavailable("Cannot take a unit as the ledger has not answered in time"));
  return waiting.filter(({ since }) => since >= earliest);
}

function toTakeGroup(takes: readonly WaitingTake[]): TakeGroup {
  const { account, day, limit } = takes[0]!;
  return { account, day, limit, count: takes.length, keys: new Set(takes.flatMap(({ key }) => key ?? [])) };
}

function answerTakes(takes: readonly WaitingTake[], { granted, used }: GroupTaken): void {
  takes.forEach(({ resolve }, i) =>
    resolve(i < granted ? { granted: true, used: used - granted + i + 1 } : { granted: false, used }),
  );
}
