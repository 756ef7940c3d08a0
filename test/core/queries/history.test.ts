import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dateOfDayNumber } from "../../../core/time/dates.ts";
import { formatTimestamp } from "../../../core/time/timestamps.ts";
import { CODE, DAY, at } from "../../support/generators.ts";
import { runs } from "../../support/size.ts";
import { createWorld } from "../../support/world.ts";

test("history: a range gives the records of its days, one after the other, through the API", async () => {
  const minute = fc.integer({ min: 0, max: 45 * 24 * 60 });
  const start = fc.constantFrom("2022-03-05T00:00:00Z", "2022-09-05T00:00:00Z", "2024-02-10T00:00:00Z", "2025-12-15T00:00:00Z", "1969-12-10T00:00:00Z");
  const range = fc.tuple(fc.integer({ min: -2, max: 40 }), fc.integer({ min: 0, max: 31 }));
  await fc.assert(
    fc.asyncProperty(start, fc.array(minute, { maxLength: 60 }), range, async (origin, minutes, [first, length]) => {
      const world = await createWorld();
      await world.feed(...minutes.map((step, i) => [CODE, i + 1, formatTimestamp(at(Date.parse(origin) + step * 60_000))] as const));
      const dates = Array.from({ length: length + 1 }, (_, i) => dateOfDayNumber(Date.parse(origin) / DAY + first + i));
      const one = async (from: string, to: string): Promise<string> => {
        const reply = await world.ask(`/api/v1/assets/${CODE}/history?from=${from}&to=${to}`);
        assert.equal(reply.status, 200);
        return reply.text.slice(1, -1);
      };
      const each: string[] = [];
      for (const date of dates) each.push(await one(date, date));
      assert.equal(await one(dates[0]!, dates.at(-1)!), each.filter((text) => text !== "").join(","));
    }),
    { numRuns: runs(10) },
  );
});
