import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 as zlibCrc32 } from "node:zlib";
import fc from "fast-check";
import { crc32, crc32Hex } from "../../../core/bytes/crc32.ts";
import { runs } from "../../support/suite_size.ts";

test("crc32: equals the CRC-32 of zlib, for bytes and ASCII texts", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const whole = zlibCrc32(bytes);
      assert.equal(crc32(bytes), whole);
      assert.equal(crc32Hex(bytes), whole.toString(16).padStart(8, "0"));
      const ascii = Buffer.from(bytes.map((byte) => byte & 0x7f)).toString("latin1");
      assert.equal(crc32(ascii), zlibCrc32(ascii));
    }),
    { numRuns: runs(62) },
  );
  assert.equal(crc32("123456789"), 0xcbf43926);
  assert.equal(crc32Hex(""), "00000000");
});
