/**
 * The route `POST /ingest`, to which keys that may write send prices. Add it to `routes` of `createApi`.
 *
 * @module
 */

export { type IngestRoute, ingestRoute } from "./push_route.ts";
export type { IngestRouteSettings, IngestStore } from "./push_store.ts";
