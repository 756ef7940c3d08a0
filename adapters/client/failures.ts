import { PriceError, type PriceFailure } from "../../core/client_entry.ts";
import { resetOf, retryAfterOf } from "./quota.ts";

/** Thrown when the day's units are used up. Further requests fail until `resetsAt`. */
export class QuotaExceeded extends PriceError {
  override readonly name: string = "QuotaExceeded";
  /** The start of the next quota day, as stated in the answer; if it states none, the next midnight in UTC. */
  readonly resetsAt: Date;

  constructor(failure: PriceFailure, resetsAt: Date) {
    super(failure);
    this.resetsAt = resetsAt;
  }
}

/** An answer without its body. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Pick<Headers, "get">;
}

/** The failure of a request without an answer, with the code `NETWORK_ERROR` or `TIMEOUT`, and status 0. */
export function noAnswer(code: string, message: string, cause?: unknown): PriceError {
  return new PriceError({ code, status: 0, message }, { cause });
}

/** The failure for an answer that is not from the API, with the code `UNEXPECTED_ANSWER` and the answer's status. */
export function unexpected({ status, headers }: AnswerHead, message: string): PriceError {
  return new PriceError({ code: "UNEXPECTED_ANSWER", status, message, ...about(headers) });
}

/** Makes the failure from an answer with an error status, or with a redirect to `target` (status 0 in browsers). */
export function failureOf(response: AnswerHead, body: unknown, target?: unknown): PriceError {
  const { status, headers } = response;
  const { code, message, requestId, timestamp } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof code !== "string") {
    const isRedirect = !status || target;
    const reason = isRedirect
      ? `Redirects are not followed: ${target ?? "hidden"}`
      : `Status ${status}, but the body is not an error of the API`;
    return unexpected(response, reason);
  }
  const failure = { code, status, message: typeof message === "string" ? message : code, ...about(headers, requestId) };
  // In the contract, 429 means that the quota is used up. A refusal by the rate limit has the code `RATE_LIMITED`.
  if (status !== 429 || code === "RATE_LIMITED") return new PriceError(failure);
  return new QuotaExceeded(failure, resetOf(headers, Date.parse(String(timestamp)) || Date.now()));
}

function about(headers: AnswerHead["headers"], inBody?: unknown): Partial<PriceFailure> {
  const requestId = headers.get("X-Request-Id") ?? (typeof inBody === "string" ? inBody : undefined);
  return { requestId, retryAfterSeconds: retryAfterOf(headers) };
}
