import { type AccountId, type CalendarDate, type KeyId, type QuotaTaken, Unavailable } from "../../../core/mod.ts";

/** Calls of `take` for one account, one day and one limit, which are sent together. */
export interface TakeGroup {
  readonly account: AccountId;
  readonly day: CalendarDate;
  /** Infinity for a plan without a limit. */
  readonly limit: number;
  readonly count: number;
  /** The keys that requested the units. */
  readonly keys: ReadonlySet<KeyId>;
}

/** How many units a group was granted, and the units that the account has used on the day, including these. */
export interface GroupTaken {
  readonly granted: number;
  readonly used: number;
}

/** Sends groups of one day and different accounts in one round trip. Resolves to their results in this order. */
export type SendTakes = (groups: readonly TakeGroup[]) => Promise<readonly GroupTaken[]>;

/** How takes are sent. */
export interface SharedTakesOptions {
  /** One sender for each concurrent round trip. While all senders are busy, takes are gathered. */
  readonly senders: readonly SendTakes[];
  /** A call of `take` that has waited longer is refused: its caller has probably gone, and should not lose a unit. */
  readonly maxWaitMs: number;
  /** Whether a failed round trip has changed nothing, and its accounts should be sent separately. Default: never. */
  readonly isSentAlone?: (error: unknown, accounts: number) => boolean;
}

interface WaitingTake extends Pick<TakeGroup, "account" | "day" | "limit"> {
  readonly key: KeyId | undefined;
  readonly since: number;
  readonly resolve: (taken: QuotaTaken) => void;
  readonly reject: (error: unknown) => void;
}

/** Takes units: see `QuotaLedger`. */
export type Take = (account: AccountId, day: CalendarDate, limit: number, key?: KeyId) => Promise<QuotaTaken>;

/** With more accounts or takes, a round trip would be slow. A Redis script cannot have thousands of keys. */
const MAX_GROUPS = 256;
const MAX_TAKES = 1_000;

/**
 * Makes a `take` whose callers share round trips: callers that arrive while all senders are busy share the next one.
 * If an account has fewer units left than it has callers, the first callers get the units. If a round trip fails, its
 * calls reject and are not sent again. If a counter is locked, the accounts of the round trip are sent separately, so
 * that the locked account does not block the others.
 */
export function shareTakes({ senders, maxWaitMs, isSentAlone = () => false }: SharedTakesOptions): Take {
  let waiting: WaitingTake[] = [];
  const idle = [...senders];
  /** Accounts that must be sent separately, and which of them are being sent. */
  const alone = new Set<AccountId>();
  const underWay = new Set<AccountId>();

  function sendWaiting(): void {
    const send = idle.pop();
    if (send) void sendAll(send);
  }

  async function sendAll(send: SendTakes): Promise<void> {
    await undefined; // Gathers all callers of this turn.
    for (let groups = nextGroups(); groups.length > 0; groups = nextGroups()) await sendGroups(send, groups);
    idle.push(send);
  }

  /** Removes from `waiting` the takes that can be sent together, grouped in the order of arrival. */
  function nextGroups(): readonly (readonly WaitingTake[])[] {
    const groups = new Map<AccountId, WaitingTake[]>();
    const rest: WaitingTake[] = [];
    const timely = withinWait(waiting, maxWaitMs);
    const ready = timely.filter(({ account }) => !underWay.has(account));
    const isAlone = ready[0] !== undefined && alone.has(ready[0].account);
    for (const take of ready.slice(0, MAX_TAKES)) {
      const group = groups.get(take.account);
      if (take.day !== ready[0]!.day)
        rest.push(take); // Around midnight, takes of the other day wait for the next round trip.
      else if (group && group[0]!.limit === take.limit) group.push(take);
      else if (!group && groups.size < (isAlone ? 1 : MAX_GROUPS) && alone.has(take.account) === isAlone)
        groups.set(take.account, [take]);
      else rest.push(take); // The limit has just changed, the account has to be sent alone, or the round trip is full.
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

/** Refuses the takes that have waited too long. Returns the other takes. */
function withinWait(waiting: readonly WaitingTake[], maxWaitMs: number): readonly WaitingTake[] {
  const earliest = performance.now() - maxWaitMs;
  for (const { since, reject } of waiting)
    if (since < earliest) reject(new Unavailable("Cannot take a unit because the ledger has not answered in time"));
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
