import type { ErrorCode } from "../http/errors.ts";

/** A JSON Schema, draft 2020-12. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Documentation of a parameter. */
export interface ParameterDocs {
  readonly description: string;
  /** Default: a string. */
  readonly schema?: JsonSchema;
  readonly example?: unknown;
  /** Whether a query parameter must be given. Default `false`. Path parameters are always required. */
  readonly required?: boolean;
}

/** Documentation of a request or answer body. */
export interface BodyDocs {
  readonly description?: string;
  /** Default `application/json`. */
  readonly contentType?: string;
  /** Default: anything. */
  readonly schema?: JsonSchema;
  readonly example?: unknown;
}

/** Documentation of a route for the OpenAPI document. It adds to the facts in the row of the route. */
export interface RouteDocs {
  /** The name of the operation in generated clients. Default: made from method and path. */
  readonly operationId?: string;
  /** Whether a successful answer has an entity tag, so that a GET can get 304. Default `false`. */
  readonly hasTag?: boolean;
  /** Markdown, below the summary. */
  readonly description?: string;
  /** The parameters of path and query, by name. */
  readonly parameters?: Readonly<Record<string, ParameterDocs>>;
  /** The body of a POST. */
  readonly body?: BodyDocs;
  /** The body of a success. Default: any content type. */
  readonly answer?: BodyDocs;
  /** The handler's own failures. Failures of the key, the quota and the server are derived from the route's row. */
  readonly failures?: readonly ErrorCode[];
}
