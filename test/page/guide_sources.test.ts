// In both languages, everything that the guides mention exists, and numbers and days agree with the API.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fillGuide, guideValues } from "../../adapters/page/guide/guide_values.ts";
import { createMatcher } from "../../core/http/match_route.ts";
import { ASSETS, ERRORS, type ErrorCode } from "../../core/mod.ts";
import { createOpenApi } from "../../core/openapi/mod.ts";
import { ROUTES } from "../../core/routes/route_table.ts";
import { type Ask, createWorld, listOf, objectOf, type Reply } from "../support/api_under_test.ts";
import { blocksOf, codeSpansOf, DEFAULTS, guideSource, LANGUAGES, sectionsOf, tablesOf } from "./guides.ts";

const HEADER_FIELDS = Object.keys(createOpenApi().components["headers"]!);
/** Names that the OpenAPI document does not list: request headers, the `Allow` header of 405 answers, and `Bearer`. */
const OTHER_FIELDS = ["X-API-Key", "Authorization", "If-None-Match", "Content-Type", "Allow", "Bearer"];

/** The text of a section of the guide. */
function section(language: (typeof LANGUAGES)[number], name: string): string {
  return sectionsOf(language).find((one) => one.name === name)!.text;
}

for (const language of LANGUAGES) {
  test(`guide ${language}: every path in the guide belongs to a route`, () => {
    const find = createMatcher(ROUTES);
    const paths = [...guideSource(language).matchAll(/\/api\/v1(?:\/[\w.{}$-]+)*/g)].map(([path]) => path);
    assert.ok(paths.length >= 12, `${paths.length} paths`);
    for (const path of paths) assert.ok(find(path.slice(1).split("/")), path);
  });

  test(`guide ${language}: every error has its code and status, and every header field that it names exists`, () => {
    const spans = codeSpansOf(
      sectionsOf(language)
        .map(({ text }) => text)
        .join("\n"),
    );
    const pairs = spans.flatMap((span) => [...span.matchAll(/^(\d{3}) ([A-Z_]+)$/g)]);
    assert.ok(pairs.length >= 6, `${pairs.length} errors`);
    for (const [, status, code] of pairs) assert.equal(ERRORS[code as ErrorCode]?.status, Number(status), code);
    const statuses = spans.filter((span) => /^\d{3}$/.test(span));
    for (const status of statuses)
      assert.ok(status === "304" || Object.values(ERRORS).some((row) => row.status === Number(status)), status);
    const names = spans.filter((span) => /^[A-Z]+(_[A-Z\d]+)+$/.test(span));
    for (const name of names) assert.ok(name in ERRORS || ASSETS.some(({ code }) => code === name), name);
    const fields = spans.flatMap(
      (span) => /^(?=.*[a-z])([A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)*)(?:: .*)?$/.exec(span)?.[1] ?? [],
    );
    assert.ok(fields.length >= 15, `${fields.length} header fields`);
    for (const field of fields) assert.ok([...HEADER_FIELDS, ...OTHER_FIELDS].includes(field), field);
  });

  test(`guide ${language}: no placeholder is left, and settings that differ from the defaults are described correctly`, () => {
    const zones = { marketTimeZone: "Asia/Dubai", quotaTimeZone: "Asia/Kolkata" };
    const settings = {
      ...DEFAULTS,
      ...zones,
      staleThresholdMinutes: 17,
      maxCandles: 480,
      documentationUrl: "https://keys.example/how",
    };
    const text = sectionsOf(language)
      .map((one) => one.text)
      .join("");
    const filled = fillGuide(
      text,
      guideValues({ settings, baseUrl: "https://prices.example/market", key: "KEY" }, language),
    );
    assert.doesNotMatch(filled, /\{\{/);
    for (const setting of [
      "Asia/Dubai",
      "Asia/Kolkata",
      "https://prices.example/market/api/v1/status",
      "https://keys.example/how",
    ])
      assert.ok(filled.includes(setting), setting);
    const prose = (whole: string): string => whole.replace(/^```.*?^```$/gms, "");
    for (const number of [17, 480, 5, 20, 80]) assert.match(prose(filled), wholeNumber(number, language));
    for (const number of [60, 10_000, 104, 416, 1_666]) assert.doesNotMatch(prose(text), wholeNumber(number, language));
  });
}

test("guide: the days and candles in the example have the API's values", async () => {
  const [records, days] = tablesOf(section("en", "days"));
  assert.deepEqual([records!.length, days!.length], [4, 2]);
  const world = await createWorld();
  await world.feed(
    ...records!.map(([time, , value]) => ["USDT_RLS", numberOf(value!), `${time!.replace(" ", "T")}:00Z`] as const),
  );
  for (const [time, local] of records!) assert.equal(inTehran(`${time!.replace(" ", "T")}:00Z`), local);
  const { json } = await world.ask(
    "/api/v1/assets/USDT_RLS/ohlc?interval=1d&from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z",
  );
  const closes = new Map(
    listOf(objectOf(json)["candles"]).map((candle) => [String(candle["start"]).slice(0, 10), candle["close"]]),
  );
  assert.equal(closes.size, days!.length);
  for (const [day, value, close] of days!) {
    assert.equal((await world.ask(`/api/v1/assets/USDT_RLS/${day}`)).json["value"], numberOf(value!));
    assert.equal(closes.get(day!), numberOf(close!));
  }
});

test("guide: a request at each limit is answered, and a request one above the limit is refused", async () => {
  const world = await createWorld();
  await world.feed(["USD_RLS", 1, "2026-03-10T10:00:00Z"]);
  const rows = tablesOf(section("en", "limits"))[0]!;
  const [days = 0, , codes = 0, parameters = 0, target = 0, body = 0] = rows.map(([, value]) => numberOf(value!));
  const ask = (path: string, request?: Ask): Promise<Reply> => world.ask(`/api/v1/assets${path}`, request);
  for (const [more, wanted] of [
    [0, [200, 200, 200, 200, 200]],
    [1, [417, 400, 400, 414, 413]],
  ] as const) {
    const to = new Date(Date.UTC(2026, 0, 1 + days + more)).toISOString().slice(0, 10);
    const dates = '{"fromDate":"2026-03-01","toDate":"2026-03-10"}'.padEnd(body + more, " ");
    const answers = await Promise.all([
      ask(`/USD_RLS/history?from=2026-01-01&to=${to}`),
      ask(`?codes=${Array(codes + more).fill("USD_RLS")}`),
      ask(`/USD_RLS?${Array.from({ length: parameters + more }, (_, at) => `p${at}=1`).join("&")}`),
      ask("/USD_RLS?p=".padEnd(target + more - "/api/v1/assets".length, "x")),
      ask("/USD_RLS", { method: "POST", headers: ["Content-Type", "application/json"], body: dates }),
    ]);
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(statuses, wanted);
  }
});

test("guides: both have the same sections with the same examples, numbers, codes, paths and fields", () => {
  const [en, fa] = LANGUAGES.map((language) =>
    sectionsOf(language).map(({ name, text }) => ({
      name,
      examples: blocksOf(text),
      notes: text.split("\n> ").length,
      numbers: tablesOf(text).map((rows) => rows.flat().filter((cell) => /^[\d,: -]+$/.test(cell))),
      spans: [...new Set(codeSpansOf(text).filter((span) => !/^\d{4}-\d\d-\d\d$|^"/.test(span)))].sort(),
    })),
  );
  assert.deepEqual(fa, en);
});

test("guides: readers who generate a client are told to send a list as one parameter, as the tests' client does, because the server refuses a repeated parameter", async () => {
  const rule = 'querySerializer: { array: { style: "form", explode: false } }';
  for (const language of LANGUAGES) assert.equal(section(language, "clients").includes(rule), true);
  assert.equal(readFileSync("test/openapi/client.ts.txt", "utf8").includes(rule), true);
  const world = await createWorld();
  const { json } = await world.ask("/api/v1/assets?codes=USD_RLS&codes=EUR_RLS");
  assert.equal(json["code"], "DUPLICATE_PARAMETER");
});

function numberOf(cell: string): number {
  return Number(cell.replaceAll(",", ""));
}

/** Matches a number in the digits of a language, but not within a longer number. */
function wholeNumber(number: number, language: (typeof LANGUAGES)[number]): RegExp {
  return new RegExp(
    `(?<![\\d۰-۹])${new Intl.NumberFormat(language === "fa" ? "fa-IR" : "en-US").format(number)}(?![\\d۰-۹])`,
  );
}

function inTehran(time: string): string {
  return new Date(time).toLocaleString("sv-SE", { timeZone: "Asia/Tehran" }).slice(0, 16);
}
