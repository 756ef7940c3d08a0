import type { AssetCode, UtcMillis } from "../branded_types.ts";

/** A row of the route table, without its handler. */
export interface RouteRow {
  /** A GET route also answers HEAD. */
  readonly method: "GET" | "POST";
  /** Path template, e.g. `/api/v1/assets/{code}/change`. A parameter matches any one segment; literal segments win. */
  readonly path: string;
  /** `key`: only callers with a key are served. */
  readonly auth: "key" | "none";
  /** `always`: one unit; `success`: one unit, which a failure gives back; `free`: none. Without a key only `free`. */
  readonly charge: "always" | "success" | "free";
  /** The right that a key needs; others get 403. Default `read`. */
  readonly right?: "read" | "write";
  /** Names of the query parameters that it reads. */
  readonly query: readonly string[];
  /** Whether answers may be long and take milliseconds. A server makes only a few of them at once. Default `false`. */
  readonly isLong?: boolean;
}

/** The route of a request target, and its parameters. */
export interface RouteMatch<Row extends RouteRow = RouteRow> {
  readonly route: Row;
  /** The path parameters in the order of the route's template, decoded, not yet checked. */
  readonly params: readonly string[];
  /** The query as sent. */
  readonly query: string;
}

/** How long an answer is valid for every caller. */
export interface Freshness {
  /** The assets that it depends on. */
  readonly codes: readonly AssetCode[];
  /** The version of their data. The answer is valid while this version is current. */
  readonly version: string;
  /** The time from which the answer may differ although the data is the same. Absent: never. */
  readonly expiresAt?: UtcMillis;
}

/** Identifies a state of the data and, if needed, one of several equivalent renderings. */
export interface EntityTag {
  /** Letters, digits and dots. */
  readonly stem: string;
  /** Letters and digits. */
  readonly rendering?: string;
}
