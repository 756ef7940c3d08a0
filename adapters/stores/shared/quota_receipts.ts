import { type QuotaLedger, Unavailable } from "../../../core/mod.ts";
import { ANSWER_MS, inTime } from "./answer_in_time.ts";
import { type GroupTaken, type SendTakes, shareTakes, type TakeGroup } from "./share_quota_takes.ts";

/** A receipt that a ledger stores with a sender's command, together with the number of granted units. */
export interface Receipt {
  readonly sender: string;
  /** Rises with each command of a sender. The ledger ignores a late copy: its number is not above the last number. */
  readonly number: number;
}

/** The receipt of a command that gives units back. They were taken by the unanswered command with the number `of`. */
export interface Settlement extends Receipt {
  readonly of: number;
}

/** A ledger with receipts. */
export interface Receiving {
  readonly take: (groups: readonly TakeGroup[], receipt: Receipt) => Promise<readonly GroupTaken[]>;
  /** Gives back the units of lost calls of `take` if the ledger has their receipt. Later, it ignores them. */
  readonly settle: (lost: readonly TakeGroup[], settlement: Settlement) => Promise<void>;
}

const RETRY_MS = 500;
/** Tries for ten minutes. The account loses units that are not given back by then. */
const MAX_TRIES = 1_200;
/** How many failed calls are repeated at a time. More failures mean an outage, so further calls are not repeated. */
const MAX_REPEATED = 16;

/** Makes calls with receipts. Each unanswered call has its own sender, so it does not block others. */
function createCalls(closed: AbortSignal) {
  const free: Receipt[] = [];
  let repeated = 0;

  /** Makes a call with a receipt. When the call is answered, its sender can be used for another call. */
  async function perform<T>(receipt: Receipt, call: () => Promise<T>): Promise<T> {
    const answer = await call();
    free.push(receipt);
    return answer;
  }

  return {
    next(): Receipt {
      const { sender, number } = free.pop() ?? { sender: crypto.randomUUID(), number: 0 };
      return { sender, number: number + 1 };
    },
    perform,
    /** Repeats a call while it fails with `Unavailable`, for at most ten minutes. After that, the units are lost. */
    async repeat(receipt: Receipt, call: () => Promise<unknown>): Promise<void> {
      if (repeated >= MAX_REPEATED) return;
      repeated++;
      for (let tries = 0; tries < MAX_TRIES && !closed.aborted; tries++) {
        try {
          await perform(receipt, call);
          break;
        } catch (error) {
          if (!(error instanceof Unavailable)) break;
        }
        // In Node, a timer keeps the process alive unless `unref` is called.
        await new Promise((resolve) => (setTimeout(resolve, RETRY_MS) as { unref?(): void }).unref?.());
      }
      repeated--;
    },
  };
}

/**
 * Makes a function that sends takes. If an answer is lost, the units are given back soon after, exactly once.
 *
 * @param closed Aborted when the store is closed.
 */
export function createSender({ take, settle }: Receiving, closed: AbortSignal): SendTakes {
  const { next, perform, repeat } = createCalls(closed);
  return async (groups) => {
    const receipt = next();
    try {
      return await perform(receipt, () => take(groups, receipt));
    } catch (error) {
      const { sender, number } = receipt;
      const settlement = { sender, number: number + 1, of: number };
      void repeat(settlement, () => settle(groups, settlement));
      throw error;
    }
  };
}

/**
 * Makes a `giveBack` whose callers share round trips. A call without an answer rejects, but is repeated in the
 * background with the same receipt, so it is carried out only once. A locked counter does not block other accounts.
 *
 * @param send Resolves to the day's count of each group after the give-back.
 * @param isLocked Whether an error means that a counter is locked, so that nothing was carried out.
 */
export function shareGiveBacks(
  send: (groups: readonly TakeGroup[], receipt: Receipt) => Promise<readonly { used: number }[]>,
  { closed, isLocked = () => false }: { readonly closed: AbortSignal; readonly isLocked?: (error: unknown) => boolean },
): QuotaLedger["giveBack"] {
  const { next, perform, repeat } = createCalls(closed);
  // A refused statement has changed nothing. A single account may be the reason, so the accounts are sent separately.
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
      throw new Unavailable("Cannot give a unit back yet because the ledger has not answered in time");
    };
    return (await inTime(share(account, day, 0), ANSWER_MS, late)).used;
  };
}
