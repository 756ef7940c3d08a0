import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { digestMatches, KEY_RANDOM_BYTES, makeKey, parseKey } from "../../../core/accounts/keys.ts";
import { anyText } from "../../support/generators.ts";
import { runs } from "../../support/suite_size.ts";

const keyBytes = fc.uint8Array({ minLength: KEY_RANDOM_BYTES, maxLength: KEY_RANDOM_BYTES });
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PRINTABLE = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).concat("\n", "\0", "é", "Ａ", "۰");

test("key: a new key is parsed, and has the shape that leak scanners know", () => {
  fc.assert(
    fc.property(keyBytes, (bytes) => {
      const before = [...bytes];
      const made = makeKey(bytes);
      assert.match(made.key, /^mz_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/);
      assert.equal(made.id, made.key.slice(8, 16));
      assert.equal(parseKey(made.key), made.id);
      assert.deepEqual([...bytes], before, "the bytes are unchanged");
    }),
    { numRuns: runs(40), examples: [[new Uint8Array(38)], [new Uint8Array(38).fill(255)]] },
  );
});

test("key: refuses any changed, missing, doubled or additional character", () => {
  fc.assert(
    fc.property(keyBytes, (bytes) => {
      const { key } = makeKey(bytes);
      for (let i = 0; i < key.length; i++) {
        const [before, behind] = [key.slice(0, i), key.slice(i + 1)];
        for (const other of PRINTABLE) {
          if (other !== key[i]) assert.equal(parseKey(before + other + behind), undefined, `${i} ${other}`);
        }
        assert.equal(parseKey(before + behind), undefined);
        assert.equal(parseKey(before + key[i] + key[i] + behind), undefined);
      }
      for (const text of [` ${key}`, `${key}\n`, key.toLowerCase()]) assert.equal(parseKey(text), undefined);
    }),
    { numRuns: 5 },
  );
});

test("key: no text makes the parser throw", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        fc.array(fc.constantFrom(...BASE62), { maxLength: 70 }).map((digits) => `mz_live_${digits.join("")}`),
      ),
      (text) => assert.equal(parseKey(text), undefined),
    ),
  );
});

test("key: any number of random bytes other than 38 throws", () => {
  for (const count of [0, 37, 39]) assert.throws(() => makeKey(new Uint8Array(count)), RangeError);
});

test("key: a digest matches only itself, not a digest of another length; an unknown id matches nothing", () => {
  const digest = "0123456789abcdef".repeat(4);
  assert.equal(digestMatches(digest, digest), true);
  for (let i = 0; i < digest.length; i++)
    assert.equal(digestMatches(`${digest.slice(0, i)}x${digest.slice(i + 1)}`, digest), false);
  for (const other of ["", digest.slice(0, 63), `${digest}0`]) {
    assert.equal(digestMatches(other, digest), false);
    assert.equal(digestMatches(digest, other), false);
  }
  for (const presented of [digest, "0".repeat(64), ""]) assert.equal(digestMatches(presented, undefined), false);
});

test("key: a comparison of digests looks at every character, wherever the first difference is and even for an unknown id, so its time reveals nothing", () => {
  const stored = "0f".repeat(32);
  const looksAt = (presented: string, expected: string | undefined): number => {
    let looks = 0;
    const charCodeAt = (at: number): number => {
      looks++;
      return presented.charCodeAt(at);
    };
    digestMatches(Object.assign(new String(presented), { charCodeAt }) as string, expected);
    return looks;
  };
  for (let at = 0; at < 64; at++) assert.equal(looksAt(`${stored.slice(0, at)}a${stored.slice(at + 1)}`, stored), 64);
  assert.equal(looksAt(stored, undefined), 64);
});
