// The reference: each route is called from its form, and each refusal is explained.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { clipboardAfter } from "./chromium.ts";
import type { Suite } from "./world.ts";

/** Sends the form of a route, and waits for its answer. */
async function send(page: Page, id: string, status: number): Promise<string> {
  await page.locator(`#ref-send-${id}`).click();
  const line = page.locator(".ref-result-line");
  await line.filter({ hasText: new RegExp(`^\\s*${status}`) }).waitFor();
  return line.innerText();
}

/** Follows the list of routes to one of them. */
async function choose(page: Page, id: string): Promise<void> {
  await page.locator(`#ref-nav-${id}`).click();
  await page.locator(`#ref-send-${id}`).waitFor();
}

export const referenceSuite: Suite = async ({ sample, own, mounted, visit }) => {
  await visit("reference: each of the nine routes answers what its form holds: 200", { site: sample, at: "#/reference" }, async ({ page }) => {
    await page.locator(".ref-nav a").first().waitFor();
    const ids = await page.locator(".ref-nav ul").first().locator("a").evaluateAll((links) => links.map(({ id }) => id.replace("ref-nav-", "")));
    assert.equal(ids.length, 9);
    for (const id of ids) {
      await choose(page, id);
      await send(page, id, 200);
      assert.ok((await page.locator(".ref-answer .ref-code code").innerText()).length > 50, id);
    }
  });

  await visit("reference: a route of an embedder's own, and a mount in every address", { site: mounted, at: "#/reference/getGreeting" }, async ({ page, requests }) => {
    await page.locator("#key-panel-summary").click();
    await page.locator("#key-field").fill(mounted.key);
    await page.locator("#key-use").click();
    await page.locator("#ref-getGreeting-name").fill("Shiraz");
    await send(page, "getGreeting", 200);
    assert.match(await page.locator(".ref-answer .ref-code code").innerText(), /"text": "Hello Shiraz"/);
    assert.match(await page.locator(".ref-examples pre code").innerText(), new RegExp(`${mounted.url}/api/v1/greeting\\?name=Shiraz`));
    assert.deepEqual(requests.filter((url) => !url.startsWith(mounted.url)), []);
  });

  const refusals = [
    ["getHistory", { from: "soon" }, 400, "Something in the request is wrong", "درخواست ایراد دارد"],
    ["getOnDate", { date: "2019-01-01" }, 404, "There is nothing here", "چیزی پیدا نشد"],
    ["getHistory", { from: "2026-01-01", to: "2026-03-01" }, 417, "This range is not possible", "این بازه ممکن نیست"],
  ] as const;
  await visit("reference: 400, 401, 404 and 417 are explained in both languages", { site: sample, at: "#/reference", provokes: [400, 401, 404, 417] }, async ({ page }) => {
    for (const [id, values, status, en, fa] of refusals) {
      await choose(page, id);
      for (const [name, value] of Object.entries(values)) await page.locator(`#ref-${id}-${name}`).fill(value);
      await send(page, id, status);
      await page.locator(".ref-result strong", { hasText: en }).waitFor();
      await page.locator("#language").click();
      await page.locator(".ref-result strong", { hasText: fa }).waitFor();
      // The API speaks English alone: its message comes after the explanation, and is marked.
      await page.locator('.ref-result p + p + p.ref-message[lang="en"][dir="ltr"]').waitFor();
      await page.locator("#language").click();
    }
    await choose(page, "getLatest");
    await page.locator("#ref-key-getLatest-none").check();
    await send(page, "getLatest", 401);
    await page.locator(".ref-result strong", { hasText: "No valid key" }).waitFor();
    await page.locator("#language").click();
    await page.locator(".ref-result strong", { hasText: "کلید معتبری در کار نیست" }).waitFor();
  });

  await visit("reference: the examples follow the form and the language, and are copied as they stand", { site: sample, at: "#/reference/getLatest" }, async ({ page }) => {
    const code = page.locator(".ref-examples .ref-code code");
    await page.locator("#ref-getLatest-assetName").fill("EUR_RLS");
    for (const [language, part] of [["curl", "curl "], ["javascript", "fetch("], ["python", "import "], ["client", "mazaneh/client"]] as const) {
      await page.locator(`#ref-language-getLatest-${language}`).check();
      const text = await code.innerText();
      assert.ok(text.includes(part) && text.includes("EUR_RLS") && text.includes(sample.key), text);
      assert.equal((await clipboardAfter(page, page.locator(".ref-examples .ref-copy"))).trim(), text.trim());
    }
    await page.locator('.ref-examples a[href="#/guide/clients"]').waitFor();
  });

  await visit("reference: without a key it says what will happen, and routes that need none answer", { site: own, at: "#/reference/getStatus", provokes: [401] }, async ({ page }) => {
    await send(page, "getStatus", 200);
    await choose(page, "listLatest");
    await page.getByText("You have entered no key yet, so the server will answer 401.").waitFor();
    await page.locator(".ref-examples pre code", { hasText: "export KEY=YOUR_KEY" }).waitFor();
    await send(page, "listLatest", 401);
  });
};
