// A route that an embedder adds to the table. Matching, keys, quota, header fields and reports are those of all routes.
import type { KeyHolder } from "../accounts/accounts.ts";
import type { Brand, UtcMillis } from "../branded_types.ts";
import type { Failure } from "../http/errors.ts";
import { type Segment, templateOf } from "../http/match_route.ts";
import type { ApiRequest } from "../http/messages.ts";
import { parseQuery } from "../http/request_target.ts";
import { after } from "../maybe_promise.ts";
import type { MaybePromise } from "../ports.ts";
import type { Result } from "../result.ts";
import { type CustomAnswer, resultOf } from "./custom_answer.ts";
import type { Answer, Route } from "./handler.ts";
import type { RouteDocs } from "./route_docs.ts";

/** A request as the handler of a custom route receives it. */
export interface CustomCall<Parameter extends string = string, Query extends string = string> {
  /** The path parameters, decoded, not yet checked. Never empty. */
  readonly params: Readonly<Record<Parameter, string>>;
  /** The query parameters that were given, decoded, not yet checked. */
  readonly query: Readonly<Partial<Record<Query, string>>>;
  /** Who calls; `undefined` exactly on routes without a key. */
  readonly caller: KeyHolder | undefined;
  /** The time of the API's clock at which this request is answered. */
  readonly now: UtcMillis;
  /** The request as received: header fields, and the body by `text`. */
  readonly request: ApiRequest;
}

/** What a custom route is made of. */
export interface CustomRouteDefinition<Path extends string = string, Query extends string = string> {
  /** GET takes HEAD with it. */
  readonly method: "GET" | "POST";
  /** Path template, e.g. `/api/v1/assets/{code}/change`. A parameter fills a whole segment; a literal segment wins over one. */
  readonly path: Path;
  /** `key`: only callers with a key are served, and `caller` tells who it is. */
  readonly auth: "key" | "none";
  /**
   * `always`: one unit, whatever happens later; `success`: one unit, given back when the handler fails; `free`: none.
   * Without a key only `free`.
   */
  readonly charge: "always" | "success" | "free";
  /** What a key must be allowed; others get 403. Default `read`. */
  readonly right?: "read" | "write";
  /** Names of the query parameters that it reads; all others are ignored. Default: none. */
  readonly query?: readonly Query[];
  /** The answer in a few words. */
  readonly summary: string;
  /** Whether its answers may be long and take milliseconds to make: a server answers only some of them at a time. Default `false`. */
  readonly isLong?: boolean;
  /** What the OpenAPI document says besides; `false` for a route that the document leaves out, such as a page. */
  readonly docs?: RouteDocs | false;
  /** Answers a request. What it throws becomes 500 `INTERNAL_ERROR`, or 503 if it is `Unavailable`. */
  handle(call: CustomCall<ParameterOf<Path>, Query>): MaybePromise<CustomAnswer>;
}

/** A row that an embedder adds to the route table. Made by `defineRoute`. */
export type CustomRoute = Brand<Route, "CustomRoute">;

/** The names of a path template's parameters. */
export type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never;

/**
 * Makes a route for the setting `routes` of `createApi`. The handler's `params` are the parameters of `path`, its `query`
 * those of `query`.
 *
 * A success is not stored by clients unless it has a `tag` of letters, digits and dots, which must change with the body;
 * then a client may revalidate it and gets 304.
 *
 * @throws RangeError for a route that is malformed.
 */
export function defineRoute<const Path extends string, const Query extends string = never>(
  definition: CustomRouteDefinition<Path, Query>,
): CustomRoute {
  const { method, path, auth, charge, right, query = [], summary, isLong = false, docs } = definition;
  const fault = faultOf(definition);
  if (fault !== undefined) throw new RangeError(`Cannot define the route "${method} ${path}" as ${fault}`);
  const names = templateOf(path).flatMap(({ parameter }) => parameter ?? []);
  const row: Route = {
    method,
    path,
    auth,
    charge,
    query,
    summary,
    isLong,
    ...(right && { right }),
    ...(docs !== undefined && { docs }),
    handle(_context, { request, now, params, query: sent, caller }) {
      const given = parseQuery(sent, query);
      if (!given.ok) return given;
      // The names are those of the template and of `query`, as the types say.
      const call = {
        params: Object.fromEntries(names.map((name, at) => [name, params[at]])),
        query: Object.fromEntries(given.value),
        caller,
        now,
        request,
      } as CustomCall<ParameterOf<Path>, Query>;
      return after<CustomAnswer, Result<Answer, Failure>>(definition.handle(call), (answer) => resultOf(row, answer));
    },
  };
  return row as CustomRoute; // checked above; nowhere else does a row become a custom route
}

const LITERAL = /^(?!\.{1,2}$)[\w.~-]+$/;
const NAME = /^[A-Za-z_]\w*$/;
const METHODS = ["GET", "POST"];
const AUTHS = ["key", "none"];
const CHARGES = ["always", "success", "free"];

function faultOf({
  method,
  path,
  auth,
  charge,
  query = [],
  summary,
  handle,
}: CustomRouteDefinition<string, string>): string | undefined {
  if (!METHODS.includes(method)) return "its method must be GET or POST";
  if (typeof path !== "string" || !path.startsWith("/")) return "its path must begin with a slash";
  const template = templateOf(path);
  const names = [...template.flatMap(({ parameter }) => parameter ?? []), ...query];
  if (path !== "/" && !template.every(isSegment))
    return "each segment of its path must be a plain text such as change, or a parameter such as {code}";
  if (!names.every((name) => NAME.test(name)))
    return "the names of its parameters must be letters, digits and underscores";
  if (new Set(names).size < names.length) return "each of its parameters must have a name of its own";
  if (!AUTHS.includes(auth)) return "its auth must be key or none";
  if (!CHARGES.includes(charge)) return "its charge must be always, success or free";
  if (auth === "none" && charge !== "free")
    return "without a key nobody can be charged, so that its charge must be free";
  if (typeof summary !== "string" || typeof handle !== "function") return "it must have a summary and a handler";
  return undefined;
}

function isSegment({ literal }: Segment): boolean {
  return literal === undefined || LITERAL.test(literal);
}
