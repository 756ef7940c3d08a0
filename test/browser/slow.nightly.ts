// First visits with an empty cache: load time on a slow phone (400 kbit/s, 400 ms round trip, a quarter of this processor's speed), and layout shifts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, skip, startChromium } from "./chromium.ts";
import { pricesOf } from "./market_suite.ts";
import { sampleSite } from "./sites.ts";

const MOST_MS = 4_000;
const BYTES_A_SECOND = 400_000 / 8;
/** The fastest of several runs is used, because other work on the machine can only add time. */
const MOST_VISITS = 10;

test("a slow phone sees prices within four seconds of its first visit", { skip }, async (t) => {
  const [browser, { url }] = await Promise.all([startChromium(t), sampleSite(t)]);
  const times: number[] = [];
  while (times.length < 3 || (times.length < MOST_VISITS && Math.min(...times) > MOST_MS)) {
    const context = await browser.newContext({ viewport: PHONE, locale: "fa-IR" });
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 400,
      downloadThroughput: BYTES_A_SECOND,
      uploadThroughput: BYTES_A_SECOND,
    });
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await page.goto(`${url}/docs`, { waitUntil: "commit" });
    const shown = await page.waitForFunction(() => {
      const price = document.querySelector("#row-USD_RLS")?.closest("tr")?.querySelector(".price")?.textContent ?? "";
      return /[0-9۰-۹]/.test(price) && performance.now();
    });
    times.push(Math.round(Number(await shown.jsonValue())));
    await context.close();
  }
  t.diagnostic(`${times.join(", ")} ms`);
  assert.ok(Math.min(...times) <= MOST_MS, `${times.join(", ")} ms`);
});

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
