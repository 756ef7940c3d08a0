import assert from "node:assert/strict";
import { test } from "node:test";
import { randomBytes } from "../../../adapters/system.ts";
import { KEY_RANDOM_BYTES, makeKey } from "../../../core/accounts/keys.ts";
import { createVerifiedKeys } from "../../../core/accounts/verified_keys.ts";
import type { UtcMillis } from "../../../core/brand.ts";

const at = (seconds: number): UtcMillis => (Date.parse("2026-11-21T10:00:00Z") + seconds * 1_000) as UtcMillis;
const { key } = makeKey(randomBytes(KEY_RANDOM_BYTES));

/** A collection with a key that was verified after so many seconds, asked again after others. */
function sizesAt(verified: number, ...later: readonly number[]): number[] {
  const keys = createVerifiedKeys();
  keys.evict(at(0));
  keys.evict(at(verified));
  keys.add(key, "digest");
  return later.map((seconds) => {
    keys.evict(at(seconds));
    return keys.size;
  });
}

test("verified keys: each leaves the memory within its minute, and not in the first half of it", () => {
  for (const verified of [0, 10, 29.999, 30, 59]) assert.deepEqual(sizesAt(verified, verified + 0.001, verified + 60), [1, 0], `${verified} s`);
  assert.deepEqual(sizesAt(29, 30, 59, 59.999, 60), [1, 1, 1, 0]);
});

test("verified keys: when the clock was set back, all leave the memory", () => {
  assert.deepEqual(sizesAt(0, -1), [0]);
});

test("verified keys: there are never more than 10,000, and those that come last are found", () => {
  const keys = createVerifiedKeys();
  for (let i = 0; i < 12_000; i++) keys.add(`key ${i}`, "digest");
  keys.add(key, "last");
  assert.ok(keys.size <= 10_000, `${keys.size}`);
  assert.equal(keys.find(key), "last");
});

test("verified keys: another text is not found", () => {
  const keys = createVerifiedKeys();
  keys.add(key, "digest");
  for (let place = 0; place < key.length; place++) {
    assert.equal(keys.find(`${key.slice(0, place)}${key[place] === "x" ? "y" : "x"}${key.slice(place + 1)}`), undefined);
  }
  assert.equal(keys.find(key), "digest");
});
