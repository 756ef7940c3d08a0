import assert from "node:assert/strict";
import { test } from "node:test";
import { splitCsv } from "../../adapters/intake/tables/split_fields.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import type { Candle, CandleList } from "../../core/market/candles.ts";
import { ASSETS, defineAsset, type UtcMillis } from "../../core/mod.ts";
import { createWorld, listOf, type Reply } from "../support/api_under_test.ts";

const CSV = ["Accept", "text/csv"];
const USD = "/api/v1/assets/USD_RLS";
const CANDLES = `${USD}/ohlc?interval=1h&from=2024-03-01T00:00:00Z&to=2024-03-03T00:00:00Z`;
const PATHS = [
  "/api/v1/assets",
  "/api/v1/assets?codes=PEPE_USD",
  "/api/v1/assets/supported",
  USD,
  `${USD}/2024-03-01`,
  `${USD}/history?from=2024-03-01&to=2024-03-20`,
  CANDLES,
];
const ODD = defineAsset({ code: "ODD_USD", category: "CRYPTO", nameEn: '=1+1, "odd"', nameFa: "＝SUM(A1)" });

async function worldOf() {
  const world = await createWorld({ assets: [...ASSETS, ODD] });
  await world.feed(["USD_RLS", 512_000, "2024-03-01T12:00:00Z"], ["USD_RLS", 512_345.5, "2024-03-02T12:30:00Z"]);
  await world.feed(["PEPE_USD", 0.00000098, "2024-03-01T12:00:00Z"], ["ODD_USD", 1e21, "2024-03-01T12:00:00Z"]);
  return world;
}

/** The rows of a CSV answer, as objects whose values are all texts. */
function rowsOf({ text }: Reply): readonly Record<string, string>[] {
  assert.ok(text.endsWith("\n"), "the last line ends with a line break");
  const [columns = [], ...rows] = text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const cells = splitCsv(line);
      return cells.ok ? cells.value : assert.fail(line);
    });
  return rows.map((cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at]!])));
}

/** The records of a JSON answer, one for each row. */
function recordsOf({ json }: Reply): ReturnType<typeof listOf> {
  return listOf(Array.isArray(json) ? json : (json["assets"] ?? json["candles"] ?? [json]));
}

test("CSV: routes 1 to 7 return the records of their JSON answers, field by field, with exact numbers", async () => {
  const world = await worldOf();
  const post = { method: "POST", body: '{"fromDate":"2024-03-01","toDate":"2024-03-05"}' };
  const type = ["Content-Type", "application/json"];
  for (const [path, options] of [...PATHS.map((path) => [path, {}] as const), [USD, post] as const]) {
    const json = await world.ask(path, { ...options, headers: type });
    const csv = await world.ask(path, { ...options, headers: [...type, ...CSV] });
    assert.equal(csv.headers["Content-Type"], "text/csv; charset=utf-8", path);
    assert.match(csv.headers["Vary"] ?? "", /(?:^|, )Accept(?:,|$)/);
    const rows = rowsOf(csv);
    assert.equal(rows.length, recordsOf(json).length, path);
    for (const [at, record] of recordsOf(json).entries()) {
      for (const [name, value] of Object.entries(record)) {
        const cell = rows[at]![name]!;
        if (typeof value === "number")
          assert.deepEqual([Number(cell), /e/i.test(cell)], [value, false], `${path} ${name}`);
        else assert.equal(cell.replace(/^'(?=[=＝])/, ""), [value ?? ""].flat().join(";"), `${path} ${name}`);
      }
    }
  }
});

test("CSV: an answer without records has a header line; texts that would run as a formula are guarded", async () => {
  const world = await worldOf();
  const empty = await world.ask(`${USD}/history?from=2020-03-01&to=2020-03-05`, { headers: CSV });
  assert.equal(empty.text, "code,name,slug,labelEn,labelFa,quoteUnit,value,businessTime\n");
  assert.ok(empty.headers["X-Notice"], "the answer has a notice, like the JSON answer");
  const [odd] = rowsOf(await world.ask("/api/v1/assets?codes=ODD_USD", { headers: CSV }));
  assert.deepEqual(
    [odd!["labelEn"], odd!["labelFa"], odd!["value"]],
    ['\'=1+1, "odd" / US Dollar', "'＝SUM(A1) / دلار آمریکا", "1000000000000000000000"],
  );
});

test("CSV: is sent only if the most specific ranges in Accept prefer it; each format has its own tag", async () => {
  const world = await worldOf();
  const [path = ""] = PATHS;
  const accepts = [
    ...["text/csv", "TEXT/CSV; charset=utf-8", "text/csv, */*", "application/json;q=0.9, text/csv"],
    ...["text/csv;header=present;q=0.5", "text/html, text/csv;q=0.1", "text/csv, */*;q=0.1"],
    ...["*/*;q=0.5, text/csv;q=0.5", "*/*, application/*;q=0.5, text/csv;q=0.7"],
    "application/json;q=0, text/csv;q=0.001, */*",
    "application/json;q=0.1, */*, text/csv;q=0.5",
    "text/csv, text/csv;header=absent;q=0.1, application/json;q=0.5",
  ];
  const prefersJson = [
    ...["*/*", "", "text/*", "application/json", "application/json, text/csv", "text/csv;q=0", "text/csv;q=2"],
    ...["text/csvx", "x/text/csv", "text/html", "*/*, text/csv;q=0.5", "text/csv;q=0.1, */*"],
    ...["text/csv;q=0.5, application/*", "text/csv;Q=0.5, */*;q=0.1, Application/*", "text/csv;q=0, */*;q=0.1"],
    "text/csv;q=0.9, text/*, application/json",
    "application/json, application/json;version=2;q=0.1, text/csv;q=0.5",
    "application/json;version=2;q=0.1, application/json, text/csv;q=0.5",
    "text/csv;q=0.1;header=present, */*;q=0.2",
    "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8",
  ];
  for (const accept of [...accepts, ...prefersJson]) {
    const type = (await world.ask(path, { headers: ["Accept", accept] })).headers["Content-Type"]!.split(";")[0];
    assert.equal(type, accepts.includes(accept) ? "text/csv" : "application/json", accept);
  }
  for (let round = 0; round < 3; round++) {
    const [json, csv] = [await world.ask(path), await world.ask(path, { headers: CSV })];
    assert.equal(json.headers["Content-Type"], "application/json; charset=utf-8", "the cache keeps only JSON");
    assert.notEqual(json.headers["ETag"], csv.headers["ETag"]);
    for (const [held, headers, status] of [
      [csv, CSV, 304],
      [json, CSV, 200],
      [csv, [], 200],
      [json, [], 304],
    ] as const) {
      const tagged = [...headers, "If-None-Match", held.headers["ETag"]!];
      assert.equal((await world.ask(path, { headers: tagged })).status, status);
    }
  }
  await world.feed(["USD_RLS", 600_000, "2024-03-03T12:30:00Z"]);
  assert.equal(rowsOf(await world.ask(USD, { headers: CSV }))[0]!["value"], "600000");
});

test("CSV: candles are read as often as for JSON, and no JSON is written for a caller who prefers CSV", async () => {
  const { observations } = createMemoryStore();
  const start = Date.parse("2024-03-01T00:00:00Z") as UtcMillis;
  let reads = 0;
  function at(): Candle {
    reads++;
    return { start, end: (start + 3_600_000) as UtcMillis, open: 1, high: 2, low: 1, close: 2, observationCount: 1 };
  }
  const each = function* () {
    for (let i = 0; i < 48; i++) yield at();
  };
  const value = { candles: { length: 48, at, [Symbol.iterator]: each } as CandleList, availableFrom: start };
  const world = await createWorld({ observations: { ...observations, candles: () => ({ version: "1", value }) } });
  const counts: number[] = [];
  for (const headers of [[], CSV]) {
    assert.equal((await world.ask(CANDLES, { headers })).text.match(/,true\n|:true\}/g)?.length, 48);
    counts.push(reads);
  }
  assert.equal(counts[1], 2 * counts[0]!);
});

test("CSV: costs the same as JSON; errors, and answers that are not tables, stay JSON", async () => {
  const world = await worldOf();
  const left = async (path: string) =>
    Number((await world.ask(path, { headers: CSV })).headers["X-RateLimit-Remaining"]);
  const before = await left(USD);
  assert.equal(before - (await left(USD)), 1);
  assert.equal(before - (await left(`${USD}/2020-01-01`)), 1, "a failure gives its unit back");
  for (const path of [`${USD}S`, `${USD}/history`, "/api/v1/nowhere", "/api/v1/status", "/api/v1/access"])
    assert.match((await world.ask(path, { headers: CSV })).headers["Content-Type"]!, /^application\/json/, path);
});
