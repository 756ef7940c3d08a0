import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dateRange } from "../../../core/market/date_range.ts";
import { dateOfDayNumber } from "../../../core/time/dates.ts";
import { someDay } from "../../support/generators.ts";
import { runs } from "../../support/suite_size.ts";

test("range: two dates are a range exactly if they are in order and at most 31 days apart", () => {
  fc.assert(
    fc.property(
      someDay,
      fc.oneof(fc.integer({ min: -3, max: 35 }), fc.integer({ min: -20_000, max: 20_000 })),
      (day, distance) => {
        const [from, to] = [dateOfDayNumber(day), dateOfDayNumber(day + distance)];
        const range = dateRange(from, to);
        if (distance >= 0 && distance <= 31) assert.deepEqual(range, { ok: true, value: { from, to } });
        else assert.equal(!range.ok && range.error.code, "INVALID_DATE_RANGE");
      },
    ),
    { numRuns: runs(125) },
  );
});
