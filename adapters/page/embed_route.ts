import { crc32Hex } from "../../core/internal.ts";
import { type CustomAnswer, type CustomRoute, defineRoute, Unavailable, type UtcMillis } from "../../core/mod.ts";
import { createAnswerCache } from "./answer_cache.ts";
import type { Preferences } from "./browser/data/preferences.ts";
import { boxHtml } from "./embed/box_html.ts";
import { boxSvg } from "./embed/box_svg.ts";
import { type BoxFacts, createPriceBoxes, parseChoices } from "./embed/price_box.ts";
import { PUBLIC_FRESH_MS } from "./market_data_route.ts";
import type { MarketSummary } from "./market_summary.ts";
import type { PageSettings } from "./page_settings.ts";

/** Returns the market, or `undefined` if reading takes too long. */
type ReadMarket = (now: UtcMillis) => Promise<{ readonly summary: MarketSummary } | undefined>;
/** The settings that a box depends on. */
type EmbedFacts = Omit<PageSettings, "isSample" | "isEmpty" | "demoKey">;

/** Allows only the box's style and the page's fonts. Without `frame-ancestors`, any site may frame the box. */
const FIELDS = {
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; base-uri 'none'; form-action 'none'",
  "Referrer-Policy": "no-referrer",
};
/** How many boxes are kept, in about a megabyte. Other boxes are made again from the market in memory. */
const MOST_KEPT = 200;

/**
 * Returns the route of embedded prices: `GET /docs/embed/{code}` is a page for frames, `{code}.svg` a picture of 340 ×
 * 120 pixels. `lang`, `unit` and `theme` are optional. If there is no price, the box says why; the status is still 200.
 */
export function embedRoute(facts: EmbedFacts, isSample: () => boolean, readMarket: ReadMarket): CustomRoute {
  const boxOf = createPriceBoxes(facts.marketTimeZone);
  const kept = createAnswerCache<CustomAnswer>({ freshMs: PUBLIC_FRESH_MS, most: MOST_KEPT });

  function answer(file: string, choices: Preferences, now: UtcMillis): CustomAnswer | Promise<CustomAnswer> {
    const isPicture = file.endsWith(".svg");
    const code = isPicture ? file.slice(0, -".svg".length) : file;
    const asset = facts.assets.find((known) => known.code === code);

    function drawn(price: BoxFacts["price"]): CustomAnswer {
      const box = boxOf({ ...facts, isSample: isSample(), code, asset, price, now }, choices);
      const body = new TextEncoder().encode(isPicture ? boxSvg(box) : boxHtml(box));
      const contentType = `${isPicture ? "image/svg+xml" : "text/html"}; charset=utf-8`;
      const isLate = price === "late";
      // The page in a frame reloads itself: after five minutes, or ten seconds if the price was not read in time.
      const fields = isPicture ? FIELDS : { ...FIELDS, Refresh: isLate ? "10" : "300" };
      return { body, contentType, fields, ...(!isLate && { tag: crc32Hex(body), maxAgeSeconds: 60 }) };
    }
    async function made(): Promise<CustomAnswer> {
      const market = await readMarket(now);
      if (!market) throw new Unavailable("The market was not read in time");
      return drawn(market.summary.assets.find((known) => known.code === code) ?? "empty");
    }
    if (!asset || !facts.isPublic) return drawn(asset ? "closed" : "unknown");
    // The name contains the parsed choices, so that differently written queries share an answer.
    const name = [file, choices.language, choices.unit, choices.theme].join(" ");
    return kept(name, now, made).catch((error: unknown) => {
      if (error instanceof Unavailable) return drawn("late");
      throw error;
    });
  }

  return defineRoute({
    method: "GET",
    auth: "none",
    charge: "free",
    docs: false,
    path: "/docs/embed/{file}",
    summary: "The price of an asset, for other sites",
    // Unlike in the API, repeated parameters are not rejected, because an error would appear on somebody else's page.
    handle: ({ params: { file }, request, now }) => answer(file, parseChoices(request.target.split("?")[1] ?? ""), now),
  });
}
