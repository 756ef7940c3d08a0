/**
 * Takes prices over HTTP: `POST /ingest`, a route for the setting `routes` of `createApi`, for keys that may write.
 *
 * @module
 */

export type { IngestRoute, IngestRouteSettings } from "./push_route.ts";
export { ingestRoute } from "./push_route.ts";
export type { IngestStore } from "./push_store.ts";
