import type { KeyHolder } from "../accounts/accounts.ts";
import type { Asset } from "../market/assets.ts";
import type { AssetCode, UtcMillis } from "../brand.ts";
import type { CatalogPage } from "./catalog.ts";
import type { Failure } from "../http/errors.ts";
import type { ApiRequest } from "../http/messages.ts";
import type { MaybePromise, Observations } from "../ports.ts";
import type { RecordHeads } from "./record_json.ts";
import type { Result } from "../result.ts";
import type { Zone } from "../time/zone.ts";

/** What all requests to one API share. */
export interface Context {
  readonly observations: Observations;
  /** The catalog, by code and in its order. */
  readonly assets: ReadonlyMap<string, Asset>;
  readonly heads: RecordHeads;
  /** The parts of the catalog that were asked for, by filter. */
  readonly catalogPages: Map<string, CatalogPage>;
  /** The zone whose days the value routes speak of. */
  readonly marketZone: Zone;
  readonly staleThresholdMinutes: number;
  readonly maxCandles: number;
  readonly application: string;
  /** An absolute URL, or a path of this server. */
  readonly documentationUrl: string;
  /** Names the way in which answers are rendered: part of every entity tag. */
  readonly revision: string;
  readonly routes: readonly Route[];
}

/** One request on its way through a handler. */
export interface Call {
  readonly request: ApiRequest;
  readonly now: UtcMillis;
  readonly route: Route;
  /** The path parameters in the order of the route's template, decoded, not yet checked. */
  readonly params: readonly string[];
  /** The query as sent. */
  readonly query: string;
  /** Who calls; absent on public routes. */
  readonly caller: KeyHolder | undefined;
}

/** A success: always 200. */
export interface Answer {
  /** Text, or its bytes in UTF-8. */
  readonly body: string | Uint8Array;
  /** Content type other than JSON. */
  readonly contentType?: string;
  /** Where the answer may be revalidated. Absent: it must not be stored. */
  readonly tag?: EntityTag;
  /** Where the same request may be given the same answer again. */
  readonly keep?: Keep;
}

/** For how long an answer stays right, whoever asks. */
export interface Keep {
  /** The asset it tells of; absent for more than one. */
  readonly code?: AssetCode;
  /** The version of that asset's data, or of all data, that it was made of: it is right while that is the version. */
  readonly version: string;
  /** The moment from which it may be another one although the data is the same; absent for never. */
  readonly until?: UtcMillis;
}

/** Names a state of the data, and where needed one rendering of it among several that mean the same. */
export interface EntityTag {
  /** Letters, digits and dots. */
  readonly stem: string;
  /** Letters and digits. */
  readonly rendering?: string;
}

export type Handler = (context: Context, call: Call) => MaybePromise<Result<Answer, Failure>>;

/** A row of the contract's Endpoints table. */
export interface Route {
  readonly method: "GET" | "POST";
  /** Template; parameters in braces fill a whole segment. */
  readonly path: string;
  readonly auth: "key" | "none";
  /** `always`: one unit whatever happens later; `success`: given back when the answer is none; `free`: none. */
  readonly charge: "always" | "success" | "free";
  /** Names of the query parameters it reads. */
  readonly query: readonly string[];
  /** What it answers with, in a few words. */
  readonly summary: string;
  readonly handle: Handler;
}
