import { Unavailable } from "../../core/mod.ts";
import type { Trouble, Watcher } from "../store/watcher.ts";

/** A watcher that also learns from the commands of others. */
export interface QuotaWatcher extends Watcher {
  /** Returns what a script has answered; `Unavailable` where that is that the counts are lost. Whatever it throws is a trouble until the next answer. */
  watch(answer: Promise<unknown>): Promise<unknown>;
}

/** How many seconds a client is to wait for what only an operator can mend. */
const LOST_RETRY_SECONDS = 60;

const LOSSES: Readonly<Record<string, string>> = {
  "no-ledger": "Redis has no ledger, as it has lost its data or is another one: no unit is given until `mazaneh migrate --counters` or initRedisQuota makes one",
  "no-counters": "Redis has lost the units used on a quota day: none of that day is given until `mazaneh migrate --counters` or initRedisQuota says how they count",
};

/** @param probe Finds out whether Redis would count now; bounded in time. */
export function createQuotaWatcher(probe: () => Promise<unknown>): QuotaWatcher {
  let trouble: Trouble | undefined;

  async function watch(answer: Promise<unknown>): Promise<unknown> {
    try {
      const found = await answer;
      const loss = Array.isArray(found) ? undefined : LOSSES[String(found)];
      if (loss !== undefined) throw new Unavailable(loss, LOST_RETRY_SECONDS);
      trouble = undefined;
      return found;
    } catch (error) {
      trouble = { code: "quota-unreachable", message: error instanceof Error ? error.message : String(error) };
      throw error;
    }
  }

  return {
    watch,
    troubles: () => (trouble ? [trouble] : []),
    async sweep() {
      await watch(probe()).catch(() => {}); // It is among the troubles now.
    },
  };
}
