/**
 * The route `POST /ingest`, which accepts prices sent with a key that may write. Add it to `routes` of `createApi`.
 *
 * @module
 */

export { type IngestRoute, ingestRoute } from "./push_route.ts";
export type { IngestRouteSettings, IngestStore } from "./push_store.ts";
