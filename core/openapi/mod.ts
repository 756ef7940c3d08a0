/**
 * The OpenAPI 3.1 document of an API: `createOpenApi` makes the document from the settings of `createApi`,
 * `openApiRoute` serves it. Apps that do not import this module do not bundle it.
 *
 * @module
 */

export { createOpenApi, type OpenApiDocument, type OpenApiSettings } from "./document.ts";
export { openApiRoute } from "./openapi_route.ts";
