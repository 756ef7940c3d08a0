import type { UtcMillis } from "../branded_types.ts";
import { ERRORS, type ErrorCode, errorBody } from "../http/errors.ts";
import type { Route } from "../routes/handler.ts";
import type { RouteDocs } from "../routes/route_docs.ts";
import { headerRefs, QUOTA_FIELDS } from "./headers.ts";
import { refTo } from "./json_schema.ts";

/** The failures that any request can get, because of its form or the state of the server. */
const OF_SERVER: readonly ErrorCode[] = [
  "INVALID_REQUEST",
  "REQUEST_TIMEOUT",
  "BODY_TOO_LARGE",
  "URI_TOO_LONG",
  "RATE_LIMITED",
  "HEADERS_TOO_LARGE",
  "INTERNAL_ERROR",
  "UNAVAILABLE",
];
/** The header fields of failures, by status. */
const FIELDS_BY_STATUS: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  404: ["Link"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};
const ALL = /* @__PURE__ */ Object.keys(ERRORS) as ErrorCode[];
const EXAMPLE_TIME = 1_795_192_200_000 as UtcMillis;

/** The codes that a route can answer with, in the order of `ERRORS`. */
export function failuresOf({ auth, charge, query, path }: Route, docs: RouteDocs): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>([...OF_SERVER, ...(docs.failures ?? [])]);
  const isOfKey = (code: ErrorCode) => auth === "key" && [401, 403].includes(ERRORS[code].status);
  if (charge !== "free") codes.add("QUOTA_EXCEEDED");
  if (query.length > 0) codes.add("DUPLICATE_PARAMETER");
  if (path.includes("{")) codes.add("ROUTE_NOT_FOUND"); // No route matches a path with an empty parameter.
  return ALL.filter((code) => codes.has(code) || isOfKey(code));
}

/** References to the failures of a route, by status. */
export function failureRefs(codes: readonly ErrorCode[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    byStatus(codes).map(([status, own]) => [status, { $ref: `#/components/responses/${own.join(".")}` }]),
  );
}

/** The responses to which these routes refer, by name. */
export function failureResponses(routes: readonly (readonly ErrorCode[])[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(routes.flatMap(byStatus).map(([status, own]) => [own.join("."), responseOf(status, own)]));
}

function byStatus(codes: readonly ErrorCode[]): readonly (readonly [status: number, codes: readonly ErrorCode[]])[] {
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  return statuses.map((status) => [status, codes.filter((code) => ERRORS[code].status === status)]);
}

function responseOf(status: number, codes: readonly ErrorCode[]): unknown {
  const fields = FIELDS_BY_STATUS[status] ?? [];
  const schema = {
    allOf: [refTo("Error"), { type: "object", properties: { status: { const: status }, code: { enum: codes } } }],
  };
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}.`).join(" "),
    headers: headerRefs(["X-Request-Id", ...fields, ...(status === 401 ? [] : QUOTA_FIELDS)]),
    content: { "application/json": { schema, examples } },
  };
}

/** An example of each row of the error table, by code. */
export function failureExamples(): Readonly<Record<string, unknown>> {
  const context = { now: EXAMPLE_TIME, path: "/api/v1/assets", requestId: "req_0000000000000000000000" };
  return Object.fromEntries(
    ALL.map((code) => {
      const value: unknown = JSON.parse(errorBody({ code }, context));
      return [code, { summary: ERRORS[code].message, value }];
    }),
  );
}
