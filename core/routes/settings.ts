import { crc32Hex } from "../bytes/crc32.ts";
import { utf8 } from "../bytes/utf8.ts";
import type { CorsRule } from "../http/cors.ts";
import type { Observations } from "../ports.ts";
import { createPriceContext, type PriceSettings } from "../queries/price_settings.ts";
import { createZone } from "../time/zone.ts";
import type { CustomRoute } from "./custom_route.ts";
import type { Context, Route } from "./handler.ts";
import { recordHeads } from "./record_json.ts";
import { ROUTES } from "./route_table.ts";

/** The settings of an API. Each has a default. */
export interface Settings extends PriceSettings {
  /** IANA time zone of the quota days. Default `UTC`. */
  readonly quotaTimeZone?: string;
  /** `contract`: on most routes, a failed request costs nothing. `always`: it costs a unit. Default `contract`. */
  readonly chargeFailures?: "contract" | "always";
  /** The web pages that may read answers. Default `*`. */
  readonly cors?: CorsRule;
  /** The name in the status answer. Default `mazaneh`. */
  readonly application?: string;
  /** The link to the documentation in the status answer: an absolute URL, or a path on this server. Default `/docs`. */
  readonly documentationUrl?: string;
  /** Additional routes, made by `defineRoute`. No two routes may have the same method and path. Default: none. */
  readonly routes?: readonly CustomRoute[];
  /** Whether requests with a key can currently be served. If not, the status is `UNAVAILABLE`. Default: always. */
  readonly canServe?: () => boolean;
}

// A part of every entity tag. Raise the number whenever a new version renders an answer with different bytes.
const RENDERING = 2;

/**
 * Adds the defaults to the settings, and makes the context for the handlers. Throws `RangeError` for an invalid
 * setting.
 */
export function prepareSettings(settings: Settings, observations: Observations) {
  const { application = "mazaneh", documentationUrl = "/docs", canServe = () => true } = settings;
  const { routes = [], cors = "*", chargeFailures = "contract" } = settings;
  const prices = createPriceContext(settings, observations);
  const { assets, marketZone, staleThresholdMinutes } = prices;
  const catalog = [...assets.values()];
  const table: readonly Route[] = [...ROUTES, ...routes];
  const codes = catalog.map(({ code }) => code);
  const heads = recordHeads(assets);
  const revision = crc32Hex(utf8(JSON.stringify([RENDERING, catalog, marketZone.name, staleThresholdMinutes])));
  const server = { application, documentationUrl, canServe, routes: ROUTES };
  const context: Context = { ...prices, ...server, codes, heads, revision };
  return { context, table, quotaZone: createZone(settings.quotaTimeZone ?? "UTC"), cors, chargeFailures };
}
