import type { Trouble, Watcher } from "../store/watcher.ts";

/** A watcher that also learns from the commands of others. */
export interface QuotaWatcher extends Watcher {
  /** Returns what a command resolves to. Whatever it throws is a trouble until the next answer. */
  watch<T>(answer: Promise<T>): Promise<T>;
}

/** @param probe Finds out whether Redis would count now; bounded in time. */
export function createQuotaWatcher(probe: () => Promise<void>): QuotaWatcher {
  let trouble: Trouble | undefined;

  async function watch<T>(answer: Promise<T>): Promise<T> {
    try {
      const found = await answer;
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
    sweep: () => watch(probe()).catch(() => {}), // It is among the troubles now.
  };
}
