import type { KeyHolder } from "../accounts/accounts.ts";
import type { AssetCode, UtcMillis } from "../branded_types.ts";
import type { Failure } from "../http/errors.ts";
import type { ApiRequest } from "../http/messages.ts";
import type { Answer } from "../http/respond.ts";
import type { RouteMatch, RouteRow } from "../http/route.ts";
import type { MaybePromise } from "../ports.ts";
import type { PriceContext } from "../queries/price_settings.ts";
import type { Result } from "../result.ts";
import type { RecordHeads } from "./record_json.ts";
import type { RouteDocs } from "./route_docs.ts";

/** The data that all requests to one API share. */
export interface Context extends PriceContext {
  /** The codes of the catalog, in catalog order. */
  readonly codes: readonly AssetCode[];
  readonly heads: RecordHeads;
  readonly application: string;
  /** An absolute URL, or a path of this server. */
  readonly documentationUrl: string;
  /** Whether requests with a key can currently be served. */
  readonly canServe: () => boolean;
  /** Identifies the way in which answers are rendered. A part of every entity tag. */
  readonly revision: string;
  readonly routes: readonly Route[];
}

/** A request as a handler receives it. */
export interface RouteRequest extends RouteMatch<Route> {
  readonly request: ApiRequest;
  readonly now: UtcMillis;
  /** The caller; absent on public routes. */
  readonly caller: KeyHolder | undefined;
}

/** Answers the requests of one route. Failures of the contract are returned, not thrown. */
export type Handler = (context: Context, request: RouteRequest) => MaybePromise<Result<Answer, Failure>>;

/** A row of the route table. */
export interface Route extends RouteRow {
  /** Describes the answer of a custom route in a few words. */
  readonly summary?: string;
  /** Documentation of a custom route in the OpenAPI document. `false`: the document does not mention the route. */
  readonly docs?: RouteDocs | false;
  readonly handle: Handler;
}
