// What stands around the views: choices, key, places.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { chartOf } from "./asset.ts";
import { ROWS, pricesOf, shownCodes } from "./market.ts";
import { send } from "./reference.ts";
import { FEW_UNITS, KEYS_URL } from "./sites.ts";
import type { Suite } from "./world.ts";

/** Puts a key in by hand. */
export async function enterKey(page: Page, key: string): Promise<void> {
  if (!(await page.locator("#key-field").isVisible())) await page.locator("#key-panel-summary").click();
  await page.locator("#key-field").fill(key);
  await page.locator("#key-use").click();
}

/** The price of the dollar as the market shows it. */
function dollar(page: Page): Promise<string> {
  return page.locator(".market tbody tr:not(.group)").first().locator(".price").innerText();
}

/** The age of the dollar in full. */
async function marketTime(page: Page): Promise<string> {
  return (await page.locator(".market time").first().getAttribute("title"))!;
}

export const frameSuite: Suite = async ({ sample, own, mounted, visit }) => {
  await visit("choices: language, unit, digits, calendar and theme, which stay after a reload", { site: sample }, async ({ page }) => {
    await pricesOf(page);
    const rial = Number((await dollar(page)).replace(/\D/g, ""));
    await page.locator("#unit-toman").check();
    assert.match(await dollar(page), /toman/i);
    assert.equal(Number((await dollar(page)).replace(/[^\d.]/g, "")), Math.round(rial / 10));
    await page.locator("#language").click();
    assert.deepEqual(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]), ["fa", "rtl"]);
    assert.match(await dollar(page), /^[۰-۹٬٫]+\s*تومان$/);
    await page.locator("#display-panel-summary").click();
    await page.locator("#digits-latin").check();
    assert.match(await dollar(page), /^[\d,.]+\s*تومان$/);
    assert.match(await marketTime(page), /14\d\d/, "the year of the Jalali calendar");
    await page.locator("#calendar-gregorian").check();
    assert.match(await marketTime(page), /20\d\d/);
    const paper = (): Promise<string> => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await paper();
    await page.locator("#theme-dark").check();
    assert.notEqual(await paper(), light);
    const dark = await paper();
    await page.reload();
    await pricesOf(page);
    // Not the price itself: the sample goes on while it is served.
    assert.match(await dollar(page), /^[\d,.]+\s*تومان$/);
    assert.match(await marketTime(page), /20\d\d/);
    assert.equal(await paper(), dark);
  });

  await visit("choices: the browser's language and theme come first", { site: sample, locale: "fa-IR", colorScheme: "dark" }, async ({ page }) => {
    await pricesOf(page);
    assert.match(await dollar(page), /تومان/);
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "light dark");
    assert.match(await page.evaluate(() => getComputedStyle(document.body).color), /rgb\(2\d\d, 2\d\d, 2\d\d\)/, "light letters");
  });

  await visit("key: wrong ones and used up ones are explained in both languages, and the right one is nowhere but in the tab", { site: own, provokes: [401, 429] }, async ({ page, requests }) => {
    await enterKey(page, "mz_live_WRONG");
    await page.locator("#key-panel .problem", { hasText: "The server does not accept this key" }).waitFor();
    assert.equal(await page.locator("#key-field").inputValue(), "mz_live_WRONG", "what was typed can be mended");
    assert.equal(await page.getByText("This page uses the key that you entered").isVisible(), false);
    await page.locator("#language").click();
    await page.getByText("سرور این کلید را نمی‌پذیرد").first().waitFor();
    await page.locator("#language").click();

    await enterKey(page, ` "${own.key}" `);
    await page.locator("#key-panel:not([open])").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), "key-panel-summary");
    assert.equal(await page.locator("#key-field").inputValue(), "");
    await pricesOf(page); // one unit
    assert.deepEqual((await shownCodes(page)).slice(0, 2), ["USD_RLS", "BTC_USD"], "what has a price comes first");
    assert.match(await dollar(page), /1,911,500/);
    await page.locator("tr.stale #row-BTC_USD").waitFor(); // bitcoin, of four days ago
    await page.getByText(`${FEW_UNITS - 1} left`).waitFor();
    for (let left = FEW_UNITS - 2; left >= 0; left--) {
      await page.locator("#market-reload").click();
      await page.getByText(`${left} left`, { exact: true }).waitFor();
    }
    await page.locator("#market-reload").click();
    await page.getByText("The units of today are used up").waitFor();
    await page.locator(".failure", { hasText: /The next quota day begins on .* \(in .*\)/ }).waitFor();
    await page.locator("#language").click();
    await page.getByText("سهمیهٔ امروز تمام شده است").waitFor();
    await page.goto(`${own.url}/docs/reference.fa`);
    assert.match(await send(page, "getLatest", 429), /سهمیهٔ امروز تمام شده است/);

    const secret = own.key.slice(-20);
    const kept = await page.evaluate(async () => ({
      local: { ...localStorage }, session: { ...sessionStorage }, cookies: document.cookie, state: history.state,
      caches: await caches.keys(), databases: await indexedDB.databases(), html: document.documentElement.outerHTML,
    }));
    assert.deepEqual([kept.session, kept.cookies, kept.caches, kept.databases], [{ "mazaneh.key": own.key }, "", [], []]);
    assert.ok(!JSON.stringify({ ...kept, session: {} }).includes(secret), "not on the device, in cookies, or in the document");
    assert.deepEqual(Object.keys(kept.local), ["mazaneh.preferences"]);
    const { entries } = await (await page.context().newCDPSession(page)).send("Page.getNavigationHistory");
    assert.ok(entries.length >= 3, `${entries.length}`);
    assert.deepEqual([...requests, ...entries.map(({ url, title }) => `${url} ${title}`)].filter((text) => text.includes(secret)), []);
    await page.reload();
    await page.locator(".views a").first().click();
    await page.getByText("سهمیهٔ امروز تمام شده است").first().waitFor(); // a reload has kept it
  });

  await visit("key: kept on the device, a reload and a new tab have it, until it is forgotten", { site: mounted }, async ({ page }) => {
    await page.locator("#key-panel-summary").click();
    await page.locator("#key-keep-device").check();
    await enterKey(page, mounted.key);
    await pricesOf(page);
    await page.reload();
    await pricesOf(page);
    const other = await page.context().newPage();
    await other.goto(`${mounted.url}/docs`);
    await pricesOf(other);
    await other.locator("#key-panel-summary").click();
    await other.locator("#key-forget").click();
    assert.ok(!JSON.stringify(await other.evaluate(() => [{ ...localStorage }, { ...sessionStorage }])).includes(mounted.key), "it is stored nowhere");
    await other.reload();
    await other.locator(".ask").waitFor();
  });

  await visit("key: without one, every view leads to where the operator says that keys come from", { site: own, provokes: [401] }, async ({ page }) => {
    const leadsThere = async (place: string): Promise<void> => {
      await page.locator(`${place} .key-link`).first().waitFor();
      const links = await page.locator(`${place} .key-link`).evaluateAll((found) => found.map((link) => link.getAttribute("href")));
      assert.deepEqual([...new Set(links)], [KEYS_URL], place);
    };
    await page.locator("#key-panel-summary").click();
    await leadsThere("#key-panel");
    assert.ok(!(await page.locator("#key-panel").innerText()).includes("mazaneh keys create"), "that is the operator's matter");
    await leadsThere(".ask");
    await page.locator("#row-USD_RLS").click();
    await leadsThere(".failure");
    await page.locator("#nav-guide").click();
    for (const language of ["en", "fa"]) {
      await page.locator(`html[lang=${language}] .guide`, { hasText: KEYS_URL }).waitFor();
      await page.locator("#other-language").click();
    }
  });

  await visit("places: what could not be loaded while the server was away is loaded by another try, told in Persian, and the key is kept", { site: mounted, locale: "fa-IR", provokes: ["offline", 401] }, async ({ page }) => {
    await enterKey(page, mounted.key);
    await pricesOf(page);
    await page.context().setOffline(true);
    await page.locator("#nav-coins").click();
    await page.locator(".failure", { hasText: "بخشی از این صفحه بارگذاری نشد" }).waitFor();
    assert.doesNotMatch(await page.locator(".failure").innerText(), /fetch/, "the browser's English words");
    await page.getByRole("button", { name: "تلاش دوباره" }).click();
    await page.locator(".failure summary", { hasText: "پیام مرورگر" }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "تلاش دوباره" }).click();
    await page.locator(".coins").waitFor();
    await page.locator("#nav-market").click();
    await pricesOf(page);
    assert.equal(await page.locator(".ask").count(), 0, "the key is still there");
  });

  await visit("places: deep links, back and forward", { site: sample, at: "#/asset/EUR_RLS?interval=4h&range=1m" }, async ({ page }) => {
    await chartOf(page);
    assert.equal(await page.locator("#asset-interval").inputValue(), "4h");
    assert.match(await page.title(), /^[\d,]+ rial Euro \(EUR_RLS\) – Mazaneh \(Sample\)$/);
    await page.locator("#nav-reference").click();
    await page.getByRole("heading", { name: "Reference" }).waitFor();
    await page.locator(".views a").first().click();
    await pricesOf(page);
    await page.goBack();
    await page.getByRole("heading", { name: "Reference" }).waitFor();
    await page.goBack();
    await chartOf(page);
    assert.equal(await page.locator("#asset-interval").inputValue(), "4h");
    await page.goForward();
    await page.goForward();
    await pricesOf(page);
    assert.equal((await shownCodes(page)).length, ROWS);
  });
};
