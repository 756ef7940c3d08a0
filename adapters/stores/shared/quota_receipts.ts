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

/**
 * Makes a sender of takes whose answer may be lost without anybody paying for it: before anything else is sent, or soon after
 * if nothing is, what they were granted is given back, exactly once, as nobody was served for it.
 */
export function createSender({ take, settle }: Receiving): SendTakes {
  const sender = crypto.randomUUID();
  let number = 0;
  let lost: { readonly groups: readonly TakeGroup[]; readonly number: number } | undefined;
  let settling: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function settleLost(): Promise<void> {
    clearTimeout(timer);
    try {
      await settle(lost!.groups, { sender, number: ++number, of: lost!.number });
      lost = undefined;
    } catch (error) {
      timer = setTimeout(() => void settled().catch(() => {}), RETRY_MS);
      // Where timers are objects, they would keep a process alive that has nothing else to do.
      timer.unref?.();
      throw error;
    } finally {
      settling = undefined;
    }
  }

  const settled = (): Promise<void> => (settling ??= settleLost());

  return async (groups) => {
    if (lost) await settled();
    const own = ++number;
    try {
      return await take(groups, { sender, number: own });
    } catch (error) {
      lost = { groups, number: own };
      settled().catch(() => {});
      throw error;
    }
  };
}

/**
 * Makes a `giveBack` whose callers share round trips. What has no answer is sent again until it has one, with the receipt that it
 * had, so that it is carried out once; its callers learn soon that there is none yet. A locked counter holds up no other.
 *
 * @param send Answers with the day's count of each group after that.
 */
export function shareGiveBacks(
  send: (groups: readonly TakeGroup[], receipt: Receipt) => Promise<readonly { used: number }[]>,
  isLocked: (error: unknown) => boolean = () => false,
): QuotaLedger["giveBack"] {
  const sender = crypto.randomUUID();
  let number = 0;

  async function sendUntilDone(groups: readonly TakeGroup[]): Promise<readonly GroupTaken[]> {
    const receipt = { sender, number: ++number };
    for (let isSent = false; ; isSent = true) {
      try {
        return (await send(groups, receipt)).map(({ used }) => ({ granted: 0, used }));
      } catch (error) {
        // Behind one without an answer, the lock may be its own.
        if (!isSent && isLocked(error)) throw error;
        await new Promise((resolve) => (setTimeout(resolve, RETRY_MS) as { unref?(): void }).unref?.());
      }
    }
  }

  const share = shareTakes({ senders: [sendUntilDone], maxWaitMs: Infinity, isLocked });
  return async (account, day) => {
    const late = (): never => {
      throw new Unavailable("Cannot give a unit back yet as the ledger has not answered in time");
    };
    return (await inTime(share(account, day, 0), ANSWER_MS, late)).used;
  };
}
