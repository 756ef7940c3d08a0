import { failure, targetAfter } from "../../core/internal.ts";
import type { Api, ApiFunction } from "../../core/mod.ts";

/** An option for an API that is served within an app. */
export interface BasePathOption {
  /** The path of the API in request targets, e.g. `/prices`. Other paths get 404. Only for an API from `createApi`. */
  readonly basePath?: string;
}

/** Puts an API under a base path, if there is one. Throws `RangeError` for an invalid path. */
export function underBasePath(api: ApiFunction, basePath = ""): ApiFunction {
  if (basePath === "") return api;
  // The base path must have the form that clients send: percent-encoded, without `.` and `..` segments.
  const isPath = /^(?:\/[^/?#]+)+$/.test(basePath) && new URL(basePath, "http://localhost").pathname === basePath;
  if (!isPath)
    throw new RangeError(`Cannot serve under a base path because it must look like "/prices": received "${basePath}"`);
  if (!isWhole(api)) throw new TypeError("Cannot serve under a base path because the API must come from createApi");
  const outside = failure("ROUTE_NOT_FOUND", `The paths of this API begin with ${basePath}/`);
  return (request) => {
    const { method, headers, scheme, sentTarget = request.target } = request;
    // Express removes the mount path from `request.target`.
    const target = targetAfter(basePath, request.target) ?? targetAfter(basePath, sentTarget);
    if (target === undefined) return api.refuse(request, outside);
    return api({ method, target, sentTarget, headers, scheme, text: (...how) => request.text(...how) });
  };
}

function isWhole(api: ApiFunction): api is Api {
  return "refuse" in api;
}
