import assert from "node:assert/strict";
import { test } from "node:test";
import { splitCsv } from "../../adapters/intake/tables/split_fields.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import type { Candle, CandleList } from "../../core/market/candles.ts";
import { defineAsset, type UtcMillis } from "../../core/mod.ts";
import { createWorld, type Reply } from "../support/api_under_test.ts";

const CSV = ["Accept", "text/csv"];
const HOUR = 3_600_000;
const PATHS = [
  "/api/v1/assets",
  "/api/v1/assets?codes=PEPE_USD",
  "/api/v1/assets/supported",
  "/api/v1/assets/USD_RLS",
  "/api/v1/assets/USD_RLS/2024-03-01",
  "/api/v1/assets/USD_RLS/history?from=2024-03-01&to=2024-03-20",
  "/api/v1/assets/USD_RLS/ohlc?interval=1h&from=2024-03-01T00:00:00Z&to=2024-03-03T00:00:00Z",
];
const ODD = defineAsset({ code: "ODD_USD", category: "CRYPTO", nameEn: '=1+1, "odd"', nameFa: "＝SUM(A1)" });

async function worldOf() {
  const world = await createWorld({ assets: [...(await import("../../core/mod.ts")).ASSETS, ODD] });
  await world.feed(["USD_RLS", 512_000, "2024-03-01T12:00:00Z"], ["USD_RLS", 512_345.5, "2024-03-02T12:30:00Z"]);
  await world.feed(["PEPE_USD", 0.00000098, "2024-03-01T12:00:00Z"], ["ODD_USD", 1e21, "2024-03-01T12:00:00Z"]);
  return world;
}

/** The rows of a CSV answer, as objects. All their values are texts. */
function rowsOf({ text }: Reply): readonly Record<string, string>[] {
  assert.ok(text.endsWith("\n"), "the last line ends with a line break, too");
  const [columns, ...rows] = text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const cells = splitCsv(line);
      assert.ok(cells.ok, line);
      return cells.value;
    });
  return rows.map((cells) => Object.fromEntries(columns!.map((name, at) => [name, cells[at]!])));
}

/** The records of a JSON answer, one for each row. */
function recordsOf({ json }: Reply): readonly Record<string, unknown>[] {
  const found: unknown = Array.isArray(json) ? json : (json["assets"] ?? json["candles"] ?? [json]);
  return found as Record<string, unknown>[];
}

test("CSV: routes 1 to 7 return the records of their JSON answers, field by field, with exact numbers", async () => {
  const world = await worldOf();
  const asked = [
    ...PATHS.map((path) => [path, {}] as const),
    ["/api/v1/assets/USD_RLS", { method: "POST", body: '{"fromDate":"2024-03-01","toDate":"2024-03-05"}' }] as const,
  ];
  for (const [path, options] of asked) {
    const type = ["Content-Type", "application/json"];
    const [json, csv] = [
      await world.ask(path, { ...options, headers: type }),
      await world.ask(path, { ...options, headers: [...type, ...CSV] }),
    ];
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
  const empty = await world.ask("/api/v1/assets/USD_RLS/history?from=2020-03-01&to=2020-03-05", { headers: CSV });
  assert.equal(empty.text, "code,name,slug,labelEn,labelFa,quoteUnit,value,businessTime\n");
  assert.ok(empty.headers["X-Notice"], "the notice of the JSON answer");
  const [odd] = rowsOf(await world.ask("/api/v1/assets?codes=ODD_USD", { headers: CSV }));
  assert.deepEqual(
    [odd!["labelEn"], odd!["labelFa"], odd!["value"]],
    ['\'=1+1, "odd" / US Dollar', "'＝SUM(A1) / دلار آمریکا", "1000000000000000000000"],
  );
});

test("CSV: is sent only if Accept prefers it, by the most specific range for each format; each format has its own tag", async () => {
  const world = await worldOf();
  const [path] = PATHS;
  const typeFor = async (accept: string) =>
    (await world.ask(path!, { headers: ["Accept", accept] })).headers["Content-Type"]!.split(";")[0];
  for (const accept of [
    "text/csv",
    "TEXT/CSV; charset=utf-8",
    "text/csv, */*",
    "application/json;q=0.9, text/csv",
    "text/csv;header=present;q=0.5",
    "text/html, text/csv;q=0.1",
    "text/csv, */*;q=0.1",
    "*/*;q=0.5, text/csv;q=0.5",
    "*/*, application/*;q=0.5, text/csv;q=0.7",
    "application/json;q=0, text/csv;q=0.001, */*",
    "application/json;q=0.1, */*, text/csv;q=0.5",
    "text/csv, text/csv;header=absent;q=0.1, application/json;q=0.5",
  ]) {
    assert.equal(await typeFor(accept), "text/csv", accept);
  }
  for (const accept of [
    "*/*",
    "",
    "text/*",
    "application/json",
    "application/json, text/csv",
    "text/csv;q=0",
    "text/csv;q=2",
    "text/csvx",
    "x/text/csv",
    "text/html",
    "*/*, text/csv;q=0.5",
    "text/csv;q=0.1, */*",
    "text/csv;q=0.5, application/*",
    "text/csv;Q=0.5, */*;q=0.1, Application/*",
    "text/csv;q=0, */*;q=0.1",
    "text/csv;q=0.9, text/*, application/json",
    "application/json, application/json;version=2;q=0.1, text/csv;q=0.5",
    "application/json;version=2;q=0.1, application/json, text/csv;q=0.5",
    "text/csv;q=0.1;header=present, */*;q=0.2",
    "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8",
  ]) {
    assert.equal(await typeFor(accept), "application/json", accept);
  }
  for (let round = 0; round < 3; round++) {
    const [json, csv] = [await world.ask(path!), await world.ask(path!, { headers: CSV })];
    assert.equal(json.headers["Content-Type"], "application/json; charset=utf-8", "the cache keeps only JSON");
    assert.notEqual(json.headers["ETag"], csv.headers["ETag"]);
    const asked = [
      [csv, CSV, 304],
      [json, CSV, 200],
      [csv, [], 200],
      [json, [], 304],
    ] as const;
    for (const [held, headers, status] of asked) {
      assert.equal(
        (await world.ask(path!, { headers: [...headers, "If-None-Match", held.headers["ETag"]!] })).status,
        status,
      );
    }
  }
  await world.feed(["USD_RLS", 600_000, "2024-03-03T12:30:00Z"]);
  assert.equal(rowsOf(await world.ask(PATHS[3]!, { headers: CSV }))[0]!["value"], "600000");
});

test("CSV: candles are read as often as for JSON, and no JSON is written for a caller who prefers CSV", async () => {
  const { observations } = createMemoryStore();
  const start = Date.parse("2024-03-01T00:00:00Z");
  let reads = 0;
  function read(at: number): Candle {
    reads++;
    const times = { start: (start + at * HOUR) as UtcMillis, end: (start + (at + 1) * HOUR) as UtcMillis };
    return { ...times, open: 1, high: 2, low: 1, close: 2, observationCount: at + 1 };
  }
  const each = function* () {
    for (let at = 0; at < 48; at++) yield read(at);
  };
  const candles: CandleList = { length: 48, at: read, [Symbol.iterator]: each };
  const value = { candles, availableFrom: start as UtcMillis };
  const world = await createWorld({
    observations: { ...observations, candles: () => ({ version: "1", value }) },
  });
  const counts: number[] = [];
  for (const headers of [[], CSV]) {
    const before = reads;
    assert.equal((await world.ask(PATHS.at(-1)!, { headers })).text.match(/,true\n|:true\}/g)?.length, 48);
    counts.push(reads - before);
  }
  assert.equal(counts[0], counts[1]);
});

test("CSV: costs what JSON costs; errors, and answers that are not tables, stay JSON", async () => {
  const world = await worldOf();
  const left = async (path: string) =>
    Number((await world.ask(path, { headers: CSV })).headers["X-RateLimit-Remaining"]);
  const before = await left(PATHS[3]!);
  assert.equal(before - (await left(PATHS[3]!)), 1);
  assert.equal(before - (await left("/api/v1/assets/USD_RLS/2020-01-01")), 1, "a failure gives its unit back");
  for (const path of [
    "/api/v1/assets/NONE_RLS",
    "/api/v1/assets/USD_RLS/history",
    "/api/v1/nowhere",
    "/api/v1/status",
    "/api/v1/access",
  ]) {
    assert.match((await world.ask(path, { headers: CSV })).headers["Content-Type"]!, /^application\/json/, path);
  }
});
