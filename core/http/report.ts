import type { KeyHolder } from "../accounts/accounts.ts";
import type { AccountId, KeyId } from "../brand.ts";
import type { ErrorCode } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import type { ApiResponse } from "./messages.ts";
import type { Responder } from "./respond.ts";

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
  /** Who called, once the key was verified. */
  readonly accountId: AccountId | undefined;
  readonly keyId: KeyId | undefined;
  /** The code of the error body; `undefined` for a success. */
  readonly code: ErrorCode | undefined;
  /** Whether the body came from the response cache. */
  readonly isCached: boolean;
  readonly units: UnitOutcome;
}

/** What the stages of a request find out for its report. */
export interface ExchangeFacts {
  route: string | undefined;
  caller: KeyHolder | undefined;
  isCached: boolean;
  units: UnitOutcome;
}

/** The facts of a request of which nothing is known yet. */
export function newFacts(): ExchangeFacts {
  return { route: undefined, caller: undefined, isCached: false, units: "free" };
}

/** Notes a fact of an exchange, if the API makes reports. */
export function note<Name extends keyof ExchangeFacts>({ facts }: Exchange, name: Name, value: ExchangeFacts[Name]): void {
  if (facts) facts[name] = value;
}

/** Makes a responder of which each response has the report of its exchange. */
export function reportingResponder({ success, failure, options }: Responder): Responder {
  return {
    success: (exchange, quota, rendered) => withReport(exchange, success(exchange, quota, rendered)),
    failure: (exchange, quota, reason) => withReport(exchange, failure(exchange, quota, reason), reason.code),
    options: (exchange, allow) => withReport(exchange, options(exchange, allow)),
  };
}

function withReport({ requestId, facts }: Exchange, { status, headers, body }: ApiResponse, code?: ErrorCode): ApiResponse {
  const { route, caller, isCached, units } = facts ?? newFacts();
  return { status, headers, body, report: { requestId, route, accountId: caller?.account.id, keyId: caller?.key.id, code, isCached, units } };
}
