import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFailure, createWorld, type Reply, type World } from "../support/api_under_test.ts";

const CODE = "USD_RLS";
const PATH = `/api/v1/assets/${CODE}/history`;

function history(world: World, from: string, to: string): Promise<Reply> {
  return world.ask(`${PATH}?from=${from}&to=${to}`);
}

function nextDay(date: string): string {
  return new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
}

// One record, shared by all tests that only check the range.
const shared = await createWorld();
await shared.feed([CODE, 512_000, "2024-03-01T12:00:00Z"]);

const ranges = [
  ["the same day twice means a range of one day", "2024-03-01", "2024-03-01", 200],
  ["31 days apart is the longest range", "2024-03-01", "2024-04-01", 200],
  ["32 days apart over a leap day", "2024-02-01", "2024-03-04", 417],
  ["31 days apart over the short day on which clocks go forward", "2022-03-01", "2022-04-01", 200],
  ["32 days apart over the short day on which clocks go forward", "2022-03-01", "2022-04-02", 417],
  ["31 days apart over the long day on which clocks go back", "2022-09-01", "2022-10-02", 200],
  ["32 days apart over the long day on which clocks go back", "2022-09-01", "2022-10-03", 417],
  ["the longest possible range", "0000-01-01", "9999-12-31", 417],
  ["one day backwards", "2024-03-02", "2024-03-01", 417],
  ["the last possible days", "9999-12-01", "9999-12-31", 200],
] as const;
for (const [rule, from, to, status] of ranges) {
  test(`history: ${rule}: ${status}`, async () => {
    const reply = await history(shared, from, to);
    if (status === 417) assertFailure(reply, 417, "INVALID_DATE_RANGE");
    else assert.equal(reply.status, 200);
  });
}

test("history: the message states length and limit if the range is too long, and both days if it is backward: 417", async () => {
  const long = await history(shared, "2024-03-01", "2024-04-02");
  assert.match(assertFailure(long, 417, "INVALID_DATE_RANGE"), /\b32\b.*\b31\b/);
  const backward = await history(shared, "2024-03-02", "2024-03-01");
  assert.match(assertFailure(backward, 417, "INVALID_DATE_RANGE"), /2024-03-01.*2024-03-02/);
});

const missing = [
  ["from", "to=2024-03-01", "from"],
  ["to", "from=2024-03-01", "to"],
  ["from and to, but with misspelled names", "From=2024-03-01&toDate=2024-03-01", "from"],
] as const;
for (const [rule, query, named] of missing) {
  test(`history: without ${rule}: 400, and the message names ${named}`, async () => {
    const message = assertFailure(await shared.ask(`${PATH}?${query}`), 400, "MISSING_PARAMETER");
    assert.match(message, new RegExp(`\\b${named}\\b`));
  });
}

const malformed = [
  ["empty", ""],
  ["30 February", "2024-02-30"],
  ["a time after it", "2024-03-01T00:00:00Z"],
  ["a line feed at the end", "2024-03-01%0A"],
  ["Persian digits", encodeURIComponent("۲۰۲۴-۰۳-۰۱")],
  ["bytes that are not UTF-8", "2024-03-01%FF"],
  ["a long text", "2024-03-01".repeat(300)],
] as const;
for (const [rule, text] of malformed) {
  test(`history: a date with ${rule}: 400, in both from and to`, async () => {
    for (const [name, query] of [
      ["from", `from=${text}&to=2024-03-01`],
      ["to", `from=2024-03-01&to=${text}`],
    ] as const) {
      const reply = await shared.ask(`${PATH}?${query}`);
      assert.match(assertFailure(reply, 400, "INVALID_DATE"), new RegExp(`^${name} `));
      assert.ok(reply.text.length < 1_000, "a long input is not repeated");
    }
  });
}

const orders = [
  ["unknown symbol checked before a malformed date", "NONE_RLS", "from=x&to=y", 404, "ASSET_NOT_FOUND"],
  ["unknown symbol checked before a repeated parameter", "NONE_RLS", "from=x&from=y", 404, "ASSET_NOT_FOUND"],
  ["malformed `to` checked before a backward range", CODE, "from=2024-03-01&to=2023-02-29", 400, "INVALID_DATE"],
  ["a long range checked before missing data", "EUR_RLS", "from=2024-03-01&to=2025-03-01", 417, "INVALID_DATE_RANGE"],
] as const;
for (const [rule, code, query, status, errorCode] of orders) {
  test(`history: checks in order: ${rule}: ${status}`, async () => {
    assertFailure(await shared.ask(`/api/v1/assets/${code}/history?${query}`), status, errorCode);
  });
}

test("history: returns an empty array if the range, or the asset, has no record: 200", async () => {
  for (const code of [CODE, "EUR_RLS"]) {
    const reply = await shared.ask(`/api/v1/assets/${code}/history?from=2024-05-01&to=2024-05-31`);
    assert.equal(reply.status, 200);
    assert.equal(reply.text, "[]");
    assert.equal(reply.headers["Content-Type"], "application/json; charset=utf-8");
  }
});

test("history: the answer for a range consists of the per-date answers of its days, byte for byte: 200", async () => {
  const world = await createWorld();
  const [start, end] = [Date.parse("2022-03-01T00:00:00Z"), Date.parse("2022-10-10T00:00:00Z")];
  let value = 0;
  // The steps are 0.4 to 2.4 days, and records arrive out of order. Some days get several records, some none.
  for (let i = 0, time = start; time < end; i++, time += (0.4 + ((i * 7) % 11) / 5) * 86_400_000) {
    const late = i % 3 === 0 ? 86_400_000 / 2 : 0;
    await world.feed([CODE, ++value, new Date(time - late).toISOString()]);
  }
  const byDate = new Map<string, string>();
  let empty = 0;
  for (let date = "2022-02-25"; date < "2022-10-15"; date = nextDay(date)) {
    const one = await world.ask(`/api/v1/assets/${CODE}/${date}`);
    if (one.status === 404) empty++;
    else byDate.set(date, one.text);
    assert.equal((await history(world, date, date)).text, `[${byDate.get(date) ?? ""}]`);
  }
  assert.ok(empty > 20 && byDate.size > 100, "days with and without a record");
  for (let from = "2022-02-25"; from < "2022-09-14"; from = nextDay(from)) {
    const to = new Date(Date.parse(from) + 31 * 86_400_000).toISOString().slice(0, 10);
    const wanted = [...byDate].filter(([date]) => date >= from && date <= to).map(([, text]) => text);
    assert.equal((await history(world, from, to)).text, `[${wanted.join(",")}]`);
  }
});
