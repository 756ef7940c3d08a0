// The nightly run plants a bug by replacing a text in a source. This test fails if the text was changed or moved.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { BUGS_FOR_TESTS } from "./bugs_for_tests.ts";
import { HARNESSES } from "./harnesses.ts";
import { plant, SEEDED_BUGS } from "./seeded_bugs.ts";

test("seeded bugs: the text of each bug occurs once in its source, and its harness or test file exists", () => {
  for (const bug of [...BUGS_FOR_TESTS, ...SEEDED_BUGS]) {
    plant(readFileSync(bug.file, "utf8"), bug);
    assert.ok(bug.found in HARNESSES || existsSync(bug.found), bug.found);
  }
});
