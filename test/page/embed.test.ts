// Embedded prices: the contents of a box, and the requests of other sites.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { DARK, LIGHT } from "../../adapters/page/embed/box_drawing.ts";
import { boxHtml } from "../../adapters/page/embed/box_html.ts";
import { boxSvg } from "../../adapters/page/embed/box_svg.ts";
import {
  type BoxFacts,
  type BoxPrice,
  createPriceBoxes,
  type PriceBox,
  parseChoices,
} from "../../adapters/page/embed/price_box.ts";
import type { MarketRow } from "../../adapters/page/market_summary.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import { ASSETS, defineAsset } from "../../core/mod.ts";
import { assertFailure, type Reply } from "../support/api_under_test.ts";
import { type PageWorldSettings, pageWorld } from "./page_world.ts";

/** 16:25 in Tehran. */
const NOW = "2026-11-22T12:55:00Z";
const asset = ASSETS.find(({ code }) => code === "USD_RLS")!;
const price = {
  value: 1_985_528,
  businessTime: "2026-11-22T12:54:00Z",
  before: { date: "2026-11-21", value: 2_007_898 },
  days: [10, null, 20, 15],
};
const FACTS: BoxFacts = {
  ...{ application: "mazaneh", staleThresholdMinutes: 60, isSample: false, code: "USD_RLS" },
  ...{ asset, price, now: Date.parse(NOW) },
};
const boxOf = createPriceBoxes("Asia/Tehran");

/** A box, with the direction marks in Persian numbers removed. */
function box(query: string, facts: Partial<BoxFacts> = {}): PriceBox {
  const made = boxOf({ ...FACTS, ...facts }, parseChoices(query));
  return JSON.parse(JSON.stringify(made).replaceAll("\u200e", "")) as PriceBox;
}

/** A price with some fields replaced. */
const priced = (change: Partial<MarketRow>): object => ({ price: { ...price, ...change } });
const stale = { ...price, businessTime: "2026-11-22T09:51:00Z" };
const line = (...points: readonly (readonly [x: number, y: number])[]): Partial<BoxPrice> => ({ line: points });
const contents: readonly (readonly [rule: string, query: string, facts: object, content: Partial<BoxPrice>])[] = [
  ["rial in English, day and time", "lang=en", {}, { price: "1,985,528", unit: "rial", time: "22 Nov, 16:24 Tehran" }],
  ["its change", "", {}, { direction: "down", change: { percent: "−1.11%", difference: "−22,370" } }],
  ["whole toman in Persian", "lang=fa", {}, { price: "۱۹۸٬۵۵۳", unit: "تومان", time: "۱ آذر، ۱۶:۲۴ تهران" }],
  ["its change in toman", "lang=fa", {}, { change: { percent: "−۱٫۱۱٪", difference: "−۲٬۲۳۷" } }],
  ["rial in Persian, if the query says so", "lang=fa&unit=rial", {}, { price: "۱٬۹۸۵٬۵۲۸", unit: "ریال" }],
  ["a long price has smaller letters", "", priced({ value: 1e12 }), { price: "1,000,000,000,000", size: 15 }],
  [
    "a change since an earlier day names that day",
    "",
    priced({ before: { date: "2026-11-19", value: 1_900_000 } }),
    { direction: "up", change: { percent: "+4.50%", difference: "+85,528", since: "since 19 Nov" } },
  ],
  ["a first price has no change", "", priced({ before: null }), { direction: "same", change: undefined! }],
  [
    "a stale price has an age and no change",
    "",
    { price: stale },
    { age: "3 hours old, from 13:21 Tehran", time: "22 Nov, 13:21 Tehran", change: undefined!, direction: "same" },
  ],
  ["its age in Persian", "lang=fa", { price: stale }, { age: "۳ ساعت پیش، ۱۳:۲۱ تهران" }],
  [
    "a price from another day names the day, and a much older price names its year",
    "",
    priced({ businessTime: "2025-03-20T10:00:00Z" }),
    { age: "612 days old, from 20 Mar 2025, 13:30 Tehran", time: "20 Mar 2025, 13:30 Tehran" },
  ],
  ["a made-up price says so", "lang=fa", { isSample: true }, { sample: "نمونه، قیمت ساختگی" }],
  ["days without a value keep their width on the line", "", {}, line([0, 38], [73.3, 0], [110, 19])],
  ["equal values are in the middle", "", priced({ days: [7, 7] }), line([0, 19], [110, 19])],
  ["with one value, there is no line", "", priced({ days: [null, 7] }), line()],
];
test("embedded price: shows price, unit, change, age and line in both languages", () => {
  for (const [rule, query, facts, wanted] of contents) {
    const content = box(query, facts).content as BoxPrice;
    const seen = Object.keys(wanted).map((name) => [name, content[name as keyof BoxPrice]]);
    assert.deepEqual(Object.fromEntries(seen), wanted, rule);
  }
});

test("embedded price: without a price, the box has a sentence and no number, under the name of the asset, its code, or the server's name", () => {
  const shown = ({ name, content, link }: PriceBox): unknown => [name, content, link];
  const closed = ["دلار آمریکا", "قیمت‌های این سرور عمومی نیست.", "../asset/USD_RLS"];
  assert.deepEqual(shown(box("lang=fa", { price: "closed" })), closed);
  const unknown = (code: string) => shown(box("", { code, asset: undefined, price: "unknown" }));
  assert.deepEqual(unknown("NO_SUCH"), ["NO_SUCH", "This server has no such price.", "../../docs"]);
  assert.deepEqual(unknown("<b>"), ["Mazaneh", "This server has no such price.", "../../docs"]);
});

test("embedded price: no name ends a tag or an attribute in page or picture, and a picture is valid XML", () => {
  const hostile = defineAsset({ code: "A_USD", category: "FX", nameEn: `"><script>'&\u0001`, nameFa: "ب" });
  for (const facts of [{}, { isSample: true }, { price: "empty" as const }]) {
    const made = box("", { asset: hostile, application: "</style><script>", ...facts });
    for (const text of [boxHtml(made), boxSvg(made)]) {
      assert.doesNotMatch(text, /<script|<\/style>.*<\/style>|&(?!#\d+;)/s);
      assert.match(text, /&#34;&#62;&#60;script&#62;&#39;&#38;/);
    }
    assert.doesNotMatch(boxSvg(made), /[^\n\P{Cc}]/u);
  }
});

test("embedded price: the picture of a stale price shows the hour but no age, because other sites cache the picture for long", () => {
  const made = box("", { price: stale });
  assert.match(boxHtml(made), /3 hours old/);
  assert.doesNotMatch(boxSvg(made), /old, from/);
  assert.match(boxSvg(made), /aria-label="US Dollar, 1,985,528 rial, 22 Nov, 13:21 Tehran, Mazaneh"/);
});

test("embedded price: has the colours of the page", async () => {
  const tokens = await readFile("adapters/page/browser/styles/tokens.css", "utf8");
  const dark = DARK.split(";").map((one) => one.replace(/.*:/, ", "));
  for (const [at, one] of LIGHT.split(";").entries())
    assert.ok(tokens.includes(`${one.replace(":", ": light-dark(")}${dark[at]});`), one);
});

/** Returns a function that sends requests to a public market with one price. `drawn` counts the rendered boxes. */
async function embedWorld(settings: PageWorldSettings = {}) {
  const counter = { drawn: 0 };
  const { open, feed } = await pageWorld({ publicMarket: true, isSample: () => counter.drawn++ < 0, ...settings }, NOW);
  await feed(["USD_RLS", price.value, price.businessTime]);
  return { counter, ask: (path: string, method = "GET"): Promise<Reply> => open(path, { method }) };
}

test("embedded price: any site may frame it and caches may keep it for a minute; nothing else may be framed: 200", async () => {
  const { ask } = await embedWorld();
  for (const [path, type, refresh] of [
    ["/docs/embed/USD_RLS", "text/html", "300"],
    ["/docs/embed/USD_RLS.svg", "image/svg+xml", undefined],
  ] as const) {
    const { status, headers, text } = await ask(path);
    assert.deepEqual([status, headers["Content-Type"], headers["Refresh"]], [200, `${type}; charset=utf-8`, refresh]);
    assert.equal(headers["Cache-Control"], "public, max-age=60");
    assert.match(
      headers["Content-Security-Policy"]!,
      /^default-src 'none'; style-src 'unsafe-inline'; font-src 'self'/,
    );
    assert.doesNotMatch(headers["Content-Security-Policy"]!, /script|frame-ancestors/);
    assert.match(text, /1,985,528/);
    assert.equal((await ask(path, "HEAD")).headers["ETag"], headers["ETag"]);
    assertFailure(await ask(path, "POST"), 405, "METHOD_NOT_ALLOWED");
  }
  for (const path of ["/docs", "/docs/asset/USD_RLS", "/docs/reference", "/docs/guide.fa", "/docs.md"])
    assert.match((await ask(path)).headers["Content-Security-Policy"]!, /frame-ancestors 'none'/, path);
});

test("embedded price: an invalid parameter is read as its default, and causes no second rendering", async () => {
  const { ask, counter } = await embedWorld();
  const { text } = await ask("/docs/embed/USD_RLS");
  const queries =
    "lang=de lang=fa% lang=&lang=fa unit=euro&theme= x=1 %zz __proto__=1 lang=en&lang=fa lang=en&unit=rial";
  for (const query of queries.split(" ")) assert.equal((await ask(`/docs/embed/USD_RLS?${query}`)).text, text, query);
  assert.equal(counter.drawn, 1);
});

test("embedded price: for a closed market, an unknown code and a hanging store, the box has one sentence: 200", async () => {
  const stuck = { ...createMemoryStore().observations, latest: () => new Promise<never>(() => {}) };
  for (const [sentence, path, settings, caching] of [
    ["are not public", "USD_RLS", { publicMarket: false }, "public, max-age=60"],
    ["no such price", "NO_SUCH.svg", {}, "public, max-age=60"],
    ["no price yet", "EUR_RLS", {}, "public, max-age=60"],
    ["cannot be read", "USD_RLS", { observations: stuck }, "no-store"],
  ] as const) {
    const { status, headers, text } = await (await embedWorld(settings)).ask(`/docs/embed/${path}`);
    assert.deepEqual([status, headers["Cache-Control"]], [200, caching], path);
    if (caching === "no-store") assert.equal(headers["Refresh"], "10", "it asks again soon");
    assert.match(text, new RegExp(sentence));
    assert.doesNotMatch(text, /1,985,528/);
  }
});
