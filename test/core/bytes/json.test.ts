import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { quoteJson } from "../../../core/bytes/json.ts";
import { anyText } from "../../support/generators.ts";

test("JSON text: equals that of JSON.stringify, even for lone surrogates and control characters", () => {
  fc.assert(fc.property(anyText, (text) => assert.equal(quoteJson(text), JSON.stringify(text))));
  for (let unit = 0; unit < 0x10000; unit++) {
    const text = `a${String.fromCharCode(unit)}b`;
    assert.equal(quoteJson(text), JSON.stringify(text));
  }
});
