import { failure, targetAfter } from "../../core/internal.ts";
import type { Api, ApiFunction } from "../../core/mod.ts";

/** The option of all adapters that serve an API within an app. */
export interface BasePathOption {
  /**
   * The path under which clients find the API, e.g. `/prices`, as the target has it: not decoded. Requests for other paths get
   * 404. Needs an API of `createApi`. Default: none.
   *
   * @throws RangeError for a text that is no such path.
   */
  readonly basePath?: string;
}

/** The API under a base path, where there is one. */
export function underBasePath(api: ApiFunction, basePath = ""): ApiFunction {
  if (basePath === "") return api;
  // As clients write it: they encode letters, and leave out segments of dots.
  const isPath = /^(?:\/[^/?#]+)+$/.test(basePath) && new URL(basePath, "http://localhost").pathname === basePath;
  if (!isPath)
    throw new RangeError(`Cannot serve under a base path as it must be like "/prices": received "${basePath}"`);
  if (!isWhole(api)) throw new TypeError("Cannot serve under a base path as the API must be one of createApi");
  const outside = failure("ROUTE_NOT_FOUND", `The paths of this API begin with ${basePath}/`);
  return (request) => {
    const { method, headers, scheme, sentTarget = request.target } = request;
    // Express removes the path of a mount from the target.
    const target = targetAfter(basePath, request.target) ?? targetAfter(basePath, sentTarget);
    if (target === undefined) return api.refuse(request, outside);
    return api({ method, target, sentTarget, headers, scheme, text: (...how) => request.text(...how) });
  };
}

function isWhole(api: ApiFunction): api is Api {
  return "refuse" in api;
}
