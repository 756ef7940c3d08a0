// The page below a path: mounted in an app, and behind a proxy.
import assert from "node:assert/strict";
import { chartOf } from "./asset_suite.ts";
import { assertBelow } from "./chromium.ts";
import { enterKey } from "./frame_suite.ts";
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
    assertBelow(proxied.url, requests);
  });

  await visit("mount: every request stays below /market", { site: mounted }, async ({ page, requests }) => {
    await page.goto(`${mounted.url}/`);
    assert.equal(page.url(), `${mounted.url}/docs`);
    assert.equal(await page.title(), "Market – Bazaar");
    assert.equal(await page.locator(".sample").count(), 0, "its prices are not made up");
    await enterKey(page, mounted.key);
    await pricesOf(page);
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
    assertBelow(mounted.url, requests);
  });
};
