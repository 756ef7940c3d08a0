// A price embedded in other sites, and the low and high of an asset's days.
import assert from "node:assert/strict";
import { accessFaults, clipboardAfter } from "./chromium.ts";
import { atQuotes } from "./gold_suite.ts";
import type { Suite } from "./suite_types.ts";

export const embedSuite: Suite = async ({ quotes, visit, nightly }) => {
  await visit(
    "embed: the chosen language, unit, form and theme change the HTML to copy",
    { site: quotes, at: "/asset/USD_RLS", before: atQuotes },
    async ({ page, site }) => {
      await page.locator("#asset-embed").click();
      await page.frameLocator("#embed-panel iframe").getByText("1,985,528").waitFor();
      const line = page.locator("#embed-panel pre");
      assert.equal(
        await line.innerText(),
        `<iframe src="${site.url}/docs/embed/USD_RLS?lang=en&amp;unit=rial&amp;theme=auto" width="340" height="120" loading="lazy" style="border:0" title="US Dollar, Mazaneh"></iframe>`,
      );
      await page.locator("#embed-language-fa").check();
      await page.locator("#embed-unit-toman").check();
      await page.frameLocator("#embed-panel iframe").getByText("۱۹۸٬۵۵۳").waitFor();
      assert.deepEqual(await accessFaults(page, "#embed-panel"), []);
      await page.locator("#embed-form-picture").check();
      await page.locator("#embed-theme-dark").check();
      const picture = `${site.url}/docs/embed/USD_RLS.svg?lang=fa&unit=toman&theme=dark`;
      await page.waitForFunction((src) => {
        const image = document.querySelector<HTMLImageElement>("#embed-panel img");
        return image?.src === src && image.naturalWidth === 340;
      }, picture);
      assert.equal(
        await clipboardAfter(page, page.getByRole("button", { name: "Copy: Picture" })),
        `[![دلار آمریکا](${picture})](${site.url}/docs/asset/USD_RLS)`,
      );
      await page.keyboard.press("Escape");
      await page.locator("#asset-embed:focus").waitFor();
      assert.equal(await page.locator("#embed-panel > *").count(), 0);
    },
  );

  await nightly(
    "days: lows and highs are loaded with one request",
    { site: quotes, at: "/asset/USD_RLS", before: atQuotes },
    async ({ page, requests }) => {
      await page.locator("#asset-extremes").click();
      await page.locator(".asset-table td", { hasText: "1,980,000" }).waitFor();
      const rows = (await page.locator(".asset-table tbody tr").allInnerTexts()).map((row) =>
        row.split(/\s*\t\s*/).slice(2, 5),
      );
      assert.deepEqual(rows, [
        ["1,985,528", "1,980,000", "1,985,528"],
        ["2,007,898", "2,007,898", "2,010,000"],
      ]);
      assert.equal(requests.filter((url) => url.includes("interval=15m")).length, 1);
    },
  );
};
