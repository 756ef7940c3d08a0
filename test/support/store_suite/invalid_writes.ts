import assert from "node:assert/strict";
import type { Observation } from "../../../core/market/observation.ts";
import { allOf, type SuiteObservations, valuesOf } from "./expected_observations.ts";
import { observed } from "./records.ts";
import type { Case } from "./suite.ts";

/** Observations that could not be read back or printed, by their invalid member. The refusal must name this member. */
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  code: ["", 7],
  value: [0, -1, NaN, Infinity, "1.5"],
  businessTime: [1.7e12 + 0.5, undefined, 8.7e15, -62_167_219_200_001],
  insertTime: [7.5, 253_402_300_800_000],
  sourceTime: [7.5, 1.7e12 + 0.5, 8.7e15, undefined],
  provider: [7, undefined, "p".repeat(65)],
  qualityStatus: ["accepted", undefined],
  qualityMessage: [7, null],
};
const BATCHES = Object.entries(WRONG).flatMap(([member, values]) =>
  values.map((value) => ({ member, wrong: { ...observed(2, 20), [member]: value } as Observation })),
);

export const REFUSALS: readonly Case<SuiteObservations>[] = [
  {
    rule: "a batch with an observation that could not be read back is refused as a whole, and other batches are stored",
    async write(observations) {
      const version = await observations.version();
      for (const { member, wrong } of BATCHES) {
        const namesMember = (error: unknown): boolean => error instanceof RangeError && error.message.includes(member);
        await assert.rejects(
          async () => observations.append([observed(1, 10), wrong]),
          namesMember,
          `${member}: ${String(wrong[member as keyof Observation])}`,
        );
      }
      for (const source of ["", "a\n", "é", "s".repeat(65)])
        await assert.rejects(async () => observations.append([observed(1, 10)], source), /source must be 1 to 64/);
      assert.equal(await observations.version(), version);
      const [before, refused, after] = await Promise.allSettled([
        (async () => observations.append([observed(3, 30)]))(),
        (async () => observations.append([BATCHES[0]!.wrong]))(),
        (async () => observations.append([observed(4, 40)]))(),
      ]);
      assert.deepEqual([before.status, refused.status, after.status], ["fulfilled", "rejected", "fulfilled"]);
    },
    async check(observations) {
      assert.deepEqual(await valuesOf(observations), [
        [3, 30],
        [4, 40],
      ]);
      assert.equal((await allOf(observations)).length, 2);
    },
  },
];
