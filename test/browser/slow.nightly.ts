// A first visit on a slow phone: 400 kbit/s, 400 ms there and back, a processor at a quarter of this one's speed, nothing cached.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, skip, startChromium } from "./chromium.ts";
import { sampleSite } from "./sites.ts";

const MOST_MS = 4_000;
const BYTES_A_SECOND = 400_000 / 8;
/** The quickest counts, as other work on this machine only ever adds. */
const VISITS = 3;

test("a slow phone sees prices within four seconds of its first visit", { skip }, async (t) => {
  const [browser, { url }] = await Promise.all([startChromium(t), sampleSite(t)]);
  const times: number[] = [];
  for (let visit = 0; visit < VISITS; visit++) {
    const context = await browser.newContext({ viewport: PHONE, locale: "fa-IR" });
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", { offline: false, latency: 400, downloadThroughput: BYTES_A_SECOND, uploadThroughput: BYTES_A_SECOND });
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
