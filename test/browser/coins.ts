// Coins and gold, and the converter: numbers that are computed from prices.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { PHONE } from "./chromium.ts";
import { enterKey } from "./frame.ts";
import type { Suite } from "./world.ts";

/** The number that an element shows. */
async function numberIn(page: Page, selector: string): Promise<number> {
  return Number((await page.locator(selector).first().innerText()).replaceAll("−", "-").replace(/[^\d.-]/g, ""));
}

export const coinsSuite: Suite = async ({ sample, own, mounted, visit }) => {
  await visit("coins: gold value, bubble and implied dollar follow from what is shown, and from a case of the visitor's own", { site: sample, at: "#/coins" }, async ({ page }) => {
    await page.locator(".year-line").waitFor();
    const row = ".coin-table tbody tr:first-child td:nth-child";
    const check = async (ounce: number, dollar: number): Promise<void> => {
      const [price = 0, gold = 0, bubble = 0, implied = 0] = await Promise.all([3, 5, 6, 9].map((cell) => numberIn(page, `${row}(${cell})`)));
      const wanted = ((ounce * dollar) / 31.1034768) * 8.133 * 0.9;
      assert.ok(Math.abs(gold - wanted) < wanted / 1e5, `${gold}`);
      assert.ok(Math.abs(price - gold - bubble) <= 1, `${price} ${gold} ${bubble}`);
      assert.ok(Math.abs(implied - (price / gold) * dollar) < implied / 1e5, `${implied}`);
    };
    const [ounce, dollar] = await Promise.all(["ounce", "dollar"].map(async (name) => Number((await page.locator(`#coins-${name}`).inputValue()).replaceAll(",", ""))));
    await check(ounce!, dollar!);
    await page.locator("#coins-ounce").fill("5000");
    await page.locator("#coins-dollar").fill("1,000,000");
    await check(5_000, 1_000_000);
    await page.locator("#coins-back").click();
    await check(ounce!, dollar!);
    await page.locator("#coin-ROB_SEKKEH_RLS").focus();
    await page.getByRole("heading", { name: /^Bubble of Quarter Gold Coin, one year/ }).waitFor();
  });

  await visit("coins: without a key nothing is asked that would be refused", { site: own, at: "#/coins" }, async ({ page, requests }) => {
    await page.locator(".ask", { hasText: "Prices need a key." }).waitFor();
    assert.deepEqual(requests.filter((url) => /\/api\/|docs\/market/.test(url)), []);
  });

  await visit("convert: amount, pair and result, and the result in Persian words; the address has them", { site: sample, locale: "fa-IR", viewport: PHONE, at: "#/convert?amount=1500" }, async ({ page }) => {
    const output = page.locator("#convert-result");
    await output.filter({ hasText: /[۰-۹]/ }).waitFor();
    await page.locator(".convert-note", { hasText: /میلیون.*تومان$/ }).waitFor();
    await page.locator("#convert-from").selectOption("RIAL");
    await page.locator("#convert-amount").fill("۱۲٬۳۴۰");
    await output.filter({ hasText: "۱٬۲۳۴" }).waitFor();
    await page.locator(".convert-note", { hasText: "هزار و دویست و سی و چهار تومان" }).waitFor();
    const query = new URLSearchParams(new URL(page.url()).hash.split("?")[1]);
    assert.deepEqual(Object.fromEntries(query), { amount: "۱۲٬۳۴۰", from: "RIAL", to: "TOMAN" });
    await page.locator(".swap").click();
    await output.filter({ hasText: "۱۲۳٬۴۰۰" }).waitFor();
    await page.locator("#convert-amount").fill("x");
    await output.filter({ hasText: "—" }).waitFor();

    // An old day, typed in the Jalali calendar: the API is asked, which is free with this key.
    await page.locator("#convert-amount").fill("3");
    await page.locator("#convert-from").selectOption("BTC_USD");
    const answers = Promise.all(["BTC_USD", "USD_RLS"].map((code) => page.waitForResponse(new RegExp(`/${code}/history\\?from=2025-03-19&to=2025-03-19$`))));
    await page.locator("#convert-day").fill("۱۴۰۳/۱۲/۲۹");
    const [bitcoin, dollar] = await Promise.all((await answers).map(async (answer) => ((await answer.json()) as { value: number }[])[0]!.value));
    const wanted = new Intl.NumberFormat("fa-IR", { maximumFractionDigits: 0 }).format(3 * bitcoin! * dollar!);
    await output.filter({ hasText: wanted }).waitFor();
    assert.match(page.url(), /day=2025-03-19/);
  });

  await visit("convert: a day that costs units is asked for when the visitor says so; one of the last thirty costs none", { site: mounted, at: "#/convert?day=2024-01-10" }, async ({ page, requests }) => {
    await enterKey(page, mounted.key);
    const load = page.locator("#convert-load", { hasText: "Load its prices: 1 of your units" });
    await load.waitFor();
    assert.deepEqual(requests.filter((url) => url.includes("/history")), []);
    await load.click();
    await page.locator(".convert-note", { hasText: "no price of that day" }).waitFor();
    await load.waitFor({ state: "detached" });
    assert.equal(requests.filter((url) => url.includes("/history")).length, 1);
    await page.getByRole("button", { name: "Latest" }).click();
    await page.locator("#convert-result", { hasText: "1,905,000" }).waitFor();
    await page.locator("#convert-day").fill(new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Tehran" }).format(Date.now() - 60_000));
    await page.locator("#convert-result", { hasText: "1,905,000" }).waitFor();
    assert.equal(await load.count(), 0);
  });
};
