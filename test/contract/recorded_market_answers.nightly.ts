// Market data as it was recorded, too large to be kept here. The folder named by MAZANEH_TEST_DATA holds
// gzipped files with the columns code,value,businessTime (UTC), without quotes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { createIngestUnknown } from "../../core/market/ingest.ts";
import { createWorld, type World } from "../support/api_under_test.ts";

const FOLDER = process.env["MAZANEH_TEST_DATA"];
const FILES = [
  ["rial-daily-bonbast.csv.gz", 146_010, 33],
  ["ounce-daily-tgju.csv.gz", 21_478, 3],
  ["btc-usd-1m-2019.csv.gz", 512_727, 1],
] as const;
const DAY = 86_400_000;

interface PriceRow {
  readonly code: string;
  readonly value: string;
  readonly businessTime: string;
}

/** A value with its time, as text: what an answer must hold. */
type Point = readonly [businessTime: string, value: number];

/** Start, open, high, low, close, number of observations. */
type Bar = readonly [start: string, open: number, high: number, low: number, close: number, count: number];

function readRows(name: string): PriceRow[] {
  assert.ok(FOLDER, "the folder is named");
  const [, ...lines] = gunzipSync(readFileSync(join(FOLDER, name)))
    .toString("utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => {
    const [code = "", value = "", businessTime = ""] = line.split(",");
    return { code, value, businessTime };
  });
}

/** The last row of each day of Tehran, by code and day; days as a calendar of the runtime writes them. */
function lastOfDays(rows: readonly PriceRow[]): Map<string, Map<string, Point>> {
  const calendar = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Tehran" });
  // A day of Tehran never began inside ten minutes of a UTC clock: one question for each is enough.
  const dayOfTenMinutes = new Map<string, string>();
  const byCode = new Map<string, Map<string, Point>>();
  for (const { code, value, businessTime } of rows) {
    let days = byCode.get(code);
    if (!days) byCode.set(code, (days = new Map()));
    const tenMinutes = businessTime.slice(0, 15);
    const day = dayOfTenMinutes.get(tenMinutes) ?? calendar.format(Date.parse(businessTime));
    dayOfTenMinutes.set(tenMinutes, day);
    const known = days.get(day);
    const time = businessTime.replace("Z", ".000Z");
    if (!known || known[0] < time) days.set(day, [time, Number(value)]);
  }
  return byCode;
}

/** Where the bucket of a time such as `2019-01-01T00:59:59Z` begins: worked out on the text. */
const bucketStarts: Readonly<Record<string, (time: string) => string>> = {
  "15m": (time) =>
    `${time.slice(0, 14)}${String(Math.floor(Number(time.slice(14, 16)) / 15) * 15).padStart(2, "0")}:00.000Z`,
  "1h": (time) => `${time.slice(0, 13)}:00:00.000Z`,
  "4h": (time) =>
    `${time.slice(0, 11)}${String(Math.floor(Number(time.slice(11, 13)) / 4) * 4).padStart(2, "0")}:00:00.000Z`,
  "1d": (time) => `${time.slice(0, 10)}T00:00:00.000Z`,
};
const INTERVALS = Object.keys(bucketStarts);

function barsOf(rows: readonly PriceRow[], interval: string): Bar[] {
  const groups = new Map<string, PriceRow[]>();
  for (const row of rows) {
    const start = bucketStarts[interval]!(row.businessTime);
    const group = groups.get(start);
    if (group) group.push(row);
    else groups.set(start, [row]);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([start, group]) => {
      const values = group.sort((a, b) => (a.businessTime < b.businessTime ? -1 : 1)).map(({ value }) => Number(value));
      return [start, values[0]!, Math.max(...values), Math.min(...values), values.at(-1)!, values.length];
    });
}

function nextDay(date: string, days = 1): string {
  return new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);
}

if (FOLDER === undefined) {
  test("real data: years of records give the answers that a plain calculation on them gives", (t) => {
    t.skip("MAZANEH_TEST_DATA is not set: it names the folder that holds the recorded market data");
  });
} else {
  let world: World;
  let days: Map<string, Map<string, Point>>;
  let yearBars: Map<string, Bar[]>;

  before(async () => {
    world = await createWorld();
    const rows = FILES.map(([name]) => readRows(name));
    yearBars = new Map(INTERVALS.map((interval) => [interval, barsOf(rows[2]!, interval)]));
    days = lastOfDays(rows.flat());
    const take = createIngestUnknown({ clock: world.now, observations: world.store.observations });
    for (const [index, [name, count, codes]] of FILES.entries()) {
      const outcome = await take(rows[index]!);
      assert.deepEqual(outcome, { accepted: count, replaced: 0, unchanged: 0, refused: [] }, name);
      assert.equal(new Set(rows[index]!.map(({ code }) => code)).size, codes, name);
    }
  });

  async function onDate(code: string, date: string): Promise<Point | undefined> {
    const { status, text } = await world.ask(`/api/v1/assets/${code}/${date}`);
    if (status === 404) return undefined;
    assert.equal(status, 200, text);
    const { businessTime, value } = JSON.parse(text);
    return [businessTime, value];
  }

  async function history(code: string, from: string, to: string): Promise<readonly Point[]> {
    const { status, text } = await world.ask(`/api/v1/assets/${code}/history?from=${from}&to=${to}`);
    assert.equal(status, 200, text);
    return JSON.parse(text).map(
      ({ businessTime, value }: { businessTime: string; value: number }): Point => [businessTime, value],
    );
  }

  async function bars(interval: string, from: string, to: string): Promise<readonly Bar[]> {
    const { status, text } = await world.ask(`/api/v1/assets/BTC_USD/ohlc?interval=${interval}&from=${from}&to=${to}`);
    if (status === 404) return [];
    assert.equal(status, 200, text);
    return JSON.parse(text).candles.map(
      (candle: Record<string, number> & { start: string; complete: unknown }): Bar => {
        assert.equal(candle.complete, true);
        return [
          candle.start,
          candle["open"]!,
          candle["high"]!,
          candle["low"]!,
          candle["close"]!,
          candle["observationCount"]!,
        ];
      },
    );
  }

  const years = [
    ["USD_RLS", 2018],
    ["USD_RLS", 2022],
    ["USD_RLS", 2024],
    ["EUR_RLS", 2016],
    ["SEKKEH_RLS", 2020],
    ["JPY_RLS", 2017],
    ["IQD_RLS", 2022],
    ["AMD_RLS", 2021],
    ["TRY_RLS", 2026],
    ["GOLD_OUNCE_USD", 1980],
    ["SILVER_OUNCE_USD", 2008],
    ["PLATINUM_OUNCE_USD", 2022],
    ["BTC_USD", 2019],
  ] as const;
  for (const [code, year] of years) {
    test(`real data: each day of ${year} gives the last record of ${code} on that day of Tehran: 200 or 404`, async () => {
      let found = 0;
      for (let date = `${year}-01-01`; date <= `${year}-12-31`; date = nextDay(date)) {
        const wanted = days.get(code)?.get(date);
        assert.deepEqual(await onDate(code, date), wanted, date);
        if (wanted) found++;
      }
      assert.ok(found > 190, `${found} days`);
    });
  }

  test("real data: histories of 31 days over the whole archive hold each day's last record, for every code: 200", async () => {
    for (const [code, points] of days) {
      const dates = [...points.keys()].sort();
      let next = 0;
      // Windows that touch: each record of the archive is in exactly one.
      for (let from = nextDay(dates[0]!, -7); from <= dates.at(-1)!; from = nextDay(from, 32)) {
        const to = nextDay(from, 31);
        const wanted: (Point | undefined)[] = [];
        for (; next < dates.length && dates[next]! <= to; next++) wanted.push(points.get(dates[next]!));
        assert.deepEqual(await history(code, from, to), wanted, `${code} ${from}`);
      }
      assert.equal(next, points.size, code);
    }
  });

  for (const interval of INTERVALS) {
    test(`real data: the ${interval} candles of a whole year are those of a plain calculation, in one range or many: 200`, async () => {
      const wanted = yearBars.get(interval)!;
      let steps = ["01-01"];
      if (interval === "15m") steps = ["01-01", "04-15", "07-28", "11-09"];
      if (interval === "1h") steps = ["01-01", "06-30"];
      const edges = [...steps.map((day) => `2019-${day}T00:00:00.000Z`), "2020-01-01T00:00:00.000Z"];
      const found: Bar[] = [];
      for (const [i, from] of edges.slice(0, -1).entries()) found.push(...(await bars(interval, from, edges[i + 1]!)));
      assert.deepEqual(found, wanted);
      assert.ok(
        wanted.every(([, , , , , count]) => count > 0),
        "each candle has a count",
      );
    });

    test(`real data: ${interval} candles of 150 ranges with odd edges are those that start in them: 200 or 404`, async () => {
      const wanted = yearBars.get(interval)!;
      const year = Date.parse("2019-01-01T00:00:00Z");
      let [seed, empty] = [20_190_101, 0];
      const random = (below: number): number => {
        seed = (seed * 48_271) % 2_147_483_647;
        return seed % below;
      };
      for (let i = 0; i < 150; i++) {
        const start = year - DAY + random(367) * DAY + random(24) * 3_600_000 + random(4) * 900_000;
        const from = new Date(start + (i % 3) * random(900_000)).toISOString();
        const to = new Date(Date.parse(from) + 1 + (i % 2 === 0 ? random(30 * DAY) : random(DAY / 4))).toISOString();
        const inside = wanted.filter(([at]) => at >= from && at < to);
        assert.deepEqual(await bars(interval, from, to), inside, `${from} ${to}`);
        if (inside.length === 0) empty++;
      }
      assert.ok(empty < 150, `${empty} empty`);
    });
  }
}
