import assert from "node:assert/strict";
import test from "node:test";
import { sparkline } from "../../adapters/page/browser/market/sparkline.ts";

test("sparkline: the highest value is at the top, days have equal widths", () => {
  assert.deepEqual(sparkline([1, 3, 2], 100, 20), { path: "M0 20L50 0L100 10", end: [100, 10], first: 1, last: 2, low: 1, high: 3 });
});

for (const values of [[], [1], [null, null], [null, 4, null]]) {
  test(`sparkline: ${JSON.stringify(values)} makes no line`, () => {
    assert.equal(sparkline(values, 100, 20), undefined);
  });
}

test("sparkline: no value is drawn outside its box", () => {
  const points = sparkline([0.0000123, 9e15, -4, null, 7], 112, 26)!.path.slice(1).split("L").map((point) => point.split(" ").map(Number));
  for (const [x, y] of points) assert.ok(x! >= 0 && x! <= 112 && y! >= 0 && y! <= 26, `${x} ${y}`);
});
