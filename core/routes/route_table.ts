import { ohlc } from "./candle_route.ts";
import { supported } from "./catalog.ts";
import type { Route } from "./handler.ts";
import { access, status } from "./status_and_access.ts";
import { allLatest, historyByBody, historyByQuery, latest, onDate } from "./value_routes.ts";

/** The nine routes. Source: contract, Endpoints. A literal segment wins over a parameter. */
export const ROUTES = /* @__PURE__ */ nineRoutes(); // marked pure, so that bundlers can drop it

function nineRoutes() {
  const READ = { auth: "key", charge: "success" } as const;
  const LONG = { ...READ, isLong: true } as const;
  const RANGE = ["from", "to"] as const;
  return [
    { method: "GET", path: "/api/v1/assets", auth: "key", charge: "always", query: ["codes"], handle: allLatest },
    { method: "GET", path: "/api/v1/assets/supported", ...READ, query: ["category", "quoteUnit"], handle: supported },
    { method: "GET", path: "/api/v1/assets/{assetName}", ...READ, query: [], handle: latest },
    { method: "GET", path: "/api/v1/assets/{assetName}/{date}", ...READ, query: [], handle: onDate },
    { method: "GET", path: "/api/v1/assets/{assetName}/history", ...READ, query: RANGE, handle: historyByQuery },
    { method: "GET", path: "/api/v1/assets/{assetCode}/ohlc", ...LONG, query: ["interval", ...RANGE], handle: ohlc },
    { method: "POST", path: "/api/v1/assets/{assetName}", ...READ, query: [], handle: historyByBody },
    { method: "GET", path: "/api/v1/status", auth: "none", charge: "free", query: [], handle: status },
    { method: "GET", path: "/api/v1/access", auth: "key", charge: "free", query: [], handle: access },
  ] as const satisfies readonly Route[];
}

/** The method and path template of a route; there are nine. */
export type RouteName = RowName<(typeof ROUTES)[number]>;
type RowName<Row extends Route> = Row extends Route ? `${Row["method"]} ${Row["path"]}` : never;
