// What the first view weighs, and what it does without.
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { chartOf } from "./asset.ts";
import { pricesOf } from "./market.ts";
import type { Suite } from "./world.ts";

const KB = 1_000;
const FIRST_VIEW = 40 * KB;
const WITH_CHART = 110 * KB;
const CHART = /\/chart-\w+\.js$/;

/** Loads the page anew; the bytes of its HTML, style and scripts as they are sent with gzip, by path. */
async function weightOf(page: Page, isLoaded: (page: Page) => Promise<void>): Promise<ReadonlyMap<string, number>> {
  const loaded = new Set<string>();
  page.on("response", (response) => void (/^(?:document|stylesheet|script)$/.test(response.request().resourceType()) && loaded.add(response.url())));
  await page.reload();
  await isLoaded(page);
  const bodies = [...loaded].map(async (url) => [new URL(url).pathname, gzipSync(await (await fetch(url)).arrayBuffer()).length] as const);
  return new Map(await Promise.all(bodies));
}

function total(weights: ReadonlyMap<string, number>): number {
  return [...weights.values()].reduce((sum, weight) => sum + weight, 0);
}

export const weightSuite: Suite = async ({ sample, visit }) => {
  await visit("weight: the first view is at most 40 kB gzipped, without the chart", { site: sample }, async ({ page }) => {
    const weights = await weightOf(page, pricesOf);
    assert.ok(weights.size >= 3, `${weights.size}`);
    assert.ok(total(weights) <= FIRST_VIEW, JSON.stringify([total(weights), ...weights]));
    assert.deepEqual([...weights.keys()].filter((path) => CHART.test(path)), []);
  });

  await visit("weight: with the chart it is at most 110 kB gzipped, and the first paint does not wait for it", { site: sample, at: "#/asset/USD_RLS" }, async ({ page }) => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(CHART, async (route) => (await released, route.continue()));
    const weights = await weightOf(page, async () => {
      await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
      await page.locator(".asset-table").waitFor(); // all but the chart is there
      release();
      await chartOf(page);
    });
    assert.equal([...weights.keys()].some((path) => CHART.test(path)), true);
    assert.ok(total(weights) <= WITH_CHART, JSON.stringify([total(weights), ...weights]));
  });
};
