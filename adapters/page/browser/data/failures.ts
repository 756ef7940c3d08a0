import { PriceError } from "../../../../core/client_entry.ts";
import type { QuotaExceeded } from "../../../client/mod.ts";

/** A failed call: the contents of the error answer or, after a network failure, only the message. */
export type CallFailure = Pick<PriceError, "message"> & {
  readonly [Name in "status" | "code" | "requestId" | "resetsAt"]?: QuotaExceeded[Name] | undefined;
};

/** Makes a failure from the value that a call has thrown. */
export function failureOf(thrown: unknown): CallFailure {
  return thrown instanceof PriceError ? thrown : { message: String(thrown) };
}
