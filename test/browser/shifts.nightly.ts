// Layout shifts at first visits, when fonts and prices arrive late.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { PHONE, skip, startChromium, visits } from "./chromium.ts";
import { pricesOf } from "./market_suite.ts";
import { sampleSite } from "./sites.ts";

const MOST_SHIFT = 0.05;

/** Delays fonts and prices, and adds up the layout shifts. */
async function lateAndMeasured(page: Page): Promise<void> {
  await page.route(/\/docs\/(?:market$|api\/|.*woff2$)/, async (route) => setTimeout(() => void route.continue(), 400));
  await page.addInitScript(() => {
    const measured = Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) measured.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
}

test("content does not move when fonts and prices arrive late, on a phone and a laptop", { skip }, async (t) => {
  const [browser, site] = await Promise.all([startChromium(t), sampleSite(t)]);
  const visit = visits(t, browser);
  for (const viewport of [PHONE, { width: 1366, height: 768 }])
    for (const locale of ["en-US", "fa-IR"] as const)
      for (const at of ["", "#/asset/USD_RLS", "#/coins"]) {
        const visiting = { site, viewport, locale, at, before: lateAndMeasured };
        await visit(`${viewport.width} ${locale} ${at}`, visiting, async ({ page }) => {
          if (at === "") await pricesOf(page);
          await page.waitForLoadState("networkidle");
          await page.evaluate(() => document.fonts.ready);
          await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
          const shift = await page.evaluate(() => (window as unknown as { shift: number }).shift);
          t.diagnostic(`${viewport.width} ${locale} ${at}: ${shift.toFixed(4)}`);
          assert.ok(shift <= MOST_SHIFT, `${shift}`);
        });
      }
});
