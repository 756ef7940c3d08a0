// In both languages, everything that the guides mention exists, and numbers and days agree with the API.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fillGuide, guideValues } from "../../adapters/page/guide/guide_values.ts";
import { createMatcher } from "../../core/http/match_route.ts";
import { ASSETS, ERRORS, type ErrorCode } from "../../core/mod.ts";
import { createOpenApi } from "../../core/openapi/mod.ts";
import { ROUTES } from "../../core/routes/route_table.ts";
import { createWorld, listOf, objectOf } from "../support/api_under_test.ts";
import { blocksOf, codeSpansOf, DEFAULTS, guideSource, LANGUAGES, sectionsOf, tablesOf } from "./guides.ts";

const NAMES =
  "start keys quota days units candles history freshness caching limits errors clients sample changes".split(" ");
const FILES = "reference reference#errors openapi.json docs.md llms.txt".split(" ");
const HEADER_FIELDS = Object.keys(createOpenApi().components["headers"]!);
/** Names that the OpenAPI document does not list: request headers, the header of a 405, and a scheme. */
const OTHER_FIELDS = ["X-API-Key", "Authorization", "If-None-Match", "Content-Type", "Allow", "Bearer"];

/** The section of a guide with this name. */
function section(language: (typeof LANGUAGES)[number], name: string): string {
  return sectionsOf(language).find((one) => one.name === name)!.text;
}

for (const language of LANGUAGES) {
  test(`guide ${language}: has all sections, and every link leads to a section or a file of the server`, () => {
    assert.deepEqual(
      sectionsOf(language).map(({ name }) => name),
      NAMES,
    );
    const links = [...guideSource(language).matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target!);
    assert.ok(links.length >= 5, `${links.length} links`);
    for (const link of links) assert.ok([...FILES, ...NAMES.map((name) => `#${name}`)].includes(link), link);
  });

  test(`guide ${language}: every path that it names belongs to a route`, () => {
    const find = createMatcher(ROUTES);
    const paths = [...guideSource(language).matchAll(/\/api\/v1(?:\/[\w.{}$-]+)*/g)].map(([path]) => path);
    assert.ok(paths.length >= 12, `${paths.length} paths`);
    assert.deepEqual(
      paths.filter((path) => !find(path.slice(1).split("/"))),
      [],
    );
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

  test(`guide ${language}: no placeholder is left, and other settings are described correctly`, () => {
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

  test(`guide ${language}: the days and candles in its example have the API's values`, async () => {
    const [records, days] = tablesOf(section(language, "days"));
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

  test(`guide ${language}: each limit is accepted, and one more is refused`, async () => {
    const world = await createWorld();
    await world.feed(["USD_RLS", 1, "2026-03-10T10:00:00Z"]);
    const rows = tablesOf(section(language, "limits"))[0]!;
    const [days, , codes, parameters, target, body] = rows.map(([, value]) => numberOf(value!));
    const status = async (path: string, json?: string): Promise<number> =>
      (
        await world.ask(
          path,
          json === undefined ? {} : { method: "POST", headers: ["Content-Type", "application/json"], body: json },
        )
      ).status;
    const range = (to: number): string =>
      `/api/v1/assets/USD_RLS/history?from=2026-01-01&to=${new Date(Date.UTC(2026, 0, 1 + to)).toISOString().slice(0, 10)}`;
    const query = (count: number): string =>
      `/api/v1/assets/USD_RLS?${Array.from({ length: count }, (_, at) => `p${at}=1`).join("&")}`;
    const padded = (length: number): string => "/api/v1/assets/USD_RLS?p=".padEnd(length, "x");
    const dates = (length: number): string => '{"fromDate":"2026-03-01","toDate":"2026-03-10"}'.padEnd(length, " ");
    assert.deepEqual([await status(range(days!)), await status(range(days! + 1))], [200, 417]);
    const list = (count: number): string =>
      `/api/v1/assets?codes=${Array.from({ length: count }, () => "USD_RLS").join(",")}`;
    assert.deepEqual([await status(list(codes!)), await status(list(codes! + 1))], [200, 400]);
    assert.deepEqual([await status(query(parameters!)), await status(query(parameters! + 1))], [200, 400]);
    assert.deepEqual([await status(padded(target!)), await status(padded(target! + 1))], [200, 414]);
    assert.deepEqual(
      [await status("/api/v1/assets/USD_RLS", dates(body!)), await status("/api/v1/assets/USD_RLS", dates(body! + 1))],
      [200, 413],
    );
  });
}

test("guides: both have the same examples, and name the same codes, paths and fields in each section", () => {
  const [en, fa] = LANGUAGES.map(sectionsOf);
  for (const [at, { name, text }] of en!.entries()) {
    assert.deepEqual(blocksOf(fa![at]!.text), blocksOf(text), name);
    assert.equal(fa![at]!.text.split("\n> ").length, text.split("\n> ").length, `${name}: notes`);
    if (name === "days") assert.deepEqual(tablesOf(fa![at]!.text), tablesOf(text));
    const [spans, others] = [text, fa![at]!.text].map(
      (one) => new Set(codeSpansOf(one).filter((span) => !/^\d{4}-\d\d-\d\d$|^"/.test(span))),
    );
    assert.deepEqual([...others!].sort(), [...spans!].sort(), name);
  }
});

test("guides: the list setting for a generated client is that of the tests' client, and a repeated name is refused", async () => {
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
