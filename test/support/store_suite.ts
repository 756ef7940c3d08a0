import type { QuotaLedger } from "../../core/ports.ts";
import { accountsSuite, type SuiteAccounts } from "./store_suite/accounts.ts";
import type { SuiteObservations } from "./store_suite/expected_observations.ts";
import { observationsSuite } from "./store_suite/observations.ts";
import { quotaSuite } from "./store_suite/quota.ts";
import type { Handles, Opened, Opener } from "./store_suite/suite.ts";

export { accountWithKey } from "./store_suite/accounts.ts";
export { observationsSuite } from "./store_suite/observations.ts";
export { quotaSuite } from "./store_suite/quota.ts";
export { observed } from "./store_suite/records.ts";

/** A store with all ports that the suites test. */
export interface SuiteStore {
  readonly observations: SuiteObservations;
  readonly accounts: SuiteAccounts;
  readonly quota: QuotaLedger;
}

/** Tests that every store with all ports must pass. `open` returns an empty store for each test. */
export function storeSuite(name: string, open: Opener<SuiteStore>, handles: Handles = {}): void {
  observationsSuite(name, port(open, "observations"), handles);
  accountsSuite(name, port(open, "accounts"), handles);
  quotaSuite(name, port(open, "quota"), handles);
}

function port<Name extends keyof SuiteStore>(open: Opener<SuiteStore>, name: Name): Opener<SuiteStore[Name]> {
  return async (): Promise<Opened<SuiteStore[Name]>> => {
    const { store, reopen, peer, close } = await open();
    return {
      store: store[name],
      ...(reopen && { reopen: async () => (await reopen())[name] }),
      ...(peer && { peer: async () => (await peer())[name] }),
      ...(close && { close }),
    };
  };
}
