import { ERRORS, type ErrorCode, type Failure, failure } from "../http/errors.ts";
import type { Answer } from "../http/respond.ts";
import { err, ok, type Result } from "../result.ts";
import type { Route } from "./handler.ts";

/** The answer of a custom route: JSON, a body of another type, a redirect (307), or a failure from `ERRORS`. */
export type CustomAnswer =
  | ({ readonly json: unknown } & CustomSuccess)
  | ({ readonly body: string | Uint8Array; readonly contentType: string } & CustomSuccess)
  | { readonly redirect: string }
  | {
      readonly failure: ErrorCode;
      readonly message?: string | undefined;
      /** Only with `RATE_LIMITED`. Default 1. */
      readonly retryAfterSeconds?: number;
    };

/** Options of a custom success. The caching options require a tag and a route without a key. */
export interface CustomSuccess {
  /** The entity tag, which identifies the state of the body. Without a tag, clients do not store the answer. */
  readonly tag?: string;
  /** Whether the body for this target never changes, so that browsers and caches may keep it for a year. */
  readonly isImmutable?: boolean;
  /** The number of whole seconds for which browsers and shared caches may use the answer without revalidating it. */
  readonly maxAgeSeconds?: number;
  /** Further header fields. */
  readonly fields?: Readonly<Partial<Record<CustomField, string>>>;
}

/** A header field that a custom route may set. */
export type CustomField = (typeof OWN_FIELDS)[number];

const OWN_FIELDS = [
  "Content-Disposition",
  "Content-Language",
  "Content-Security-Policy",
  "Cross-Origin-Opener-Policy",
  "Referrer-Policy",
  "Refresh",
] as const;
const FOR_EVER = "public, max-age=31536000, immutable";
const TAG = /^[\w.]+$/;
const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const LINK = /^[\x21-\x7e]+$/;

/** Converts a custom answer. Throws `TypeError`, which results in 500, if the answer cannot be sent. */
export function resultOf(own: Route, answer: CustomAnswer): Result<Answer, Failure> {
  if ("failure" in answer) {
    if (!Object.hasOwn(ERRORS, answer.failure)) throw wrong(own, "failure must be a code of ERRORS", answer.failure);
    const fields =
      answer.failure === "RATE_LIMITED" ? ["Retry-After", String(answer.retryAfterSeconds ?? 1)] : undefined;
    return err(failure(answer.failure, answer.message === undefined ? undefined : String(answer.message), fields));
  }
  if ("redirect" in answer) {
    const { redirect } = answer;
    // Clients of the API do not follow redirects.
    const isLink = typeof redirect === "string" && LINK.test(redirect);
    if (own.path.startsWith("/api/") || !isLink)
      throw wrong(own, "its redirect must be a link, and a route below /api/ must not redirect", redirect);
    return ok({ status: 307, body: "", contentType: "text/plain", fields: ["Location", redirect] });
  }
  if (answer.tag !== undefined && !TAG.test(String(answer.tag)))
    throw wrong(own, "its tag must consist of letters, digits and dots", answer.tag);
  const { isImmutable = false, maxAgeSeconds, fields = {} } = answer;
  if (maxAgeSeconds !== undefined && !(Number.isSafeInteger(maxAgeSeconds) && maxAgeSeconds > 0))
    throw wrong(own, "maxAgeSeconds must be a whole number above 0", maxAgeSeconds);
  const isShared = isImmutable || maxAgeSeconds !== undefined;
  if (isShared && (answer.tag === undefined || own.auth === "key"))
    throw wrong(own, "isImmutable and maxAgeSeconds need a tag and a route without key", isImmutable || maxAgeSeconds);
  const success = {
    ...(answer.tag !== undefined && { tag: answer.tag }),
    ...(isShared && { caching: isImmutable ? FOR_EVER : `public, max-age=${maxAgeSeconds}` }),
    fields: Object.entries(fields).flatMap((field) => checkedField(own, field)),
  };
  if ("json" in answer) {
    const body: string | undefined = JSON.stringify(answer.json);
    if (body === undefined) throw wrong(own, "its json must be a JSON value", answer.json);
    return ok({ body, ...success });
  }
  const { body, contentType } = answer;
  if (typeof body !== "string" && !(body instanceof Uint8Array))
    throw wrong(own, "its body must be a string or a Uint8Array", body);
  if (typeof contentType !== "string" || !PRINTABLE.test(contentType))
    throw wrong(own, "contentType must be printable ASCII", contentType);
  return ok({ body, contentType, ...success });
}

function checkedField(own: Route, field: readonly [name: string, value: unknown]): readonly [string, string] {
  const [name, value] = field;
  if (!OWN_FIELDS.some((known) => known === name))
    throw wrong(own, `its fields may only be ${OWN_FIELDS.join(", ")}`, name);
  if (typeof value !== "string" || !PRINTABLE.test(value)) throw wrong(own, `${name} must be printable ASCII`, value);
  return [name, value];
}

function wrong({ method, path }: Route, rule: string, received: unknown): TypeError {
  return new TypeError(`Cannot answer ${method} ${path} because ${rule}: received "${String(received)}"`);
}
