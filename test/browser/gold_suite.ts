// The jeweller's calculator, whose sums can be checked by hand.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { clipboardAfter, PHONE } from "./chromium.ts";
import { searchFor } from "./market_suite.ts";
import { QUOTES_NOW } from "./sites.ts";
import type { Suite } from "./suite_types.ts";

/** Sets the clock of a page to the time of the latest quotes. */
export function atQuotes(page: Page): Promise<void> {
  return page.clock.install({ time: QUOTES_NOW });
}

/** The amounts of the receipt in order, then the total. */
async function receiptOf(page: Page): Promise<readonly string[]> {
  return page.locator(".gold-receipt td, #gold-total strong").allInnerTexts();
}

async function totalIs(page: Page, total: string): Promise<void> {
  await page.locator("#gold-total", { hasText: total }).waitFor();
}

const queryOf = (page: Page): string => new URL(page.url()).hash.split("?")[1] ?? "";

export const goldSuite: Suite = async ({ quotes, own, visit, nightly }) => {
  const visited = { site: quotes, before: atQuotes };
  await visit("gold: receipts are in whole toman", { ...visited, locale: "fa-IR", at: "#/gold" }, async ({ page }) => {
    await page.locator("#gold-grams").fill("٥/٢٤");
    await totalIs(page, "۱۲۷٬۷۴۹٬۷۸۳");
    assert.deepEqual(await receiptOf(page), ["۱۰۰٬۰۳۱٬۹۳۵", "۱۷٬۰۰۵٬۴۲۹", "۸٬۱۹۲٬۶۱۵", "۲٬۵۱۹٬۸۰۴", "۱۲۷٬۷۴۹٬۷۸۳"]);
    assert.equal(queryOf(page), "grams=5.24&karat=18&wage=17&profit=7&tax=10");
    const text = await page.locator(".gold").innerText();
    for (const part of [
      "۵٫۲۴ گرم × ۱۹٬۰۹۰٬۰۶۴",
      "۷٪ × (طلا + اجرت) ۱۱۷٬۰۳۷٬۳۶۴",
      "۱۰٪ × (اجرت + سود) ۲۵٬۱۹۸٬۰۴۴",
      "۱٬۲۷۷٬۴۹۷٬۸۳۰ ریال",
      "صد و بیست و هفت میلیون و هفتصد و چهل و نه هزار و هفتصد و هشتاد و سه تومان",
      "بیش از ارزش طلا: ۲۷٬۷۱۷٬۸۴۸ (۲۷٫۷٪)",
      "هر گرم، تمام‌شده: ۲۴٬۳۷۹٬۷۳۰",
      "+۸٫۶٪",
      "۱۳۹٬۵۲۳٬۵۴۲",
    ])
      assert.ok(text.includes(part), `${part} in ${text}`);
    await page.locator("[role=status]", { hasText: "مبلغ کل: ۱۲۷٬۷۴۹٬۷۸۳ تومان" }).waitFor({ state: "attached" });
  });

  await nightly(
    "gold: any wage unit gives the same total",
    { ...visited, at: "#/gold?grams=5.24" },
    async ({ page }) => {
      await totalIs(page, "1,277,497,830");
      await page.locator("#gold-wage-unit-perGram").check();
      assert.equal(await page.locator("#gold-wage").inputValue(), "32,453,110");
      assert.equal((await receiptOf(page))[1], "170,054,290", "17 percent still");
      await page.locator("#gold-wage").fill("40,000,000");
      await totalIs(page, "1,324,043,140"); // 100,031,935 + 20,960,000 + 8,469,435 + 2,942,944 toman
      assert.match(queryOf(page), /&wagePerGram=40000000&/);
      await page.getByRole("link", { name: "22%" }).click();
      await totalIs(page, "1,336,366,630");
    },
  );

  await nightly("gold: what money buys", { ...visited, at: "#/gold?pay=1000000000" }, async ({ page, site }) => {
    await page.getByText("1,000,000,000 rial buys at most 4.1 g for 999,568,930; 431,070 left").waitFor();
    await page.locator("#gold-gram").fill("190000000");
    await page.locator(".gold-field", { hasText: "by hand" }).waitFor();
    assert.match(queryOf(page), /^pay=1000000000&karat=18&gram=190000000&/);
    await page.locator("#gold-back").click();
    await page.getByText("market, 16:24").waitFor();
    await page.locator("#gold-direction-price").check();
    await totalIs(page, "999,568,930");
    await page.locator("#gold-tax").fill("9");
    await page.locator("#gold-profit").fill("0");
    await page.locator(".gold-receipt", { hasText: /9% × \(wage\) [\d,]+/ }).waitFor();
    await page.goto(`${site.url}/docs#/gold`);
    await page.reload();
    assert.equal(await page.locator("#gold-tax").inputValue(), "9");
  });

  await nightly(
    "gold: on a phone, a button in the bar moves from field to field and to the receipt, which can be copied",
    { ...visited, viewport: PHONE, at: "#/gold?grams=5.24" },
    async ({ page }) => {
      const [bar, tabs] = [page.locator(".gold-bar button"), page.locator(".tabs")];
      await page.locator(".gold-bar", { hasText: "1,277,497,830" }).waitFor();
      await page.locator("#gold-grams").focus();
      assert.deepEqual([await bar.innerText(), await tabs.isVisible()], ["Next: Wage", false]);
      await bar.click();
      await page.locator("#gold-wage:focus").waitFor();
      for (const field of ["profit", "tax", "receipt"]) {
        await page.keyboard.press("Enter");
        await page.locator(`#gold-${field}:focus`).waitFor();
      }
      assert.deepEqual([await bar.innerText(), await tabs.isVisible()], ["Receipt", true]);
      const lines = (await clipboardAfter(page, page.getByRole("button", { name: "Copy: Receipt" }))).split("\n");
      assert.deepEqual(lines.slice(0, 4), [
        "Mazaneh, Receipt, 22 Nov 2026, 16:24 Tehran",
        "5.24 g, fineness 750",
        "Gold value: 5.24 g × 190,900,640 = 1,000,319,350",
        "Wage: 17% × 1,000,319,350 = 170,054,290",
      ]);
      assert.match(lines.at(-1)!, /\/docs#\/gold\?grams=5\.24&karat=18&wage=17&profit=7&tax=10$/);
      await page.locator(".menu summary").click();
      const shared = await clipboardAfter(page, page.getByRole("button", { name: "With this price" }));
      assert.match(shared, /&gram=190900640&/);
      const small = await page
        .locator(".gold :is(button, summary, a, .gold-box, .segments label, .karats label)")
        .evaluateAll((all) =>
          all.map((one) => one.getBoundingClientRect().height).filter((height) => height > 0 && height < 43.5),
        );
      assert.deepEqual(small, []);
    },
  );

  await nightly(
    "gold: the search and an asset's view have a link to the calculator, which lets users enter a missing price",
    { site: own },
    async ({ page }) => {
      await searchFor(page, "اجرت");
      await page.locator("#search-results + p a", { hasText: "Jeweller’s calculator" }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByPlaceholder("enter the shop’s price").fill("200,000,000");
      await totalIs(page, "255,418,000"); // 20,000,000 × 1.27709
      await page.evaluate(() => void (location.hash = "#/asset/GOLD_18_RLS"));
      await page.getByRole("link", { name: "What does a piece cost?" }).click();
      await page.locator("#gold-grams").waitFor();
    },
  );
};
