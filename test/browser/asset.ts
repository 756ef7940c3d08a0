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
      await page.locator(`#asset-interval-${interval}`).check();
      await page.locator(`#asset-range-${range}`).check();
      await calls.locator(".asset-url", { hasText: `interval=${interval}` }).first().waitFor();
      await chartOf(page);
      const query = new URLSearchParams(new URL(page.url()).hash.split("?")[1]);
      assert.deepEqual([query.get("interval"), query.get("range")], [interval, range]);
      assert.ok(requests.some((url) => url.includes(`/ohlc?interval=${interval}&`)), interval);
    }
  });

  await visit("asset: the CSV is what the API gave, whatever the page displays", { site: sample, at: DOLLAR, locale: "fa-IR" }, async ({ page }) => {
    await page.locator("#unit-toman").check();
    // The page's own answer, as the sample goes on while it is served.
    const [answer] = await Promise.all([page.waitForResponse(/\/api\/v1\/assets\/USD_RLS\/history\?/), page.reload()]);
    await chartOf(page);
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator("#asset-csv").click()]);
    const [, from, to] = /^USD_RLS_(\d{4}-\d\d-\d\d)_(\d{4}-\d\d-\d\d)\.csv$/.exec(file.suggestedFilename()) ?? [];
    assert.equal(answer.url(), `${sample.url}/api/v1/assets/USD_RLS/history?from=${from}&to=${to}`);
    const records = (await answer.json()) as { code: string; value: number; businessTime: string }[];
    assert.ok(records.length > 20, `${records.length}`);
    const lines = records.map(({ code, value, businessTime }) => `${code},${value},${businessTime}\r\n`);
    assert.equal(await readFile(await file.path(), "utf8"), `code,value,businessTime\r\n${lines.join("")}`);
  });

  await visit("asset: the calls behind the view are copied, and work as they are", { site: sample, at: DOLLAR }, async ({ page }) => {
    await chartOf(page);
    const call = page.locator(".asset-calls li").first();
    const url = await clipboardAfter(page, call.getByRole("button", { name: "Copy URL" }));
    assert.equal((await fetch(url, { headers: { "X-API-Key": sample.key } })).status, 200);
    assert.equal(await clipboardAfter(page, call.getByRole("button", { name: "Copy curl" })), `export KEY=${sample.key}\ncurl -H "X-API-Key: $KEY" '${url}'`);
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
    assert.equal(await page.locator("#asset-csv").innerText(), "Download CSV: 1 Jan 2026 – 1 Mar 2026");
  });

  await visit("asset: what is loaded costs nothing where the records are few, and reloading nothing costs one unit", { site: mounted, at: DOLLAR }, async ({ page }) => {
    await enterKey(page, mounted.key);
    await chartOf(page);
    await page.getByText(/1 day: loaded already, costs nothing$/).waitFor();
    await page.evaluate(() => void (location.hash = "#/asset/GBP_RLS"));
    await page.getByText("There is no record of this asset yet.").waitFor();
    assert.equal(await page.locator("#asset-reload-cost").innerText(), "costs 1 unit");
  });

  await visit("asset: a code that does not exist leads to those that may be meant", { site: sample, at: "#/asset/usd" }, async ({ page }) => {
    await page.getByRole("heading", { name: "There is no asset “usd”" }).waitFor();
    await page.locator(".asset-similar a").first().click();
    await page.getByRole("heading", { name: "US Dollar", exact: true }).waitFor();
  });
};
