import type { AccountId, KeyId } from "../../../core/mod.ts";
import type { NodeExchange } from "../../http/node/mod.ts";

/** The numbers of answers to the requests with one key since the start. */
export interface KeyTally {
  readonly keyId: KeyId;
  units: number;
  /** The number of answers with an error. */
  errors: number;
  /** The number of answers with 429. */
  refused: number;
}

/** Counts the answers to the requests with each key. */
export type CallerTally = ReturnType<typeof createCallerTally>;

const TOO_MANY = 429;

/** Makes an empty tally. The tally stays small, because it counts only existing keys. */
export function createCallerTally() {
  const accounts = new Map<AccountId, Map<KeyId, KeyTally>>();
  return {
    add({ report, status }: NodeExchange): void {
      const { accountId, keyId } = report ?? {};
      if (!report || accountId === undefined || keyId === undefined) return;
      const keys = accounts.get(accountId) ?? new Map<KeyId, KeyTally>();
      accounts.set(accountId, keys);
      const tally = keys.get(keyId) ?? { keyId, units: 0, errors: 0, refused: 0 };
      keys.set(keyId, tally);
      if (report.units === "taken") tally.units++;
      if (status >= 400) tally.errors++;
      if (status === TOO_MANY) tally.refused++;
    },
    /** The tallies of the keys that made requests since the start, by account. */
    accounts: (): ReadonlyMap<AccountId, readonly KeyTally[]> =>
      new Map([...accounts].map(([id, keys]) => [id, [...keys.values()]])),
  };
}
