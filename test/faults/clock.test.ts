import assert from "node:assert/strict";
import { test } from "node:test";
import { newDirectory } from "../support/store_suite_files.ts";
import { bundle, callInThread } from "./bundle.ts";
import type { ClockTrial, Jumped } from "./clock_jumps.ts";
import { SEED, rounds, tell } from "./scale.ts";

const CASES = [
  ["back a day and forward again", "UTC", ["2026-11-21T10:00:00Z", "2026-11-20T10:00:00Z", "2026-11-21T10:00:01Z", "2026-11-22T10:00:00Z"]],
  ["forward a day and back", "UTC", ["2026-11-21T10:00:00Z", "2026-11-22T10:00:00Z", "2026-11-21T10:00:01Z", "2026-11-22T10:00:01Z"]],
  ["over the end of the day, and back over it", "UTC", ["2026-11-21T23:59:59.999Z", "2026-11-22T00:00:00Z", "2026-11-21T23:59:59.999Z", "2026-11-22T00:00:00Z"]],
  ["years ahead for a moment", "UTC", ["2026-11-21T10:00:00Z", "2099-01-01T00:00:00Z", "2026-11-21T10:00:01Z"]],
  ["to 1970, as a machine without a battery starts", "UTC", ["2026-11-21T10:00:00Z", "1970-01-01T00:00:01Z", "2026-11-21T10:00:01Z"]],
  ["through the leap day", "Asia/Tehran", ["2028-02-28T20:29:59Z", "2028-02-28T20:30:00Z", "2028-02-29T20:29:59Z", "2028-02-29T20:30:00Z"]],
  ["through the hour that comes twice", "America/New_York", ["2026-11-01T04:00:00Z", "2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z", "2026-11-02T04:59:59Z", "2026-11-02T05:00:00Z"]],
  ["through the hour that is left out", "America/New_York", ["2026-03-08T05:00:00Z", "2026-03-08T06:59:59Z", "2026-03-08T07:00:00Z", "2026-03-09T03:59:59Z", "2026-03-09T04:00:00Z"]],
  ["where midnight itself is left out", "America/Sao_Paulo", ["2018-11-04T02:59:59Z", "2018-11-04T03:00:00Z", "2018-11-05T01:59:59Z", "2018-11-05T02:00:00Z"]],
] as const;

test("clock: however it jumps, also across crashes, no day has more units than the limit, and none fewer", async (t) => {
  const path = await bundle("test/faults/clock_jumps.ts");
  const total = { jumps: 0, days: 0, served: 0, refused: 0, crashes: 0 };
  for (const [i, [what, zone, moments]] of CASES.entries()) {
    const args: ClockTrial = { directory: await newDirectory(), seed: SEED + i, zone, moments, jumps: rounds(100) };
    const { violations, ...counts } = await callInThread<ClockTrial, Jumped>(path, "jump", args);
    for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += counts[name];
    assert.deepEqual(violations.slice(0, 5), [], what);
  }
  tell(t, { ...total, violations: 0 });
});
