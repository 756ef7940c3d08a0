import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { quoteJson } from "../../../core/bytes/json.ts";
import { anyText } from "../../support/generators.ts";

test("JSON text: it is that of JSON.stringify, also for halves of surrogate pairs and control characters", () => {
  fc.assert(fc.property(anyText, (text) => assert.equal(quoteJson(text), JSON.stringify(text))));
  for (let unit = 0; unit < 0x10000; unit++) {
    const text = `a${String.fromCharCode(unit)}b`;
    assert.equal(quoteJson(text), JSON.stringify(text));
  }
});
