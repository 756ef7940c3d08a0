import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { latestDays, parseDays, requestsOf } from "../../../adapters/page/browser/data/ranges.ts";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import { parseDate } from "../../../core/internal.ts";
import { createPrices } from "../../../core/mod.ts";
import { at } from "../../support/generators.ts";

const RECORDS = { from: parseDate("2024-11-20")!, to: parseDate("2026-11-20")! };

test("days: two years are 23 requests, one after the other", () => {
  const requests = requestsOf(RECORDS);
  assert.equal(requests.length, 23);
  assert.deepEqual(requests.slice(0, 2), [
    { from: "2024-11-20", to: "2024-12-21" },
    { from: "2024-12-22", to: "2025-01-22" },
  ]);
  assert.equal(requests.at(-1)?.to, "2026-11-20");
});

test("days: the requests of any range cover each day once, and the API answers each", async () => {
  const { observations } = createMemoryStore();
  const prices = createPrices({ clock: () => at(0), observations });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 200 }), async (start, length) => {
      const date = (day: number) => parseDate(new Date(day * 86_400_000).toISOString().slice(0, 10))!;
      const range = { from: date(start), to: date(start + length) };
      const requests = requestsOf(range);
      assert.equal(requests[0]?.from, range.from);
      assert.equal(requests.at(-1)?.to, range.to);
      const next = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
      assert.deepEqual(
        requests.slice(1).map((request) => request.from),
        requests.slice(0, -1).map((request) => next(request.to)),
      );
      for (const { from, to } of requests) await prices.history("USD_RLS", from, to); // throws beyond what one request answers
    }),
    { numRuns: 60 },
  );
});

const refused = [
  ["an empty field", "", "2026-01-01"],
  ["a missing one", null, "2026-01-01"],
  ["a day that is none", "2026-02-30", "2026-03-01"],
  ["a range that runs backwards", "2026-03-02", "2026-03-01"],
  ["days after the latest record", "2026-11-21", "2026-12-01"],
] as const;
for (const [rule, from, to] of refused) {
  test(`days: ${rule} is refused before it costs a unit`, () =>
    assert.equal(parseDays(from, to, RECORDS.to), undefined));
}

test("days: what reaches over the latest record is cut to it", () => {
  assert.deepEqual(parseDays("2000-01-01", "2099-12-31", RECORDS.to), { from: "2000-01-01", to: RECORDS.to });
  assert.deepEqual(parseDays(RECORDS.to, RECORDS.to, RECORDS.to), { from: RECORDS.to, to: RECORDS.to });
  assert.deepEqual(parseDays("2026-01-01", "2026-01-01", RECORDS.to), { from: "2026-01-01", to: "2026-01-01" });
});

test("days: the latest ones are what one request answers", () => {
  assert.deepEqual(latestDays(RECORDS.to), { from: "2026-10-20", to: "2026-11-20" });
  assert.equal(requestsOf(latestDays(RECORDS.to)).length, 1);
});
