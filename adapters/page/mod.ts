/**
 * The page, for people who look at prices and for developers: `pageRoutes` returns its routes for the setting `routes`
 * of `createApi`. An app only bundles the page if it imports this module.
 *
 * @module
 */

export type { PageRouteSettings } from "./page_routes.ts";
export { pageRoutes } from "./page_routes.ts";
