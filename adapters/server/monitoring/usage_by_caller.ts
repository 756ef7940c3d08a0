import type { AccountId, KeyId } from "../../../core/mod.ts";
import type { NodeExchange } from "../../http/node/mod.ts";

/** What a key was answered since the start. */
export interface KeyTally {
  readonly keyId: KeyId;
  units: number;
  /** Answers with an error. */
  errors: number;
  /** Answers with 429. */
  refused: number;
}

/** Counts what each key was answered. There are never more than there are keys, as only those that are known are counted. */
export interface CallerTally {
  add(exchange: NodeExchange): void;
  /** The keys of each account that has called since the start. */
  accounts(): ReadonlyMap<AccountId, readonly KeyTally[]>;
}

const UNITS = { taken: 1, "given back": 0, denied: 0, free: 0 } as const;
const TOO_MANY = 429;

/** Makes a tally of nobody. */
export function createCallerTally(): CallerTally {
  const accounts = new Map<AccountId, Map<KeyId, KeyTally>>();
  return {
    add({ report, status }) {
      const { accountId, keyId } = report ?? {};
      if (!report || accountId === undefined || keyId === undefined) return;
      const keys = accounts.get(accountId) ?? new Map<KeyId, KeyTally>();
      accounts.set(accountId, keys);
      const tally = keys.get(keyId) ?? { keyId, units: 0, errors: 0, refused: 0 };
      keys.set(keyId, tally);
      tally.units += UNITS[report.units];
      if (status >= 400) tally.errors++;
      if (status === TOO_MANY) tally.refused++;
    },
    accounts: () => new Map([...accounts].map(([id, keys]) => [id, [...keys.values()]])),
  };
}
