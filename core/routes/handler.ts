import type { KeyHolder } from "../accounts/accounts.ts";
import type { AssetCode, UtcMillis } from "../branded_types.ts";
import type { Failure } from "../http/errors.ts";
import type { ApiRequest } from "../http/messages.ts";
import type { EntityTag, Freshness, RouteMatch, RouteRow } from "../http/route.ts";
import type { MaybePromise } from "../ports.ts";
import type { PriceContext } from "../queries/price_settings.ts";
import type { Result } from "../result.ts";
import type { RecordHeads } from "./record_json.ts";
import type { RouteDocs } from "./route_docs.ts";

/** What all requests to one API share. */
export interface Context extends PriceContext {
  /** The codes of the catalog, in its order. */
  readonly codes: readonly AssetCode[];
  readonly heads: RecordHeads;
  readonly application: string;
  /** An absolute URL, or a path of this server. */
  readonly documentationUrl: string;
  /** Whether requests with a key can be served just now. */
  readonly canServe: () => boolean;
  /** Identifies the rendering of answers: a part of every entity tag. */
  readonly revision: string;
  readonly routes: readonly Route[];
}

/** A request as its route's handler receives it. */
export interface RouteRequest extends RouteMatch<Route> {
  readonly request: ApiRequest;
  readonly now: UtcMillis;
  /** Who calls; absent on public routes. */
  readonly caller: KeyHolder | undefined;
}

/** A success: 200, unless a custom route leads elsewhere. */
export interface Answer {
  /** Text, its bytes in UTF-8, or a function that makes them: a long body is not made for a caller who prefers CSV. */
  readonly body: string | Uint8Array | (() => Uint8Array);
  /** Content type other than JSON. */
  readonly contentType?: string;
  /** Further header fields, name and value by turns. Printable ASCII. */
  readonly fields?: readonly string[] | undefined;
  /** Makes the answer revalidatable. Absent: it must not be stored. */
  readonly tag?: EntityTag;
  /** What a tagged answer says in `Cache-Control`. Default: clients may keep it, and ask each time whether it is still right. */
  readonly caching?: string;
  /** 307 where the fields have a `Location`. Default 200. */
  readonly status?: 200 | 307;
  /** Makes the answer cacheable for other requests for the same target. */
  readonly freshness?: Freshness;
  /** The same as CSV, for callers who prefer it. Default: there is none. */
  readonly csv?: () => string | Uint8Array;
  /** The same answer at a later moment, for one that tells the time. Default: it stays as it is. */
  readonly at?: (now: UtcMillis) => Answer;
}

/** Answers the requests of one route; the failures that the contract names are values. */
export type Handler = (context: Context, request: RouteRequest) => MaybePromise<Result<Answer, Failure>>;

/** A row of the contract's Endpoints table. */
export interface Route extends RouteRow {
  /** What the OpenAPI document says of a custom route; `false`: nothing. */
  readonly docs?: RouteDocs | false;
  readonly handle: Handler;
}
