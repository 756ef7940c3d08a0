// Everything works with the keyboard, and the focus is always visible.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { until } from "../support/wait_until.ts";
import { chartOf } from "./asset_suite.ts";
import { PHONE } from "./chromium.ts";
import { pricesOf } from "./market_suite.ts";
import type { Suite } from "./suite_types.ts";

const MOST_STEPS = 60;

/** Presses Tab until an element has the focus. At each step, the focus must be visible. */
async function tabTo(page: Page, selector: string, most = MOST_STEPS): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < most; step++) {
    await page.keyboard.press("Tab");
    const { name, isThere, isSeen } = await page.evaluate((wanted) => {
      const element = document.activeElement!;
      // A radio button's label shows the button's focus; a row shows the focus of its link or field.
      const styles = [element, element.nextElementSibling, element.closest("tr, .convert-row")].flatMap((shown) =>
        shown ? [getComputedStyle(shown)] : [],
      );
      const isSeen = styles.some(
        ({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && parseFloat(outlineWidth) >= 1,
      );
      return { name: `${element.tagName}#${element.id}`, isThere: element.matches(wanted), isSeen };
    }, selector);
    assert.ok(isSeen, `the focus is not visible on ${name}`);
    if (isThere) return;
    passed.push(name);
  }
  assert.fail(`no way to ${selector} within ${most} steps: ${passed.join(" ")}`);
}

/** The targets with too little height: a touch 21 pixels above or below the center must still hit the target. */
function lowTargets(page: Page): Promise<readonly string[]> {
  return page.locator("button, select, input, summary, .tabs a, a:not(p a, li a, .skip)").evaluateAll((found) =>
    found.flatMap((target) => {
      if (!target.checkVisibility() || target.matches(".asset-slider, .skip, #search-results *")) return [];
      target.scrollIntoView({ block: "center", behavior: "instant" });
      const wider = target.closest("label:has([type=radio], [type=checkbox]), .market tr, .coin-table th");
      const shown = target.matches("button") ? target : (wider ?? target);
      const { x, y, width, height } = shown.getBoundingClientRect();
      const isReached = [-21, 21].every((away) => {
        const hit = document.elementFromPoint(x + width * 0.3, y + height / 2 + away);
        return hit !== null && (shown.contains(hit) || hit.contains(shown));
      });
      return isReached ? [] : [`${target.tagName}#${target.id}.${target.className}: ${Math.round(height)} px`];
    }),
  );
}

export const keyboardSuite: Suite = async ({ sample, visit, nightly }) => {
  for (const width of [390, 1280]) {
    await nightly(
      `keyboard: the converter is at most 12 key presses away, at ${width} px`,
      { site: sample, viewport: { width, height: 900 } },
      async ({ page }) => {
        await pricesOf(page);
        if (width >= 640) await page.locator("#rail-amount").waitFor();
        await tabTo(page, '.skip[href$="#/convert"]', 2);
        await page.keyboard.press("Enter");
        const isThere = await page.evaluate(() => document.activeElement!.id === "rail-amount");
        assert.equal(isThere, width >= 640, "only on a wide page, the link leads to the converter beside the view");
        if (isThere) return;
        await page.locator("#convert-amount").waitFor(); // the view that had the focus has been removed
        await tabTo(page, "#convert-amount", 9);
      },
    );
  }

  const persian = { site: sample, locale: "fa-IR" } as const;
  await nightly("touch: targets are 44 px high", { ...persian, viewport: PHONE }, async ({ page }) => {
    await pricesOf(page);
    for (const [place, shown] of [
      ["#/?category=COIN", "#group-COIN[aria-pressed=true]"],
      ["#/asset/SEKKEH_RLS", "#rail-amount"],
      ["#/coins", ".year-line"],
      ["#/convert?amount=1500", "#convert-result .n"],
    ] as const) {
      await page.evaluate((hash) => void (location.hash = hash), place);
      await page.locator(shown).waitFor();
      assert.deepEqual(await lowTargets(page), [], place);
    }
  });

  await visit("keyboard: reaches a row, the search and the chart", persian, async ({ page }) => {
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
    const picture = async () => (await page.locator(".asset-canvas").screenshot()).toString("base64");
    const drawn = await picture();
    await page.keyboard.press("+");
    await until("the chart changes", async () => (await picture()) !== drawn, 100);
  });

  await nightly(
    "keyboard: panels open, close on Escape, and give the focus back",
    { site: sample },
    async ({ page }) => {
      await pricesOf(page);
      await tabTo(page, "#display-panel-summary");
      await page.keyboard.press("Enter");
      await page.locator("#theme-auto").waitFor();
      await tabTo(page, "[name=theme]");
      await page.keyboard.press("Escape");
      assert.equal(await page.evaluate(() => document.activeElement!.id), "display-panel-summary");
      assert.equal(await page.locator(".panel:popover-open").count(), 0);
    },
  );
};
