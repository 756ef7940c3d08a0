import { crc32Hex } from "../bytes/crc32.ts";
import { utf8 } from "../bytes/utf8.ts";
import type { CustomAnswer } from "../routes/custom_answer.ts";
import { type CustomRoute, defineRoute } from "../routes/custom_route.ts";
import { createOpenApi, type OpenApiSettings } from "./document.ts";

/**
 * Makes the route `GET /openapi.json`, which needs no key and is free. The document is made at the first request, and
 * kept as bytes. It includes this route.
 *
 * @param settings The settings of the API, including its other custom routes.
 */
export function openApiRoute(settings: OpenApiSettings = {}): CustomRoute {
  let made: CustomAnswer | undefined;
  const route = defineRoute({
    method: "GET",
    path: "/openapi.json",
    auth: "none",
    charge: "free",
    summary: "OpenAPI document",
    docs: { operationId: "getOpenApi", hasTag: true, answer: { schema: { type: "object" } } },
    handle: () => (made ??= answer()),
  });

  function answer(): CustomAnswer {
    const body = utf8(JSON.stringify(createOpenApi({ ...settings, routes: [...(settings.routes ?? []), route] })));
    return { body, contentType: "application/json; charset=utf-8", tag: crc32Hex(body) };
  }

  return route;
}
