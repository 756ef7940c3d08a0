/**
 * The page, for people who look at prices and for developers: `pageRoutes` returns its routes for the setting `routes`
 * of `createApi`. Apps that do not import this module do not bundle it.
 *
 * @module
 */

export type { PageRouteSettings } from "./page_routes.ts";
export { pageRoutes } from "./page_routes.ts";
