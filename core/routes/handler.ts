import type { KeyHolder } from "../accounts/accounts.ts";
import type { AssetCode, UtcMillis } from "../branded_types.ts";
import type { Failure } from "../http/errors.ts";
import type { ApiRequest } from "../http/messages.ts";
import type { Freshness, RouteMatch, RouteRow } from "../http/route.ts";
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

/** A success: 200, or the redirect of a custom route. */
export interface Answer {
  /** Text, its bytes in UTF-8, or a function that makes the bytes. The function is not called for CSV. */
  readonly body: string | Uint8Array | (() => Uint8Array);
  /** Default: JSON. */
  readonly contentType?: string;
  /** Further header fields: name, value, name, value. Printable ASCII. */
  readonly fields?: readonly string[] | undefined;
  /**
   * The entity tag without its quotes, which makes the answer revalidatable: letters, digits and dots that identify the
   * state of the data. After a dash may follow which of several equivalent renderings this is. Absent: the answer must
   * not be stored.
   */
  readonly tag?: string;
  /** The `Cache-Control` of an answer with a tag. Default: clients may store it, but must revalidate it each time. */
  readonly caching?: string;
  /** 307 with a `Location` field. Default 200. */
  readonly status?: 200 | 307;
  /** If present, the answer may be cached for other requests to the same target. */
  readonly freshness?: Freshness;
  /** Makes the body as CSV, for callers who prefer that. Absent: the route has only JSON. */
  readonly csv?: () => string | Uint8Array;
  /** Makes the same answer with a later time in it. Absent: the answer does not contain the time. */
  readonly at?: (now: UtcMillis) => Answer;
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
