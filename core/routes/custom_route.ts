// A route that an embedder adds to the table. Matching, keys, quota, header fields and reports work as usual.
import type { KeyHolder } from "../accounts/accounts.ts";
import type { Brand, UtcMillis } from "../branded_types.ts";
import type { Failure } from "../http/errors.ts";
import { parameterNames, parameterOf, templateOf } from "../http/match_route.ts";
import type { ApiRequest } from "../http/messages.ts";
import { parseQuery } from "../http/request_target.ts";
import type { Answer } from "../http/respond.ts";
import type { RouteRow } from "../http/route.ts";
import { after } from "../maybe_promise.ts";
import type { MaybePromise } from "../ports.ts";
import type { Result } from "../result.ts";
import { type CustomAnswer, resultOf } from "./custom_answer.ts";
import type { Route } from "./handler.ts";

/** A request as the handler of a custom route receives it. */
export interface CustomCall<Parameter extends string = string, Query extends string = string> {
  /** The path parameters, decoded, not checked. Never empty. */
  readonly params: Readonly<Record<Parameter, string>>;
  /** The query parameters of the request, decoded, not checked. */
  readonly query: Readonly<Partial<Record<Query, string>>>;
  /** The caller, or `undefined` if the route needs no key. */
  readonly caller: KeyHolder | undefined;
  /** The time of the request, from the API's clock. */
  readonly now: UtcMillis;
  /** The request as received, with its header fields. `text` reads the body. */
  readonly request: ApiRequest;
}

/** The definition of a custom route. */
export interface CustomRouteDefinition<Path extends string = string, Query extends string = string>
  extends Omit<RouteRow, "path" | "query">,
    Pick<Route, "docs"> {
  /** Path template, such as `/api/v1/assets/{code}/change`. A literal segment takes precedence over a parameter. */
  readonly path: Path;
  /** Describes the answer in a few words. */
  readonly summary: string;
  /** Names of the query parameters that the handler reads; others are ignored. Default: none. */
  readonly query?: readonly Query[];
  /** Answers a request. `Unavailable` results in 503, any other error in 500 `INTERNAL_ERROR`. */
  handle(call: CustomCall<ParameterOf<Path>, Query>): MaybePromise<CustomAnswer>;
}

/** A row that an embedder adds to the route table. Made by `defineRoute`. */
export type CustomRoute = Brand<Route, "CustomRoute">;

/** The names of a path template's parameters. */
export type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never;

/**
 * Makes a route for the setting `routes` of `createApi`. The types of `params` and `query` follow from the definition.
 *
 * Clients do not store a success unless it has a `tag` of letters, digits and dots, which must change with the body.
 * With a tag, clients may revalidate the answer and get 304. Throws `RangeError` for a malformed route.
 */
export function defineRoute<const Path extends string, const Query extends string = never>(
  definition: CustomRouteDefinition<Path, Query>,
): CustomRoute {
  const { method, path, query = [], isLong = false } = definition;
  const fault = faultOf(definition);
  if (fault !== undefined) throw new RangeError(`Cannot define the route "${method} ${path}" because ${fault}`);
  const names = parameterNames(path);
  const row: Route = {
    ...definition,
    query,
    isLong,
    handle(_context, { request, now, params: values, query: sent, caller }) {
      const given = parseQuery(sent, query);
      if (!given.ok) return given;
      // The names come from the template and from `query`, so they match the types.
      const params = Object.fromEntries(names.map((name, at) => [name, values[at]]));
      const call = { params, query: Object.fromEntries(given.value), caller, now, request };
      const answered = definition.handle(call as CustomCall<ParameterOf<Path>, Query>);
      return after<CustomAnswer, Result<Answer, Failure>>(answered, (answer) => resultOf(row, answer));
    },
  };
  return row as CustomRoute; // checked above; no other place turns a row into a custom route
}

const LITERAL = /^(?!\.{1,2}$)[\w.~-]+$/;
const NAME = /^[A-Za-z_]\w*$/;

function faultOf(definition: CustomRouteDefinition): string | undefined {
  const { method, path, auth, charge, query = [], summary, handle } = definition;
  if (!["GET", "POST"].includes(method)) return 'its method must be "GET" or "POST"';
  if (typeof path !== "string" || !path.startsWith("/")) return "its path must begin with a slash";
  const names = [...parameterNames(path), ...query];
  if (path !== "/" && !templateOf(path).every((segment) => parameterOf(segment) !== undefined || LITERAL.test(segment)))
    return 'each segment of its path must be a text such as "change", or a parameter such as "{code}"';
  if (!names.every((name) => NAME.test(name)))
    return "the names of its parameters must be letters, digits and underscores";
  if (new Set(names).size < names.length) return "its parameters must have distinct names";
  if (!["key", "none"].includes(auth)) return 'its auth must be "key" or "none"';
  if (!["always", "success", "free"].includes(charge)) return 'its charge must be "always", "success" or "free"';
  if (auth === "none" && charge !== "free") return 'its charge must be "free", as nobody can be charged without a key';
  if (typeof summary !== "string" || typeof handle !== "function") return "it must have a summary and a handler";
  return undefined;
}
