import assert from "node:assert/strict";
import { test } from "node:test";
import { createSeries } from "../../../core/series/series.ts";
import { CODE, at, observation } from "../../support/generators.ts";

test("series: an empty provider name is not the same as none", () => {
  const series = createSeries(CODE, "ACCEPTED");
  [null, "", "A"].forEach((provider, i) => series.putAll([observation({ businessTime: at(i), provider })]));
  assert.deepEqual([0, 1, 2].map((row) => series.at(row).provider), [null, "", "A"]);
});
