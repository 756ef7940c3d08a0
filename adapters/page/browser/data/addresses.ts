import type { PageSettings } from "../../page_settings.ts";
import type { Language } from "./preferences.ts";

const VIEWS = ["market", "asset", "coins", "gold", "convert"] as const;

/** The pages that the header and footer of every page link to. */
export const TABS = ["market", "coins", "convert", "reference", "guide"] as const;

/** What the page shows, according to the hash of its address: `#/`, `#/asset/USD_RLS?interval=1h`. */
export interface Place {
  readonly view: (typeof VIEWS)[number];
  /** The asset's code, in capitals like all codes; `undefined` if the view shows no single asset. */
  readonly id: string | undefined;
  readonly query: URLSearchParams;
}

/** The place that an address names: by its hash or, without one, by a path such as `/docs/asset/USD_RLS`. Unknown addresses lead to the market. */
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
  query?: URLSearchParams | Readonly<Record<string, string>>,
): string {
  let path = "";
  if (view !== "market") path = id === undefined ? view : `${view}/${encodeURIComponent(id)}`;
  const text = query === undefined ? "" : new URLSearchParams(query).toString();
  return `#/${path}${text === "" ? "" : `?${text}`}`;
}

/** The address of a documentation page, or of a section in it, relative to the root: `docs/guide.fa#quota`. A query fills in the route's form. */
export function docsAddress(
  page: "reference" | "guide",
  language: Language,
  { id, query }: { readonly id?: string; readonly query?: string } = {},
): string {
  return `docs/${page}${language === "fa" ? ".fa" : ""}${query ? `?${query}` : ""}${id === undefined ? "" : `#${encodeURIComponent(id)}`}`;
}

/** The address of documentation outside this page; `undefined` where this page is the documentation, as an empty address says. A path is relative to the host, as in the status answer. */
export function documentationOf(
  { documentationUrl = "" }: Pick<PageSettings, "documentationUrl">,
  baseUrl: string,
): string | undefined {
  const here = `${baseUrl}/docs`;
  const url = URL.canParse(documentationUrl, here) ? new URL(documentationUrl, here) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || `${url.origin}${url.pathname}` === here) return undefined;
  return url.href;
}

/** Path and hash as the browser shows them. An asset is in the path, so servers see it and can show its name and price in link previews. */
export function shownAddress({ view, id = "", query }: Place, hash: string): string {
  if (view !== "asset") return `/docs${hash}`;
  return `/docs/asset/${encodeURIComponent(id)}${query.size === 0 ? "" : hash}`;
}

/** Decodes a part of a hash. A lone `%`, as people type it, stays as it is. */
function decode(part: string): string {
  return new URLSearchParams(`part=${part.replace(/[+&]/g, encodeURIComponent)}`).get("part")!;
}
