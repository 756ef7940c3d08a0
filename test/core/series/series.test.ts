import assert from "node:assert/strict";
import { test } from "node:test";
import type { Observation } from "../../../core/market/observation.ts";
import { createSeries } from "../../../core/series/series.ts";
import { CODE, MINUTE, at, observation } from "../../support/generators.ts";

/* Memory: the bytes of a row in a series by the minute. What a series holds is tested through the store. */

const sources: readonly (readonly [what: string, parts: (time: number, n: number) => Partial<Observation>, bytes: number])[] = [
  ["of a steady feed", (time) => ({ insertTime: at(time + 1_500), sourceTime: at(time + 200), provider: "A" }), 16],
  ["of one import", () => ({ insertTime: at(1e12), provider: "A" }), 16],
  ["of one import in batches", (_, n) => ({ insertTime: at(1e12 + Math.floor(n / 2_000) * 900), provider: "A" }), 20],
  ["of a feed with delays and two providers", (time, n) => ({ insertTime: at(time + ((n * 7_919) % 3_000)), provider: (n * 7_919) % 5 > 2 ? "A" : "B" }), 21.01],
];
for (const [what, parts, bytes] of sources) {
  test(`series: rows ${what} take at most ${bytes} bytes each`, () => {
    const series = createSeries(CODE, "ACCEPTED");
    const rows = 50_000;
    for (let n = 0; n < rows; n++) series.append(observation({ businessTime: at(n * MINUTE), value: n + 1, ...parts(n * MINUTE, n) }));
    const { times, values, insertTimes, sourceTimes, providers } = series.pack();
    const side = [insertTimes, sourceTimes, providers].map(({ cells }) => cells?.byteLength ?? 0);
    const total = times.byteLength + values.byteLength + side.reduce((sum, one) => sum + one, 0);
    assert.ok(total / rows <= bytes, `${total / rows} bytes`);
  });
}

test("series: what is removed leaves nothing behind in what the series packs", () => {
  const series = createSeries(CODE, "ACCEPTED");
  series.putAll([observation({ businessTime: at(1), qualityMessage: "checked" })]);
  series.putAll([observation({ businessTime: at(2), qualityMessage: "late" })]);
  series.removeAll([at(1)]);
  assert.deepEqual(series.pack().qualityMessages, [[2, "late"]]);
});

test("series: an empty provider name is not the same as none", () => {
  const series = createSeries(CODE, "ACCEPTED");
  [null, "", "A"].forEach((provider, i) => series.putAll([observation({ businessTime: at(i), provider })]));
  assert.deepEqual([0, 1, 2].map((row) => series.at(row).provider), [null, "", "A"]);
});
