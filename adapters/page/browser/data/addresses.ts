import type { PageSettings } from "../../page_settings.ts";
import type { Language } from "./preferences.ts";

const VIEWS = ["market", "asset", "coins", "gold", "convert"] as const;

/** The pages that the header and footer of every page link to. */
export const TABS = ["market", "coins", "convert", "reference", "guide"] as const;

/** The place that an address leads to. The view is in the hash, as in `#/asset/USD_RLS?interval=1h`. */
export interface Place {
  readonly view: (typeof VIEWS)[number];
  /** The code of the asset, in capitals; `undefined` if the view is not about one asset. */
  readonly id: string | undefined;
  readonly query: URLSearchParams;
}

/** Reads the place from a hash or from a path such as `/docs/asset/USD_RLS`. Any other address leads to the market. */
export function placeOf(hash: string, pathname = ""): Place {
  const said = hash.replace(/^#?\/?/, "") || (/\/docs\/(asset\/[^/]+)$/.exec(pathname)?.[1] ?? "");
  const [path = "", query = ""] = hash === "#/" ? [] : said.split(/\?(.*)/s);
  const [name = "", ...rest] = path.split("/");
  const view = VIEWS.find((known) => known === name) ?? "market";
  const id = view === "market" || rest.length === 0 ? undefined : decode(rest.join("/")).toUpperCase() || undefined;
  return { view: view === "asset" && id === undefined ? "market" : view, id, query: new URLSearchParams(query) };
}

/** The hash address of a place, beginning with `#/`. */
export function addressOf(
  view: Place["view"],
  id?: string,
  query: URLSearchParams | Readonly<Record<string, string>> = {},
): string {
  const path = id === undefined ? view : `${view}/${encodeURIComponent(id)}`;
  const text = new URLSearchParams(query).toString();
  return `#/${view === "market" ? "" : path}${text && `?${text}`}`;
}

/** The address of a documentation page or section, from the root: `docs/guide.fa#quota`. `query` fills in a route's form. */
export function docsAddress(
  page: "reference" | "guide",
  language: Language,
  { id, query }: { readonly id?: string; readonly query?: string } = {},
): string {
  return `docs/${page}${language === "fa" ? ".fa" : ""}${query ? `?${query}` : ""}${id === undefined ? "" : `#${encodeURIComponent(id)}`}`;
}

/** The full URL of `documentationUrl`, which may be a path; `undefined` if this page is the documentation. */
export function documentationOf(settings: Pick<PageSettings, "documentationUrl">, baseUrl: string): string | undefined {
  const { documentationUrl = "" } = settings;
  const here = `${baseUrl}/docs`;
  const url = URL.canParse(documentationUrl, here) ? new URL(documentationUrl, here) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || `${url.origin}${url.pathname}` === here) return undefined;
  return url.href;
}

/** The displayed path and hash. An asset's code is in the path, so that the server can send a link preview. */
export function shownAddress({ view, id = "", query }: Place, hash: string): string {
  if (view !== "asset") return `/docs${hash}`;
  return `/docs/asset/${encodeURIComponent(id)}${query.size === 0 ? "" : hash}`;
}

/** Decodes a part of a hash. A `%` that does not start an escape stays as it is. */
function decode(part: string): string {
  return new URLSearchParams(`part=${part.replace(/[+&]/g, encodeURIComponent)}`).get("part")!;
}
