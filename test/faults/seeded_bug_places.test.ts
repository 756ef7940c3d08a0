// By night, bugs are planted in these texts; whoever moves one should notice by day.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { BUGS_FOR_TESTS } from "./bugs_for_tests.ts";
import { SEEDED_BUGS } from "./seeded_bugs.ts";

test("seeded bugs: the text of each occurs once in its source, and each test file is there", () => {
  for (const { file, find } of [...BUGS_FOR_TESTS, ...SEEDED_BUGS.flatMap(({ seeds }) => seeds)]) {
    assert.equal(readFileSync(file, "utf8").split(find).length - 1, 1, `${file}: ${find}`);
  }
  for (const { found } of BUGS_FOR_TESTS) assert.ok(existsSync(found), found);
});
