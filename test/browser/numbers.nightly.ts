// Compares displayed numbers with the API by exact arithmetic: when the page has loaded, after a correction, after an
// hour, and after midnight; in both languages and both units; in every view that shows prices.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { createFormat } from "../../adapters/page/browser/data/format.ts";
import { preferencesOf } from "../../adapters/page/browser/data/preferences.ts";
import { ASSETS, GOLD_PIECES } from "../../core/mod.ts";
import { until } from "../support/wait_until.ts";
import { chartOf } from "./asset_suite.ts";
import { skip, startChromium, visits } from "./chromium.ts";
import { pricesOf } from "./market_suite.ts";
import { emptySite } from "./sites.ts";

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
/** 22:30 in Tehran. */
const START = Date.parse("2026-11-21T19:00:00Z");
/** Minutes after `START`. */
const MOMENTS = { fresh: 0, corrected: 2, "an hour later": 62, "after midnight": 95 };
const OPENED = ["USD_RLS", "SEKKEH_RLS"];

/** A displayed text, and the exact fraction `top / bottom` that the text should show rounded. */
type Shown = readonly [what: string, text: string, top: bigint, bottom: bigint];

/** Whether a text, in digits of any script, is the fraction rounded to as many decimals as the text has. */
function isRounded(text: string, top: bigint, bottom: bigint): boolean {
  const western = text
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/[٬,\u200e\u200f]/g, "")
    .replace("٫", ".")
    .replace("−", "-");
  const [, sign = "", whole = "", decimals = ""] = /(-?)(\d+)(?:\.(\d+))?/.exec(western) ?? assert.fail(`"${text}"`);
  const off = 2n * (BigInt(`${sign}${whole}${decimals}`) * bottom - top * 10n ** BigInt(decimals.length));
  return off <= bottom && off >= -bottom;
}

const exact = (value: number): bigint => BigInt(Math.round(value * 1e6));
const price = (value: number, perUnit: bigint) => [exact(value), 1_000_000n * perUnit] as const;
const percent = (value: number, before: number) => [100n * (exact(value) - exact(before)), exact(before)] as const;
const tehranDay = (time: number): string => new Date(time + 3.5 * 3_600_000).toISOString().slice(0, 10);

test("numbers: the page always agrees with the API, in both languages and both units", { skip }, async (t) => {
  const site = await emptySite(t);
  const assets = ASSETS.filter(({ code, category }) => category !== "CRYPTO" || code.endsWith("_USD"));
  const records = new Map<string, Map<number, number>>(assets.map(({ code }) => [code, new Map()]));
  const valueAt = (at: number, time: number): number =>
    Number((1_000 * (at + 1) * (1 + Math.sin(at + time / 7e7) / 20)).toFixed(at % 3));
  const feed = async (time: number, factor: number, wanted: (at: number) => boolean): Promise<void> => {
    const rows = assets.flatMap(({ code }, at) =>
      wanted(at) ? [{ code, value: Number((valueAt(at, time) * factor).toFixed(at % 3)), at: time }] : [],
    );
    for (const { code, value } of rows) records.get(code)!.set(time, value);
    await site.feed(rows.map(({ at, ...row }) => ({ ...row, businessTime: new Date(at).toISOString() })));
  };
  site.setNow(START);
  for (let day = 35; day >= 1; day--) await feed(START - day * DAY_MS, 1, () => true);
  await feed(START - MINUTE_MS, 1, () => true);
  let compared = 0;
  /** The API's current answers, kept because each request costs one unit. */
  const answers = new Map<string, Promise<unknown>>();
  const ask = <Body>(path: string): Promise<Body> => {
    if (!answers.has(path)) answers.set(path, site.ask(path));
    return answers.get(path) as Promise<Body>;
  };

  /** The last value before the Tehran day of the latest record. */
  function dayBefore(code: string): number {
    const all = [...records.get(code)!].toSorted(([one], [other]) => one - other);
    return all.findLast(([time]) => tehranDay(time) < tehranDay(all.at(-1)![0]))![1];
  }

  async function marketShown(page: Page, perToman: bigint): Promise<readonly Shown[]> {
    const latest = await ask<{ code: string; value: number }[]>("/api/v1/assets");
    const rows = await page.locator(".market tbody tr:has(.price .n)").evaluateAll((found) =>
      found.map((row) => {
        const texts = ["price", "change", "difference"].map((part) => row.querySelector(`.${part} .n`)?.textContent);
        return [row.querySelector("code")!.title, ...texts] as const;
      }),
    );
    assert.equal(rows.length, assets.length);
    return rows.flatMap(([code, ...texts]): Shown[] => {
      const { value } = latest.find((one) => one.code === code)!;
      const [before, perUnit] = [dayBefore(code), code.endsWith("_RLS") ? perToman : 1n];
      return [
        [`${code} price`, texts[0]!, ...price(value, perUnit)],
        ...(texts[1] === undefined ? [] : [[`${code} change`, texts[1], ...percent(value, before)] as const]), // old prices have none
        ...(texts[2] === undefined
          ? []
          : [[`${code} difference`, texts[2], exact(value) - exact(before), 1_000_000n * perUnit] as const]),
      ];
    });
  }

  async function assetShown(page: Page, code: string, perToman: bigint): Promise<readonly Shown[]> {
    const [from, to] = [START - 28 * DAY_MS, START + DAY_MS].map(tehranDay);
    const days = await ask<{ value: number; businessTime: string }[]>(
      `/api/v1/assets/${code}/history?from=${from}&to=${to}`,
    );
    const target = (await page.locator(".asset-url").innerText()).replace("GET ", "");
    const { candles } = await ask<{ candles: Record<"open" | "high" | "low" | "close", number>[] }>(target);
    const rows = await page.locator(".asset-table tbody tr").evaluateAll((found) =>
      found.map((row) => {
        const texts = [".asset-number .n", ".change-text .n"].map((of) => row.querySelector(of)?.textContent ?? "");
        return [Date.parse(row.querySelector("time")!.dateTime), ...texts] as const;
      }),
    );
    const shownDays = rows.flatMap(([time, value = "", change = ""]): Shown[] => {
      const at = days.findIndex((day) => Date.parse(day.businessTime) === time);
      if (at < 1) return [];
      const [now, before] = [days[at]!.value, days[at - 1]!.value];
      const name = `${code} ${tehranDay(time)}`;
      return [
        [name, value, ...price(now, perToman)],
        [`${name} change`, change, ...percent(now, before)],
      ];
    });
    const readouts = await page.locator(".asset-slider").evaluate(async (element) => {
      const slider = element as HTMLInputElement;
      const texts: string[][] = [];
      for (let at = 0; at <= Number(slider.max); at++) {
        slider.value = String(at);
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        for (let turn = 0; turn < 5; turn++) await Promise.resolve();
        texts.push([...document.querySelectorAll(".asset-readout dd .n")].map((value) => value.textContent!).slice(1));
      }
      return texts;
    });
    const shownCandles = readouts.flatMap((texts, at): Shown[] => {
      const { open, high, low, close } = candles[at]!;
      const before = candles[at - 1]?.close;
      const prices = [open, high, low, close].map((value, i): Shown => {
        return [`${code} candle ${at}`, texts[i]!, ...price(value, perToman)];
      });
      return before ? [...prices, [`${code} candle ${at} change`, texts[4]!, ...percent(close, before)]] : prices;
    });
    const drawn = await page.evaluate(() => [...(window as unknown as { readonly drawn: Set<string> }).drawn]);
    const tag = price(candles.at(-1)!.close, perToman);
    const onCanvas = drawn.find((text) => /\d|[۰-۹]/.test(text) && isRounded(text, ...tag));
    return [...shownDays, ...shownCandles, [`${code} on the canvas`, onCanvas ?? "0", ...tag]];
  }

  async function coinsShown(page: Page, perToman: bigint): Promise<readonly Shown[]> {
    const latest = await ask<{ code: string; value: number }[]>("/api/v1/assets");
    const valueOf = (wanted: string): bigint => exact(latest.find(({ code }) => code === wanted)!.value);
    const [ounce, dollar] = [valueOf("GOLD_OUNCE_USD"), valueOf("USD_RLS")];
    const rows = await page
      .locator(".coin-table tbody tr")
      .evaluateAll((found) =>
        found.map((row) =>
          [...row.querySelectorAll("td:not(:nth-child(4), :nth-child(5)) .n")].map(({ textContent }) => textContent!),
        ),
      );
    return GOLD_PIECES.flatMap(({ code, grams, fineness }, at): readonly Shown[] => {
      const [ratio, gold, bubble, implied] = rows[at]!;
      // The gold's value times 31.1034768 × 10^24, and the piece's price times the same factor.
      const worth = ounce * dollar * exact(grams) * exact(fineness);
      const [cost, measure] = [(valueOf(code) * 311_034_768n * 10n ** 18n) / 10n ** 7n, 311_034_768n * 10n ** 17n];
      return [
        [`${code} bubble in percent`, ratio!, 100n * (cost - worth), worth],
        [`${code} gold`, gold!, worth, measure * perToman],
        [`${code} bubble`, bubble!, cost - worth, measure * perToman],
        [`${code} implied dollar`, implied!, cost * dollar, worth * 1_000_000n * perToman],
      ];
    });
  }

  async function converted(page: Page): Promise<readonly Shown[]> {
    const latest = await ask<{ code: string; value: number }[]>("/api/v1/assets");
    const [bitcoin, dollar] = ["BTC_USD", "USD_RLS"].map((wanted) =>
      exact(latest.find(({ code }) => code === wanted)!.value),
    ) as [bigint, bigint];
    return [
      ["3,000 bitcoin", await page.locator("#convert-result").innerText(), 3_000n * bitcoin * dollar, 10n ** 12n],
    ];
  }

  /** Waits until nothing differs, because the page shows older answers until the new answers arrive. */
  async function compare(where: string, shown: () => Promise<readonly Shown[]>): Promise<void> {
    let differing: readonly Shown[] = [];
    const agree = async (): Promise<boolean> => {
      const all = await shown();
      differing = all.filter(([, text, ...fraction]) => !isRounded(text, ...fraction));
      if (differing.length === 0) compared += all.length;
      return all.length > 0 && differing.length === 0;
    };
    await until(where, agree, 250).catch((error: unknown) => {
      const lines = differing.map(([what, text, top, bottom]) => `${what}: ${text}, not ${top}/${bottom}`);
      throw lines.length === 0 ? error : new Error(`${where}: ${lines.length} differ: ${lines.join("; ")}`);
    });
  }

  const before = (page: Page): Promise<void> => page.clock.install({ time: START });
  await visits(t, await startChromium(t))("the moments", { site, before }, async ({ page }) => {
    const english = createFormat(preferencesOf({}, "en"), "Asia/Tehran");
    for (const [moment, minute] of Object.entries(MOMENTS)) {
      const now = START + minute * MINUTE_MS;
      if (moment === "corrected") {
        await feed(START - MINUTE_MS, 1.01, (at) => at % 2 === 0);
        await feed(START - DAY_MS, 0.99, (at) => at % 3 === 0);
      } else if (minute > 0) await feed(now - MINUTE_MS, 1, (at) => at % 3 < 2);
      site.setNow(now);
      answers.clear();
      await page.clock.fastForward(now + 10_000 - (await page.evaluate(() => Date.now())));
      await page.waitForFunction(
        (time) => document.getElementById("market-time")?.textContent === time,
        english.time(now),
      );
      for (const language of ["en", "fa"]) {
        for (const [unit, perToman] of [
          ["rial", 1n],
          ["toman", 10n],
        ] as const) {
          const where = `${moment}, ${language}, ${unit}`;
          await page.locator(`#unit-${unit}`).check();
          await pricesOf(page);
          await compare(where, () => marketShown(page, perToman));
          for (const code of OPENED) {
            await page.evaluate((hash) => {
              (window as unknown as { readonly drawn: Set<string> }).drawn.clear();
              location.hash = hash;
            }, `#/asset/${code}?interval=1d&range=1m`);
            await page.locator(".asset-name code", { hasText: new RegExp(`^${code}$`) }).waitFor();
            await chartOf(page);
            await compare(where, () => assetShown(page, code, perToman));
          }
          await page.locator("#nav-coins").click();
          await page.locator(".coin-table").waitFor();
          await compare(where, () => coinsShown(page, perToman));
          await page.evaluate(() => void (location.hash = "#/convert?amount=3000&from=BTC_USD&to=RIAL"));
          await page.locator("#convert-result .n").waitFor();
          await compare(where, () => converted(page));
          await page.locator("#nav-market").click();
        }
        await pricesOf(page);
        await page.locator("#language").click();
      }
    }
  });
  assert.ok(compared >= 2_000, `${compared} numbers`);
  t.diagnostic(`${compared} numbers`);
});
