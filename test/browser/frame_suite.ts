// The frame around the views: the visitor's choices, the key, and the history of addresses.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { chartOf } from "./asset_suite.ts";
import { accessFaults, WIDE } from "./chromium.ts";
import { pricesOf, ROWS, shownCodes } from "./market_suite.ts";
import { send } from "./reference_suite.ts";
import { FEW_UNITS, KEYS_URL } from "./sites.ts";
import type { Suite } from "./suite_types.ts";

/** Enters a key as a visitor does. */
export async function enterKey(page: Page, key: string): Promise<void> {
  if (!(await page.locator("#key-field").isVisible())) await page.locator("#key-panel-summary").click();
  await page.locator("#key-field").fill(key);
  await page.locator("#key-use").click();
}

/** The price of the dollar as the market shows it. */
function dollar(page: Page): Promise<string> {
  return page.locator(".market tbody tr:not(.group)").first().locator(".price").innerText();
}

/** The full time of the dollar's price. */
async function marketTime(page: Page): Promise<string> {
  return (await page.locator(".market time").first().getAttribute("title"))!;
}

export const frameSuite: Suite = async ({ sample, own, mounted, visit, nightly }) => {
  await visit("choices: language, unit and theme stay after a reload", { site: sample }, async ({ page }) => {
    await pricesOf(page);
    assert.match(await page.locator(".sample").innerText(), /Every price on this page is made up/);
    const rial = Number((await dollar(page)).replace(/\D/g, ""));
    await page.locator("#unit-toman").check();
    assert.match(await dollar(page), /toman/i);
    assert.equal(Number((await dollar(page)).replace(/[^\d.]/g, "")), Math.round(rial / 10));
    await page.locator("#language").click();
    const direction = await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);
    assert.deepEqual(direction, ["fa", "rtl"]);
    await page.locator("#unit-rial").check();
    assert.match(await dollar(page), /^[۰-۹٬٫]+\s*ریال$/);
    assert.match(await marketTime(page), /۱۴[۰-۹]{2}/, "the year of the Jalali calendar");
    await page.locator("#display-panel-summary").click();
    const paper = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await paper();
    await page.locator("#theme-dark").check();
    assert.notEqual(await paper(), light);
    const dark = await paper();
    await page.reload();
    await pricesOf(page);
    // Does not check the price, because the sample adds prices while it is served.
    assert.match(await dollar(page), /^[۰-۹٬٫]+\s*ریال$/);
    assert.match(await marketTime(page), /۱۴[۰-۹]{2}/);
    assert.equal(await paper(), dark);
  });

  const failing = { site: sample, before: (page: Page) => page.clock.install() };
  await visit("failures: a single box that retries", { ...failing, provokes: [503, "offline"] }, async ({ page }) => {
    await pricesOf(page);
    await page.route(/\/(ohlc|history)\?/, (route) => route.fulfill({ status: 503, body: "" }));
    await page.locator("#row-USD_RLS").click();
    await page.locator(".asset-chart > .failure .missing-icon").waitFor();
    assert.equal(await page.locator(".failure:visible").count(), 1);
    assert.deepEqual(await accessFaults(page, "main"), []);
    await page.route("**/docs/market", (route) => route.fulfill({ status: 503, body: "" }));
    await page.goto(`${sample.url}/docs`);
    const next = page.locator(".failure", { hasText: /next try in [4-8] s/ });
    await next.waitFor();
    assert.equal(await page.locator(".market, .board").count(), 0, "no rows of dashes");
    await page.clock.runFor(9_000);
    await page.locator(".failure", { hasText: /next try in 1\d s/ }).waitFor(); // the second wait is longer
    await page.locator(".failure button").click();
    await next.waitFor();
    await page.unroute("**/docs/market");
    await page.clock.runFor(9_000);
    await pricesOf(page);

    await page.locator("#rail-result .n").waitFor();
    await page.route("**/docs/market", (route) => route.abort());
    await page.clock.fastForward(90_000);
    await page.locator(".offline").waitFor();
    const colours = await page
      .locator(".market td.price, .tile-price, #rail-result, .by-way dd:has(.n)")
      .evaluateAll((found) => [...new Set(found.map((one) => getComputedStyle(one).color))]);
    assert.equal(colours.length, 1, `${colours}`);
    await page.locator("#nav-coins").click();
    await page.locator(".offline + .coins").waitFor();
    assert.deepEqual(await accessFaults(page, "main"), []);
  });

  await nightly("print: dark text on white, every column", { site: sample, colorScheme: "dark" }, async ({ page }) => {
    await pricesOf(page);
    const ink = await page.evaluate(() => getComputedStyle(document.body).color);
    assert.match(ink, /rgb\(2\d\d, 2\d\d, 2\d\d\)/, "light text, because the browser prefers dark");
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 718, height: 1_000 }); // A4 within its margins
    const printed = await page.evaluate(() => ({
      paper: getComputedStyle(document.documentElement).backgroundColor,
      hidden: [...document.querySelectorAll(".market tr:has(#row-USD_RLS) > *")]
        .filter((cell) => !cell.checkVisibility())
        .map(({ className }) => className),
      cut: document.documentElement.scrollWidth - innerWidth,
    }));
    assert.deepEqual(printed, { paper: "rgb(255, 255, 255)", hidden: ["star"], cut: 0 });
    await page.emulateMedia({ media: "screen" });
    await page.locator("#row-USD_RLS").click();
    await chartOf(page);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    assert.match(
      await page.locator(".asset-canvas > canvas").evaluate((one) => getComputedStyle(one).filter),
      /invert/,
    );
  });

  await nightly("forced colours: selected parts and changes are visible", { site: sample }, async ({ page }) => {
    await page.emulateMedia({ forcedColors: "active" });
    await pricesOf(page);
    await page.locator("#star-USD_RLS").click();
    const look = (selector: string, part: "outlineStyle" | "forcedColorAdjust", pseudo?: string): Promise<string> =>
      page
        .locator(selector)
        .first()
        .evaluate((one, [of, at]) => getComputedStyle(one, at)[of!] as string, [part, pseudo] as const);
    for (const selector of ["#group-ALL", "#star-USD_RLS", "#nav-market", "#unit-rial + span"])
      assert.equal(await look(selector, "outlineStyle"), "solid", selector);
    assert.equal(await look("#nav-coins", "outlineStyle"), "none");
    for (const selector of [".change-text.up", ".change-text.down"])
      assert.equal(await look(selector, "forcedColorAdjust", "::before"), "none", selector);
  });

  await nightly("header: stays in place from view to view", { site: sample, viewport: WIDE }, async ({ page }) => {
    await pricesOf(page);
    const left = (): Promise<number> => page.locator("#name").evaluate((name) => name.getBoundingClientRect().left);
    const atMarket = await left();
    for (const view of ["coins", "convert", "reference", "guide"]) {
      await page.locator(`#nav-${view}`).click();
      await page.locator(`#nav-${view}[aria-current]`).waitFor();
      assert.equal(await left(), atMarket, view);
    }
  });

  for (const [locale, guide, fonts] of [
    ["en-US", "guide", ["inter"]],
    ["fa-IR", "guide.fa", ["inter", "vazirmatn"]],
  ] as const) {
    await nightly(`fonts: ${locale} loads ${fonts}`, { site: sample, locale }, async ({ page, requests }) => {
      await pricesOf(page);
      await page.evaluate(() => document.fonts.ready);
      const loaded = (): readonly string[] => requests.flatMap((url) => /\/(\w+)-\w+\.woff2$/.exec(url)?.[1] ?? []);
      assert.deepEqual(loaded().toSorted(), fonts);
      await page.goto(`${sample.url}/docs/${guide}`);
      await page.evaluate(() => document.fonts.ready);
      assert.deepEqual([...new Set(loaded())].sort(), fonts);
    });
  }

  await visit("key: is stored only in the tab", { site: own, provokes: [401, 429] }, async ({ page, requests }) => {
    await enterKey(page, "mz_live_WRONG");
    await page.locator(".failure", { hasText: "The server does not accept this key" }).waitFor();
    await enterKey(page, ` "${own.key}" `);
    assert.equal(await page.locator("#key-panel").isVisible(), false, "the panel would cover the prices");
    await pricesOf(page); // one unit
    assert.deepEqual((await shownCodes(page)).slice(0, 2), ["USD_RLS", "BTC_USD"], "assets with a price come first");
    assert.match(await dollar(page), /1,911,500/);
    await page.locator("tr.stale #row-BTC_USD").waitFor(); // Bitcoin's price is four days old
    for (let left = FEW_UNITS - 1; left >= 0; left--) {
      await page.locator("#key-panel-summary", { hasText: `${left} of ${FEW_UNITS} units left` }).waitFor();
      await page.locator("#market-reload").click();
    }
    await page
      .locator(".failure", { hasText: /Today’s 3 units are used up.*New units come on .*Another key/s })
      .waitFor();
    await page.locator("#language").click();
    await page.getByText("۳ واحد امروز تمام شد").waitFor();
    await page.goto(`${own.url}/docs/reference.fa`);
    assert.match(await send(page, "getLatest", 429), /سهمیهٔ امروز تمام شده است/);

    const secret = own.key.slice(-20);
    const kept = await page.evaluate(async () => ({
      local: { ...localStorage },
      session: { ...sessionStorage },
      cookies: document.cookie,
      state: history.state,
      caches: await caches.keys(),
      databases: await indexedDB.databases(),
      html: document.documentElement.outerHTML,
    }));
    assert.deepEqual(
      [kept.session, kept.cookies, kept.caches, kept.databases],
      [{ "mazaneh.key": JSON.stringify(own.key) }, "", [], []],
    );
    assert.ok(
      !JSON.stringify({ ...kept, session: {} }).includes(secret),
      "not on the device, in cookies, or in the document",
    );
    assert.deepEqual(Object.keys(kept.local), ["mazaneh.preferences"]);
    const { entries } = await (await page.context().newCDPSession(page)).send("Page.getNavigationHistory");
    for (const text of [...requests, ...entries.map(({ url, title }) => `${url} ${title}`)])
      assert.ok(!text.includes(secret), text);
    await page.reload();
    await page.locator(".views a").first().click();
    await page.getByText("۳ واحد امروز تمام شد").first().waitFor(); // the key is still there after a reload
  });

  await visit("key: kept on the device until the visitor removes it", { site: mounted }, async ({ page }) => {
    await page.locator("#ask-key-keep-device").check();
    await page.locator("#ask-key-field").fill(mounted.key);
    await page.locator("#ask-key-use").click();
    await pricesOf(page);
    const other = await page.context().newPage();
    await other.goto(`${mounted.url}/docs`);
    await pricesOf(other);
    await other.locator("#key-panel-summary").click();
    await other.locator("#key-forget").click();
    await other.locator(".missing").waitFor();
    assert.ok(
      !JSON.stringify(await other.evaluate(() => [{ ...localStorage }, { ...sessionStorage }])).includes(mounted.key),
      "it is stored nowhere",
    );
  });

  await nightly("key: without a key, views link to instructions", { site: own }, async ({ page, requests }) => {
    const leadsThere = async (place: string): Promise<void> => {
      await page.locator(`${place} .key-link`).first().waitFor();
      const links = await page
        .locator(`${place} .key-link`)
        .evaluateAll((found) => found.map((link) => link.getAttribute("href")));
      assert.deepEqual([...new Set(links)], [KEYS_URL], place);
    };
    await leadsThere(".missing");
    assert.equal((await shownCodes(page)).length, ROWS);
    const heads = await page
      .locator(".market thead :is(button, th:not(:has(button)))")
      .evaluateAll((found) => found.map((head) => head.getBoundingClientRect()));
    for (const [at, { left }] of heads.entries())
      assert.ok(at === 0 || heads[at - 1]!.right <= left + 0.5, `the column headings overlap at ${left} px`);
    await page.locator("#key-panel-summary").click();
    await leadsThere("#key-panel");
    await page.keyboard.press("Escape");
    await page.locator("#row-USD_RLS").click();
    await leadsThere(".asset .missing");
    assert.equal(await page.locator(".failure").count(), 0, "an invitation, no error");
    await page.locator("#asset-key-field").waitFor();
    for (const width of [640, 800, 900]) {
      await page.setViewportSize({ width, height: 600 });
      const beyond = await page
        .locator("html, .top .name, .top .name bdi")
        .evaluateAll((found) => found.map((one) => one.scrollWidth - one.clientWidth));
      assert.deepEqual(beyond, [0, 0, 0], `neither the page nor its name is cut off at ${width}`);
    }
    for (const url of requests) assert.doesNotMatch(url, /\/api\/|docs\/market/, "it would be refused");
  });

  await nightly(
    "places: if a view fails to load, a Persian message and a button appear; the view also loads when the connection is back",
    { site: sample, locale: "fa-IR", provokes: ["offline"] },
    async ({ page }) => {
      await page.locator(".rail .sheet").first().waitFor();
      await page.route("**/docs/*.js", (route) => route.abort());
      await page.locator("#nav-coins").click();
      await page.locator(".failure", { hasText: "بخشی از این صفحه بارگذاری نشد" }).waitFor();
      assert.doesNotMatch(await page.locator(".failure").innerText(), /fetch/, "the browser's English words");
      await page.unroute("**/docs/*.js");
      await page.getByRole("button", { name: "تلاش دوباره" }).click();
      await page.locator("#coins-dollar").waitFor();

      await page.context().setOffline(true);
      await page.evaluate(() => void (location.hash = "#/asset/EUR_RLS"));
      await page.locator(".failure").first().waitFor();
      await page.context().setOffline(false);
      await chartOf(page); // by itself
    },
  );

  await visit(
    "places: an asset has its own path, not only a fragment; deep links and the back button work",
    { site: sample, at: "#/asset/EUR_RLS?interval=4h&range=1m" },
    async ({ page, requests }) => {
      await chartOf(page);
      assert.equal(await page.locator("#asset-interval").inputValue(), "4h");
      assert.match(await page.title(), /^[\d,]+ rial Euro \(EUR_RLS\) – Mazaneh \(Sample\)$/);
      assert.equal(page.url(), `${sample.url}/docs/asset/EUR_RLS#/asset/EUR_RLS?interval=4h&range=1m`);
      await page.locator("#nav-reference").click();
      await page.getByRole("heading", { name: "Reference" }).waitFor();
      await page.goBack();
      await chartOf(page);
      await page.locator("#nav-market").click();
      await pricesOf(page);
      assert.equal(page.url(), `${sample.url}/docs#/`);
      await page.goBack();
      await chartOf(page);
      assert.equal(await page.locator("#asset-interval").inputValue(), "4h");
      await page.goto(`${sample.url}/docs/asset/CHF_RLS`);
      await chartOf(page);
      assert.match(await page.title(), /Swiss Franc/);
      await page.goto(`${sample.url}/docs#/asset/%E2%80%AEX`); // U+202E would turn the rest of the title around
      await page.waitForFunction(() => document.title === "X – Mazaneh (Sample)");
      assert.equal(await page.locator("#key-panel-summary").count(), 0, "keys are not mentioned on a public market");
      for (const url of requests) assert.ok(!new URL(url).pathname.startsWith("/api/"), `no keyed request: ${url}`);
    },
  );

  await nightly(
    "panes: the market stays",
    { site: sample, viewport: { width: 1920, height: 900 } },
    async ({ page }) => {
      await pricesOf(page);
      await page.locator("h1", { hasText: "US Dollar" }).waitFor();
      await page.locator("#group-FX").click();
      await page.locator(".market-view").evaluate((list) => (list.scrollTop = 300));
      await page.locator("#row-CHF_RLS").click();
      await page.locator("h1", { hasText: "Swiss Franc" }).waitFor();
      await chartOf(page);
      assert.equal(page.url(), `${sample.url}/docs/asset/CHF_RLS`);
      const left = await page.evaluate(() => [
        document.activeElement!.id,
        document.querySelector(".market-view")!.scrollTop > 0,
        document.querySelector(".chips [aria-pressed=true]")!.id,
      ]);
      assert.deepEqual(left, ["row-CHF_RLS", true, "group-FX"], "focus, scroll position and group stay as they were");
    },
  );
};
