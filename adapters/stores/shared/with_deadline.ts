/**
 * Time limits for a store that answers over a network.
 *
 * @module
 */
import { isLater } from "../../../core/internal.ts";
import {
  type Accounts,
  type MaybePromise,
  type Observations,
  type QuotaLedger,
  type TimeLimit,
  Unavailable,
} from "../../../core/mod.ts";
import { inTime } from "./answer_in_time.ts";

/** The ports that a request uses. */
export interface RequestPorts {
  readonly observations: Observations;
  readonly accounts: Accounts;
  readonly quota: QuotaLedger;
}

/** The limits of requests. */
export interface Deadline {
  /** How long a request, and each call of a port, may take, in milliseconds. */
  readonly ms: number;
  /** How many calls of a port may be unanswered. Further calls are refused, to save memory. Default: 1,000. */
  readonly maxWaiting?: number;
}

/** The longest time that a timer supports. */
const MAX_MS = 2 ** 31 - 1;

/** The ports with their limits, for `createApi`. */
export interface TimedPorts extends RequestPorts {
  /** Limits all calls of a request together. */
  readonly timeLimit: TimeLimit;
}

/**
 * Limits how long requests wait for a store. A call that takes longer rejects with `Unavailable`. The API then answers
 * 503 with `Retry-After`. A late answer is dropped, and nothing is sent twice. A unit that was granted too late is
 * given back. Throws `RangeError` for limits that are not whole numbers above 0.
 */
export function withDeadline(
  { observations, accounts, quota }: RequestPorts,
  { ms, maxWaiting = 1_000 }: Deadline,
): TimedPorts {
  demandWhole("ms", ms, MAX_MS);
  demandWhole("maxWaiting", maxWaiting, Number.MAX_SAFE_INTEGER);
  const prices = createLimit("prices", ms, maxWaiting);
  const keys = createLimit("keys", ms, maxWaiting);
  const units = createLimit("units", ms, maxWaiting);
  return {
    observations: {
      latest: (codes) => prices(() => observations.latest(codes)),
      coverage: (codes) => prices(() => observations.coverage(codes)),
      lastOfEach: (code, edges) => prices(() => observations.lastOfEach(code, edges)),
      candles: (code, window, widthMs) => prices(() => observations.candles(code, window, widthMs)),
      version: (codes) => prices(() => observations.version(codes)),
    },
    accounts: { find: (id) => keys(() => accounts.find(id)) },
    quota: {
      take: (account, day, limit, key) =>
        units(
          () => quota.take(account, day, limit, key),
          // Nobody waits for the result. If this fails, the account loses one unit.
          async ({ granted }) => {
            if (granted) await quota.giveBack(account, day);
          },
        ),
      giveBack: (account, day) => units(() => quota.giveBack(account, day)),
      used: (account, day) => units(() => quota.used(account, day)),
    },
    timeLimit: (answer, late) => inTime(answer, ms, late),
  };
}

function demandWhole(name: string, value: number, most: number): void {
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw new RangeError(
      `Cannot limit the time of a store because ${name} must be a whole number from 1 to ${most}: received "${value}"`,
    );
  }
}

/** Makes a function that limits one call, and passes a late answer to `late`. */
function createLimit(what: string, ms: number, maxWaiting: number) {
  let waiting = 0;

  return <T>(call: () => MaybePromise<T>, late?: (answer: T) => Promise<void>): MaybePromise<T> => {
    if (waiting >= maxWaiting) throw new Unavailable(`The store of ${what} has left ${waiting} calls unanswered`);
    const answer = call();
    if (!isLater(answer)) return answer;
    waiting++;
    const settled = (): void => void waiting--;
    // A late answer also makes room for another call.
    answer.then(settled, settled);
    return inTime(answer, ms, () => {
      if (late) answer.then(late).catch(() => {});
      throw new Unavailable(`The store of ${what} has not answered within ${ms} ms`);
    });
  };
}
