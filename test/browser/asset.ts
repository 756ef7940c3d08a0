// One asset: its chart, its history, and the calls behind them.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { clipboardAfter } from "./chromium.ts";
import { enterKey } from "./frame.ts";
import type { Suite } from "./world.ts";

const DOLLAR = "#/asset/USD_RLS";

/** Waits for the chart, its latest value and its history. */
export async function chartOf(page: Page): Promise<void> {
  await page.locator(".asset-canvas canvas").first().waitFor();
  await page.locator(".asset-table").waitFor();
}

export const assetSuite: Suite = async ({ sample, mounted, visit }) => {
  await visit("asset: interval and range change the address, the call and the chart", { site: sample, at: DOLLAR }, async ({ page, requests }) => {
    await chartOf(page);
    const calls = page.locator(".asset-calls");
    for (const [interval, range] of [["1h", "1w"], ["15m", "1d"], ["4h", "1m"]] as const) {
      await page.locator("#asset-interval").selectOption(interval);
      await page.locator(`#asset-range-${range}`).check();
      await calls.locator(".asset-url", { hasText: `interval=${interval}` }).first().waitFor();
      await chartOf(page);
      const query = new URLSearchParams(new URL(page.url()).hash.split("?")[1]);
      assert.deepEqual([query.get("interval"), query.get("range")], [interval, range]);
      assert.ok(requests.some((url) => url.includes(`/ohlc?interval=${interval}&`)), interval);
    }
  });

  await visit("asset: the CSV is what the API gave, whatever the page displays", { site: sample, at: DOLLAR, locale: "fa-IR" }, async ({ page }) => {
    await chartOf(page);
    // The page's own answer, as the sample goes on while it is served.
    const [answer] = await Promise.all([page.waitForResponse(/\/api\/v1\/assets\/USD_RLS\/history\?/), page.reload()]);
    await chartOf(page);
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator("#asset-csv").click()]);
    const [, from, to] = /^sample_USD_RLS_(\d{4}-\d\d-\d\d)_(\d{4}-\d\d-\d\d)\.csv$/.exec(file.suggestedFilename()) ?? [];
    assert.equal(answer.url(), `${sample.url}/docs/api/v1/assets/USD_RLS/history?from=${from}&to=${to}`);
    const records = (await answer.json()) as { code: string; value: number; businessTime: string; quoteUnit: string; labelEn: string; labelFa: string }[];
    assert.ok(records.length > 20, `${records.length}`);
    const lines = records.map(({ code, value, businessTime, quoteUnit, labelEn, labelFa }) => `${[code, value, businessTime, quoteUnit, labelEn, labelFa].join(",")}\r\n`);
    assert.equal(await readFile(await file.path(), "utf8"), `code,value,businessTime,quoteUnit,labelEn,labelFa\r\n${lines.join("")}`);
  });

  await visit("asset: the calls behind the view are copied, and work as they are", { site: sample, at: DOLLAR }, async ({ page }) => {
    await chartOf(page);
    const call = page.locator(".request-line").first();
    const url = `${sample.url}${(await call.locator("code").innerText()).replace("GET ", "")}`;
    assert.equal((await fetch(url, { headers: { "X-API-Key": sample.key } })).status, 200);
    assert.equal(await clipboardAfter(page, call.getByRole("button")), `export KEY=${sample.key}\ncurl -H "X-API-Key: $KEY" '${url}'`);
    await call.getByRole("link").click();
    await page.locator("#ref-send-getCandles").waitFor();
  });

  await visit("asset: older days are loaded for the units that are told before", { site: sample, at: DOLLAR }, async ({ page, requests }) => {
    await chartOf(page);
    await page.locator("#asset-from-USD_RLS").fill("2026-01-01");
    await page.locator("#asset-to-USD_RLS").fill("2026-03-01");
    await page.getByText(/60 days: costs 2 units/).waitFor();
    const before = requests.length;
    await page.locator("#asset-show").click();
    await page.getByText(/from .*2026 to .*2026/).first().waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".asset-table tbody tr").length > 40);
    assert.equal(requests.slice(before).filter((url) => url.includes("/history?")).length, 2);
    await page.locator("#asset-to-USD_RLS").fill("2025-01-01");
    await page.getByText("The last day is before the first. The table below still has 1 Jan 2026 – 1 Mar 2026.").waitFor();
    assert.match((await page.locator("#asset-csv").getAttribute("aria-label"))!, /^Download CSV: 1 Jan 2026 – 1 Mar 2026/);
  });

  await visit("asset: what is loaded costs nothing where the records are few, and an asset without a record says so", { site: mounted, at: DOLLAR }, async ({ page }) => {
    await enterKey(page, mounted.key);
    await chartOf(page);
    await page.getByText(/1 day: loaded already, costs nothing$/).waitFor();
    await page.evaluate(() => void (location.hash = "#/asset/GBP_RLS"));
    await page.getByText("There is no record of this asset yet.").waitFor();
  });

  await visit("asset: in the Jalali calendar days are typed as such, in digits of either script", { site: sample, at: DOLLAR, locale: "fa-IR" }, async ({ page, requests }) => {
    await chartOf(page);
    assert.match(await page.locator("#asset-to-USD_RLS").inputValue(), /^۱۴۰[۰-۹]\/[۰-۹]{2}\/[۰-۹]{2}$/);
    await page.locator("#asset-from-USD_RLS").fill("1405/06/01");
    await page.locator("#asset-to-USD_RLS").fill("۱۴۰۵/۶/۳۱");
    await page.locator("#asset-show").click();
    await page.waitForFunction(() => location.hash.includes("from=2026-08-23&to=2026-09-22"));
    await page.locator(".asset-table").waitFor();
    assert.ok(requests.some((url) => url.endsWith("/history?from=2026-08-23&to=2026-09-22")), requests.join("\n"));
  });

  await visit("asset: two views never differ: what one answer tells is known everywhere, and the chart ends with it", { site: sample, at: DOLLAR }, async ({ page }) => {
    await chartOf(page);
    await page.clock.install();
    await page.route("**/docs/market", async (route) => {
      const response = await route.fetch();
      const summary = (await response.json()) as { assets: { value: number; businessTime: string }[] };
      Object.assign(summary.assets[0]!, { value: 2_999_000, businessTime: new Date().toISOString() });
      await route.fulfill({ response, json: summary });
    });
    await page.reload();
    await chartOf(page);
    await page.locator(".asset-value", { hasText: "2,999,000" }).waitFor();
    await page.locator(".asset-readout", { hasText: "2,999,000" }).waitFor();
    assert.match(await page.title(), /^2,999,000 rial/);
    await page.locator("#nav-market").click();
    assert.match(await page.locator(".tile.hero").innerText(), /2,999,000/);
  });

  await visit("asset: another asset is compared in percent, and told as a ratio", { site: sample, at: "#/asset/SEKKEH_RLS" }, async ({ page }) => {
    await chartOf(page);
    await page.locator("#asset-compare").selectOption("USD_RLS");
    await page.locator(".asset-ratio", { hasText: /^One Emami Gold Coin is [\d,.]+ US Dollar; [\d,.]+ – [\d,.]+ in the range, on \d+ common bars/ }).waitFor();
    await chartOf(page);
    assert.match(page.url(), /compare=USD_RLS/);
  });

  await visit("asset: a code that does not exist leads to those that may be meant", { site: sample, at: "#/asset/usd" }, async ({ page }) => {
    await page.getByRole("heading", { name: "There is no asset “usd”" }).waitFor();
    await page.locator(".asset-similar a").first().click();
    await page.getByRole("heading", { name: "US Dollar", exact: true }).waitFor();
  });
};
