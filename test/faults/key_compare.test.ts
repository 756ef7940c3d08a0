import assert from "node:assert/strict";
import { test } from "node:test";
import { countLooks } from "./key_compare.ts";
import { tell } from "./scale.ts";

test("keys: comparing digests takes the same work wherever they differ, and for an unknown id", async (t) => {
  const { places, violations } = await countLooks();
  tell(t, { places, violations: violations.length });
  assert.deepEqual(violations, []);
});
