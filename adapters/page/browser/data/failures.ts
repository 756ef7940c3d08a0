import { PriceError } from "../../../../core/client_entry.ts";
import type { QuotaExceeded } from "../../../client/mod.ts";

/** What is known of a call that failed: what its answer told, or of a network failure only the message. */
export type CallFailure = Pick<PriceError, "message"> & {
  readonly [Name in "status" | "code" | "requestId" | "resetsAt"]?: QuotaExceeded[Name] | undefined;
};

/** Reads what a call has thrown. */
export function failureOf(thrown: unknown): CallFailure {
  return thrown instanceof PriceError ? thrown : { message: String(thrown) };
}
