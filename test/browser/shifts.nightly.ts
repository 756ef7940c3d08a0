// Layout shifts at first visits, when fonts and prices arrive late.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, skip, startChromium } from "./chromium.ts";
import { pricesOf } from "./market_suite.ts";
import { sampleSite } from "./sites.ts";

const MOST_SHIFT = 0.05;

test("content does not move when fonts and prices arrive late, on a phone and a laptop", { skip }, async (t) => {
  const [browser, { url }] = await Promise.all([startChromium(t), sampleSite(t)]);
  for (const viewport of [PHONE, { width: 1366, height: 768 }])
    for (const locale of ["en-US", "fa-IR"])
      for (const at of ["", "#/asset/USD_RLS", "#/coins"]) {
        const context = await browser.newContext({ viewport, locale });
        const page = await context.newPage();
        await page.route(/\/docs\/(?:market$|api\/|.*woff2$)/, async (route) =>
          setTimeout(() => void route.continue(), 400),
        );
        await page.addInitScript(() => {
          const shifts = window as unknown as { shift: number };
          shifts.shift = 0;
          const add = (entry: PerformanceEntry): void =>
            void (shifts.shift += (entry as unknown as { value: number }).value);
          new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({
            type: "layout-shift",
            buffered: true,
          });
        });
        await page.goto(`${url}/docs${at}`);
        if (at === "") await pricesOf(page);
        await page.waitForLoadState("networkidle");
        await page.evaluate(() => document.fonts.ready);
        const shift = await page.evaluate(
          () =>
            new Promise<number>((done) =>
              requestAnimationFrame(() => setTimeout(() => done((window as unknown as { shift: number }).shift))),
            ),
        );
        t.diagnostic(`${viewport.width} ${locale} ${at}: ${shift.toFixed(4)}`);
        assert.ok(shift <= MOST_SHIFT, `${viewport.width} ${locale} ${at}: ${shift}`);
        await context.close();
      }
});
