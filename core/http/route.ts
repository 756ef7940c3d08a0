import type { AssetCode, UtcMillis } from "../branded_types.ts";

/** A row of the route table, but for what answers it. */
export interface RouteRow {
  readonly method: "GET" | "POST";
  /** Template; parameters in braces fill a whole segment. */
  readonly path: string;
  readonly auth: "key" | "none";
  /** `always`: one unit, whatever happens later; `success`: one unit, given back when the request fails; `free`: none. */
  readonly charge: "always" | "success" | "free";
  /** What a key must be allowed. Default `read`. */
  readonly right?: "read" | "write";
  /** Names of the query parameters it reads. */
  readonly query: readonly string[];
  /** The answer in a few words. */
  readonly summary: string;
  /** Whether its answers may be long and take milliseconds to make: a server answers only some of them at a time. Default `false`. */
  readonly isLong?: boolean;
}

/** The route that a request target leads to, and what the target gives it. */
export interface RouteMatch<Row extends RouteRow = RouteRow> {
  readonly route: Row;
  /** The path parameters in the order of the route's template, decoded, not yet checked. */
  readonly params: readonly string[];
  /** The query as sent. */
  readonly query: string;
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
