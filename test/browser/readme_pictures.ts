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
  const desktop = await browser.newPage({
    viewport: { width: 1000, height: 700 },
    locale: "en-US",
    timezoneId: "Asia/Tehran",
    colorScheme: "light",
  });
  await desktop.goto(`${url}/docs#/asset/USD_RLS?interval=4h&range=1m`);
  await chartOf(desktop);
  await desktop.screenshot({ path: `${FOLDER}/asset.png`, animations: "disabled" });
  const phone = await browser.newPage({
    viewport: { width: 390, height: 700 },
    locale: "fa-IR",
    timezoneId: "Asia/Tehran",
    colorScheme: "dark",
  });
  await phone.goto(`${url}/docs`);
  await pricesOf(phone);
  await phone.screenshot({ path: `${FOLDER}/market.png`, animations: "disabled" });
  const bytes = ["asset.png", "market.png"].reduce((sum, name) => sum + statSync(`${FOLDER}/${name}`).size, 0);
  if (bytes > MOST_BYTES) throw new Error(`The pictures have ${bytes} bytes, more than ${MOST_BYTES}`);
});
