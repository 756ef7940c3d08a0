import type { AccountId, KeyId } from "../branded_types.ts";
import type { ErrorCode } from "./errors.ts";

/** What became of a request's unit. `denied`: no unit was left. `free`: no unit was due, or the ledger failed. */
export type UnitOutcome = "taken" | "given back" | "denied" | "free";

/** How a request was answered, for logs and metrics. Contains no secrets and no text of the client. */
export interface ExchangeReport {
  /** The value of `X-Request-Id`. */
  readonly requestId: string;
  /** Path template, such as `/api/v1/assets/{assetName}`, or `undefined` if the path is unknown or was not parsed. */
  readonly route: string | undefined;
  /** The account of the key. Also set if the key is refused because it was revoked or has expired. */
  readonly accountId: AccountId | undefined;
  readonly keyId: KeyId | undefined;
  readonly plan: string | undefined;
  /** The code of the error body, or `undefined` for a success. */
  readonly code: ErrorCode | undefined;
  /** Whether the body came from the response cache. */
  readonly isCached: boolean;
  readonly units: UnitOutcome;
}
