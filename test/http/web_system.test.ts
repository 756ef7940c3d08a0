import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { nodeSha256 } from "../../adapters/http/node/sha256.ts";
import { requestIds, sha256, systemClock } from "../../adapters/http/web_system.ts";

suite("system ports", () => {
  test("the clock returns the current time in whole milliseconds", () => {
    const before = Date.now();
    const now = systemClock();
    assert.equal(Number.isInteger(now) && now >= before && now <= Date.now(), true);
  });

  test("a request id is req_ and 22 base62 digits, different each time", () => {
    const ids = Array.from({ length: 1_000 }, () => requestIds());
    for (const id of ids) assert.match(id, /^req_[0-9A-Za-z]{22}$/);
    assert.equal(new Set(ids).size, ids.length);
  });

  for (const [name, digest] of [
    ["Web Crypto", sha256],
    ["node:crypto", nodeSha256],
  ] as const) {
    for (const [text, hex] of [
      ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
      ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
      ["ریال", "e30d72bc4478a664aee1bc9c722fc386c6fa02de795f0c1152c57908fa2d401e"],
    ] as const) {
      test(`SHA-256 of "${text}" by ${name}: hashes its UTF-8 bytes, in lower-case hex`, async () => {
        assert.equal(await digest(text), hex);
      });
    }
  }

  test("node:crypto answers at once", () => {
    assert.equal(typeof nodeSha256("abc"), "string");
  });
});
