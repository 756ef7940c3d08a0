// Makes the two pictures of the README again: `npx tsx test/browser/readme_pictures.ts`.
import { mkdirSync, statSync } from "node:fs";
import { test } from "node:test";
import { chartOf } from "./asset_suite.ts";
import { skip, startChromium } from "./chromium.ts";
import { pricesOf } from "./market_suite.ts";
import { sampleSite } from "./sites.ts";

const FOLDER = "fixtures/screenshots";
const MOST_BYTES = 150_000;

test("pictures of the README", { skip }, async (t) => {
  const [browser, { url }] = await Promise.all([startChromium(t), sampleSite(t)]);
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, width, locale, colorScheme, at] of [
    ["asset", 1_000, "en-US", "light", "#/asset/USD_RLS?interval=4h&range=1m"],
    ["market", 390, "fa-IR", "dark", ""],
  ] as const) {
    const viewport = { width, height: 700 };
    const page = await browser.newPage({ viewport, locale, colorScheme, timezoneId: "Asia/Tehran" });
    await page.goto(`${url}/docs${at}`);
    await (name === "asset" ? chartOf(page) : pricesOf(page));
    await page.screenshot({ path: `${FOLDER}/${name}.png`, animations: "disabled" });
  }
  const bytes = ["asset.png", "market.png"].reduce((sum, name) => sum + statSync(`${FOLDER}/${name}`).size, 0);
  if (bytes > MOST_BYTES) throw new Error(`The pictures have ${bytes} bytes, more than ${MOST_BYTES}`);
});
