import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { daysIn, parseDays, requestsOf } from "../../../adapters/page/browser/asset/days.ts";
import { parseDate } from "../../../core/internal.ts";
import { createPrices } from "../../../core/mod.ts";
import { createMemoryStore } from "../../../adapters/memory_store.ts";
import { at } from "../../support/generators.ts";

const RECORDS = { from: parseDate("2024-11-20")!, to: parseDate("2026-11-20")! };

test("days: two years are 23 requests, one after the other", () => {
  const requests = requestsOf(RECORDS);
  assert.equal(requests.length, 23);
  assert.deepEqual(requests.slice(0, 2), [{ from: "2024-11-20", to: "2024-12-21" }, { from: "2024-12-22", to: "2025-01-22" }]);
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
      assert.equal(requests.reduce((sum, request) => sum + daysIn(request), 0), daysIn(range));
      for (const { from, to } of requests) await prices.history("USD_RLS", from, to); // throws beyond what one request answers
    }),
    { numRuns: 60 },
  );
});

const faults = [
  ["an empty field", "", "2026-01-01", "incomplete"],
  ["a day that is none", "2026-02-30", "2026-03-01", "incomplete"],
  ["a Jalali day, which is a day of the Middle Ages", "1405-05-01", "1405-05-30", "outside"],
  ["a range that runs backwards", "2026-03-02", "2026-03-01", "backwards"],
  ["days before the first record", "2020-01-01", "2024-11-19", "outside"],
  ["days after the latest record", "2026-11-21", "2026-12-01", "outside"],
] as const;
for (const [rule, from, to, fault] of faults) {
  test(`days: ${rule} is refused before it costs a unit`, () => assert.equal(parseDays(from, to, RECORDS), fault));
}

test("days: what reaches over the records is cut to them", () => {
  assert.deepEqual(parseDays("2000-01-01", "2099-12-31", RECORDS), RECORDS);
  assert.deepEqual(parseDays("2026-01-01", "2026-01-01", RECORDS), { from: "2026-01-01", to: "2026-01-01" });
});
