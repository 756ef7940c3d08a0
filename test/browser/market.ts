// The market: what a visitor sees first, and how they find an asset in it.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { DESKTOP, PHONE } from "./chromium.ts";
import type { Suite } from "./world.ts";
import { ASSETS } from "../../core/mod.ts";

/** Waits for the prices. */
export async function pricesOf(page: Page): Promise<void> {
  await page.locator(".market[aria-busy=false]:not(.without-prices)").waitFor();
}

/** The codes of the rows that are shown, in their order. */
export async function shownCodes(page: Page): Promise<readonly string[]> {
  return page.locator(".market tbody tr:visible .asset code").evaluateAll((codes) => codes.map((code) => code.textContent));
}

export const marketSuite: Suite = async ({ sample, own, visit }) => {
  await visit("market: / leads to the page, which shows every asset", { site: sample }, async ({ page }) => {
    await page.goto(`${sample.url}/`);
    assert.equal(page.url(), `${sample.url}/docs`);
    await pricesOf(page);
    assert.equal((await shownCodes(page)).length, ASSETS.length);
    assert.equal(await page.title(), "Market – Mazaneh");
    assert.match(await page.locator(".sample").innerText(), /every price on this page is made up/);
  });

  for (const [locale, unit, age] of [["en-US", /[\d,]{7,} rial/i, /ago|now/], ["fa-IR", /[۰-۹٬]{7,} ریال/, /پیش|اکنون/]] as const) {
    for (const viewport of [DESKTOP, PHONE]) {
      await visit(`market: the dollar stands first, with unit and age, without scrolling: ${locale}, ${viewport.width} × ${viewport.height}`, { site: sample, locale, viewport }, async ({ page }) => {
        await pricesOf(page);
        const row = page.locator(".market tbody tr").first();
        assert.match(await row.locator(".asset a").innerText(), /^(?:US Dollar|دلار آمریکا)$/);
        assert.match(await row.locator(".price").innerText(), unit);
        assert.match(await row.locator(".age").innerText(), age);
        for (const part of [".asset", ".price", ".age", ".change", "svg"]) {
          const box = await row.locator(part).first().boundingBox();
          assert.ok(box !== null && box.y >= 0 && box.y + box.height <= viewport.height && box.x >= 0 && box.x + box.width <= viewport.width, `${part}: ${JSON.stringify(box)}`);
        }
        for (const [head, part] of [["name", "asset"], ["price", "price"], ["change", "change"], ["age", "age"]] as const) {
          const [above, below] = await Promise.all([page.locator(`thead .${head}`).boundingBox(), row.locator(`.${part}`).first().boundingBox()]);
          const apart = [above!.x - below!.x, above!.x + above!.width - below!.x - below!.width].map(Math.abs);
          assert.ok(Math.min(...apart) < 1, `the head of ${part} stands ${apart.join(" and ")} px beside it`);
        }
      });
    }
  }

  await visit("market: a search by Persian, by Arabic letters, by English and by code", { site: sample, locale: "fa-IR" }, async ({ page }) => {
    await pricesOf(page);
    const search = page.locator("#market-search");
    for (const [query, code] of [["دلار آمریکا", "USD_RLS"], ["يورو", "EUR_RLS"], ["سكه", "SEKKEH_RLS"], ["bitcoin", "BTC_USD"], ["usdrls", "USD_RLS"]] as const) {
      await search.fill(query);
      const codes = await shownCodes(page);
      assert.ok(codes.includes(code) && codes.length < 60, `${query}: ${codes.join(" ")}`);
    }
    await search.fill("هیچ‌کدام");
    await page.getByText("برای «هیچ‌کدام» چیزی پیدا نشد.").waitFor();
    await page.getByRole("button", { name: "نمایش همهٔ دارایی‌ها" }).click();
    assert.equal((await shownCodes(page)).length, ASSETS.length);
  });

  await visit("market: a link has search, filters and sorting, back and forward lead through them, and no letter is a step of its own", { site: sample, at: "#/?category=gold&sort=change" }, async ({ page, requests }) => {
    await pricesOf(page);
    const state = (): Promise<readonly unknown[]> => page.evaluate(() => [
      location.hash,
      document.querySelector<HTMLInputElement>("#market-search")!.value,
      document.querySelector<HTMLSelectElement>("#market-category")!.value,
      document.querySelector("thead .change")!.getAttribute("aria-sort"),
    ]);
    const gold = ["#/?category=GOLD&sort=change", "", "GOLD", "descending"];
    assert.deepEqual(await state(), gold);
    const codes = await shownCodes(page);
    assert.ok(codes.length > 1 && codes.every((code) => code.startsWith("GOLD")), codes.join(" "));
    await page.locator("#sort-change").click();
    const lowest = ["#/?category=GOLD&sort=change&order=ascending", "", "GOLD", "ascending"];
    assert.deepEqual([await state(), await shownCodes(page)], [lowest, codes.toReversed()]);
    await page.locator("#market-search").pressSequentially("mesghal");
    const mesghal = ["#/?search=mesghal&category=GOLD&sort=change&order=ascending", "mesghal", "GOLD", "ascending"];
    assert.deepEqual(await state(), mesghal);
    const go = async (step: "goBack" | "goForward", wanted: readonly unknown[]): Promise<void> => {
      await page[step]();
      await page.waitForFunction((search) => document.querySelector<HTMLInputElement>("#market-search")!.value === search, String(wanted[1]));
      assert.deepEqual(await state(), wanted);
    };
    await go("goBack", lowest);
    await go("goForward", mesghal);
    await page.locator("#row-GOLD_MESGHAL_RLS").click();
    await page.locator(".asset-value").waitFor();
    await page.goBack();
    await pricesOf(page);
    assert.deepEqual([await state(), await shownCodes(page)], [mesghal, ["GOLD_MESGHAL_RLS"]]);
    assert.equal(requests.filter((url) => url.endsWith("/docs/market")).length, 1, "for one unit");
    await page.reload();
    await pricesOf(page);
    assert.deepEqual([await state(), await shownCodes(page)], [mesghal, ["GOLD_MESGHAL_RLS"]]);
    await page.locator("#nav-market").click();
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>("#market-search")!.value === "");
    assert.equal((await shownCodes(page)).length, ASSETS.length, "the link to the market is that to all of it");
  });

  await visit("market: a key that was pasted into the search is in no address, and stays in the field", { site: sample }, async ({ page }) => {
    await pricesOf(page);
    await page.locator("#market-search").fill(sample.key);
    await page.locator(".nothing:visible").waitFor();
    await page.locator("#market-category").selectOption("GOLD");
    await page.locator("#language").click();
    const shown = await page.evaluate(() => [location.hash, document.querySelector<HTMLInputElement>("#market-search")!.value, document.documentElement.lang]);
    assert.deepEqual(shown, ["#/?category=GOLD", sample.key, "fa"]);
    assert.ok(await page.locator(".nothing").isVisible(), "the search still stands");
    const { entries } = await (await page.context().newCDPSession(page)).send("Page.getNavigationHistory");
    assert.deepEqual(entries.filter(({ url }) => url.includes(sample.key.slice(-20))), []);
  });

  await visit("market: without a key there is the catalog, and a way to enter one", { site: own }, async ({ page, requests }) => {
    await page.locator(".ask").waitFor();
    assert.match(await page.locator(".ask p").first().innerText(), /in the catalog of this server\. .* which of them have a price/);
    assert.equal((await shownCodes(page)).length, ASSETS.length);
    assert.deepEqual(requests.filter((url) => /\/api\/|docs\/market/.test(url)), [], "nothing that would be refused is asked for");
    await page.locator(".ask button").click();
    assert.equal(await page.evaluate(() => document.activeElement?.id), "key-field");
  });

  await visit("market: what no server answers is explained, and asked for again", { site: sample, provokes: ["offline"] }, async ({ page }) => {
    await pricesOf(page);
    await page.context().setOffline(true);
    await page.locator("#market-reload").click();
    await page.getByText("The server cannot be reached").waitFor();
    assert.equal((await shownCodes(page)).length, ASSETS.length, "the prices of before still stand");
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".failure").waitFor({ state: "detached" });
    await pricesOf(page);
  });
};
