// The guide, and the script of all documentation pages: filter, theme, language.
import assert from "node:assert/strict";
import type { Suite } from "./suite_types.ts";

export const guideSuite: Suite = async ({ sample, visit, nightly }) => {
  await visit("guide: works without script", { site: sample, at: "/guide.fa", hasScript: false }, async ({ page }) => {
    const links = await page.locator(".contents a").evaluateAll((all) => all.map((link) => link.getAttribute("href")!));
    assert.ok(links.length >= 14, `${links.length}`);
    for (const link of links) {
      await page.locator(`.contents a[href="${link}"]`).click();
      assert.equal(new URL(page.url()).hash, link);
      const { top, low } = await page
        .locator(link)
        .evaluate((heading) => ({ top: heading.getBoundingClientRect().top, low: innerHeight }));
      assert.ok(top >= 0 && top < low, `${link} is at ${top} px, outside the window`);
    }
    assert.match(await page.locator(".placeholders").innerText(), /BASE_URL/);
    assert.equal(await page.locator("#filter").isVisible(), false);
  });

  await nightly(
    "guide: a filter finds sections by their text, and the table of contents marks the section being read",
    { site: sample, at: "/guide" },
    async ({ page }) => {
      const marked = (name: string): Promise<void> =>
        page.locator(`.contents a[aria-current="true"][href="#${name}"]`).waitFor();
      await marked("start");
      await page.locator("#days").evaluate((heading) => heading.scrollIntoView());
      await marked("days");
      await page.locator('.contents a[href="#keys"]').click();
      await marked("keys");
      assert.equal(await page.locator(".contents a[aria-current]").count(), 1);
      await page.locator("#filter").fill("if-none-match");
      assert.deepEqual(await page.locator(".contents a:visible").allInnerTexts(), ["Caching"]);
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => location.hash === "#caching");
      const text = await page.locator("article").innerText();
      assert.ok(text.includes(`curl ${sample.url}/api/v1/status`), "examples have the address");
    },
  );

  await nightly("guide: shares language and theme with the whole page", { site: sample }, async ({ page }) => {
    await page.goto(`${sample.url}/docs/guide#quota`);
    await page.locator("#theme").click();
    await page.locator("#other-language").click();
    await page.waitForURL(`${sample.url}/docs/guide.fa#quota`);
    assert.equal(await page.evaluate(() => document.documentElement.dataset["theme"]), "dark");
    await page.locator(".views a").first().click();
    await page.locator('html[lang="fa"][data-theme="dark"] #nav-guide[href$="/docs/guide.fa"]').waitFor();
    await page.goto(`${sample.url}/docs/guide#days`);
    await page.waitForURL(`${sample.url}/docs/guide.fa#days`); // what was chosen wins
    await page.goto(`${sample.url}/docs/reference?from=2026-01-02#getHistory`);
    await page.waitForURL(`${sample.url}/docs/reference.fa?from=2026-01-02#getHistory`);
    assert.equal(await page.locator("#getHistory-from").inputValue(), "2026-01-02");
  });
};
