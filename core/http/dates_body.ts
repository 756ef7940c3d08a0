import { parseObject } from "../bytes/json.ts";
import { err, ok, type Result } from "../result.ts";
import { type Failure, failure } from "./errors.ts";
import { utf8MediaType } from "./headers.ts";
import type { ApiRequest, BodyFailure } from "./messages.ts";

/** The dates in the body of a POST, not yet checked. */
type Dates = Partial<Record<"fromDate" | "toDate", string>>;

const MAX_BODY_BYTES = 8_192;

/** Reads the two dates from the JSON body of the POST route; other members are ignored. */
export async function readDatesBody(request: ApiRequest): Promise<Result<Dates, Failure>> {
  if (utf8MediaType(request.headers) !== "application/json") return err(failure("UNSUPPORTED_MEDIA_TYPE"));
  const text = await request.text(MAX_BODY_BYTES);
  if (!text.ok) return err(UNREADABLE[text.error]);
  const dates = parseObject(text.value) as Dates | undefined;
  if (!dates) return err(failure("INVALID_BODY"));
  for (const name of ["fromDate", "toDate"] as const)
    if (dates[name] !== undefined && typeof dates[name] !== "string")
      return err(failure("INVALID_BODY", `${name} must be a string written YYYY-MM-DD`));
  return ok(dates);
}

/** The failure for each reason why a body cannot be read. */
export const UNREADABLE: Readonly<Record<BodyFailure, Failure>> = {
  TOO_LARGE: failure("BODY_TOO_LARGE"),
  NOT_UTF8: failure("INVALID_BODY", "The body is not UTF-8"),
  NOT_GZIP: failure("INVALID_BODY", "The body is not gzip"),
  INCOMPLETE: failure("INVALID_BODY", "The body ended too early"),
  TOO_MANY: failure("RATE_LIMITED", undefined, ["Retry-After", "1"]),
};
