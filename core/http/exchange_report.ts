import type { AccountId, KeyId } from "../branded_types.ts";
import type { ErrorCode } from "./errors.ts";

/**
 * What a request cost: a unit was `taken`, or taken and `given back`; it was `denied`, as none was left; or none was asked
 * for, which is `free`. Where the ledger fails, nothing is taken, and the answer is `free`, too.
 */
export type UnitOutcome = "taken" | "given back" | "denied" | "free";

/** How a request was answered, for logs and metrics. It holds no secret, and nothing that the client wrote. */
export interface ExchangeReport {
  /** The value of `X-Request-Id`. */
  readonly requestId: string;
  /** Path template of the route, e.g. `/api/v1/assets/{assetName}`; `undefined` where the path has none, or was not read. */
  readonly route: string | undefined;
  /** Who called, once the key was verified; also of one that is refused as it was revoked or has expired. */
  readonly accountId: AccountId | undefined;
  readonly keyId: KeyId | undefined;
  /** The name of the caller's plan. */
  readonly plan: string | undefined;
  /** The code of the error body; `undefined` for a success. */
  readonly code: ErrorCode | undefined;
  /** Whether the body came from the response cache. */
  readonly isCached: boolean;
  readonly units: UnitOutcome;
}

/** The report of a request that is being answered: each stage writes what it finds out. */
export type ReportDraft = { -readonly [Name in keyof ExchangeReport]: ExchangeReport[Name] };

/** The report of a request of which nothing is known yet. */
export function newReport(requestId: string): ReportDraft {
  return {
    requestId,
    route: undefined,
    accountId: undefined,
    keyId: undefined,
    plan: undefined,
    code: undefined,
    isCached: false,
    units: "free",
  };
}
