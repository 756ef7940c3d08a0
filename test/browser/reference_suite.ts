// The reference is readable without script. Its forms call each route. It never contains a key, or HTML of an answer.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { clipboardAfter } from "./chromium.ts";
import { KEYS_URL } from "./sites.ts";
import type { Suite } from "./suite_types.ts";

/** Submits the form of a route, and waits for the answer. */
export async function send(page: Page, id: string, status: number): Promise<string> {
  await page.locator(`#${id} button.primary`).click();
  await page.locator(`#${id} .answer .status`, { hasText: String(status) }).waitFor();
  return page.locator(`#${id} .answer`).innerText();
}

export const referenceSuite: Suite = async ({ sample, own, visit, nightly }) => {
  await visit(
    "reference: without script, buttons switch between examples in four languages, and no form can be sent",
    { site: sample, at: "/reference", hasScript: false },
    async ({ page }) => {
      const box = page.locator("#getCandles fieldset.code");
      for (const [language, part] of [
        ["PHP", "file_get_contents("],
        ["Python", "requests.get("],
        ["JavaScript", "await fetch("],
        ["curl", "curl '"],
      ] as const) {
        await box.getByText(language, { exact: true }).click();
        const shown = await box.locator("pre").filter({ visible: true }).allInnerTexts();
        assert.deepEqual([shown.length, shown[0]?.includes(part)], [1, true], language);
      }
      assert.ok(await page.locator("#QUOTA_EXCEEDED").isVisible(), "the errors are there");
      assert.equal(await page.locator("#getCandles-interval").isEnabled(), false);
      assert.equal(await page.locator("form button").count(), 0);
      for (const control of ["#filter", ".key-box"]) assert.equal(await page.locator(control).isVisible(), false);
    },
  );

  await visit("reference: each form is answered with 200", { site: sample, at: "/reference" }, async ({ page }) => {
    const ids = await page.locator(".operation").evaluateAll((all) => all.map(({ id }) => id));
    assert.equal(ids.length, 10);
    for (const id of ids) assert.ok((await send(page, id, 200)).length > 100, id);
    assert.ok((await page.locator("#getCandles .answer .number").count()) > 4, "in colours");
    assert.match(
      await page.locator("#getCandles .answer code").innerText(),
      /^\{\n {2}"code": "USD_RLS",\n(?:.*\n)* {2}"candles": \[\n {4}\{\n {6}"start": /,
    );
  });

  await nightly(
    "reference: the address fills in the form; the examples have the values of the form, can be copied, and stay in the chosen language",
    { site: sample, at: "/reference.fa?assetCode=EUR_RLS&interval=4h#getCandles" },
    async ({ page }) => {
      const operation = page.locator("#getCandles");
      await page.locator("#getCandles-assetCode").press("Enter");
      await operation.locator(".answer .status", { hasText: "200" }).waitFor();
      const [header, title] = await Promise.all(
        [".top", "#getCandles h2"].map((name) => page.locator(name).boundingBox()),
      );
      assert.ok(header!.height <= title!.y, "the header does not cover the title after a scroll");
      await page.locator("#getCandles-from").fill("2026-11-22T00:00:00Z");
      assert.equal(await operation.locator(".jalali").first().innerText(), "۱ آذر ۱۴۰۵");
      await operation.getByText("PHP", { exact: true }).click();
      assert.deepEqual(await operation.locator("pre.php .string").first().innerText(), `'${sample.key}'`, "in colours");
      const copied = await clipboardAfter(page, operation.locator("fieldset .copy"));
      for (const part of ["<?php", "/EUR_RLS/ohlc?interval=4h&from=2026-11-22T00:00:00Z&to=", sample.key, sample.url])
        assert.ok(copied.includes(part), copied);
      assert.equal(await operation.locator(".acts a").getAttribute("href"), "../docs#/asset/EUR_RLS?interval=4h");
      await page.goto(`${sample.url}/docs/guide`);
      assert.ok(await page.locator("pre.php").isVisible(), "in the guide, too");
    },
  );

  await nightly(
    "reference: a refusal says in the page's language what to do; a lost connection is reported",
    { site: sample, at: "/reference.fa", provokes: [400, 401, 404, 417, "offline"] },
    async ({ page }) => {
      for (const [id, field, value, status, advice] of [
        ["getHistory", "from", "soon", 400, "تاریخ نادرست است"],
        ["getOnDate", "date", "2019-01-01", 404, "اگر چنین کدی نباشد"],
        ["getHistory", "from", "2020-01-01", 417, "بازه وارونه است"],
      ] as const) {
        await page.locator(`#${id}-${field}`).fill(value);
        assert.ok((await send(page, id, status)).includes(advice), advice);
      }
      assert.match(
        await page.locator("#getHistory .answer > pre").innerText(),
        /INVALID_DATE_RANGE/,
        "the error body is shown even if the advice contains code",
      );
      await send(page, "getLatest", 200);
      const facts = await page.locator("#getLatest .code-name bdi").allInnerTexts();
      assert.match(facts.join(";"), /^[۰-۹٬]+ میلی‌ثانیه;[۰-۹٬]+ واحد مانده$/, "time and units are two elements");
      await page.locator("#key").fill("");
      assert.match(await send(page, "getLatest", 401), /کلید فرستاده نشده است/);
      await page.context().setOffline(true);
      await page.locator("#getLatest button.primary").click();
      await page.locator("#getLatest .answer", { hasText: "پاسخی نیامد" }).waitFor();
    },
  );

  await visit(
    "reference: the key is kept only after it is accepted, is in no element or address, and can be forgotten",
    { site: own, at: "/reference", provokes: [401] },
    async ({ page, requests }) => {
      const stored = (): Promise<unknown> => page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }]);
      assert.equal(await page.locator(".key-link").getAttribute("href"), KEYS_URL);
      await page.locator("#key").fill("mz_live_WRONG");
      await send(page, "getAccess", 401);
      assert.deepEqual(await stored(), [{}, {}]);
      await page.locator("#key").fill(`\u200e "${own.key}" `);
      await send(page, "getAccess", 200);
      assert.deepEqual(await stored(), [{}, { "mazaneh.key": JSON.stringify(own.key) }]);
      await page.locator("#key-keep").check();
      assert.deepEqual(await stored(), [{ "mazaneh.key": JSON.stringify(own.key) }, {}]);
      assert.ok(!(await page.content()).includes(own.key), "not in the document");
      for (const url of requests) assert.ok(!url.includes(own.key), url);
      await page.reload();
      assert.equal(await page.locator("#key").inputValue(), own.key);
      await page.locator("#key").fill(""); // after the field is emptied, the key is forgotten
      assert.deepEqual(await stored(), [{}, {}]);
    },
  );

  await visit("reference: no text in an answer becomes HTML", { site: sample, at: "/reference" }, async ({ page }) => {
    const html = "<img src=x onerror=alert(1)><b id=made>";
    const answer = {
      status: 200,
      contentType: "application/json",
      headers: { "X-Notice": html },
      body: JSON.stringify({ [html]: html }),
    };
    await page.route("**/api/v1/assets?*", (route) => route.fulfill(answer));
    assert.equal((await send(page, "listLatest", 200)).split(html).length, 4);
    assert.equal(await page.locator("#made, .operation img").count(), 0);
  });
};
