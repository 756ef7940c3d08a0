import { crc32Hex, indexAssets } from "../../core/internal.ts";
import type { AssetCode, CustomAnswer, CustomRoute, Settings, UtcMillis } from "../../core/mod.ts";
import { ASSETS, defineRoute } from "../../core/mod.ts";
import { createOpenApi, openApiRoute } from "../../core/openapi/mod.ts";
import { FILES } from "./built_files.ts";
import { type DocsPage, docsHtml, isDocsPage } from "./docs_html.ts";
import { embedRoute } from "./embed_route.ts";
import { docsMarkdown, llmsText } from "./llms_and_markdown_docs.ts";
import { createMarketReader, type MarketSettings, marketRoutes } from "./market_data_route.ts";
import type { MarketRow } from "./market_summary.ts";
import { type Preview, pageHtml } from "./page_html.ts";
import type { PageAsset, PageSettings } from "./page_settings.ts";
import { pastDayRoute } from "./past_day_route.ts";
import { publicPrices } from "./public_prices.ts";

/** The settings of the page: the same store and settings as for `createApi`, and some of the page's own. */
export interface PageRouteSettings
  extends MarketSettings,
    Pick<
      Settings,
      | "application"
      | "documentationUrl"
      | "staleThresholdMinutes"
      | "quotaTimeZone"
      | "maxCandles"
      | "chargeFailures"
      | "routes"
    > {
  /** The base URLs of the API, as for `openApiRoute`. `/` redirects to the page below the first URL. */
  readonly servers?: readonly string[];
  /** The version that the page shows. Default: none. */
  readonly version?: string;
  /** Returns whether prices are made up; if so, every view says so. Called at each load of the page. Default: false. */
  readonly isSample?: () => boolean;
  /** The key that the page gives to every visitor as long as prices are made up. Default: none. */
  readonly demoKey?: () => string | undefined;
}

/** Allows only the page's own files and API: no other host, no inline script or style, no framing by other sites. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Because of the last field, sites that open this page, or are opened by it, get no access to its window. */
const FIELDS = {
  "Content-Security-Policy": POLICY,
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
};
const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  woff2: "font/woff2",
  md: "text/markdown; charset=utf-8",
  txt: "text/plain; charset=utf-8",
};
const SOON_MS = 300;
type TextName = DocsPage | "docs" | "docs.md" | "llms.txt";
const PAGE = { method: "GET", auth: "none", charge: "free", docs: false } as const;

/**
 * Returns the page's routes, for the setting `routes` of `createApi`: `/docs` with its files, `/docs/reference`,
 * `/docs/guide`, the redirect `/`, `/docs/embed/{code}`, `/docs.md`, `/llms.txt` and `/openapi.json`, all public and
 * free. `/docs/market` costs one unit unless the market is public. Only `/openapi.json` is in the OpenAPI document.
 *
 * @param settings The API's settings. `routes` are the API's other custom routes, so that the page documents them.
 */
export function pageRoutes(settings: PageRouteSettings): readonly CustomRoute[] {
  const files = new Map(
    Object.entries(FILES).map(([name, text]) => [name, { ...answerOf(name, text), isImmutable: true }]),
  );
  const fixedSettings = pageSettings(settings);
  const { publicMarket = false, observations } = settings;
  const readMarket = createMarketReader(settings);
  // By default a relative address, so that the redirect also works below a prefix that a proxy strips.
  const home = settings.servers === undefined ? "docs" : `${withoutSlash(settings.servers[0] ?? "")}/docs`;
  const openApi = openApiRoute(settings);
  let hasPrices = false; // after the first price, the store is not asked again
  let asking: Promise<boolean> | undefined; // while a request hangs, the store is not asked again

  async function state(): Promise<PageSettings> {
    const isEmpty = !hasPrices && (await soon((asking ??= hasNone().finally(() => (asking = undefined))))) === true; // false if the store hangs
    const isSample = settings.isSample?.() ?? false;
    const demoKey = isSample ? settings.demoKey?.() : undefined;
    return { ...fixedSettings, isSample, isEmpty, ...(demoKey !== undefined && { demoKey }) };
  }

  async function hasNone(): Promise<boolean> {
    const { value } = await observations.latest(fixedSettings.assets.map(({ code }) => code as AssetCode));
    return !(hasPrices = value.some((found) => found !== undefined));
  }

  const made = new Map<string, { readonly of: string; readonly answer: CustomAnswer }>();

  /** A text made from the settings, which is reused until they change, so that it is compressed only once. */
  async function text(name: TextName): Promise<CustomAnswer> {
    const facts = await state();
    const of = JSON.stringify([facts.isSample, facts.isEmpty, facts.demoKey]);
    if (made.get(name)?.of !== of)
      made.set(name, { of, answer: { ...answerOf(name, textOf(name, facts)), fields: FIELDS } });
    return made.get(name)!.answer;
  }

  function textOf(name: TextName, facts: PageSettings): string {
    if (name === "docs") return pageHtml(facts);
    const document = createOpenApi({ ...settings, routes: [...(settings.routes ?? []), openApi] });
    if (name === "docs.md") return docsMarkdown(facts, document);
    return name === "llms.txt" ? llmsText(facts, document) : docsHtml(name, facts, document);
  }

  /** The page at the address of an asset, with the texts for link previews. */
  async function assetPage(code: string, now: UtcMillis): Promise<CustomAnswer> {
    const asset = fixedSettings.assets.find((known) => known.code === code);
    const market = asset && publicMarket ? await soon(readMarket(now)) : undefined;
    const row = market?.summary.assets.find((known) => known.code === code);
    const preview = asset && previewOf(asset, row, fixedSettings.application);
    return { ...answerOf("docs", pageHtml(await state(), "../../", preview)), fields: FIELDS };
  }

  return [
    ...(["docs", "docs.md", "llms.txt"] as const).map((name) =>
      defineRoute({ ...PAGE, path: `/${name}`, summary: "The page, or its text", handle: () => text(name) }),
    ),
    defineRoute({ ...PAGE, path: "/", summary: "Leads to the page", handle: () => ({ redirect: home }) }),
    defineRoute({
      ...PAGE,
      path: "/docs/{file}",
      summary: "A file of the page",
      handle: ({ params: { file } }) =>
        isDocsPage(file)
          ? text(file)
          : (files.get(file) ?? { failure: "ROUTE_NOT_FOUND", message: "The page has no such file" }),
    }),
    defineRoute({
      ...PAGE,
      path: "/docs/asset/{code}",
      summary: "The page of an asset",
      handle: ({ params: { code }, now }) => assetPage(code, now),
    }),
    embedRoute(fixedSettings, settings.isSample ?? (() => false), (now) => soon(readMarket(now))),
    ...marketRoutes(readMarket, settings),
    ...(publicMarket ? [...publicPrices(readMarket.versionOf), pastDayRoute(settings)] : []),
    openApi,
  ];
}

/** The value if it arrives soon; otherwise `undefined`, so that the page is served even if the store hangs. */
function soon<Value>(coming: Promise<Value>): Promise<Value | undefined> {
  const late = new Promise<undefined>((resolve) => void setTimeout(() => resolve(undefined), SOON_MS));
  return Promise.race([coming.catch(() => undefined), late]);
}

function previewOf(
  { code, category, labelEn, labelFa, quoteUnit }: PageAsset,
  row: MarketRow | undefined,
  application: string,
): Preview {
  const names = `${labelEn} · ${labelFa}`;
  const money = quoteUnit === "RLS" ? "rial" : quoteUnit;
  const unit = category === "INDEX" ? "points" : money;
  const write = (value: number): string => value.toLocaleString("en", { maximumSignificantDigits: 15 });
  const title = `${labelEn} (${code}) – ${application}`;
  if (row === undefined) return { title, description: names };
  const toman = row.value < 10_000 ? row.value / 10 : Math.round(row.value / 10); // whole toman from 1,000 on, as on the page
  const price = `${write(row.value)} ${unit}${unit === "rial" ? ` (${write(toman)} toman)` : ""}`;
  return { title, description: `${price}, ${row.businessTime.slice(0, 16).replace("T", " ")} UTC · ${names}` };
}

const withoutSlash = (url: string): string => url.replace(/\/$/, "");

/** The answer for a file or text. The content of fonts is in base64. A name without an extension means HTML. */
function answerOf(name: string, content: string) {
  const body = name.endsWith(".woff2")
    ? Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0))
    : new TextEncoder().encode(content);
  return {
    body,
    contentType: TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "text/html; charset=utf-8",
    tag: crc32Hex(body),
  };
}

function pageSettings(settings: PageRouteSettings) {
  const { application = "mazaneh", documentationUrl = "/docs", servers: [server = "/"] = [], version } = settings;
  const { assets = ASSETS, marketTimeZone = "Asia/Tehran", quotaTimeZone = "UTC" } = settings;
  const { staleThresholdMinutes = 60, maxCandles = 10_000 } = settings;
  const isHere = documentationUrl === "/docs" || documentationUrl === `${withoutSlash(server)}/docs`;
  return {
    application,
    isPublic: settings.publicMarket ?? false,
    marketTimeZone,
    quotaTimeZone,
    staleThresholdMinutes,
    maxCandles,
    ...(version !== undefined && { version }),
    documentationUrl: isHere ? undefined : documentationUrl,
    assets: [...indexAssets(assets).values()].map(({ code, category, labelEn, labelFa, quoteUnit }): PageAsset => {
      return { code, category, labelEn, labelFa, quoteUnit };
    }),
  };
}
