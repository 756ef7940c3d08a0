// The market: what visitors see first, and how they find an asset.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { ASSETS } from "../../core/mod.ts";
import { accessFaults, DESKTOP, PHONE, tooWide, WIDE } from "./chromium.ts";
import type { Suite } from "./suite_types.ts";

/** The number of rows in the table. Rial prices of crypto have no row. */
export const ROWS: number = ASSETS.filter(
  ({ code, category }) => category !== "CRYPTO" || code.endsWith("_USD"),
).length;

/** Waits for the prices. */
export async function pricesOf(page: Page): Promise<void> {
  await page.locator(".market[aria-busy=false]:not(.without-prices)").waitFor();
}

/** The codes of the displayed rows in order. */
export async function shownCodes(page: Page): Promise<readonly string[]> {
  return page
    .locator(".market tbody tr .ticker code")
    .evaluateAll((codes) => codes.map((code) => code.getAttribute("title")!));
}

/** Types into the search field. On a phone, a button opens the field. */
export async function searchFor(page: Page, query: string): Promise<void> {
  if (!(await page.locator("#search").isVisible())) await page.locator(".search-open").click();
  await page.locator("#search").fill(query);
}

/** The codes in the search results. */
function foundCodes(page: Page): Promise<readonly string[]> {
  return page.locator("#search-results code").evaluateAll((codes) => codes.map((code) => code.textContent));
}

export const marketSuite: Suite = async ({ sample, empty, visit, nightly }) => {
  for (const [locale, unit, age] of [
    ["en-US", /[\d,]{7,}\s+rial/i, /min|now/],
    ["fa-IR", /[۰-۹٬]{7,}\s+تومان/, /دقیقه|اکنون/],
  ] as const) {
    await visit(
      `market: the dollar comes first, with unit and change, without scrolling: ${locale}`,
      { site: sample, locale },
      async ({ page }) => {
        await pricesOf(page);
        const hero = page.locator(".tile.hero");
        assert.match((await hero.innerText()).replaceAll("\n", " "), /^(?:US Dollar|دلار آمریکا)/);
        const row = page.locator(".market tbody tr:not(.group)").first();
        assert.match(await row.locator(".price").innerText(), unit);
        assert.match(await row.locator(".age").innerText(), age);
        for (const viewport of [DESKTOP, PHONE]) {
          await page.setViewportSize(viewport);
          const parts = [".tile-price", ".tile-change", "svg"].map((part) => hero.locator(part));
          parts.push(...[".asset", ".price", ".change", ".age"].map((part) => row.locator(part)));
          for (const part of parts) {
            const { x, y, width, height } = (await part.first().boundingBox())!;
            const isSeen = x >= 0 && x + width <= viewport.width && y >= 0 && y + height <= viewport.height;
            assert.ok(isSeen, `${part} at ${x}, ${y} is cut off at ${viewport.width} px`);
          }
          const outside = await hero.locator(".day-line span").evaluateAll(
            (labels) =>
              labels.filter((label) => {
                const [own, room] = [label, label.parentElement!].map((element) => element.getBoundingClientRect());
                return own!.right <= room!.left || own!.left >= room!.right;
              }).length,
          );
          assert.equal(outside, 0, "no label lies outside the line of the day");
          assert.deepEqual(await tooWide(page), []);
          const cells = await page
            .locator(".market td.price, .market td.change")
            .evaluateAll((found) => found.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
          assert.ok(Math.max(...cells) <= 0, `a cell is ${Math.max(...cells)} px too narrow for its number`);
        }
      },
    );
  }

  await visit("market: search and Enter open an asset", { site: sample, locale: "fa-IR" }, async ({ page }) => {
    await pricesOf(page);
    await page.keyboard.press("/");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "search");
    for (const [query, code] of [
      ["سكه", "SEKKEH_RLS"],
      ["bitcoin", "BTC_USD"],
    ] as const) {
      await searchFor(page, query);
      await page.locator(`#search-results [aria-selected=true]#found-${code}`).waitFor();
      assert.match(await page.locator(`#found-${code} .found-price`).innerText(), /[۰-۹]/, "with its price");
    }
    await searchFor(page, "dolar");
    await page.getByText("«dolar» را «dollar» خواندیم").waitFor();
    assert.equal((await foundCodes(page))[0], "USD_RLS");
    await searchFor(page, "هیچ‌کدام");
    await page.getByText("برای «هیچ‌کدام» چیزی پیدا نشد.").waitFor();
    await searchFor(page, "دلار");
    assert.equal((await foundCodes(page))[0], "USD_RLS");
    await page.keyboard.press("ArrowDown");
    const second = (await foundCodes(page))[1]!;
    await page.keyboard.press("Enter");
    await page.waitForFunction((code) => location.pathname === `/docs/asset/${code}`, second);
    assert.equal(await page.locator("#search").inputValue(), "");
  });

  await nightly(
    "market: decimals align",
    { site: sample, at: "#/?category=CRYPTO", viewport: WIDE },
    async ({ page }) => {
      await pricesOf(page);
      for (const column of ["price", "difference"]) {
        const places = await page.locator(`.market td.${column} .n`).evaluateAll((numbers) =>
          numbers.flatMap(({ firstChild: text }) => {
            const at = text!.textContent!.indexOf(".");
            const sign = new Range();
            sign.setStart(text!, Math.max(0, at));
            sign.setEnd(text!, at + 1);
            return at === -1 ? [] : [Math.round(sign.getBoundingClientRect().left)];
          }),
        );
        assert.ok(places.length > 40, `${places.length}`);
        assert.ok(Math.max(...places) - Math.min(...places) <= 1, String(places));
      }
    },
  );

  for (const viewport of [DESKTOP, { width: 820, height: 1100 }, PHONE]) {
    await nightly(`market: a row is a link, at ${viewport.width} px`, { site: sample, viewport }, async ({ page }) => {
      await pricesOf(page);
      if (viewport.width === 820) {
        await page.locator("#rail-result .n").waitFor();
        const [board, line, chips] = await Promise.all(
          [".board", ".rail", ".chips"].map(async (part) => (await page.locator(part).boundingBox())!),
        );
        assert.ok(line!.y >= board!.y + board!.height && line!.y + line!.height <= chips!.y, "between both");
        assert.ok(line!.height < 72, `${line!.height} px is more than one line`);
      }
      const row = (await page.locator("tr:has(#row-EUR_RLS)").boundingBox())!;
      await page.mouse.click(row.x + row.width - 40, row.y + row.height - 6);
      await page.locator("h1", { hasText: "Euro" }).waitFor();
      await page.goBack();
      await pricesOf(page);
      await page.locator("#star-EUR_RLS").click(); // lies above the link
      assert.equal((await shownCodes(page))[0], "EUR_RLS");
      await searchFor(page, "dirham");
      assert.equal(await page.locator("#found-AED_RLS").getAttribute("href"), "#/asset/AED_RLS");
      await page.locator("#found-AED_RLS").click();
      await page.locator("h1", { hasText: "UAE Dirham" }).waitFor();
      assert.equal(await page.locator("#search").inputValue(), "");
      await page.locator(":is(.views, .tabs) a", { hasText: "Convert" }).filter({ visible: true }).click();
      await page.locator("#convert-amount").fill("123456789");
      await page.locator("#convert-to").selectOption("RIAL");
      await page.locator("#convert-result", { hasText: /^[\d,]{18,}$/ }).waitFor();
      const [input, output] = await page
        .locator("#convert-amount, #convert-result")
        .evaluateAll((fields) => fields.map((field) => parseFloat(getComputedStyle(field).fontSize)));
      assert.ok(output! >= input!, `font sizes: result ${output} px, input ${input} px`);
      await page.evaluate(() => void (document.documentElement.style.fontSize = "200%"));
      const isWhole = await page.locator("#convert-result").evaluate((box) => box.scrollWidth <= box.clientWidth);
      assert.ok(isWhole, "no digit is lost at twice the text size");
    });
  }

  await visit(
    "market: the search text, which may be a key, never becomes part of the page's address",
    { site: sample },
    async ({ page }) => {
      await pricesOf(page);
      await searchFor(page, sample.key);
      await page.getByText("No asset matches “mz_").waitFor();
      assert.equal(new URL(page.url()).hash, "");
      const { entries } = await (await page.context().newCDPSession(page)).send("Page.getNavigationHistory");
      for (const { url } of entries) assert.ok(!url.includes(sample.key.slice(-20)), url);
    },
  );

  await visit(
    "market: group and sorting are part of the address, and the back button restores them",
    { site: sample, at: "#/?category=gold&sort=price" },
    async ({ page, requests }) => {
      await pricesOf(page);
      const state = (): Promise<readonly unknown[]> =>
        page.evaluate(() => [
          location.hash,
          document.querySelector(".chips [aria-pressed=true]")!.id,
          document.querySelector("thead [aria-sort]")!.getAttribute("aria-sort"),
        ]);
      const reach = (hash: string): Promise<unknown> =>
        page.waitForFunction((wanted) => location.hash === wanted, hash);
      const gold = ["#/?category=gold&sort=price", "group-GOLD", "descending"];
      assert.deepEqual(await state(), gold);
      const codes = await shownCodes(page);
      assert.ok(codes.length > 1 && codes.every((code) => code.startsWith("GOLD")), codes.join(" "));
      await page.locator("#sort-price").click();
      const lowest = ["#/?category=GOLD&sort=price&order=ascending", "group-GOLD", "ascending"];
      await reach(String(lowest[0]));
      assert.deepEqual([await state(), await shownCodes(page)], [lowest, codes.toReversed()]);
      await page.locator("#row-GOLD_MESGHAL_RLS").click();
      await page.getByRole("heading", { name: "Gold Mesghal" }).waitFor();
      await page.goBack();
      await pricesOf(page);
      assert.deepEqual([await state(), await shownCodes(page)], [lowest, codes.toReversed()]);
      assert.equal(await page.evaluate(() => document.activeElement?.id), "row-GOLD_MESGHAL_RLS", "where it was left");
      assert.equal(requests.filter((url) => url.endsWith("/docs/market")).length, 1, "for one unit");
      await page.goBack();
      await reach(String(gold[0]));
      assert.deepEqual(await state(), gold);
      await page.locator("#nav-market").click();
      await page.locator("#group-ALL[aria-pressed=true]").waitFor();
      assert.equal((await shownCodes(page)).length, ROWS, "the link to the market shows all rows");
    },
  );

  await nightly("market: watched assets come first, even after a reload", { site: sample }, async ({ page }) => {
    await pricesOf(page);
    await page.locator("#star-BTC_USD").click();
    assert.equal((await shownCodes(page))[0], "BTC_USD");
    await page.reload();
    await pricesOf(page);
    assert.deepEqual([(await shownCodes(page))[0], (await shownCodes(page)).length], ["BTC_USD", ROWS]);
    await page.locator("#star-BTC_USD").click();
    assert.equal((await shownCodes(page))[0], "USD_RLS");

    const other = await page.context().newPage();
    await other.goto(`${sample.url}/docs`);
    await pricesOf(other);
    await page.locator("#star-EUR_RLS").click();
    await other.locator("#star-EUR_RLS[aria-pressed=true]").waitFor();
    await other.locator("#star-TRY_RLS").click();
    await page.locator("#star-TRY_RLS[aria-pressed=true]").waitFor();
    await page.reload();
    await pricesOf(page);
    const [first, second] = await shownCodes(page);
    assert.deepEqual([first, second], ["EUR_RLS", "TRY_RLS"], "assets watched in one tab are watched in all tabs");
    await page.locator("#group-FX").click();
    await page.waitForURL(/category=FX/);
    const codes = await shownCodes(page);
    for (const code of ["EUR_RLS", "TRY_RLS"]) assert.ok(codes.includes(code), "watched assets stay in their group");
  });

  const clocked = { site: sample, before: (page: Page) => page.clock.install() };
  await visit("market: reloads every minute", { ...clocked, provokes: ["offline"] }, async ({ page, requests }) => {
    await pricesOf(page);
    const asked = (): number => requests.filter((url) => url.endsWith("/docs/market")).length;
    const before = asked();
    await page.route("**/docs/market", async (route) => {
      const response = await route.fetch();
      const summary = (await response.json()) as { assets: { value: number }[] };
      summary.assets[0]!.value += 7;
      await route.fulfill({ response, json: summary });
    });
    await page.clock.fastForward(66_000);
    await page.locator("tbody .price .flash.up").first().waitFor();
    assert.equal(asked(), before + 1);
    await page.unroute("**/docs/market");
    await page.context().setOffline(true);
    await page.clock.fastForward(66_000);
    await page
      .getByText(/No connection since \d\d:\d\d\. These are the prices of \d\d:\d\d\. +next try in \d+ s/)
      .waitFor();
    await page.locator(".live", { hasText: /^\s*Not live/ }).waitFor();
    assert.equal((await shownCodes(page)).length, ROWS, "the previous prices are still shown");
    const looks = (selector: string): Promise<string> =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { color, fontWeight } = getComputedStyle(element);
          return `${color} ${fontWeight}`;
        });
    const grey = await looks(".market td.difference");
    for (const part of [".market td.price", ".market .change-text", ".tile-price", ".tile .change-text"])
      assert.equal(await looks(part), grey, part);
    await page.context().setOffline(false);
    await page.locator(".offline").waitFor({ state: "detached" });
  });

  await nightly("market: stale prices are marked and can be shown alone", clocked, async ({ page }) => {
    await pricesOf(page);
    assert.equal(await page.locator("tr.stale").count(), 0);
    await page.clock.fastForward(2 * 3_600_000);
    await page.getByText(new RegExp(`${ROWS} of ${ROWS} prices are older than 60 minutes`)).waitFor();
    assert.equal(await page.locator("tr:has(#row-USD_RLS) .change").innerText(), "—");
    await page.getByRole("link", { name: "Only these" }).click();
    await page.waitForURL(/category=STALE/);
    await page.locator(".group", { hasText: "Stale" }).waitFor();
    assert.equal((await shownCodes(page)).length, ROWS);
    await page.locator(".stale-notice a", { hasText: "All" }).click();
    await page.locator(".group", { hasText: "Currency" }).waitFor();
  });

  const first = { ...clocked, site: empty };
  await visit("first run: shows how to import, then the market", first, async ({ page }) => {
    await page.getByRole("heading", { name: "It has no prices yet" }).waitFor();
    await page.locator(".command", { hasText: "mazaneh import prices.csv" }).waitFor();
    assert.deepEqual(await accessFaults(page, "html"), []);
    // This price is stored before the page requests prices for the first time.
    await empty.feed([
      { code: "USD_RLS", value: 1_905_000, businessTime: new Date(Date.now() - 60_000).toISOString() },
    ]);
    await page.clock.runFor(6_000);
    await page.locator("#row-USD_RLS").waitFor();
    await pricesOf(page);
    assert.equal(await page.locator(".first-run").count(), 0);
  });
};
