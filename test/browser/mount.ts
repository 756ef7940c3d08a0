// The page of an API that is mounted below a path of an app.
import assert from "node:assert/strict";
import { chartOf } from "./asset.ts";
import { enterKey } from "./frame.ts";
import { pricesOf } from "./market.ts";
import type { Suite } from "./world.ts";

export const mountSuite: Suite = async ({ mounted, visit }) => {
  await visit("mount: /market/ leads to the page, and every request stays below /market", { site: mounted }, async ({ page, requests }) => {
    await page.goto(`${mounted.url}/`);
    assert.equal(page.url(), `${mounted.url}/docs`);
    assert.equal(await page.title(), "Market – Bazaar");
    assert.ok(await page.locator(".sample").isHidden(), "its prices are not made up");
    await enterKey(page, mounted.key);
    await pricesOf(page);
    await page.locator("#row-USD_RLS").click();
    await page.locator(".asset-value").waitFor();
    await chartOf(page);
    await page.locator("#nav-guide").click();
    await page.locator(".guide-text").waitFor();
    for (const link of ["openapi.json", "docs.md"]) {
      const href = await page.locator(`.bottom a[href="${link}"]`).evaluate((element) => (element as HTMLAnchorElement).href);
      assert.equal((await fetch(href)).status, 200);
    }
    assert.deepEqual(requests.filter((url) => !url.startsWith(mounted.url)), []);
  });
};
