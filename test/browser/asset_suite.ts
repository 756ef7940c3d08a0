// The view of one asset: its chart, its table of days, and the API calls that it shows.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import type { RawRecord } from "../../core/mod.ts";
import { clipboardAfter, drawnText, PHONE } from "./chromium.ts";
import { enterKey } from "./frame_suite.ts";
import { pricesOf } from "./market_suite.ts";
import type { Suite } from "./suite_types.ts";

const DOLLAR = "#/asset/USD_RLS";
const COIN = "#/asset/SEKKEH_RLS";
const COMPARISON = `${COIN}?range=1y&compare=USD_RLS`;
const QUARTERS = `${DOLLAR}?interval=15m&range=1d&kind=candles`;
const PAST_POUND = "#/asset/GBP_RLS?day=2026-11-04";
const DAY_MS = 86_400_000;

/** Waits for the chart, the latest value and the table of days. */
export async function chartOf(page: Page): Promise<void> {
  await page.locator(".asset-canvas canvas").first().waitFor();
  await page.locator(".asset-table").waitFor();
}

/** The numbers in an element's text, in Latin digits. */
async function numbersIn(page: Page, selector: string): Promise<readonly number[]> {
  const text = (await page.locator(selector).first().innerText()).replaceAll(",", "").replaceAll("−", "-");
  return [...text.matchAll(/-?\d+(?:\.\d+)?/g)].map(([found]) => Number(found));
}

export const assetSuite: Suite = async ({ sample, mounted, corrected, visit, nightly }) => {
  await visit("asset: chart and API request use interval and range", { site: sample, at: DOLLAR }, async ({ page }) => {
    await chartOf(page);
    const month = new Date();
    month.setUTCMonth(month.getUTCMonth(), 0); // the last day of the previous month
    for (const [interval, range, days, widthMs] of [
      ["1h", "1w", 7, 3_600_000],
      ["15m", "1d", 1, 900_000],
      ["4h", "1m", month.getUTCDate(), 14_400_000],
    ] as const) {
      const answered = page.waitForResponse((response) => {
        const asked = new URL(response.url()).searchParams;
        return (
          asked.get("interval") === interval &&
          Date.parse(asked.get("to")!) - Date.parse(asked.get("from")!) === days * DAY_MS + widthMs
        );
      });
      await page.locator("#asset-interval").selectOption(interval);
      await page.locator(`#asset-range-${range}`).check();
      const answer = await answered;
      await page.locator(".asset-url", { hasText: decodeURIComponent(new URL(answer.url()).search) }).waitFor();
      const query = new URLSearchParams(new URL(page.url()).hash.split("?")[1]);
      assert.deepEqual([query.get("interval"), query.get("range")], [interval, range]);
      const { candles } = (await answer.json()) as {
        candles: { open: number; high: number; low: number; close: number }[];
      };
      const { open, high, low, close } = candles.at(-1)!;
      const spoken = (await page.locator(".asset-slider").getAttribute("aria-valuetext"))!.replace(/,(?=\d{3})/g, "");
      assert.ok(spoken.includes(`Open ${open}, High ${high}, Low ${low}, Close ${close}`), spoken);
      assert.deepEqual(await numbersIn(page, ".asset-readout .extremes dd"), [
        Math.min(...candles.map((one) => one.low)),
        Math.max(...candles.map((one) => one.high)),
      ]);
    }
    await page.locator("#asset-kind-line").check();
    await page.waitForFunction(() => /kind=line/.test(location.hash));
    await page.evaluate(() => void (location.hash = "#/asset/usd_rls")); // the default interval is one day
    await page.locator("#asset-range-3m:checked").waitFor();
    await page.locator("#asset-range-1d").check();
    await page.waitForFunction(() => document.querySelector<HTMLSelectElement>("#asset-interval")!.value === "15m");
    await page.locator(".asset-rail .converter").waitFor();

    const call = page.locator(".request-line", { hasText: "interval=15m" });
    const url = `${sample.url}${(await call.locator("code").innerText()).replace("GET ", "")}`;
    assert.equal((await fetch(url, { headers: { "X-API-Key": sample.key } })).status, 200);
    assert.equal(
      await clipboardAfter(page, call.getByRole("button")),
      `export KEY=${sample.key}\ncurl '${url}' \\\n  -H "X-API-Key: $KEY"`,
    );
    await call.getByRole("link").click();
    assert.equal(await page.locator("#getCandles-assetCode").inputValue(), "USD_RLS");
    assert.equal(await page.locator("#getCandles-interval").inputValue(), "15m");
  });

  await nightly("asset: shows older days and a price ratio", { site: sample, at: COIN }, async ({ page, requests }) => {
    await chartOf(page);
    await page.locator("#asset-from").fill("2026-01-01");
    await page.locator("#asset-to").fill("2026-03-01");
    await page.getByText(/^1 Jan 2026 – 1 Mar 2026. 60 days$/).waitFor(); // no cost, because the market is public
    const before = requests.length;
    await page.locator("#asset-show").click();
    const label = page.getByText(/from .*2026 to .*2026/);
    await label.first().waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".asset-table tbody tr").length > 40);
    assert.equal(requests.slice(before).filter((url) => url.includes("/history?")).length, 2);
    await page.locator("#asset-to").fill("2025-01-01");
    await page.getByText("The first day must not be after the last").waitFor();
    const csv = (await page.locator("#asset-csv").getAttribute("aria-label"))!;
    assert.match(csv, /^Download CSV: 1 Jan 2026 – 1 Mar 2026/);
    assert.equal(await page.locator("div[role=status]").textContent(), "", "nothing is loading any more");

    await page.locator("#asset-compare").selectOption("USD_RLS");
    await page
      .locator(".asset-ratio", {
        hasText:
          /^One Emami Gold Coin is [\d,.]+ US Dollar; [\d,.]+ – [\d,.]+ in the range\. Both have prices at \d+ times\./,
      })
      .waitFor();
    await page.locator(".asset-readout .other", { hasText: "US Dollar" }).waitFor();
    assert.match(page.url(), /compare=USD_RLS/);
    await page.evaluate(() => void (location.hash = "#/asset/usd_x"));
    await page.getByRole("heading", { name: "There is no asset “USD_X”" }).waitFor();
  });

  const phone = { site: sample, at: DOLLAR, viewport: PHONE };
  await nightly("asset: a phone shows the whole chart without scrolling", phone, async ({ page }) => {
    await chartOf(page);
    const bottom = await page.locator(".asset-canvas").evaluate((element) => element.getBoundingClientRect().bottom);
    assert.ok(bottom <= PHONE.height - 100, `the chart ends at ${bottom}`);
    const parts = "value strip looks canvas history rail".split(" ").map((part) => page.locator(`.asset-${part}`));
    const tops = await Promise.all(
      parts.map((part) => part.evaluate((element) => element.getBoundingClientRect().top)),
    );
    const inOrder = tops.toSorted((one, other) => one - other);
    assert.deepEqual(tops, inOrder, "the parts are in this order from the top");
    for (const [range, least, most] of [
      ["1y", 350, 380],
      ["1w", 5, 8],
      ["1m", 27, 33],
    ] as const) {
      await page.locator(`#asset-range-${range}`).check();
      const box = (await page.locator(".asset-canvas canvas").first().boundingBox())!;
      // The chart is drawn a moment later, so the pointer is moved until the chart has the right first day.
      await page.mouse.move(box.x + 200, box.y + 99);
      for (let tries = 0, age = 0; tries < 50 && !(age >= least && age < most); tries++) {
        await page.mouse.move(box.x + 3, box.y + 99 + (tries % 2));
        const day = (await page.locator(".asset-readout .time dd").innerText()).replace(/, UTC day.*/, "");
        age = (Date.now() - Date.parse(day)) / 86_400_000;
        if (tries === 49) assert.fail(`${range}: the chart begins ${age} days ago`);
        await page.waitForTimeout(100);
      }
    }
  });

  await visit("asset: loaded days cost no units", { site: mounted, at: DOLLAR }, async ({ page, requests }) => {
    await enterKey(page, mounted.key);
    await chartOf(page);
    await page.getByText(/32 days: loaded already, costs nothing$/).waitFor();
    assert.equal(
      requests.filter((url) => /\/api\/v1\/assets/.test(url)).length,
      3,
      "one request each for candles, days, and the first day of the three months",
    );
    await page.locator("#asset-from").fill(new Date(Date.now() - 60 * 86_400_000).toISOString().slice(0, 10));
    await page.getByText(/6\d days, for 2 of your units$/).waitFor();
    await page.evaluate(() => void (location.hash = "#/asset/GBP_RLS"));
    await page.getByRole("heading", { name: "No price for British Pound yet" }).waitFor();
    await page.locator("#asset-watch").click();
    await page.locator(".missing a").click();
    await page.locator("#group-FX[aria-pressed=true]").waitFor();
  });

  await visit("asset: Persian days, CSV and print", { site: sample, at: DOLLAR, locale: "fa-IR" }, async ({ page }) => {
    await chartOf(page);
    assert.match(await page.locator("#asset-to").inputValue(), /^۱۴۰[۰-۹]\/[۰-۹]{2}\/[۰-۹]{2}$/);
    await page.locator("#asset-from").fill("1405/12/30"); // not a leap year
    await page.locator("#asset-to").press("Enter");
    await page.locator("#asset-from[aria-invalid=true]:focus").waitFor();
    assert.doesNotMatch(page.url(), /from=/);
    await page.locator("#asset-from").fill("14050601"); // no slashes, because a phone's number pad has none
    await page.locator("#asset-to").fill("۱۴۰۵/۶/۳۱");
    const [answer] = await Promise.all([
      page.waitForResponse(/\/api\/v1\/assets\/USD_RLS\/history\?from=2026-08-23&to=2026-09-22$/),
      page.locator("#asset-show").click(),
    ]);
    await page.waitForFunction(() => location.hash.includes("from=2026-08-23&to=2026-09-22"));
    await page.locator(".asset-table").waitFor();
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator("#asset-csv").click()]);
    assert.equal(file.suggestedFilename(), "sample_USD_RLS_2026-08-23_2026-09-22.csv");
    const records = (await answer.json()) as { value: number; businessTime: string }[];
    const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
    assert.equal(lines[0], "code,value,businessTime,quoteUnit,labelEn,labelFa");
    assert.deepEqual(
      lines.slice(1).map((line) => line.split(",").slice(0, 3).join()),
      records.map(({ value, businessTime }) => `USD_RLS,${value},${businessTime}`),
    );

    const [low, high] = await page
      .locator(".asset-readout .extremes .n")
      .evaluateAll((numbers) => numbers.map((number) => number.getBoundingClientRect().left));
    assert.ok(low! > high!, "the lowest value is on the right, like the word for it in the label");

    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    const { picture, box, rows, seen } = await page.evaluate(() => {
      const [table, canvas] = [
        document.querySelector(".asset-table")!,
        document.querySelector(".asset-canvas > canvas")!,
      ];
      const [picture, box] = [canvas, canvas.parentElement!].map((element) => element.getBoundingClientRect().width);
      return {
        picture,
        box,
        rows: table.querySelectorAll("tbody tr").length,
        seen: table.scrollHeight <= table.clientHeight + 1,
      };
    });
    assert.ok(Math.abs(picture! - box!) < 20, `${picture} of ${box}`);
    assert.deepEqual([rows, seen], [records.length, true]);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.equal(await page.locator(".asset-canvas > canvas").count(), 0);
  });

  await nightly("asset: all prices are rounded in the same way", { site: sample, at: DOLLAR }, async ({ page }) => {
    await page.locator("#unit-toman").check();
    await page.reload();
    await chartOf(page);
    const toman = await page.locator(".asset-value strong").innerText();
    assert.match(toman, /^\d{3},\d{3}$/);
    await drawnText(page, toman);
    await page.locator("#rail-result", { hasText: new RegExp(`^${toman}$`) }).waitFor();
    const html = await (await fetch(`${sample.url}/docs/asset/USD_RLS`)).text();
    assert.ok(html.includes(`(${toman} toman)`), html.slice(0, 1_500));
  });

  const NOON = Date.parse("2026-11-21T08:30:00Z");
  const dayAgo = (days: number): string => new Date(NOON - days * 86_400_000).toISOString();
  const rowsOf = (code: string, value: number): RawRecord[] =>
    Array.from({ length: 365 }, (_, days) => ({ code, value: value + (days % 10), businessTime: dayAgo(days) }));
  corrected.setNow(NOON + 60_000);
  await corrected.feed([
    ...rowsOf("USD_RLS", 1_900_000),
    ...rowsOf("SEKKEH_RLS", 1_500_000_000),
    ...rowsOf("GOLD_OUNCE_USD", 3_000),
  ]);
  const clockAt = (time: number) => (page: Page) => page.clock.install({ time });
  const year = { site: corrected, at: `${DOLLAR}?range=1y`, before: clockAt(NOON + 60_000) };
  await visit("asset: corrections reach all parts of the page", year, async ({ page }) => {
    await chartOf(page);
    assert.equal(await page.locator(".asset-value strong").innerText(), "1,900,000");
    await page.locator("#nav-coins").click();
    await page.locator(".year-line").waitFor();
    await page.goBack();
    await chartOf(page);

    // Corrects the latest value, a value in the table of days, the highest value of the year, and a value of the coin.
    await corrected.feed([
      { code: "USD_RLS", value: 1_911_000, businessTime: dayAgo(0) },
      { code: "USD_RLS", value: 1_777_000, businessTime: dayAgo(5) },
      { code: "USD_RLS", value: 2_345_678, businessTime: dayAgo(200) },
      { code: "SEKKEH_RLS", value: 2_500_000_000, businessTime: dayAgo(300) },
    ]);
    corrected.setNow(NOON + 2 * 60_000);
    await page.clock.fastForward(70_000);
    await page.locator(".asset-value strong", { hasText: "1,911,000" }).waitFor();
    assert.match(await page.title(), /^1,911,000 rial/);
    await page.locator(".asset-table tr", { hasText: "16 Nov 2026" }).getByText("1,777,000").waitFor();
    await page.locator(".asset-table tr", { hasText: "21 Nov 2026" }).getByText("1,911,000").waitFor();
    await page.locator(".asset-readout .extremes", { hasText: "1,777,000 – 2,345,678" }).waitFor();
    await page.locator(".asset-readout", { hasText: "1,911,000" }).waitFor();
    await drawnText(page, "1,911,000");
    await page.locator(".by-way", { hasText: "1,911,000" }).waitFor();
    const [dollar, ounce] = [1_900_000, 3_000]; // 300 days ago
    const gold = ((ounce * dollar) / 31.1034768) * 8.133 * 0.9;
    await page.locator("#nav-coins").click();
    const highest = `highest +${((2_500_000_000 / gold - 1) * 100).toFixed(2)}%`;
    await page.locator(`.year-line[aria-label*="${highest}"]`).waitFor();
  });

  const MIDNIGHT = Date.parse("2026-11-21T20:30:00Z"); // in Tehran
  const time = (minutes: number): string => new Date(MIDNIGHT + minutes * 60_000).toISOString();
  corrected.setNow(MIDNIGHT - 60_000);
  await corrected.feed([
    { code: "USD_RLS", value: 1_912_000, businessTime: time(-15) },
    { code: "EUR_RLS", value: 2_400_000, businessTime: time(-3 * 1_440 - 15) },
    { code: "EUR_RLS", value: 2_412_000, businessTime: time(-15) },
  ]);
  const beforeMidnight = { site: corrected, before: clockAt(MIDNIGHT - 60_000) };
  await nightly("asset: each change is shown with the day it is measured from", beforeMidnight, async ({ page }) => {
    const changeOf = (code: string): Promise<string> =>
      page.locator(`tr:has(#row-${code})`).locator(".change").innerText();
    const heading = page.locator("#sort-change");
    const goTo = (hash: string): Promise<void> => page.evaluate((to) => void (location.hash = to), hash);
    await pricesOf(page);
    assert.equal(await heading.innerText(), "Since yesterday");
    assert.match(await changeOf("USD_RLS"), /^\+0\.63%$/);
    assert.match(await changeOf("EUR_RLS"), /^\+0\.50% since 18 Nov$/);
    await goTo("#/asset/EUR_RLS");
    await page.locator(".asset-value", { hasText: "+12,000 since 18 Nov" }).waitFor();
    await page.locator(".asset-rail dt", { hasText: "Close of 18 Nov 2026" }).waitFor();
    await goTo(DOLLAR);
    await page.locator(".asset-value", { hasText: "since yesterday" }).waitFor();
    await page.locator(".asset-rail dt", { hasText: "Yesterday’s close" }).waitFor();

    await page.clock.fastForward(60_000); // the page has not loaded the market of the new day yet
    await page.locator(".asset-value", { hasText: "since 20 Nov" }).waitFor();
    await page.locator(".asset-rail dt", { hasText: "Yesterday’s close" }).waitFor({ state: "detached" });
    corrected.setNow(MIDNIGHT + 120_000);
    await page.clock.fastForward(70_000);
    await page.locator("#nav-market").click();
    await heading.getByText("Since 20 Nov 2026").waitFor();
    assert.match(await changeOf("USD_RLS"), /^\+0\.63%$/);

    await goTo("#/coins");
    const coin = page.locator(".coin-table tr.stale", { hasText: "Emami" });
    await coin.locator(".stale-age", { hasText: "12 h" }).waitFor();
    assert.equal(await coin.locator(".change-text").count(), 0);
    await page.locator(".formula label", { hasText: "Ounce" }).locator(".stale-age").waitFor();

    await corrected.feed([{ code: "USD_RLS", value: 1_900_000, businessTime: time(2) }]);
    corrected.setNow(MIDNIGHT + 240_000);
    await page.clock.fastForward(70_000);
    await goTo(DOLLAR);
    await page.locator(".asset-value", { hasText: "\u221212,000 since yesterday" }).waitFor();
  });

  const AFTERNOON = Date.parse("2026-11-22T12:55:00Z");
  corrected.setNow(AFTERNOON);
  await corrected.feed([
    ...(
      [
        ["2013-05-05T12:30", 36_000],
        ["2025-11-04T12:30", 1_102_000],
        ["2025-11-22T12:30", 1_139_800],
        ["2026-03-20T12:30", 1_402_600],
        ["2026-08-04T12:30", 1_798_300],
        ["2026-08-21T12:30", 1_868_030],
        ["2026-10-04T12:30", 1_921_000],
        ["2026-10-22T12:30", 1_941_080],
        ["2026-10-28T12:30", 1_956_800],
        ["2026-11-03T12:30", 1_946_470],
        ["2026-11-04T05:30", 1_946_482],
        ["2026-11-04T06:30", 1_955_890],
        ["2026-11-04T07:30", 1_923_628],
        ["2026-11-04T12:30", 1_934_401],
        ["2026-11-04T21:00", 1_940_000], // of 5 November in Tehran
        ["2026-11-15T12:30", 1_952_720],
        ["2026-11-21T12:30", 2_007_898],
        ["2026-11-22T12:54", 1_985_528],
      ] as const
    ).map(([time, value]) => ({ code: "GBP_RLS", value, businessTime: `${time}:00Z` })),
    { code: "TRY_RLS", value: 44_000, businessTime: "2026-10-01T12:30:00Z" },
    { code: "TRY_RLS", value: 45_530, businessTime: "2026-11-22T12:50:00Z" },
  ]);
  const cellsOf = (page: Page): Promise<readonly string[]> =>
    page.locator(".asset-strip label > :last-child").allInnerTexts();
  const inAfternoon = { site: corrected, before: clockAt(AFTERNOON) };
  const NOW_CHANGES = ["−1.11%", "+1.68%", "+2.29%", "+6.29%", "+41.56%", "+74.20%", "since 2013"];

  await nightly("asset: each range shows its change", { ...inAfternoon, at: "#/asset/GBP_RLS" }, async ({ page }) => {
    await chartOf(page);
    await page.locator(".asset-strip", { hasText: "+74.20%" }).waitFor();
    assert.deepEqual(await cellsOf(page), NOW_CHANGES);
    await page.getByRole("radio", { name: "1 month, up 2.29%, from 22 Oct 2026" }).waitFor();
    const readout = page.locator(".asset-readout");
    const rest = await readout.innerText();
    assert.match(rest.replace(/\s+/g, " "), /21 Aug 2026 to 22 Nov 2026 From 1,868,030 To 1,985,528 Change \+6\.29%/);
    const { y, height } = (await readout.boundingBox())!;
    const canvas = page.locator(".asset-canvas");
    await canvas.hover({ position: { x: 300, y: 100 } });
    await readout.getByText("UTC day").waitFor();
    assert.deepEqual([(await readout.boundingBox())!.y, (await readout.boundingBox())!.height], [y, height]);
    assert.equal(await page.locator(".asset-value strong").innerText(), "1,985,528");
    await page.locator("h1").hover();
    await page.waitForFunction(
      (text) => document.querySelector<HTMLElement>(".asset-readout")!.innerText === text,
      rest,
    );

    await page.locator("#asset-range-3m").focus();
    await page.keyboard.press("ArrowRight");
    await readout.getByText("20 Mar 2026 to 22 Nov 2026").waitFor();
    assert.match(page.url(), /range=nowruz/);
    await page.evaluate(() => void (location.hash = "#/asset/TRY_RLS"));
    await page.locator(".asset-strip", { hasText: "+3.48%" }).waitFor(); // 45,530 against 44,000
    assert.deepEqual((await cellsOf(page)).slice(2), ["+3.48%", ...Array(3).fill("since 1 Oct 2026"), "since 2026"]);
  });

  await nightly("asset: a chosen day changes the whole view", { ...inAfternoon, at: PAST_POUND }, async ({ page }) => {
    await page.locator("#unit-toman").check();
    await page.reload();
    await chartOf(page);
    await page.locator(".asset-strip", { hasText: "+75.54%" }).waitFor();
    assert.deepEqual(await cellsOf(page), ["−0.62%", "−1.14%", "+0.70%", "+7.57%", "+37.92%", "+75.54%", "since 2013"]);
    assert.match(
      (await page.locator(".asset-value").innerText()).replace(/\s+/g, " "),
      /^193,440 toman −0\.62% −1,207 on that day Wed 4 Nov 2026, not today Back to now$/,
    );
    const readout = async (): Promise<string> =>
      (await page.locator(".asset-readout").innerText()).replace(/\s+/g, " ");
    await page.locator(".asset-readout", { hasText: "Open" }).waitFor();
    assert.match(
      await readout(),
      /^Time 4 Nov 2026 Open 194,648 High 195,589 Low 192,363 Close 193,440 From then to now \+2\.64% \+5,113$/,
    );
    const today = (await page.locator(".asset-rail .card").first().innerText()).replace(/\s+/g, " ");
    assert.equal(today, "4 Nov 2026 records: 4 Open 194,648 High 195,589 Low 192,363 Close of 3 Nov 2026 194,647");
    await page.locator("#rail-amount").fill("1500");
    await page.locator("#rail-result", { hasText: /^290,160,150$/ }).waitFor();
    await page.locator("tr[aria-current=date]", { hasText: "4 Nov 2026" }).getByText("193,440").waitFor();
    for (const text of ["4 Nov", "193,440", "198,553"]) await drawnText(page, text);
    assert.match(await page.title(), /^4 Nov 2026 · British Pound \(GBP_RLS\)/);
    await page.getByText("4 Nov 2026, 193,440 toman; from then to now up 2.64%", { exact: true }).waitFor();

    await page.locator(".asset-slider").focus();
    for (const [key, day] of [
      ["ArrowRight", "2026-11-15"],
      ["ArrowLeft", "2026-11-04"],
      ["ArrowLeft", "2026-11-03"],
    ] as const) {
      await page.keyboard.press(key);
      await page.waitForFunction((wanted) => location.hash.endsWith(`day=${wanted}`), day);
    }
    await page.keyboard.press("Escape");
    await page.locator(".asset-value", { hasText: "198,553" }).waitFor();
    await page.locator(".asset-strip", { hasText: "+74.20%" }).waitFor();
    assert.doesNotMatch(page.url(), /day=/);
    await page.locator(".asset-canvas").click({ position: { x: 300, y: 100 } });
    await page.locator(".asset-chip").waitFor();
    await page.locator("#asset-now").click();
    await page.locator(".asset-chip").waitFor({ state: "detached" });
  });

  const withGap = (page: Page): Promise<unknown> =>
    page.route("**/ohlc?*", async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { candles: unknown[] };
      json.candles.splice(-60, 20);
      await route.fulfill({ response, json });
    });
  const quarters = { site: sample, at: QUARTERS, before: withGap };
  await visit(
    "asset: the chart shows the latest price on its axis, and the length of a gap",
    quarters,
    async ({ page }) => {
      await chartOf(page);
      const latest = await page.locator(".asset-value strong").innerText();
      for (const text of [latest, "5 hours"]) await drawnText(page, text);
    },
  );

  type Candles = readonly { readonly start: string; readonly close: number }[];
  const answers = new Map<string, Candles>();
  const laterDollar = (page: Page): Promise<unknown> =>
    page.route("**/ohlc?*", async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { readonly code: string; candles: Candles };
      if (json.code === "USD_RLS") json.candles = json.candles.slice(9); // the dollar's prices begin nine days later
      answers.set(json.code, json.candles);
      await route.fulfill({ response, json });
    });
  const compared = { site: sample, viewport: PHONE, at: COMPARISON, before: laterDollar };
  await nightly("asset: compared assets both start at their first common day", compared, async ({ page }) => {
    await chartOf(page);
    await page.locator(".asset-readout .other").waitFor();
    const [coin, dollar] = ["SEKKEH_RLS", "USD_RLS"].map((code) => answers.get(code)!) as [Candles, Candles];
    const common = coin.find(({ start }) => start === dollar[0]!.start)!;
    const format = new Intl.NumberFormat("en", {
      style: "percent",
      minimumFractionDigits: 2,
      signDisplay: "exceptZero",
    });
    const changes = [coin.at(-1)!.close / common.close, dollar.at(-1)!.close / dollar[0]!.close].map((ratio) =>
      format.format(ratio - 1).replace("-", "\u2212"),
    );
    const readout = await page.locator(".asset-readout .key").allInnerTexts();
    for (const [at, change] of changes.entries()) {
      await drawnText(page, change);
      assert.ok(readout[at]!.endsWith(change), `${change} in ${readout[at]}`);
    }
    const day = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", dateStyle: "medium" }).format(
      Date.parse(common.start),
    );
    await page.locator(".asset-readout", { hasText: `Both from ${day}, UTC day` }).waitFor();
    await page.getByText(`Percentages are relative to ${day}, UTC day`).waitFor();
    await drawnText(page, `${day} = 0`);
  });
};
