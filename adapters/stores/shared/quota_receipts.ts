import { type QuotaLedger, Unavailable } from "../../../core/mod.ts";
import { ANSWER_MS, inTime } from "./answer_in_time.ts";
import { type GroupTaken, type SendTakes, shareTakes, type TakeGroup } from "./share_quota_takes.ts";

/** What a ledger notes with the units that a sender takes, in the same act, and what they were granted. */
export interface Receipt {
  readonly sender: string;
  /** Each number of a sender is higher than the one before. What comes with one that is not is a late copy, and nothing is done. */
  readonly number: number;
}

/** The receipt of a settlement; `of` is the number of the takes that it settles. */
export interface Settlement extends Receipt {
  readonly of: number;
}

/** A ledger that notes receipts. */
export interface Receiving {
  readonly take: (groups: readonly TakeGroup[], receipt: Receipt) => Promise<readonly GroupTaken[]>;
  /** Gives back what the takes were granted if they have left the last receipt, and leaves its own: after that they cannot be carried out any more. */
  readonly settle: (lost: readonly TakeGroup[], settlement: Settlement) => Promise<void>;
}

const RETRY_MS = 500;
/** Ten minutes. After that the account has lost its units. */
const MAX_TRIES = 1_200;
/** Calls that are repeated at the same time; in an outage, the first ones are those that may have been carried out. */
const MAX_REPEATED = 16;

/** Makes calls with receipts. A sender is used by one call at a time, so that a call without an answer holds up no other. */
function createCalls(closed: AbortSignal) {
  const free: Receipt[] = [];
  let repeated = 0;

  /** Makes a call with this receipt. When it is answered, its sender is free again. */
  async function perform<R extends Receipt, T>(receipt: R, call: (receipt: R) => Promise<T>): Promise<T> {
    const answer = await call(receipt);
    free.push(receipt);
    return answer;
  }

  return {
    next(): Receipt {
      const { sender, number } = free.pop() ?? { sender: crypto.randomUUID(), number: 0 };
      return { sender, number: number + 1 };
    },
    perform,
    /**
     * Repeats a call in the background while another try can mend its error, which is `Unavailable`. Gives up after ten minutes,
     * and when the store is closed: then an account has fewer units, never more.
     */
    async repeat<R extends Receipt>(receipt: R, call: (receipt: R) => Promise<unknown>): Promise<void> {
      if (repeated >= MAX_REPEATED) return;
      repeated++;
      for (let tries = 0; tries < MAX_TRIES && !closed.aborted; tries++) {
        try {
          await perform(receipt, call);
          break;
        } catch (error) {
          if (!(error instanceof Unavailable)) break;
        }
        // Where timers are objects, they would keep a process alive that has nothing else to do.
        await new Promise((resolve) => (setTimeout(resolve, RETRY_MS) as { unref?(): void }).unref?.());
      }
      repeated--;
    },
  };
}

/**
 * Makes a sender of takes whose answer may be lost without anybody paying for it: what they were granted is given back soon
 * after, exactly once, as nobody was served for it.
 *
 * @param closed Aborted when the store is closed.
 */
export function createSender({ take, settle }: Receiving, closed: AbortSignal): SendTakes {
  const { next, perform, repeat } = createCalls(closed);
  return async (groups) => {
    const { sender, number } = next();
    try {
      return await perform({ sender, number }, (receipt) => take(groups, receipt));
    } catch (error) {
      const settlement = { sender, number: number + 1, of: number };
      void repeat(settlement, () => settle(groups, settlement));
      throw error;
    }
  };
}

/** How units are given back. */
export interface GiveBackOptions {
  /** Aborted when the store is closed. */
  readonly closed: AbortSignal;
  /** Whether nothing was carried out, as somebody else has locked a counter. Default: never. */
  readonly isLocked?: (error: unknown) => boolean;
}

/**
 * Makes a `giveBack` whose callers share round trips. A call without an answer fails, and is repeated in the background with the
 * receipt that it had, so that it is carried out once. A locked counter holds up no other.
 *
 * @param send Answers with the day's count of each group after that.
 */
export function shareGiveBacks(
  send: (groups: readonly TakeGroup[], receipt: Receipt) => Promise<readonly { used: number }[]>,
  { closed, isLocked = () => false }: GiveBackOptions,
): QuotaLedger["giveBack"] {
  const { next, perform, repeat } = createCalls(closed);
  // A statement that is refused has done nothing; that may be the fault of one account.
  const isSentAlone = (error: unknown, accounts: number): boolean =>
    !closed.aborted && (isLocked(error) || (accounts > 1 && !(error instanceof Unavailable)));

  async function sendGiveBacks(groups: readonly TakeGroup[]): Promise<readonly GroupTaken[]> {
    const receipt = next();
    const call = (): Promise<readonly { used: number }[]> => send(groups, receipt);
    try {
      return (await perform(receipt, call)).map(({ used }) => ({ granted: 0, used }));
    } catch (error) {
      if (error instanceof Unavailable && !isLocked(error)) void repeat(receipt, call);
      throw error;
    }
  }

  const share = shareTakes({ senders: [sendGiveBacks], maxWaitMs: MAX_TRIES * RETRY_MS, isSentAlone });
  return async (account, day) => {
    const late = (): never => {
      throw new Unavailable("Cannot give a unit back yet as the ledger has not answered in time");
    };
    return (await inTime(share(account, day, 0), ANSWER_MS, late)).used;
  };
}
