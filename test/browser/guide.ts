// The guide: its sections, its links, its examples.
import assert from "node:assert/strict";
import { clipboardAfter } from "./chromium.ts";
import type { Suite } from "./world.ts";

export const guideSuite: Suite = async ({ sample, visit }) => {
  for (const locale of ["en-US", "fa-IR"] as const) {
    await visit(`guide: the contents lead to each section, and no link leads nowhere: ${locale}`, { site: sample, at: "#/guide", locale }, async ({ page }) => {
      await page.locator(".guide-contents a").first().waitFor();
      const sections = await page.locator(".guide-contents a").evaluateAll((links) => links.map((link) => link.getAttribute("href")!));
      assert.ok(sections.length >= 10, `${sections.length}`);
      for (const section of sections) {
        await page.locator(`.guide-contents a[href="${section}"]`).click();
        await page.waitForFunction((id) => {
          const { activeElement } = document;
          return activeElement?.id === id && activeElement.getBoundingClientRect().top < innerHeight;
        }, `guide-${section.split("/").at(-1)}`);
      }
      const links = await page.locator(".guide-text a").evaluateAll((found) => found.map((link) => link.getAttribute("href")!));
      assert.ok(links.length >= 5, `${links.length}`);
      for (const link of new Set(links)) {
        if (link.startsWith("#/guide/")) assert.ok(sections.includes(link), link);
        else if (link.startsWith("#/")) assert.match(link, /^#\/(?:asset\/\w+|reference(?:\/\w+)?)?$/);
        else assert.equal((await fetch(new URL(link, `${sample.url}/docs`))).status, 200, link);
      }
    });
  }

  await visit("guide: a deep link leads to its section; an example holds the demo key and is copied", { site: sample, at: "#/guide/quota" }, async ({ page }) => {
    await page.waitForFunction(() => document.activeElement?.id === "guide-quota");
    const example = page.locator(".guide-code", { hasText: "X-API-Key: mz_" }).first();
    const copied = await clipboardAfter(page, example.getByRole("button"));
    assert.equal(copied, (await example.locator("code").innerText()).trimEnd());
    assert.ok(copied.includes(sample.key) && copied.includes(sample.url), copied);
  });
};
