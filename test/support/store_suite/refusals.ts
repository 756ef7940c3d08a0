import assert from "node:assert/strict";
import type { Observation } from "../../../core/market/observation.ts";
import { allOf, valuesOf } from "./found.ts";
import type { SuiteObservations } from "./found.ts";
import { observed } from "./records.ts";
import type { Case } from "./suite.ts";

/** Observations that nobody could read back, or print: what is wrong with each, and how the refusal begins to say so. */
const WRONG: readonly (readonly [rule: string, more: object, told: RegExp])[] = [
  ["an empty code", { code: "" }, /code/],
  ["a number for its code", { code: 7 }, /code/],
  ["a value of zero", { value: 0 }, /value/],
  ["a value below zero", { value: -1 }, /value/],
  ["a value that is no number", { value: NaN }, /value/],
  ["an infinite value", { value: Infinity }, /value/],
  ["a text for its value", { value: "1.5" }, /value/],
  ["a part of a millisecond in its business time", { businessTime: 1.7e12 + 0.5 }, /businessTime/],
  ["no business time", { businessTime: undefined }, /businessTime/],
  ["a business time after the year 9999", { businessTime: 8.7e15 }, /businessTime/],
  ["a business time before the year 0", { businessTime: -62_167_219_200_001 }, /businessTime/],
  ["a part of a millisecond in its insert time", { insertTime: 7.5 }, /insertTime/],
  ["an insert time after the year 9999", { insertTime: 253_402_300_800_000 }, /insertTime/],
  ["a part of a millisecond in its source time", { sourceTime: 7.5 }, /sourceTime/],
  ["a large source time with a part of a millisecond", { sourceTime: 1.7e12 + 0.5 }, /sourceTime/],
  ["a source time after the year 9999", { sourceTime: 8.7e15 }, /sourceTime/],
  ["an undefined source time", { sourceTime: undefined }, /sourceTime/],
  ["a number for its provider", { provider: 7 }, /provider/],
  ["an undefined provider", { provider: undefined }, /provider/],
  ["a provider of 65 characters", { provider: "p".repeat(65) }, /provider/],
  ["a status in small letters", { qualityStatus: "accepted" }, /qualityStatus/],
  ["no status", { qualityStatus: undefined }, /qualityStatus/],
  ["a number for its message", { qualityMessage: 7 }, /qualityMessage/],
  ["no message", { qualityMessage: null }, /qualityMessage/],
];

export const REFUSALS: readonly Case<SuiteObservations>[] = WRONG.map(([rule, more, told]) => ({
  rule: `an observation with ${rule} is refused with its batch, and harms no other`,
  async write(observations) {
    const wrong = { ...observed(2, 20), ...more } as Observation;
    const version = await observations.version();
    await assert.rejects(async () => observations.append([observed(1, 10), wrong]), (error) => error instanceof RangeError && told.test(error.message));
    assert.equal(await observations.version(), version);
    const [before, refused, after] = await Promise.allSettled([
      (async () => observations.append([observed(3, 30)]))(),
      (async () => observations.append([wrong]))(),
      (async () => observations.append([observed(4, 40)]))(),
    ]);
    assert.deepEqual([before.status, refused.status, after.status], ["fulfilled", "rejected", "fulfilled"]);
  },
  async check(observations) {
    assert.deepEqual(await valuesOf(observations), [[3, 30], [4, 40]]);
    assert.equal((await allOf(observations)).length, 2);
  },
}));
