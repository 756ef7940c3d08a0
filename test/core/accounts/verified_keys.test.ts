import assert from "node:assert/strict";
import { test } from "node:test";
import { randomBytes } from "../../../adapters/system.ts";
import { KEY_RANDOM_BYTES, makeKey } from "../../../core/accounts/keys.ts";
import { createVerifiedKeys } from "../../../core/accounts/verified_keys.ts";
import type { UtcMillis } from "../../../core/brand.ts";

const NOW = Date.parse("2026-11-21T10:00:00Z") as UtcMillis;
const at = (seconds: number): UtcMillis => (NOW + seconds * 1_000) as UtcMillis;

/** Keys that were verified so many seconds after `NOW`. */
function verified(...seconds: readonly number[]) {
  const keys = createVerifiedKeys();
  const made = seconds.map((second) => {
    const { id, key } = makeKey(randomBytes(KEY_RANDOM_BYTES));
    keys.add(id, key, { digest: `digest ${second}`, verifiedAt: at(second) });
    return { id, key };
  });
  const found = (): (string | undefined)[] => made.map(({ id, key }) => keys.find(id, key)?.digest);
  return { keys, made, found };
}

test("verified keys: each leaves the memory when its minute is over, and not before", () => {
  const { keys, found } = verified(0, 1, 30);
  for (const [seconds, size] of [[59.999, 3], [60, 2], [60.999, 2], [61, 1], [89.999, 1], [90, 0]] as const) {
    keys.evict(at(seconds));
    assert.equal(keys.size, size, `after ${seconds} s`);
  }
  assert.deepEqual(found(), [undefined, undefined, undefined]);
});

test("verified keys: one that is verified again has a new minute, and the others keep theirs", () => {
  const { keys, made, found } = verified(0, 10);
  keys.add(made[0]!.id, made[0]!.key, { digest: "again", verifiedAt: at(40) });
  keys.evict(at(70));
  assert.deepEqual(found(), ["again", undefined]);
  keys.evict(at(100));
  assert.equal(keys.size, 0);
});

test("verified keys: when the clock was set back, all leave the memory", () => {
  const { keys } = verified(0, 1);
  keys.evict(at(0.5));
  assert.equal(keys.size, 0);
});

test("verified keys: all leave the memory when there are too many, and those that come after are found", () => {
  const keys = createVerifiedKeys();
  const { id, key } = makeKey(randomBytes(KEY_RANDOM_BYTES));
  for (let i = 0; i < 10_000; i++) keys.add(`id${i}` as typeof id, key, { digest: "d", verifiedAt: NOW });
  assert.equal(keys.size, 10_000);
  keys.add(id, key, { digest: "last", verifiedAt: NOW });
  assert.equal(keys.size, 1);
  assert.equal(keys.find(id, key)?.digest, "last");
});

test("verified keys: another text with the same id is not found", () => {
  const { keys, made } = verified(0);
  const { id, key } = made[0]!;
  for (let place = 0; place < key.length; place++) {
    assert.equal(keys.find(id, `${key.slice(0, place)}${key[place] === "x" ? "y" : "x"}${key.slice(place + 1)}`), undefined);
  }
  assert.notEqual(keys.find(id, key), undefined);
});
