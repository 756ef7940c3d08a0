// The nightly run plants bugs in these texts. This test fails as soon as one of them is moved.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { BUGS_FOR_TESTS } from "./bugs_for_tests.ts";
import { SEEDED_BUGS } from "./seeded_bugs.ts";

test("seeded bugs: the text of each bug occurs once in its source, and its test file exists", () => {
  for (const { file, find } of [...BUGS_FOR_TESTS, ...SEEDED_BUGS.flatMap(({ seeds }) => seeds)]) {
    assert.equal(readFileSync(file, "utf8").split(find).length - 1, 1, `${file}: ${find}`);
  }
  for (const { found } of BUGS_FOR_TESTS) assert.ok(existsSync(found), found);
});
