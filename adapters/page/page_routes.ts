import { crc32Hex, indexAssets } from "../../core/internal.ts";
import { ASSETS, defineRoute } from "../../core/mod.ts";
import type { CustomAnswer, CustomRoute, Settings } from "../../core/mod.ts";
import { createOpenApi, openApiRoute } from "../../core/openapi/mod.ts";
import type { OpenApiDocument } from "../../core/openapi/mod.ts";
import { FILES, FONTS, GUIDE } from "./built_files.ts";
import { docsMarkdown } from "./docs_markdown.ts";
import type { TextSources } from "./docs_markdown.ts";
import { docsHtml, isDocsPage } from "./docs_html.ts";
import type { DocsPage } from "./docs_html.ts";
import { pageHtml } from "./html.ts";
import { llmsText } from "./llms_text.ts";
import { marketRoute } from "./market_route.ts";
import type { MarketSettings } from "./market_route.ts";
import type { PageAsset, PageSettings } from "./page_settings.ts";

/** What the page is made from: the store and the settings of `createApi`, and what only the page is told. */
export interface PageRouteSettings
  extends MarketSettings, Pick<Settings, "application" | "documentationUrl" | "staleThresholdMinutes" | "quotaTimeZone" | "maxCandles" | "chargeFailures" | "routes"> {
  /** Where clients reach the API, as for `openApiRoute`; `/` leads to the page under the first. Default: `/`, or the prefix that a proxy takes off. */
  readonly servers?: readonly string[];
  /** The version that the page shows. Default: none. */
  readonly version?: string;
  /** Tells at each load of the page, from memory, whether prices are made up, which it then says in every view. Default: they are not. */
  readonly isSample?: () => boolean;
  /** The key that the page gives to all who open it, while prices are made up. Default: none. */
  readonly demoKey?: () => string | undefined;
}

/** Nothing but our own files and our own API: no other host, no script or style in the HTML, no frame around it. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The last one keeps a page that has opened this one, or was opened by it, from reaching its window. */
const FIELDS = { "Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin" };
const TYPES: Readonly<Record<string, string>> = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8", woff2: "font/woff2" };
const PAGE = { method: "GET", auth: "none", charge: "free", docs: false } as const;

/**
 * Makes the routes of the page, for the setting `routes` of `createApi`: `/docs` with its files, `/docs/reference` and `/docs/guide`,
 * `/`, which leads there, and `/docs.md`, `/llms.txt` and `/openapi.json` for machines: all without a key and free; and
 * `/docs/market`, which costs a unit. The OpenAPI document leaves the others out.
 *
 * @param settings Those of the API. `routes` are the embedder's others, which are described as well.
 */
export function pageRoutes(settings: PageRouteSettings): readonly CustomRoute[] {
  const encoder = new TextEncoder();
  const texts = Object.entries(FILES).map(([name, text]) => [name, fileAnswer(name, encoder.encode(text))] as const);
  const fonts = Object.entries(FONTS).map(([name, text]) => [name, fileAnswer(name, Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)))] as const);
  const files = new Map([...texts, ...fonts]);
  const told = pageSettings(settings);
  // Relative, so that it is right below a prefix that a proxy takes off.
  const home = settings.servers === undefined ? "docs" : `${withoutSlash(settings.servers[0] ?? "")}/docs`;
  const openApi = openApiRoute(settings);

  let last: { readonly isSample: boolean; readonly demoKey: string | undefined; readonly made: Map<DocsPage | "docs", CustomAnswer> } | undefined;

  /** The same bytes while nothing changes, since the server compresses them only once. */
  function page(name: DocsPage | "docs"): CustomAnswer {
    const isSample = settings.isSample?.() ?? false;
    const demoKey = isSample ? settings.demoKey?.() : undefined;
    if (last?.isSample !== isSample || last.demoKey !== demoKey) last = { isSample, demoKey, made: new Map() };
    const found = last.made.get(name) ?? htmlAnswer(name, { isSample, ...(demoKey !== undefined && { demoKey }) });
    last.made.set(name, found);
    return found;
  }

  function htmlAnswer(name: DocsPage | "docs", state: Pick<PageSettings, "isSample" | "demoKey">): CustomAnswer {
    const facts = { ...told, ...state };
    const body = encoder.encode(name === "docs" ? pageHtml(facts) : docsHtml(name, facts, describedApi()));
    return { body, contentType: "text/html; charset=utf-8", tag: crc32Hex(body), fields: FIELDS };
  }

  function describedApi(): OpenApiDocument {
    return createOpenApi({ ...settings, routes: [...(settings.routes ?? []), openApi] });
  }

  function textRoute(path: string, contentType: string, make: (sources: TextSources) => string): CustomRoute {
    let made: CustomAnswer | undefined; // at the first request, as most visitors of the page never ask for it
    const answer = (): CustomAnswer => {
      const body = encoder.encode(make({ settings: told, document: describedApi() }));
      return { body, contentType, tag: crc32Hex(body) };
    };
    return defineRoute({ ...PAGE, path, summary: "The documentation, for machines", handle: () => (made ??= answer()) });
  }

  return [
    textRoute("/docs.md", "text/markdown; charset=utf-8", (sources) => docsMarkdown(sources, GUIDE)),
    textRoute("/llms.txt", "text/plain; charset=utf-8", llmsText),
    defineRoute({ ...PAGE, path: "/", summary: "Leads to the page", handle: () => ({ redirect: home }) }),
    defineRoute({ ...PAGE, path: "/docs", summary: "The page", handle: () => page("docs") }),
    defineRoute({ ...PAGE, path: "/docs/{file}", summary: "A file of the page", handle: ({ params: { file } }) => (isDocsPage(file) ? page(file) : (files.get(file) ?? NO_FILE)) }),
    marketRoute(settings),
    openApi,
  ];
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, "");
}

const NO_FILE: CustomAnswer = { failure: "ROUTE_NOT_FOUND", message: "The page has no such file" };

function fileAnswer(name: string, body: Uint8Array): CustomAnswer {
  return { body, contentType: TYPES[name.slice(name.lastIndexOf(".") + 1)]!, tag: crc32Hex(body), isImmutable: true };
}

function pageSettings(settings: PageRouteSettings) {
  const { assets = ASSETS, application = "mazaneh", version, documentationUrl = "/docs", servers: [server = "/"] = [] } = settings;
  const { marketTimeZone = "Asia/Tehran", quotaTimeZone = "UTC", staleThresholdMinutes = 60, maxCandles = 10_000 } = settings;
  const isHere = documentationUrl === "/docs" || documentationUrl === `${withoutSlash(server)}/docs`;
  return {
    application, marketTimeZone, quotaTimeZone, staleThresholdMinutes, maxCandles,
    ...(version !== undefined && { version }),
    documentationUrl: isHere ? undefined : documentationUrl,
    assets: [...indexAssets(assets).values()].map(({ code, baseCode, category, labelEn, labelFa, quoteUnit }): PageAsset => {
      return { code, baseCode, category, labelEn, labelFa, quoteUnit };
    }),
  };
}
