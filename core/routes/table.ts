import { supported } from "./catalog.ts";
import type { Route } from "./handler.ts";
import { ohlc } from "./ohlc.ts";
import { access, status } from "./service.ts";
import { allLatest, historyByBody, historyByQuery, latest, onDate } from "./values.ts";

/** The nine routes. Source: contract, Endpoints; a literal segment wins over a parameter. */
export const ROUTES = [
  {
    method: "GET", path: "/api/v1/assets", auth: "key", charge: "always",
    query: ["codes"], summary: "Latest values of all assets, or of those named in codes", handle: allLatest,
  },
  {
    method: "GET", path: "/api/v1/assets/supported", auth: "key", charge: "success",
    query: ["category", "quoteUnit"], summary: "Catalog of assets with coverage and freshness", handle: supported,
  },
  {
    method: "GET", path: "/api/v1/assets/{assetName}", auth: "key", charge: "success",
    query: [], summary: "Latest value of one asset", handle: latest,
  },
  {
    method: "GET", path: "/api/v1/assets/{assetName}/{date}", auth: "key", charge: "success",
    query: [], summary: "Value of one asset on one market day", handle: onDate,
  },
  {
    method: "GET", path: "/api/v1/assets/{assetName}/history", auth: "key", charge: "success",
    query: ["from", "to"], summary: "Values of one asset over at most 31 days", handle: historyByQuery,
  },
  {
    method: "GET", path: "/api/v1/assets/{assetCode}/ohlc", auth: "key", charge: "success",
    query: ["interval", "from", "to"], summary: "Candles of one asset", isLong: true, handle: ohlc,
  },
  {
    method: "POST", path: "/api/v1/assets/{assetName}", auth: "key", charge: "success",
    query: [], summary: "As history, with fromDate and toDate in a JSON body", handle: historyByBody,
  },
  {
    method: "GET", path: "/api/v1/status", auth: "none", charge: "free",
    query: [], summary: "State of the service and list of its routes", handle: status,
  },
  {
    method: "GET", path: "/api/v1/access", auth: "key", charge: "free",
    query: [], summary: "Access type of the caller; the headers tell the quota left", handle: access,
  },
] as const satisfies readonly Route[];

/** Method and path template of one of the nine routes. */
export type RouteName = RowName<(typeof ROUTES)[number]>;
type RowName<Row extends Route> = Row extends Route ? `${Row["method"]} ${Row["path"]}` : never;
