import { ohlc } from "./candle_route.ts";
import { supported } from "./catalog.ts";
import type { Route } from "./handler.ts";
import { access, status } from "./status_and_access.ts";
import { allLatest, historyByBody, historyByQuery, latest, onDate } from "./value_routes.ts";

/** The nine routes. Source: contract, Endpoints; a literal segment wins over a parameter. */
export const ROUTES = [
  {
    method: "GET",
    path: "/api/v1/assets",
    auth: "key",
    charge: "always",
    query: ["codes"],
    summary: "Latest values",
    handle: allLatest,
  },
  {
    method: "GET",
    path: "/api/v1/assets/supported",
    auth: "key",
    charge: "success",
    query: ["category", "quoteUnit"],
    summary: "Asset catalog",
    handle: supported,
  },
  {
    method: "GET",
    path: "/api/v1/assets/{assetName}",
    auth: "key",
    charge: "success",
    query: [],
    summary: "Latest value of an asset",
    handle: latest,
  },
  {
    method: "GET",
    path: "/api/v1/assets/{assetName}/{date}",
    auth: "key",
    charge: "success",
    query: [],
    summary: "Value on a day",
    handle: onDate,
  },
  {
    method: "GET",
    path: "/api/v1/assets/{assetName}/history",
    auth: "key",
    charge: "success",
    query: ["from", "to"],
    summary: "History of an asset",
    handle: historyByQuery,
  },
  {
    method: "GET",
    path: "/api/v1/assets/{assetCode}/ohlc",
    auth: "key",
    charge: "success",
    query: ["interval", "from", "to"],
    summary: "Candles of an asset",
    isLong: true,
    handle: ohlc,
  },
  {
    method: "POST",
    path: "/api/v1/assets/{assetName}",
    auth: "key",
    charge: "success",
    query: [],
    summary: "History by JSON body",
    handle: historyByBody,
  },
  {
    method: "GET",
    path: "/api/v1/status",
    auth: "none",
    charge: "free",
    query: [],
    summary: "Service status",
    handle: status,
  },
  {
    method: "GET",
    path: "/api/v1/access",
    auth: "key",
    charge: "free",
    query: [],
    summary: "Plan of the key",
    handle: access,
  },
] as const satisfies readonly Route[];

/** Method and path template of one of the nine routes. */
export type RouteName = RowName<(typeof ROUTES)[number]>;
type RowName<Row extends Route> = Row extends Route ? `${Row["method"]} ${Row["path"]}` : never;
