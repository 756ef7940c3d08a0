import type { KeyHolder } from "../accounts/accounts.ts";
import type { Asset } from "../market/assets.ts";
import type { AssetCode, UtcMillis } from "../brand.ts";
import type { CatalogPage } from "./catalog_page.ts";
import type { Failure } from "../http/errors.ts";
import type { ApiRequest } from "../http/messages.ts";
import type { MaybePromise, Observations } from "../ports.ts";
import type { RecordHeads } from "./record_json.ts";
import type { RouteDocs } from "./route_docs.ts";
import type { Result } from "../result.ts";
import type { Zone } from "../time/zone.ts";

/** What all requests to one API share. */
export interface Context {
  readonly observations: Observations;
  /** The catalog, by code and in its order. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** The codes of the catalog, in its order. */
  readonly codes: readonly AssetCode[];
  readonly heads: RecordHeads;
  /** The catalog as rendered last, by filter. */
  readonly catalogPages: Map<string, CatalogPage>;
  /** The time zone of market days. */
  readonly marketZone: Zone;
  readonly staleThresholdMinutes: number;
  readonly maxCandles: number;
  readonly application: string;
  /** An absolute URL, or a path of this server. */
  readonly documentationUrl: string;
  /** Whether requests with a key can be served just now. */
  readonly canServe: () => boolean;
  /** Identifies the rendering of answers: a part of every entity tag. */
  readonly revision: string;
  readonly routes: readonly Route[];
}

/** The route that a request target leads to, and what the target gives it. */
export interface RouteMatch {
  readonly route: Route;
  /** The path parameters in the order of the route's template, decoded, not yet checked. */
  readonly params: readonly string[];
  /** The query as sent. */
  readonly query: string;
}

/** A request as its route's handler receives it. */
export interface RouteRequest extends RouteMatch {
  readonly request: ApiRequest;
  readonly now: UtcMillis;
  /** Who calls; absent on public routes. */
  readonly caller: KeyHolder | undefined;
}

/** A success: 200, unless an custom route leads elsewhere. */
export interface Answer {
  /** Text, or its bytes in UTF-8. */
  readonly body: string | Uint8Array;
  /** Content type other than JSON. */
  readonly contentType?: string;
  /** Further header fields, name and value by turns. Printable ASCII. */
  readonly fields?: readonly string[] | undefined;
  /** Makes the answer revalidatable. Absent: it must not be stored. */
  readonly tag?: EntityTag;
  /** Whether no other body will ever be answered for this target, so that a client with a tagged one need not ask again. */
  readonly isImmutable?: boolean;
  /** 307 where the fields have a `Location`. Default 200. */
  readonly status?: 200 | 307;
  /** Makes the answer cacheable for other requests for the same target. */
  readonly freshness?: Freshness;
}

/** Until when an answer is valid for every caller. */
export interface Freshness {
  /** The assets that it depends on. */
  readonly codes: readonly AssetCode[];
  /** The version of their data that it was made from: it is valid while this version is current. */
  readonly version: string;
  /** The moment from which it may differ although the data is the same; absent for never. */
  readonly expiresAt?: UtcMillis;
}

/** Names a state of the data, and where needed one rendering of it among several that mean the same. */
export interface EntityTag {
  /** Letters, digits and dots. */
  readonly stem: string;
  /** Letters and digits. */
  readonly rendering?: string;
}

/** Answers the requests of one route; the failures that the contract names are values. */
export type Handler = (context: Context, request: RouteRequest) => MaybePromise<Result<Answer, Failure>>;

/** A row of the contract's Endpoints table. */
export interface Route {
  readonly method: "GET" | "POST";
  /** Template; parameters in braces fill a whole segment. */
  readonly path: string;
  readonly auth: "key" | "none";
  /** `always`: one unit, whatever happens later; `success`: one unit, given back when the request fails; `free`: none. */
  readonly charge: "always" | "success" | "free";
  /** Names of the query parameters it reads. */
  readonly query: readonly string[];
  /** The answer in a few words. */
  readonly summary: string;
  /** What the OpenAPI document says of an custom route; `false`: nothing. */
  readonly docs?: RouteDocs | false;
  readonly handle: Handler;
}
