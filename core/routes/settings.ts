import { crc32Hex } from "../bytes/crc32.ts";
import { utf8 } from "../bytes/utf8.ts";
import type { CorsRule } from "../http/cors.ts";
import type { Observations } from "../ports.ts";
import { createPriceContext, type PriceSettings } from "../queries/price_settings.ts";
import { createZone, type Zone } from "../time/zone.ts";
import type { CustomRoute } from "./custom_route.ts";
import type { Context, Route } from "./handler.ts";
import { recordHeads } from "./record_json.ts";
import { ROUTES } from "./route_table.ts";

/** What an operator can decide. Everything has a default. */
export interface Settings extends PriceSettings {
  /** IANA zone at whose midnights a quota day begins. Default `UTC`. */
  readonly quotaTimeZone?: string;
  /** What a failing request costs: on most routes nothing (`contract`), or its unit on all (`always`). Default `contract`. */
  readonly chargeFailures?: "contract" | "always";
  /** Which web pages may read answers. Default `*`. */
  readonly cors?: CorsRule;
  /** The name in the status answer. Default `mazaneh`. */
  readonly application?: string;
  /** Absolute URL, or a path of this server, in the status answer. Default `/docs`, where `pageRoutes` serves a page. */
  readonly documentationUrl?: string;
  /** Routes besides the nine, made by `defineRoute`. None may have method and path of another. Default: none. */
  readonly routes?: readonly CustomRoute[];
  /** Tells whether requests with a key can be served just now; where not, the status answer says `UNAVAILABLE`. Default: always. */
  readonly canServe?: () => boolean;
}

/** The settings, checked, and what is made from them once. */
export interface PreparedSettings {
  readonly context: Context;
  /** The nine routes, and those of the embedder. */
  readonly table: readonly Route[];
  readonly quotaZone: Zone;
  readonly cors: CorsRule;
  readonly chargeFailures: "contract" | "always";
}

// A part of every entity tag: raise it with any change to the bytes of an answer.
const RENDERING = 2;

/** Checks the settings. Throws `RangeError` where one cannot be served. */
export function prepareSettings(settings: Settings, observations: Observations): PreparedSettings {
  const prices = createPriceContext(settings, observations);
  const { assets, marketZone, staleThresholdMinutes } = prices;
  const table = [...ROUTES, ...(settings.routes ?? [])];
  demandPlaces(table);
  const context: Context = {
    ...prices,
    codes: [...assets.values()].map(({ code }) => code),
    heads: recordHeads(assets),
    application: settings.application ?? "mazaneh",
    documentationUrl: settings.documentationUrl ?? "/docs",
    canServe: settings.canServe ?? (() => true),
    revision: crc32Hex(utf8(JSON.stringify([RENDERING, [...assets.values()], marketZone.name, staleThresholdMinutes]))),
    routes: ROUTES,
  };
  return {
    context,
    table,
    quotaZone: createZone(settings.quotaTimeZone ?? "UTC"),
    cors: settings.cors ?? "*",
    chargeFailures: settings.chargeFailures ?? "contract",
  };
}

/** Throws `RangeError` where two routes have one method and path. The names of parameters do not tell paths apart. */
function demandPlaces(table: readonly Route[]): void {
  const taken = new Map<string, Route>();
  for (const route of table) {
    const place = `${route.method} ${route.path.replace(/\{\w+\}/g, "{}")}`;
    const other = taken.get(place);
    if (other)
      throw new RangeError(
        `Cannot add the route "${route.method} ${route.path}" as "${other.method} ${other.path}" answers such requests`,
      );
    taken.set(place, route);
  }
}
