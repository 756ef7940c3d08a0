// All of it without a pointer, with a focus that can be seen.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { until } from "../support/wait_until.ts";
import { chartOf } from "./asset_suite.ts";
import { pricesOf } from "./market_suite.ts";
import type { Suite } from "./suite_types.ts";

const MOST_STEPS = 60;

/** Presses Tab until an element has the focus, which has to be seen at each step. */
async function tabTo(page: Page, selector: string): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < MOST_STEPS; step++) {
    await page.keyboard.press("Tab");
    const { name, isThere, isSeen } = await page.evaluate((wanted) => {
      const element = document.activeElement!;
      // A radio button shows its focus on the text beside it, a link of a row on the whole row.
      const styles = [element, element.nextElementSibling, element.closest("tr")].flatMap((shown) =>
        shown ? [getComputedStyle(shown)] : [],
      );
      const isSeen = styles.some(
        ({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && parseFloat(outlineWidth) >= 1,
      );
      return { name: `${element.tagName}#${element.id}`, isThere: element.matches(wanted), isSeen };
    }, selector);
    assert.ok(isSeen, `no focus is seen on ${name}`);
    if (isThere) return;
    passed.push(name);
  }
  assert.fail(`no way to ${selector} within ${MOST_STEPS} steps: ${passed.join(" ")}`);
}

/** What the chart shows, as a text. */
async function pictureOf(page: Page): Promise<string> {
  return (await page.locator(".asset-canvas").screenshot()).toString("base64");
}

export const keyboardSuite: Suite = async ({ sample, visit }) => {
  for (const locale of ["en-US", "fa-IR"] as const) {
    await visit(
      `keyboard: search, a row, the chart's controls: ${locale}`,
      { site: sample, locale },
      async ({ page }) => {
        await pricesOf(page);
        await tabTo(page, ".skip");
        await page.keyboard.press("Enter");
        await tabTo(page, "#row-EUR_RLS");
        await page.keyboard.press("/");
        await page.keyboard.type("btc_usd");
        await page.locator("#found-BTC_USD").waitFor();
        await page.keyboard.press("Enter");
        await chartOf(page);
        await tabTo(page, "[name=asset-range]");
        await page.keyboard.press("ArrowLeft");
        await page.waitForFunction(() => location.hash.includes("range="));
        await chartOf(page);
        await tabTo(page, ".asset-slider");
        const before = await page.locator(".asset-readout").innerText();
        await page.keyboard.press("Home");
        assert.notEqual(await page.locator(".asset-readout").innerText(), before);
        for (const key of ["+", "-"]) {
          const drawn = await pictureOf(page);
          await page.keyboard.press(key);
          await until(`${key} changes the chart`, async () => (await pictureOf(page)) !== drawn, 100);
        }
      },
    );
  }

  await visit("keyboard: panels open, close by Escape, and give the focus back", { site: sample }, async ({ page }) => {
    await pricesOf(page);
    await tabTo(page, "#display-panel-summary");
    await page.keyboard.press("Enter");
    await page.locator("#theme-auto").waitFor();
    await tabTo(page, "[name=theme]");
    await page.keyboard.press("Escape");
    assert.deepEqual(
      await page.evaluate(() => [document.activeElement!.id, document.querySelectorAll(".panel:popover-open").length]),
      ["display-panel-summary", 0],
    );
  });
};
