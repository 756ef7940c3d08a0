import { ERRORS, failure } from "../http/errors.ts";
import type { ErrorCode, Failure } from "../http/errors.ts";
import { err, ok } from "../result.ts";
import type { Result } from "../result.ts";
import type { Answer, Route } from "./handler.ts";

/** What an own route answers: a value as JSON with status 200, a body of another type, or a failure of the error table. */
export type OwnAnswer =
  | { readonly json: unknown; readonly tag?: string }
  | { readonly body: string | Uint8Array; readonly contentType: string; readonly tag?: string }
  | { readonly failure: ErrorCode; readonly message?: string };

const TAG = /^[\w.]+$/;
const CONTENT_TYPE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * An own answer as an answer of the table.
 *
 * @throws TypeError, which becomes 500, for what cannot be sent: an embedder may not use types.
 */
export function resultOf(own: Route, answer: OwnAnswer): Result<Answer, Failure> {
  if ("failure" in answer) {
    if (!Object.hasOwn(ERRORS, answer.failure)) throw wrong(own, "failure must be a code of ERRORS", answer.failure);
    return err(failure(answer.failure, answer.message === undefined ? undefined : String(answer.message)));
  }
  if (answer.tag !== undefined && !TAG.test(String(answer.tag))) throw wrong(own, "tag must be letters, digits and dots", answer.tag);
  const tag = answer.tag === undefined ? {} : { tag: { stem: answer.tag } };
  if ("json" in answer) {
    const body: string | undefined = JSON.stringify(answer.json);
    if (body === undefined) throw wrong(own, "json must be a JSON value", answer.json);
    return ok({ body, ...tag });
  }
  const { body, contentType } = answer;
  if (typeof body !== "string" && !(body instanceof Uint8Array)) throw wrong(own, "body must be a string or a Uint8Array", body);
  if (typeof contentType !== "string" || !CONTENT_TYPE.test(contentType)) throw wrong(own, "contentType must be printable ASCII", contentType);
  return ok({ body, contentType, ...tag });
}

function wrong({ method, path }: Route, rule: string, received: unknown): TypeError {
  return new TypeError(`Cannot answer ${method} ${path} as ${rule}: received "${String(received)}"`);
}
