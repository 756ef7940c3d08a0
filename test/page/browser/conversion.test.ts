import assert from "node:assert/strict";
import test from "node:test";
import {
  amountOf,
  bubbleDays,
  convert,
  convertibles,
  listedAs,
  persianWords,
  quoted,
  quotesOf,
  ticksOf,
  waysToDollar,
} from "../../../adapters/page/browser/data/conversion.ts";
import { ASSETS, GOLD_PIECES } from "../../../core/mod.ts";

const VALUES: Readonly<Record<string, number>> = {
  USD_RLS: 2_000_000,
  EUR_RLS: 2_400_000,
  BTC_USD: 80_000,
  ETH_USD: 4_000,
  BTC_RLS: 7,
  USDT_RLS: 2_010_000,
  AED_RLS: 540_000,
  GOLD_OUNCE_USD: 3_110.34768,
  GOLD_18_RLS: 153_000_000,
};
const valueOf = (code: string): number | undefined => VALUES[code];

const conversions = [
  ["dollars into toman", 1_500, "USD_RLS", "TOMAN", 300_000_000],
  ["rial into toman", 10, "RIAL", "TOMAN", 1],
  ["toman into euros", 240_000, "TOMAN", "EUR_RLS", 1],
  ["bitcoin is converted to rial by way of the dollar", 2, "BTC_USD", "RIAL", 320_000_000_000],
  ["two assets quoted in dollars need no dollar price in rial", 1, "BTC_USD", "ETH_USD", 20],
  ["dollars stay dollars, whatever their price in rial", 3, "BTC_USD", "USD_RLS", 240_000],
  ["if a price on the way is missing, there is no result", 1, "GBP_RLS", "RIAL", undefined],
] as const;
test("convert: an amount is converted through quoted prices; if one of them is missing, there is no result", () => {
  for (const [rule, amount, from, to, result] of conversions)
    assert.equal(convert(amount, { from, to }, valueOf), result, rule);
  const withoutDollar = (code: string) => (code === "USD_RLS" ? undefined : valueOf(code));
  assert.equal(convert(1, { from: "BTC_USD", to: "RIAL" }, withoutDollar), undefined);
});

test("convert: only the assets that a conversion needs are requested", () => {
  for (const [from, to, wanted] of [
    ["USD_RLS", "TOMAN", ["USD_RLS"]],
    ["BTC_USD", "RIAL", ["BTC_USD", "USD_RLS"]],
    ["BTC_USD", "ETH_USD", ["BTC_USD", "ETH_USD"]],
    ["EUR_RLS", "USD_RLS", ["EUR_RLS", "USD_RLS"]],
    ["RIAL", "TOMAN", []],
    ["BTC_USD", "USD_RLS", ["BTC_USD"]],
  ] as const)
    assert.deepEqual(quotesOf({ from, to }), wanted);
});

test("convert: crypto is converted to rial with its own rial price if there is one", () => {
  const quotes = (from: string, to: string) => quoted({ from, to }, (code) => Object.hasOwn(VALUES, code));
  assert.deepEqual(quotes("BTC_USD", "TOMAN"), { from: "BTC_RLS", to: "TOMAN" });
  assert.deepEqual(quotes("EUR_RLS", "BTC_USD"), { from: "EUR_RLS", to: "BTC_RLS" });
  for (const [from, to] of [
    ["BTC_USD", "ETH_USD"],
    ["BTC_USD", "USD_RLS"],
    ["ETH_USD", "RIAL"],
    ["USD_RLS", "EUR_RLS"],
  ] as const)
    assert.deepEqual(quotes(from, to), { from, to });
});

test("convert: the list has money first, each cryptocurrency once, and no index", () => {
  const codes = convertibles(ASSETS);
  assert.deepEqual(codes.slice(0, 3), ["TOMAN", "RIAL", "USD_RLS"]);
  for (const [code, listed] of [
    ["BTC_RLS", "BTC_USD"],
    ["BTC_USD", "BTC_USD"],
    ["TOMAN", "TOMAN"],
    ["STOCK_IR", undefined],
    ["", undefined],
  ] as const)
    assert.equal(listedAs(code, codes), listed, code);
});

const amounts = [
  ["1,500", 1_500],
  ["۱٬۵۰۰٫۵", 1_500.5],
  ["١٥٠٠", 1_500],
  ["۱،۵۰۰", 1_500],
  [" 2 000 ", 2_000],
  [".5", 0.5],
  ["۲/۵", 2.5],
  ["1,234,567.5", 1_234_567.5],
  ["۱,۵", undefined],
  ["1,50", undefined],
  ["0,125", undefined],
  ["1.234,567", undefined],
  [".", undefined],
  ["", undefined],
  ["1e3", undefined],
  ["-5", undefined],
  ["دو", undefined],
  ["9".repeat(16), undefined],
] as const;
test("convert: amounts are read with the separators and digits of both languages; ambiguous text is not an amount", () => {
  for (const [text, amount] of amounts) assert.equal(amountOf(text), amount, text);
});

const words = [
  [0, "صفر"],
  [7, "هفت"],
  [19, "نوزده"],
  [21, "بیست و یک"],
  [100, "صد"],
  [1_000, "هزار"],
  [1_405, "هزار و چهارصد و پنج"],
  [2_000_001, "دو میلیون و یک"],
  [297_829_200, "دویست و نود و هفت میلیون و هشتصد و بیست و نه هزار و دویست"],
  [1_000_000_000_000, "یک هزار میلیارد"],
] as const;
test("convert: numbers are written in Persian words", () => {
  for (const [value, text] of words) assert.equal(persianWords(value), text);
});

test("dollars: for each way to get dollars, e.g. by buying gold, the price of a dollar is compared with the cash price; without a cash price, nothing is listed", () => {
  const ways = waysToDollar(valueOf);
  const dollars = [
    ["USD_RLS", 2_000_000],
    ["USDT_RLS", 2_010_000],
    ["AED_RLS", 1_983_150],
    ["GOLD_18_RLS", 2_040_000],
  ];
  const converted = ways.map(({ code, dollar }) => [code, Math.round(dollar)]);
  assert.deepEqual(converted, dollars);
  const ratios = ways.map(({ ratio }) => Math.round(ratio * 10_000));
  assert.deepEqual(ratios, [0, 50, -84, 200]);
  assert.deepEqual(
    waysToDollar((code) => (code === "USD_RLS" ? undefined : valueOf(code))),
    [],
  );
});

test("bubble of a year: a day has a bubble if the last prices of ounce and dollar are from that day or at most five days older", () => {
  const candle = (day: number, close: number) => {
    const time = Date.UTC(2026, 0, day);
    const [start, end] = [time, time + 86_400_000].map((at) => new Date(at).toISOString());
    const prices = { open: close, high: close, low: close, close };
    return { start: start!, end: end!, ...prices, observationCount: 1, complete: true };
  };
  const piece = GOLD_PIECES.find(({ code }) => code === "GOLD_24_RLS")!;
  const days = bubbleDays(piece, {
    piece: [candle(1, 150), candle(3, 220), candle(4, 220), candle(9, 220)],
    ounce: [candle(2, 31.1034768), candle(3, 31.1034768)],
    dollar: [candle(2, 100), candle(4, 200), candle(9, 200)],
  });
  assert.deepEqual(
    days.map(({ time, ratio }) => [new Date(time).getUTCDate(), Math.round(ratio * 100)]),
    [
      [3, 120],
      [4, 10],
    ],
  );
});

test("coins: the axis of a year has at most four round ticks, all within its range", () => {
  const percents = (low: number, high: number): readonly number[] =>
    ticksOf(low, high).map((tick) => Math.round(tick * 1e4) / 100);
  assert.deepEqual(
    [percents(0.058, 0.121), percents(-0.021, 0.034), percents(0.1, 0.1), percents(0.3, 2.9)],
    [[6, 8, 10, 12], [-2, 0, 2], [10], [100, 200]],
  );
});
