// The market on a past day, and copying prices as a table or as text.
import assert from "node:assert/strict";
import { clipboardAfter, PHONE, tooWide } from "./chromium.ts";
import { atQuotes } from "./gold_suite.ts";
import { pricesOf } from "./market_suite.ts";
import type { Suite } from "./suite_types.ts";

export const pastDaySuite: Suite = async ({ quotes, sample, visit, nightly }) => {
  await visit(
    "past day: shows the last prices of a Jalali day and the change since then; assets without a price on that day show their last record",
    { site: quotes, before: atQuotes, locale: "fa-IR", at: "#/market?day=1405-05-31" },
    async ({ page, requests }) => {
      const rowOf = async (code: string): Promise<string> =>
        (await page.locator("tr", { has: page.locator(`#row-${code}`) }).innerText())
          .replace(/[\s\u200e]+/g, " ")
          .trim();
      await page.locator("#row-USD_RLS").waitFor();
      await page.locator(".past-day .rail output").waitFor();
      assert.equal(await rowOf("USD_RLS"), "دلار آمریکا USD ۱۸۶٬۸۰۳ تومان +۰٫۳۷٪ +۶٫۲۹٪ ۲۳:۴۵");
      assert.match(await rowOf("EUR_RLS"), /۲۲۷٬۳۴۰ .*\+۶٫۵۲٪/);
      assert.match(await rowOf("GOLD_18_RLS"), /۱۶٬۹۷۶٬۱۰۵ تومان — \+۱۲٫۴۵٪/);
      assert.match(await rowOf("BTC_USD"), /۷۱٬۲۰۴٫۸۰ .*\+۱۶٫۷۴٪/);
      assert.match(
        await rowOf("SEKKEH_RLS"),
        /آن روز رکوردی ندارد\. آخرین رکورد از ۲۹ مرداد ۱۴۰۵ است: ۱۸۳٬۱۵۰٬۰۰۰ تومان/,
      );
      assert.match(await page.locator(".day-band").innerText(), /^\s*شنبه ۳۱ مرداد ۱۴۰۵\s+۹۲ روز پیش/);
      await page.locator("#rail-amount").fill("1500");
      await page.locator("#rail-result", { hasText: "۲۸۰٬۲۰۴٬۵۰۰" }).waitFor();
      assert.ok(!requests.some((url) => url.includes("/history")), "no request besides the one for the day");

      await page.locator("#past-field").fill("۱۴۰۵/۰۹/۰۲");
      await page.locator("#past-field[aria-invalid=true]").waitFor(); // tomorrow
      for (const [step, day] of [
        [() => page.locator("#past-before").click(), "2026-08-21"],
        [() => page.locator("#past-field").press("ArrowRight"), "2026-08-20"], // earlier days are on the right
        [() => page.keyboard.press("ArrowLeft"), "2026-08-21"],
      ] as const) {
        await step();
        await page.waitForURL(`**/docs#/?day=${day}`);
      }
      await page.locator("tr", { hasText: "۱۸۶٬۱۲۰" }).waitFor();
      for (const link of [".tile.hero", "#row-USD_RLS"])
        assert.equal(await page.locator(link).getAttribute("href"), "#/asset/USD_RLS?day=2026-08-21");
      await page.locator("#group-FX").click();
      await page.locator("#group-FX[aria-pressed=true]").waitFor();
      const rows = [await page.locator("#row-SEKKEH_RLS").count(), await page.locator("#row-EUR_RLS").count()];
      assert.deepEqual(rows, [0, 1]);
      await page.locator("#past-today").click();
      await pricesOf(page);
      assert.equal(new URL(page.url()).hash, "#/?category=FX");
    },
  );

  await nightly("past day: an invalid day is reported", { site: quotes, at: "#/?day=1405-13-01" }, async ({ page }) => {
    await page.getByText("There is no such day. Choose today or an earlier day.").waitFor();
    await page.evaluate(() => void (location.hash = "#/?day=9999-01-01"));
    await page.getByText("There is no such day.").waitFor();
  });

  const phone = { site: sample, viewport: PHONE };
  await nightly("market: a past day is one tap away, and fits on a narrow phone", phone, async ({ page }) => {
    await pricesOf(page);
    await page.getByRole("link", { name: "Another day" }).click();
    await page.locator(".past-day .market .range .change-text").first().waitFor();
    assert.deepEqual(await tooWide(page), []);
    await page.setViewportSize({ width: 320, height: 640 });
    assert.deepEqual(await tooWide(page), []);
    const name = (await page.locator(".past-day .asset", { hasText: "Bitcoin" }).first().boundingBox())!;
    assert.ok(name.width >= 50, `${name.width} px`);
  });

  const currencies = { site: quotes, before: atQuotes, at: "#/?category=FX" };
  await nightly("market: the prices can be copied as a table and as text", currencies, async ({ page, site }) => {
    await pricesOf(page);
    await page.locator(".menu summary").click();
    const table = await clipboardAfter(page, page.getByRole("button", { name: "Copy: As a table" }));
    assert.deepEqual(table.split("\n"), [
      "code\tName\tPrice\tUnit\t%\tUTC",
      "USD_RLS\tUS Dollar\t1985528\trial\t-1.11\t2026-11-22T12:54:00.000Z",
      "EUR_RLS\tEuro\t2421600\trial\t\t2026-11-22T12:54:00.000Z",
    ]);
    const text = await clipboardAfter(page, page.getByRole("button", { name: "Copy: As text" }));
    assert.deepEqual(text.split("\n"), [
      "Mazaneh, 22 Nov 2026, 16:25",
      "US Dollar: 1,985,528 rial (−1.11%)",
      "Euro: 2,421,600 rial",
      `${site.url}/docs#/?category=FX`,
    ]);
  });
};
