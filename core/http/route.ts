import type { AssetCode, UtcMillis } from "../branded_types.ts";

/** A row of the route table, without its handler. */
export interface RouteRow {
  /** A GET route also answers HEAD. */
  readonly method: "GET" | "POST";
  /** Path template, such as `/api/v1/assets/{code}/change`. A literal segment takes precedence over a parameter. */
  readonly path: string;
  /** With `key`, only callers with a key are served. With `none`, the charge must be `free`. */
  readonly auth: "key" | "none";
  /** `free` costs no unit, `always` one unit, `success` a unit that is returned after a failure. A 429 costs none. */
  readonly charge: "always" | "success" | "free";
  /** The right that the key needs. A key without this right gets 403. Default `read`. */
  readonly right?: "read" | "write";
  /** Names of the query parameters that the route reads. */
  readonly query: readonly string[];
  /** Whether answers may be long and take milliseconds. A server makes few such answers at once. Default `false`. */
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
  /** The assets that the answer depends on. */
  readonly codes: readonly AssetCode[];
  /** The version of these assets' data. The answer is valid while this version is current. */
  readonly version: string;
  /** From this time on, the answer may differ even if the data is the same. Absent: never. */
  readonly expiresAt?: UtcMillis;
}
