// The reference: each route is called from its form, each refusal is explained, and no key or HTML gets into the page.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { clipboardAfter } from "./chromium.ts";
import { enterKey } from "./frame.ts";
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
    await enterKey(page, mounted.key);
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


  await visit("reference: the key is in no element or address, and not on the device", { site: own, at: "#/reference/getAccess" }, async ({ page, requests }) => {
    await enterKey(page, own.key);
    for (const form of ["Authorization", "X-API-Key"]) {
      await page.locator(`#ref-key-getAccess-${form}`).check();
      await send(page, "getAccess", 200);
      for (const language of ["curl", "javascript", "python", "client"]) {
        await page.locator(`#ref-language-getAccess-${language}`).check();
        assert.ok(!(await page.content()).includes(own.key), language);
      }
    }
    assert.equal(requests.some((url) => url.includes(own.key)), false);
    assert.equal((await page.evaluate(() => location.href + JSON.stringify([localStorage, history.state]))).includes(own.key), false);
  });

  await visit("reference: no text of the document or of an answer is read as HTML", { site: sample, at: "#/guide" }, async ({ page }) => {
    const html = "<img src=x onerror=alert(1)><b id=made>";
    await page.route("**/openapi.json", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll(/("(?:summary|description)":")/g, `$1${html}`) });
    });
    const answer = { status: 200, contentType: "application/json", headers: { "X-Notice": html }, body: JSON.stringify({ [html]: html }) };
    await page.route("**/api/v1/assets?*", (route) => route.fulfill(answer));
    await page.locator("#nav-reference").click();
    await send(page, "listLatest", 200);
    assert.equal((await page.locator(".ref").innerText()).includes(html), true);
    assert.equal(await page.locator("#made, .ref img").count(), 0);
  });
};
