import type { NodeExchange } from "../../../adapters/http/node/mod.ts";
import type { AccountId, KeyId } from "../../../core/mod.ts";

/** The members of an exchange that differ from the usual ones. */
export interface Differences extends Partial<Omit<NodeExchange, "report">> {
  readonly report?: Partial<NonNullable<NodeExchange["report"]>>;
}

/** An answer with 200 to key `k` of account `a`, with some differences. */
export function exchange({ report, ...rest }: Differences): NodeExchange {
  const client = { address: "192.0.2.1", traceId: undefined };
  const caller = { accountId: "a" as AccountId, keyId: "k" as KeyId, plan: "FREE" };
  const outcome = { code: undefined, isCached: false, units: "taken" } as const;
  return {
    ...{ method: "GET", status: 200, bytes: 10, isComplete: true, durationMs: 3, ...client, ...rest },
    report: { requestId: "req_1", route: "/api/v1/assets", ...caller, ...outcome, ...report },
  };
}
