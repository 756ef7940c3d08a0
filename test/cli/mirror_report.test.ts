import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { mazaneh, serving, temporaryDirectory } from "../support/cli.ts";
import { mirrorOf, startUpstream } from "../support/upstream_process.ts";
import { until } from "../support/wait_until.ts";

test("mirror report: shows ages of values by asset, spent units, and estimates for more units", async (t) => {
  const { url, key } = await startUpstream(t, serving);
  const data = join(await temporaryDirectory(t), "data");
  await serving(t, ...mirrorOf(url, key, data));
  const report = async (...more: string[]) => mazaneh(["mirror", "report", "--data", data, ...more]);
  await until("a value has come", async () => (await report()).out.includes("USD_RLS"));
  const { assets, mirror } = (await report("--days", "90", "--json")).json() as unknown as {
    assets: Record<string, number | string>[];
    mirror: { days: { units: number; refreshes: number }[]; estimates: Record<string, number>[] };
  };
  const dollar = assets.find(({ code }) => code === "USD_RLS")!;
  const { values, medianAgeSeconds, worstAgeSeconds, longestGapSeconds } = dollar;
  // At the start, the upstream has only one fresh value, which is a minute old.
  assert.deepEqual([values, medianAgeSeconds], [1, worstAgeSeconds]);
  assert.ok(Number(longestGapSeconds) < 60, "until now");
  assert.ok(Number(worstAgeSeconds) >= 60, `${worstAgeSeconds} seconds`);
  assert.equal(mirror.days.reduce((sum, { refreshes }) => sum + refreshes, 0) > 0, true);
  const plans = mirror.estimates.map(({ unitsADay }) => unitsADay);
  assert.deepEqual(plans, [50, 100, 500, 20_000]);
  const seconds = mirror.estimates.map(({ openSeconds }) => openSeconds!);
  assert.ok(seconds[0]! > 2 * seconds[1]! && seconds[1]! > 4 * seconds[2]!, `${seconds}`);
});

test("mirror report: without a mirror, shows only the ages of values", async (t) => {
  const data = await temporaryDirectory(t);
  await mazaneh(["keys", "create", "alice", "--init", "--data", data]);
  const { code, json } = await mazaneh(["mirror", "report", "--data", data, "--json"]);
  assert.deepEqual([code, json()], [0, { days: 30, assets: [], mirror: null }]);
});
