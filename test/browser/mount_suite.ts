// The page below a path: mounted in an app, and behind a proxy.
import assert from "node:assert/strict";
import { chartOf } from "./asset_suite.ts";
import { pricesOf } from "./market_suite.ts";
import { send } from "./reference_suite.ts";
import type { Suite } from "./suite_types.ts";

export const mountSuite: Suite = async ({ mounted, proxied, visit }) => {
  await visit("mount: behind a proxy, requests keep the prefix", { site: proxied }, async ({ page, requests }) => {
    await page.goto(`${proxied.url}/`);
    assert.equal(page.url(), `${proxied.url}/docs`);
    await pricesOf(page);
    await page.locator("#row-USD_RLS").click();
    await chartOf(page);
    await page.locator("#nav-reference").click();
    await send(page, "listLatest", 200);
    await page.locator("#listLatest pre.sh", { hasText: `${proxied.url}/api/v1/assets` }).waitFor();
    await page.locator('.views a[href="guide"]').click();
    await page.locator(".guide", { hasText: `${proxied.url}/api/v1/status` }).waitFor();
    for (const url of requests) assert.ok(url.startsWith(proxied.url), url);
  });

  await visit(
    "mount: every request stays below /market; the reference has the embedder's own route",
    { site: mounted, at: "/reference#getGreeting" },
    async ({ page, requests }) => {
      await page.locator("#key").fill(mounted.key);
      await page.locator("#getGreeting-name").fill("Shiraz");
      assert.match(await send(page, "getGreeting", 200), /"text": "Hello Shiraz"/);
      const example = await page.locator("#getGreeting pre.sh").innerText();
      assert.ok(example.includes(`${mounted.url}/api/v1/greeting?name=Shiraz`), example);
      await page.locator(".views a").first().click();
      await pricesOf(page); // the key goes along
      assert.equal(await page.title(), "Market – Bazaar");
      assert.equal(await page.locator(".sample").count(), 0, "the mounted app has no made-up prices");
      await page.locator("#row-USD_RLS").click();
      await page.locator(".asset-value").waitFor();
      await chartOf(page);
      await page.locator("#nav-guide").click();
      await page.locator(".guide").waitFor();
      for (const link of ["../openapi.json", "../docs.md"]) {
        const href = await page
          .locator(`.bottom a[href="${link}"]`)
          .evaluate((element) => (element as HTMLAnchorElement).href);
        assert.equal((await fetch(href)).status, 200);
      }
      for (const url of requests) assert.ok(url.startsWith(mounted.url), url);
    },
  );
};
