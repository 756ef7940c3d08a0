import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { base62 } from "../../../core/accounts/base62.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

for (const [bytes, width] of [
  [4, 6],
  [32, 43],
] as const) {
  test(`base62: ${bytes} bytes always become ${width} digits with the same value and sort order`, () => {
    const numberOf = (text: string): bigint =>
      [...text].reduce((sum, digit) => sum * 62n + BigInt(BASE62.indexOf(digit)), 0n);
    const some = fc.uint8Array({ minLength: bytes, maxLength: bytes });
    fc.assert(
      fc.property(some, some, (a, b) => {
        const [one, two] = [base62(a, width), base62(b, width)];
        assert.match(one, new RegExp(`^[0-9A-Za-z]{${width}}$`));
        assert.equal(numberOf(one), BigInt(`0x${Buffer.from(a).toString("hex")}`));
        assert.equal(Math.sign(Buffer.compare(Buffer.from(one), Buffer.from(two))), Buffer.compare(a, b));
      }),
      { examples: [[new Uint8Array(bytes), new Uint8Array(bytes).fill(255)]] },
    );
  });
}
