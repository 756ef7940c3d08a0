// Every view in both languages, both themes and four widths, with embedded prices and the operators' page: axe-core finds nothing, nothing is wider than the screen,
// and a screenshot is saved in .cache/screenshots/ for people to look at.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { chartOf } from "./asset_suite.ts";
import { accessFaults, DESKTOP, PHONE, skip, startChromium, TABLET, tooWide, visits, WIDE } from "./chromium.ts";
import { pricesOf, searchFor } from "./market_suite.ts";
import { send } from "./reference_suite.ts";
import { bazaarSite, operatorsSite, ownSite, type Site, sampleSite } from "./sites.ts";

const FOLDER = ".cache/screenshots";
/** Maximum height of a screenshot: the reference has 47,000 pixels on a phone, which takes a busy machine a minute. */
const MOST_HEIGHT = 8_000;

/** The states of the views, and how to get to each state from the previous state. */
const VIEWS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  market: pricesOf,
  async search(page) {
    await searchFor(page, "dollar");
    await page.locator("#found-USD_RLS").waitFor();
  },
  async display_panel(page) {
    await page.keyboard.press("Escape");
    await page.locator("#display-panel-summary").click();
    await page.locator("#theme-auto").waitFor();
  },
  async asset(page) {
    await page.keyboard.press("Escape");
    await go(page, "#/asset/USD_RLS");
    await chartOf(page);
  },
  async embed_panel(page) {
    await page.locator("#asset-embed").click();
    await page.frameLocator("#embed-panel iframe").locator("a").first().waitFor();
  },
  coins: (page) => reach(page, "#/coins", ".year-line"),
  past_day: (page) => reach(page, "#/?day=1405-05-31", ".past-day .market"),
  gold: (page) => reach(page, "#/gold?extras=5000000", "#gold-total"),
  convert: (page) => reach(page, "#/convert?amount=1500", "#convert-result .n"),
  asset_unknown: (page) => reach(page, "#/asset/usd", '.asset h1:has-text("USD")'),
  async reference_answers(page) {
    await toReference(page);
    await send(page, "getCandles", 200);
    await page.locator("#getHistory-from").fill("2020-01-01");
    await send(page, "getHistory", 417);
  },
  async guide(page) {
    await page.locator(".tabs a:last-child").dispatchEvent("click");
    await page.locator(".guide").waitFor();
  },
};

/** Three panes side by side. */
const WIDE_VIEWS: typeof VIEWS = {
  async panes(page) {
    await pricesOf(page);
    await chartOf(page);
  },
  ...VIEWS,
};

/** An embedded price, and a box without a price. */
const EMBEDDED: typeof VIEWS = {
  embedded_en: (page) => embed(page, "USD_RLS?lang=en"),
  embedded_fa: (page) => embed(page, "USD_RLS?lang=fa&unit=toman"),
  embedded_unknown: (page) => embed(page, "NOTHING?lang=en"),
};

/** The operators' page. */
const OPERATORS: typeof VIEWS = {
  operators: (page) => page.goto(new URL("/", page.url()).href),
};

/** Views that are shown before a key is entered. */
const VIEWS_WITHOUT_KEY: typeof VIEWS = {
  market_without_key: (page) => page.locator(".missing").waitFor(),
  async key_panel(page) {
    await page.locator("#key-panel-summary").click();
    await page.locator("#key-field").waitFor();
  },
  async asset_without_key(page) {
    await page.keyboard.press("Escape");
    await reach(page, "#/asset/USD_RLS", ".asset .missing");
  },
};

/** Goes to an address, and waits until a selector matches. */
async function reach(page: Page, address: string, selector: string): Promise<void> {
  await go(page, address);
  await page.locator(selector).waitFor();
}

function embed(page: Page, box: string): Promise<unknown> {
  return page.goto(new URL(`/docs/embed/${box}`, page.url()).href);
}

function go(page: Page, address: string): Promise<void> {
  return page.evaluate((hash) => void (location.hash = hash), address);
}

async function toReference(page: Page): Promise<void> {
  await page.locator(".tabs a:nth-last-child(2)").dispatchEvent("click");
  await page.locator(".operation").first().waitFor();
}

/** Views of assets with long and strange names. */
const VIEWS_OF_OWN_CATALOG: typeof VIEWS = {
  own_market: pricesOf,
  async own_asset(page) {
    await go(page, "#/asset/SAFFRON_RLS");
    await chartOf(page);
  },
  own_without_record: (page) => reach(page, "#/asset/X234567890123456789012345678_USD", ".missing"),
  own_reference: toReference,
};

test("sweep through all views of the page in Chromium", { skip, concurrency: 2 }, async (t) => {
  const [browser, sample, own, bazaar, operators] = await Promise.all([
    startChromium(t),
    sampleSite(t),
    ownSite(t),
    bazaarSite(t),
    operatorsSite(t),
  ]);
  mkdirSync(FOLDER, { recursive: true });
  const visit = visits(t, browser);
  const tests: Promise<void>[] = [];
  for (const locale of ["en-US", "fa-IR"] as const)
    for (const colorScheme of ["light", "dark"] as const)
      for (const viewport of [DESKTOP, TABLET, PHONE, WIDE]) {
        const name = `${locale} ${colorScheme} ${viewport.width}`;
        const swept: [Site, typeof VIEWS][] = [
          [sample, viewport === WIDE ? WIDE_VIEWS : VIEWS],
          [sample, EMBEDDED],
          [operators, OPERATORS],
        ];
        if (viewport !== WIDE) swept.push([own, VIEWS_WITHOUT_KEY]);
        if (viewport === PHONE && colorScheme === "light") swept.push([bazaar, VIEWS_OF_OWN_CATALOG]);
        for (const [site, views] of swept) {
          const visiting = { site, locale, colorScheme, viewport, provokes: [404, 417] };
          tests.push(
            visit(`sweep: ${Object.keys(views).join(", ")}: ${name}`, visiting, async ({ page }) => {
              const faults: string[] = [];
              for (const [view, reach] of Object.entries(views)) {
                await reach(page);
                const isPanel = view.endsWith("_panel");
                await page.evaluate(() => scrollTo(0, 0)); // so that the header is at the top of full-page screenshots
                const scrollHeight = await page.evaluate(() => document.scrollingElement!.scrollHeight);
                const height = Math.min(MOST_HEIGHT, isPanel ? viewport.height : scrollHeight);
                await page.screenshot({
                  path: `${FOLDER}/${view}-${name.replaceAll(" ", "-")}.png`,
                  fullPage: true,
                  clip: { x: 0, y: 0, width: viewport.width, height },
                  animations: "disabled",
                });
                // Checks only the panel, because the view below it is large and does not change.
                const found = [...(await tooWide(page)), ...(await accessFaults(page, isPanel ? ".top" : "html"))];
                faults.push(...found.map((fault) => `${view}: ${fault}`));
              }
              assert.deepEqual(faults, []);
            }),
          );
        }
      }
  await Promise.all(tests);
});
