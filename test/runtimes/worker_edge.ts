// The app as an edge deployment, with prices in a snapshot, accounts in a document, and units in Durable Objects.

import { fetchHandler } from "../../adapters/http/fetch_handler.ts";
import { fixedAccounts, openSnapshot } from "../../adapters/stores/snapshot/mod.ts";
import { type Counters, counterLedger } from "../../fixtures/examples/edge/ledger.ts";
import { createApp } from "./app.ts";

export { Counter } from "../../fixtures/examples/edge/counter.ts";

interface Environment {
  readonly SNAPSHOT: string;
  readonly BOOK: unknown;
  readonly COUNTERS: Counters;
}

let handle: ReturnType<typeof fetchHandler> | undefined;

export default {
  fetch(request: Request, { SNAPSHOT, BOOK, COUNTERS }: Environment): Response | Promise<Response> {
    handle ??= fetchHandler(
      createApp({
        observations: openSnapshot(SNAPSHOT),
        accounts: fixedAccounts(BOOK),
        quota: counterLedger(COUNTERS),
      }),
    );
    return handle(request);
  },
};
