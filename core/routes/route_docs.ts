import type { ErrorCode } from "../http/errors.ts";

/** A JSON Schema, draft 2020-12. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** What a reader has to know of a parameter. */
export interface ParameterDocs {
  readonly description: string;
  /** Default: a string. */
  readonly schema?: JsonSchema;
  readonly example?: unknown;
  /** Whether a query parameter must be given. Default `false`; path parameters always must. */
  readonly required?: boolean;
}

/** What a body is like, sent or answered. */
export interface BodyDocs {
  readonly description?: string;
  /** Default `application/json`; of an answer that is not described at all, any. */
  readonly contentType?: string;
  /** Default: anything. */
  readonly schema?: JsonSchema;
  readonly example?: unknown;
}

/** What the OpenAPI document says of a route besides its row. */
export interface RouteDocs {
  /** The name of the operation in generated clients. Default: made from method and path. */
  readonly operationId?: string;
  /** Whether a success has an entity tag, so that a GET can be answered with 304. Default `false`. */
  readonly hasTag?: boolean;
  /** More than the summary says, in Markdown. */
  readonly description?: string;
  /** The parameters of path and query, by name. */
  readonly parameters?: Readonly<Record<string, ParameterDocs>>;
  /** The body of a POST. */
  readonly body?: BodyDocs;
  /** The body of a success. */
  readonly answer?: BodyDocs;
  /** The failures that the handler names. Those of key, quota and server follow from the row. */
  readonly failures?: readonly ErrorCode[];
}
