// The form of the reference: what it takes, what it keeps, and what it never shows.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Suite } from "./world.ts";

async function send(page: Page, id: string): Promise<void> {
  await page.locator(`#ref-send-${id}`).click();
  await page.locator(".ref-result").waitFor();
}

async function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.id);
}

export const referenceFormSuite: Suite = async ({ sample, own, visit }) => {
  await visit("reference: Enter adds a code to the list, and sends nothing", { site: sample, at: "#/reference/listLatest" }, async ({ page, requests }) => {
    await page.locator("#ref-listLatest-codes-add").fill("BTC_USD");
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#ref-listLatest-codes").inputValue(), "USD_RLS,BTC_USD");
    assert.equal(await focused(page), "ref-listLatest-codes-add");
    assert.deepEqual(requests.filter((url) => url.includes("/api/v1/assets")), []);
  });

  await visit("reference: sending and stopping keep the focus", { site: sample, at: "#/reference/getStatus" }, async ({ page }) => {
    await page.route("**/api/v1/status", () => {}); // it is never answered
    await page.locator("#ref-send-getStatus").press("Enter");
    await page.locator(".ref-received .loading").waitFor();
    assert.equal(await focused(page), "ref-send-getStatus");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Stopped.").waitFor();
    assert.equal(await focused(page), "ref-send-getStatus");
  });

  await visit("reference: a choice takes any other value, or none", { site: sample, at: "#/reference/getCandles", provokes: [400] }, async ({ page }) => {
    const interval = page.locator("#ref-getCandles-interval");
    await interval.selectOption({ label: "another value…" });
    await page.locator("#ref-getCandles-interval-other").fill("7m");
    await send(page, "getCandles");
    await page.locator(".ref-message", { hasText: "INVALID_INTERVAL" }).waitFor();
    await interval.selectOption({ label: "not sent" });
    await send(page, "getCandles");
    await page.locator(".ref-message", { hasText: "MISSING_PARAMETER" }).waitFor();
  });

  await visit("reference: a path of dots, which a browser would send elsewhere, is not sent, and the form says why", { site: sample, at: "#/reference/getOnDate" }, async ({ page, requests }) => {
    await page.locator("#ref-getOnDate-assetName").fill(".");
    await page.locator("#ref-getOnDate-date").fill("USD_RLS");
    await page.locator("#ref-send-getOnDate").click();
    await page.locator(".ref-received [role=alert]", { hasText: "Not sent: a browser takes . and .. out of a path" }).waitFor();
    await page.locator("#language").click();
    await page.locator(".ref-received [role=alert]", { hasText: "فرستاده نشد" }).waitFor();
    assert.deepEqual(requests.filter((url) => url.includes("/api/v1/")), []);
    await page.locator(".ref-examples pre code", { hasText: "curl --path-as-is" }).waitFor();
  });

  await visit("reference: another language and another key leave the form and its answer", { site: sample, at: "#/reference/postHistory", provokes: [404] }, async ({ page }) => {
    const body = '{"fromDate":"2026-01-01","toDate":"2026-01-02"}';
    await page.locator("#ref-postHistory-assetName").fill("NOPE");
    await page.locator("#ref-body-postHistory").fill(body);
    await send(page, "postHistory");
    const answer = await page.locator(".ref-answer pre").innerText();
    await page.locator("#language").click();
    await page.getByText("چیزی پیدا نشد").first().waitFor();
    await page.locator("#key-panel-summary").click();
    await page.locator("#key-field").fill(sample.key);
    await page.locator("#key-use").click();
    assert.equal(await page.locator("#ref-postHistory-assetName").inputValue(), "NOPE");
    assert.equal(await page.locator("#ref-body-postHistory").inputValue(), body);
    assert.equal(await page.locator(".ref-answer pre").innerText(), answer);
  });

  await visit("reference: the key is in no element, address or storage", { site: own, at: "#/reference/getAccess" }, async ({ page, requests }) => {
    await page.locator("#key-panel-summary").click();
    await page.locator("#key-field").fill(own.key);
    await page.locator("#key-use").click();
    for (const form of ["Authorization", "X-API-Key"]) {
      await page.locator(`#ref-key-getAccess-${form}`).check();
      await send(page, "getAccess");
      for (const language of ["curl", "javascript", "python", "client"]) {
        await page.locator(`#ref-language-getAccess-${language}`).check();
        assert.ok(!(await page.content()).includes(own.key), language);
      }
    }
    assert.equal(requests.some((url) => url.includes(own.key)), false);
    assert.equal((await page.evaluate(() => location.href + JSON.stringify([localStorage, sessionStorage, history.state]))).includes(own.key), false);
  });

  await visit("reference: no text of the document or of an answer is read as HTML", { site: sample, at: "#/guide" }, async ({ page }) => {
    const html = "<img src=x onerror=alert(1)><b id=made>";
    await page.route("**/openapi.json", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll(/("(?:summary|description)":")/g, `$1${html}`) });
    });
    await page.route("**/api/v1/assets?*", (route) => route.fulfill({ status: 200, contentType: "application/json", headers: { "X-Notice": html }, body: JSON.stringify({ [html]: html }) }));
    await page.locator("#nav-reference").click();
    await send(page, "listLatest");
    assert.equal((await page.locator(".ref").innerText()).includes(html), true);
    assert.equal(await page.locator("#made, .ref img").count(), 0);
  });
};
