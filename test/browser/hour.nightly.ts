// The page open for an hour, on a clock that runs fast, while prices are imported: no number of a view may differ from the API's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createFormat, unitOf } from "../../adapters/page/browser/data/format.ts";
import { preferencesOf } from "../../adapters/page/browser/data/preferences.ts";
import { ASSETS, GOLD_PIECES, goldWorth } from "../../core/mod.ts";
import { skip, startChromium, visits } from "./chromium.ts";
import { pricesOf } from "./market_suite.ts";
import { emptySite } from "./sites.ts";

const MINUTE_MS = 60_000;
const HOUR = 60;

test("an hour of imports, on a clock that runs fast: every number of every view is that of the API", {
  skip,
}, async (t) => {
  const site = await emptySite(t);
  const format = createFormat(preferencesOf({}, "en"), "Asia/Tehran");
  const assets = ASSETS.filter(({ code, category }) => category !== "CRYPTO" || code.endsWith("_USD"));
  const start = Date.parse("2026-11-21T09:00:00Z");
  const priceAt = (at: number, minute: number): number =>
    Number((1_000 * (at + 1) * (1 + Math.sin(at + minute / 7) / 20)).toFixed(at % 3));
  const feed = (minute: number, wanted: (at: number) => boolean): Promise<unknown> =>
    site.feed(
      assets.flatMap(({ code }, at) =>
        wanted(at)
          ? [{ code, value: priceAt(at, minute), businessTime: new Date(start + minute * MINUTE_MS).toISOString() }]
          : [],
      ),
    );
  site.setNow(start);
  await feed(-1_440, () => true);
  await feed(0, () => true);
  let compared = 0;

  await visits(t, await startChromium(t))("the hour", { site }, async ({ page }) => {
    await page.clock.install({ time: start });
    await page.reload();
    await pricesOf(page);
    for (let minute = 1; minute <= HOUR; minute++) {
      await feed(minute, (at) => at % 7 === minute % 7);
      site.setNow(start + minute * MINUTE_MS);
      // The page looks every five seconds whether a minute is over. Its clock moves on by itself too, which must not add up.
      await page.clock.runFor(start + minute * MINUTE_MS + 10_000 - (await page.evaluate(() => Date.now())));
      await page.waitForFunction(
        (time) => document.getElementById("market-time")?.textContent === time,
        format.time(start + minute * MINUTE_MS),
      );
      if (minute % 7 !== 0) continue;
      const latest = await site.ask<{ readonly code: string; readonly value: number }[]>("/api/v1/assets");
      const yesterday = new Map(assets.map(({ code }, at) => [String(code), priceAt(at, -1_440)]));
      const wanted = latest
        .filter(({ code }) => assets.some((asset) => String(asset.code) === code))
        .map(({ code, value }) => {
          const unit = unitOf(ASSETS.find((asset) => String(asset.code) === code)!);
          const before = yesterday.get(code)!;
          return [
            code,
            format.priceNumber(value, unit),
            format.percent(value / before - 1),
            format.difference(value - before, unit),
          ];
        });
      const shown = await page.locator(".market tbody tr:not(.group)").evaluateAll((rows) =>
        rows.map((row) => {
          return [
            row.querySelector("code")!.title,
            ...["price", "change", "difference"].map((part) => row.querySelector(`.${part} .n`)!.textContent),
          ];
        }),
      );
      assert.deepEqual(shown.toSorted(), wanted.toSorted(), `minute ${minute}`);
      compared += 3 * shown.length;
      for (const [code, price, change] of [wanted[minute % wanted.length]!, wanted[0]!] as const) {
        await page.evaluate((hash) => void (location.hash = hash), `#/asset/${code}`);
        await page.locator(".asset-name code", { hasText: new RegExp(`^${code}$`) }).waitFor();
        assert.deepEqual(
          [
            await page.locator(".asset-value strong").innerText(),
            await page.locator(".asset-value .change-text .n").innerText(),
          ],
          [price, change],
        );
        compared += 2;
      }
      const priceOf = (code: string): number => latest.find((one) => one.code === code)!.value;
      const [ounce, dollar] = [priceOf("GOLD_OUNCE_USD"), priceOf("USD_RLS")];
      await page.evaluate(() => void (location.hash = "#/coins"));
      await page.locator(".coin-table").waitFor();
      const coins = await page
        .locator(".coin-table tbody tr")
        .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll(".n")].map((number) => number.textContent)));
      const worths = GOLD_PIECES.map((piece) => {
        const price = priceOf(piece.code);
        const { gold, bubble, ratio, impliedDollar } = goldWorth(piece, price, { ounce, dollar });
        const rial = (value: number): string => format.wholePrice(value, "RLS");
        return [
          format.percent(ratio, 1),
          format.priceNumber(price, "RLS"),
          format.percent(price / yesterday.get(piece.code)! - 1),
          rial(gold),
          rial(bubble),
          rial(impliedDollar),
        ];
      });
      assert.deepEqual(coins, worths, `minute ${minute}`);
      await page.evaluate(() => void (location.hash = "#/convert?amount=3000&from=BTC_USD&to=RIAL"));
      const inRial = new Intl.NumberFormat(format.locale, { maximumFractionDigits: 0 }).format(
        3_000 * priceOf("BTC_USD") * dollar,
      );
      assert.equal(await page.locator("#convert-result").innerText(), inRial);
      compared += 6 * coins.length + 1;
      await page.locator("#nav-market").click();
      await pricesOf(page);
    }
  });
  assert.ok(compared >= 2_000, `${compared} numbers`);
  t.diagnostic(`${compared} numbers`);
});
