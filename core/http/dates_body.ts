import { parseObject } from "../bytes/json.ts";
import { err, ok, type Result } from "../result.ts";
import { type Failure, failure } from "./errors.ts";
import { utf8MediaType } from "./headers.ts";
import type { ApiRequest, BodyFailure } from "./messages.ts";

/** The two fields of the POST body, not yet checked as dates. */
export interface DatesBody {
  readonly fromDate: string | undefined;
  readonly toDate: string | undefined;
}

const MAX_BODY_BYTES = 8_192;

/** Reads the JSON body of the POST route: one object, of which only two members are read. */
export async function readDatesBody(request: ApiRequest): Promise<Result<DatesBody, Failure>> {
  // A field that was sent twice arrives as a list, which is no type.
  if (utf8MediaType(request.headers) !== "application/json") return err(failure("UNSUPPORTED_MEDIA_TYPE"));
  const text = await request.text(MAX_BODY_BYTES);
  if (!text.ok) return err(UNREADABLE[text.error]);
  const body = parseObject(text.value);
  if (!body) return err(failure("INVALID_BODY"));
  const fromDate = member(body, "fromDate");
  if (!fromDate.ok) return fromDate;
  const toDate = member(body, "toDate");
  return toDate.ok ? ok({ fromDate: fromDate.value, toDate: toDate.value }) : toDate;
}

/** What each failure to read a body is answered with. */
export const UNREADABLE: Readonly<Record<BodyFailure, Failure>> = {
  TOO_LARGE: failure("BODY_TOO_LARGE"),
  NOT_UTF8: failure("INVALID_BODY", "The body is not UTF-8"),
  NOT_GZIP: failure("INVALID_BODY", "The body is not gzip"),
  INCOMPLETE: failure("INVALID_BODY", "The body ended too early"),
  TOO_MANY: failure("RATE_LIMITED", undefined, ["Retry-After", "1"]),
};

/** An own member only, since a body can have a member named `__proto__`. */
function member(body: object, name: string): Result<string | undefined, Failure> {
  if (!Object.hasOwn(body, name)) return ok(undefined);
  const value: unknown = Reflect.get(body, name);
  return typeof value === "string"
    ? ok(value)
    : err(failure("INVALID_BODY", `${name} must be a string written YYYY-MM-DD`));
}
