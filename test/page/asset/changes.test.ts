import assert from "node:assert/strict";
import { test } from "node:test";
import { valueBefore, withChanges } from "../../../adapters/page/browser/asset/changes.ts";

const DAYS = [
  { value: 100, businessTime: "2026-11-18T16:30:00.000Z" },
  { value: 110, businessTime: "2026-11-20T16:30:00.000Z" },
  { value: 99, businessTime: "2026-11-21T06:00:00.000Z" },
];
const dayOf = (time: string): string => time.slice(0, 10);

test("changes: the latest value is compared with the last one of a day before it", () => {
  assert.equal(valueBefore(DAYS[2]!, DAYS, dayOf), DAYS[1]);
  assert.equal(valueBefore({ value: 105, businessTime: "2026-11-20T18:00:00.000Z" }, DAYS, dayOf), DAYS[0], "the value of the same day does not count");
  assert.equal(valueBefore(DAYS[0]!, DAYS, dayOf), undefined);
});

test("changes: each day stands beside the day before it that has a value, newest first", () => {
  const changes = withChanges(DAYS);
  assert.deepEqual(changes.map(({ day }) => day.value), [99, 110, 100]);
  assert.deepEqual(changes.map(({ change }) => change?.toFixed(3)), ["-0.100", "0.100", undefined]);
  assert.deepEqual(withChanges([]), []);
});
