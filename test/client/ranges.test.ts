// Histories and candles of any length: pieces that the contract allows, joined without gaps or duplicates.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type ClientOptions,
  createClient,
  type Interval,
  type PriceCandle,
  type Progress,
} from "../../adapters/client/mod.ts";
import { fetchHandler } from "../../adapters/http/fetch_handler.ts";
import { type AssetValue, createPrices } from "../../core/mod.ts";
import { createWorld } from "../support/api_under_test.ts";
import { runs } from "../support/suite_size.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 0, 1);

// Some days and hours have no record, and May has no records at all.
const world = await createWorld({ maxCandles: 100 });
const times = Array.from({ length: 320 * 8 }, (_, at) => START + at * 3 * HOUR_MS + (at % 7) * 60_000).filter(
  (time, at) => at % 5 !== 0 && new Date(time).getUTCMonth() !== 4,
);
await world.feed(...times.map((time, at) => ["USD_RLS", 1_000_000 + at, new Date(time).toISOString()] as const));
const whole = createPrices({ clock: world.now, observations: world.store.observations, maxCandles: 1_000_000 });
const handle = fetchHandler(world.api);

/** A client of the server in `world`, the queries that it has sent, and the statuses of their answers. */
function clientOf(options: Partial<ClientOptions> = {}) {
  const queries: string[] = [];
  const statuses: number[] = [];
  const client = createClient({
    baseUrl: "http://prices.example/",
    key: world.key,
    retries: 0,
    async fetch(url, init) {
      queries.push(new URL(url).search);
      const response = await handle(new Request(url, init));
      statuses.push(response.status);
      return response;
    },
    ...options,
  });
  return { client, queries, statuses };
}

/** The history day by day, in calls that the contract allows. */
async function dayByDay(days: number): Promise<AssetValue[]> {
  const found: AssetValue[] = [];
  for (let day = 0; day < days; day++) found.push(...(await whole.history("USD_RLS", dateOf(day), dateOf(day))));
  return found;
}

function dateOf(day: number): string {
  return new Date(START + day * DAY_MS).toISOString().slice(0, 10);
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

for (const [days, requests] of [
  [1, 1],
  [32, 1],
  [33, 2],
  [320, 10],
] as const) {
  test(`history of ${days} days: takes ${requests} requests and returns each day once`, async () => {
    const { client, queries } = clientOf();
    const found = await client.history("USD_RLS", dateOf(0), dateOf(days - 1));
    assert.deepEqual(found, await dayByDay(days));
    assert.equal(queries.length, requests);
    assert.deepEqual(await collect(client.eachRecord("USD_RLS", dateOf(0), dateOf(days - 1))), found);
  });
}

test("candles: for any range and any limit of the server, the candles are the same as in a single answer", async () => {
  const interval = fc.constantFrom<Interval>("15m", "1h", "4h", "1d");
  const moment = fc.integer({ min: START - 40 * DAY_MS, max: START + 330 * DAY_MS });
  const [lengths, limits] = [fc.integer({ min: 1, max: 700 }), fc.integer({ min: 1, max: 300 })];
  await fc.assert(
    fc.asyncProperty(interval, moment, lengths, limits, async (interval, start, length, maxCandles) => {
      const width = { "15m": HOUR_MS / 4, "1h": HOUR_MS, "4h": 4 * HOUR_MS, "1d": DAY_MS }[interval];
      const asked = { interval, from: new Date(start), to: new Date(start + length * width) };
      const codeOf = (error: { readonly code: string }): string => error.code;
      const wanted = await whole.candles("USD_RLS", asked).catch(codeOf);
      const { client } = clientOf({ maxCandles });
      assert.deepEqual(await client.candles("USD_RLS", asked).catch(codeOf), wanted);
      if (typeof wanted !== "string") assert.deepEqual(await collect(client.eachCandle("USD_RLS", asked)), wanted);
    }),
    { numRuns: runs(12) },
  );
});

test("candles: after a refusal, requests use the limit that the refusal states", async () => {
  const { client, statuses } = clientOf();
  const asked = { interval: "1h", from: new Date(START), to: new Date(START + 250 * HOUR_MS) } as const;
  await client.candles("USD_RLS", asked);
  await client.candles("USD_RLS", asked);
  assert.deepEqual(statuses, [400, 200, 200, 200, 200, 200, 200]);
});

test("candles: a range with a long gap succeeds; an unknown asset, or a range without candles, fails: 404", async () => {
  const { client, statuses } = clientOf({ maxCandles: 100 });
  const may = { interval: "1h", from: "2026-05-02T00:00:00Z", to: "2026-05-25T00:00:00Z" } as const;
  await assert.rejects(client.candles("USD_RLS", may), { code: "OHLC_NOT_FOUND", status: 404 });
  assert.equal(statuses.splice(0).length, 6);
  const around = await client.candles("USD_RLS", { ...may, from: "2026-04-28T00:00:00Z", to: "2026-06-03T00:00:00Z" });
  assert.deepEqual(new Set(around.map(({ start }) => start.slice(0, 7))), new Set(["2026-04", "2026-06"]));
  await assert.rejects(client.candles("USD_RLX" as "USD_RLS", may), { code: "ASSET_NOT_FOUND" });
});

test("ranges: progress is reported after each request, up to the end", async () => {
  const reports: Progress[] = [];
  const found = await clientOf().client.history("USD_RLS", dateOf(0), dateOf(79), {
    onProgress: (progress) => reports.push(progress),
  });
  const fractions = reports.map(({ fraction }) => fraction);
  assert.deepEqual(fractions, [32 / 80, 64 / 80, 1]);
  assert.equal(reports.at(-1)!.count, found.length);
});

test("ranges: no further requests after the loop ends or the signal is aborted", async () => {
  const { client, queries } = clientOf();
  for await (const { code } of client.eachRecord("USD_RLS", dateOf(0), dateOf(319))) if (code) break;
  assert.equal(queries.splice(0).length, 1);
  const controller = new AbortController();
  const reason = new Error("left the page");
  let seen = 0;
  await assert.rejects(async () => {
    for await (const _ of client.eachRecord("USD_RLS", dateOf(0), dateOf(319), { signal: controller.signal }))
      if (++seen === 40) controller.abort(reason);
  }, reason);
  assert.deepEqual([seen, queries.length], [40, 2]);
  await assert.rejects(client.history("USD_RLS", dateOf(0), dateOf(319), { signal: controller.signal }), reason);
  assert.equal(queries.length, 2);
});

test("ranges: if the quota is used up midway, a loop gets all records that have arrived, and then the error", async () => {
  const { key } = await world.account({ units: 2 });
  const { client } = clientOf({ key });
  let seen = 0;
  const readAll = async (): Promise<void> => {
    for await (const _ of client.eachRecord("USD_RLS", dateOf(0), dateOf(319))) seen++;
  };
  await assert.rejects(readAll, { name: "QuotaExceeded" });
  assert.equal(seen, (await dayByDay(64)).length);
});

/** Another server of the contract, with one-hour candles. `answer` makes the candles of a range, or an error. */
function foreignServer(
  answer: (from: number, to: number) => readonly PriceCandle[] | { readonly status: number; readonly code: string },
) {
  const asked: (readonly [from: number, to: number])[] = [];
  const client = createClient({
    baseUrl: "http://foreign.example",
    retries: 0,
    async fetch(url) {
      const query = new URL(url).searchParams;
      const [from, to] = ["from", "to"].map((name) => Date.parse(query.get(name)!) / HOUR_MS) as [number, number];
      asked.push([from, to]);
      const found = answer(from, to);
      if ("status" in found) return Response.json({ ...found, message: "no" }, { status: found.status });
      return Response.json({ code: "USD_RLS", interval: "1h", candles: found });
    },
  });
  const read = (hours: number) =>
    client.candles("USD_RLS", { interval: "1h", from: new Date(0), to: new Date(hours * HOUR_MS) });
  return { read, asked };
}

function hourly(from: number, to: number): PriceCandle[] {
  return Array.from({ length: to - from }, (_, at) => {
    const [start, end] = [from + at, from + at + 1].map((hour) => new Date(hour * HOUR_MS).toISOString());
    const value = from + at + 1;
    const prices = { open: value, high: value, low: value, close: value };
    return { start: start!, end: end!, ...prices, observationCount: 1, complete: true };
  });
}

test("candles of another server: the client halves the number of candles in a request until the server accepts it, and remembers that number", async () => {
  const { read, asked } = foreignServer((from, to) =>
    to - from > 700 ? { status: 400, code: "BAD_REQUEST" } : hourly(from, to),
  );
  assert.deepEqual(await read(3_000), hourly(0, 3_000));
  const widths = asked.slice(0, 4).map(([from, to]) => to - from);
  assert.deepEqual(widths, [3_000, 1_500, 750, 375]);
  asked.length = 0;
  assert.deepEqual(await read(750), hourly(0, 750));
  assert.deepEqual(asked, [
    [0, 375],
    [375, 750],
  ]);
});

test("candles of another server: a 404 for the beginning of a range means that the archive begins later, whichever error code the body has", async () => {
  for (const code of ["NO_DATA", "OHLC_NOT_FOUND"]) {
    const { read } = foreignServer((from, to) =>
      to <= 9_500 || to - from > 1_000
        ? { status: to - from > 1_000 ? 400 : 404, code }
        : hourly(Math.max(from, 9_500), to),
    );
    assert.deepEqual(await read(10_000), hourly(9_500, 10_000));
  }
});

test("candles of another server: ASSET_NOT_FOUND counts as a gap only after the asset has had candles", async () => {
  const answer = (gap: number) => (from: number, to: number) => {
    if (to - from > 1_000) return { status: 400, code: "TOO_LONG" };
    return Math.floor(from / 1_000) === gap ? { status: 404, code: "ASSET_NOT_FOUND" } : hourly(from, to);
  };
  assert.deepEqual(await foreignServer(answer(1)).read(4_000), [...hourly(0, 1_000), ...hourly(2_000, 4_000)]);
  await assert.rejects(foreignServer(answer(0)).read(4_000), { code: "ASSET_NOT_FOUND" });
});

test("candles: a 404 from a proxy in the middle of a range does not count as a gap", async () => {
  let answers = 0;
  const { client } = clientOf({
    maxCandles: 50,
    async fetch(url, init) {
      return ++answers === 2 ? new Response("<h1>Not Found</h1>", { status: 404 }) : handle(new Request(url, init));
    },
  });
  const asked = { interval: "1h", from: new Date(START), to: new Date(START + 200 * HOUR_MS) } as const;
  await assert.rejects(client.candles("USD_RLS", asked), { code: "UNEXPECTED_ANSWER", status: 404 });
});
