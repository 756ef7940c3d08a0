// Coins and gold, and the converter: numbers computed from prices.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { PHONE, TABLET } from "./chromium.ts";
import { enterKey } from "./frame_suite.ts";
import type { Suite } from "./suite_types.ts";

/** The number that an element shows. */
async function numberIn(page: Page, selector: string): Promise<number> {
  return Number((await page.locator(selector).first().innerText()).replaceAll("−", "-").replace(/[^\d.-]/g, ""));
}

export const coinsSuite: Suite = async ({ sample, own, mounted, visit, nightly }) => {
  await visit("coins: results match the ounce and dollar shown", { site: sample, at: "#/coins" }, async ({ page }) => {
    await page.locator(".year-line").waitFor();
    const row = ".coin-table tbody tr:first-child td:nth-child";
    const check = async (ounce: number, dollar: number): Promise<void> => {
      const [price = 0, gold = 0, bubble = 0, implied = 0] = await Promise.all(
        [4, 6, 7, 9].map((cell) => numberIn(page, `${row}(${cell})`)),
      );
      const wanted = ((ounce * dollar) / 31.1034768) * 8.133 * 0.9;
      assert.ok(Math.abs(gold - wanted) < wanted / 1e5, `${gold}`);
      assert.ok(Math.abs(price - gold - bubble) <= 1, `${price} ${gold} ${bubble}`);
      assert.ok(Math.abs(implied - (price / gold) * dollar) < implied / 1e5, `${implied}`);
    };
    const [ounce, dollar] = await Promise.all(
      ["ounce", "dollar"].map(async (name) =>
        Number((await page.locator(`#coins-${name}`).inputValue()).replaceAll(",", "")),
      ),
    );
    await check(ounce!, dollar!);
    await page.locator("#coins-ounce").fill("5000");
    await page.locator("#coins-dollar").fill("1,000,000");
    await check(5_000, 1_000_000);
    await page.locator(".by-way dd", { hasText: /^1,000,000$/ }).waitFor(); // the list has the entered rate, too
    await page.locator("#coins-back").click();
    await check(ounce!, dollar!);
    await page.locator("#coin-ROB_SEKKEH_RLS").focus();
    await page.getByRole("heading", { name: /^Bubble of Quarter Gold Coin, one year/ }).waitFor();

    await page.route("**/ohlc?*", async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { candles: readonly unknown[] };
      await route.fulfill({ response, json: { ...json, candles: json.candles.slice(-1) } });
    });
    await page.reload();
    await page.getByText("There are not enough prices for this year.").waitFor();
  });

  await nightly(
    "coins: tablets show the bubble",
    { site: sample, viewport: TABLET, at: "#/coins" },
    async ({ page }) => {
      const row = page.locator(".coin-table tr", { hasText: "Emami" });
      await row.waitFor();
      const places = await row
        .locator(".bubble, .bar-cell, strong")
        .evaluateAll((parts) => parts.map((part) => part.className));
      assert.deepEqual(places, ["bubble", "bar-cell", ""]);
      const cut = await page.locator(".coin-table").evaluate((table) => table.scrollWidth - table.clientWidth);
      assert.equal(cut, 0, "nothing in the table is cut off");
      const bubble = await row.locator(".bubble").innerText();
      await row.locator("a").click();
      await page.locator("#asset-bubble h2", { hasText: bubble }).waitFor();
      await page.locator("#asset-bubble a").click();
      await row.waitFor();
    },
  );

  await visit("coins: without a key nothing is requested", { site: own, at: "#/coins" }, async ({ page, requests }) => {
    await page.locator(".ask", { hasText: "Prices need a key." }).waitFor();
    await page.evaluate(() => void (location.hash = "#/convert"));
    await page.locator(".convert-note", { hasText: "Prices need a key." }).waitFor();
    for (const url of requests) assert.doesNotMatch(url, /\/api\/|docs\/market/);
  });

  await visit(
    "convert: the result is shown in digits and in Persian words; the amount and both units are part of the address",
    { site: sample, locale: "fa-IR", viewport: PHONE, at: "#/convert?amount=1500" },
    async ({ page }) => {
      const output = page.locator("#convert-result");
      const rounded = (value: number): string =>
        new Intl.NumberFormat("fa-IR", { maximumFractionDigits: 0 }).format(value);
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

      // The page asks the API for an old day, typed in the Jalali calendar. This is free with the demo key.
      await page.locator("#convert-amount").fill("3");
      await page.locator("#convert-from").selectOption("BTC_USD");
      const answer = page.waitForResponse(/\/BTC_RLS\/history\?from=2025-03-19&to=2025-03-19$/); // Bitcoin in rial
      await page.locator("#convert-day").fill("۱۴۰۳/۱۲/۲۹");
      const [{ value }] = (await (await answer).json()) as [{ value: number }];
      await output.filter({ hasText: rounded(3 * value) }).waitFor();
      assert.match(page.url(), /day=2025-03-19/);
      // On a day without a rial price, Bitcoin's dollar price is used. Until the answer arrives, no result is shown.
      const historyOf = (code: string): string => `/api/v1/assets/${code}/history?from=2025-03-18&to=2025-03-18`;
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route(`**${historyOf("BTC_RLS")}`, async (route) => {
        await held;
        await route.fulfill({ json: [] });
      });
      await page.locator("#convert-day").fill("۱۴۰۳/۱۲/۲۸");
      await page.locator(".convert-note", { hasText: "در حال بارگذاری…" }).waitFor();
      await page.locator(".convert-view dl", { hasText: "—" }).waitFor(); // the rows stay, with dashes as amounts
      assert.equal(await page.locator(".converter h2 span").textContent(), "", "no quote is shown before it is loaded");
      release();
      const [bitcoin, dollar] = await Promise.all(
        ["BTC_USD", "USD_RLS"].map(async (code) => {
          const asked = await fetch(sample.url + historyOf(code), { headers: { "X-API-Key": sample.key } });
          return ((await asked.json()) as readonly { value: number }[])[0]!.value;
        }),
      );
      await output.filter({ hasText: rounded(3 * bitcoin! * dollar!) }).waitFor();

      const wrongDay = page.getByText("چنین روزی در تقویم نیست");
      await page.locator("#convert-day").fill("۱۴۰۵/۸/۳");
      await page.locator("#convert-day").fill("۱۴۰۵/۸/");
      assert.equal(await wrongDay.count(), 0, "not while typing");
      await page.locator("#convert-amount").focus();
      await wrongDay.waitFor();
      await page.locator("#convert-day").fill("۱۴۰۵/۸/۱");
      await wrongDay.waitFor({ state: "detached" });
      await page.locator("#convert-day").fill("۱۴۰۵/۱۲/۳۰");
      await wrongDay.waitFor();
      await page.locator("#convert-day").fill("");
      await page.waitForURL((url) => !url.hash.includes("day="));

      await page.evaluate(() => void (location.hash = "#/convert?amount=999999999999999&to=RIAL&day=1403/12/29"));
      await output.filter({ hasText: /(٬۰۰۰){2}$/ }).waitFor(); // only 15 digits of a number are exact
      assert.equal(await page.locator("#convert-day").inputValue(), "۱۴۰۳/۱۲/۲۹");
      await page.evaluate(() => void (location.hash = "#/convert?amount=1&from=pepe_usd&to=toman"));
      await output.filter({ hasText: /^۰٫۰/ }).waitFor();
      assert.equal(await page.locator(".convert-note").innerText(), "", "it is not zero toman");
    },
  );

  await visit(
    "convert: a day that costs a unit is loaded only on request; any of the last thirty days is free",
    { site: mounted, at: "#/convert?day=2024-01-10" },
    async ({ page, requests }) => {
      await enterKey(page, mounted.key);
      const load = page.locator("#convert-load", { hasText: "Load the prices of that day for 1 of your units" });
      await load.waitFor();
      for (const url of requests) assert.doesNotMatch(url, /\/history/);
      const asked = page.waitForRequest(/\/history\?/);
      await load.click();
      await asked;
      await page.locator(".convert-note", { hasText: "no price on that day" }).waitFor();
      await load.waitFor({ state: "detached" });
      assert.equal(requests.filter((url) => url.includes("/history")).length, 1);
      await page.getByRole("button", { name: "Latest" }).click();
      await page.locator("#convert-result", { hasText: "1,905,000" }).waitFor();
      await page.locator(".convert-note", { hasText: /^1.91 million rial.*190,500 toman$/s }).waitFor();
      await page.locator("#convert-from").selectOption("BTC_USD");
      const timeOf = async (code: string): Promise<number> => {
        const answer = await fetch(`${mounted.url}/api/v1/assets/${code}`, { headers: { "X-API-Key": mounted.key } });
        return Date.parse(((await answer.json()) as { businessTime: string }).businessTime);
      };
      const dayOf = new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Tehran", day: "numeric", month: "short" });
      await page.locator(".converter h2", { hasText: dayOf.format(await timeOf("BTC_USD")) }).waitFor(); // the older quote
      await page.locator("#convert-from").selectOption("USD_RLS");
      await page
        .locator("#convert-day")
        .fill(new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Tehran" }).format(await timeOf("USD_RLS")));
      await page.locator("#convert-result", { hasText: "1,905,000" }).waitFor();
      assert.equal(await load.count(), 0);
    },
  );
};
