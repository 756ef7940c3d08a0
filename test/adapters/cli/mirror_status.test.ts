// `mirror status` where no mirror runs: what the last one had done is read from the data directory.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { mirrorStateFile } from "../../../adapters/json_files/mod.ts";
import { NEW_MIRROR, begun, budgetOf, checked, refreshed, rested, writeMirrorState } from "../../../core/mirror/mod.ts";
import { makeStore, temporaryDirectory } from "../../support/cli.ts";
import { program } from "../../support/cli_program.ts";
import { at } from "../../support/generators.ts";

const NOW = at(Date.parse("2026-11-22T20:00:00Z"));
const URL = "https://prices.example:8443/market";

/** What a mirror has written that made one refresh, and was then answered with 429. */
function lastState(): object {
  const refresh = refreshed(begun(checked(NEW_MIRROR, true, NOW), { kind: "refresh" }, NOW), ["USD_RLS"], { budget: budgetOf(50), now: NOW });
  return writeMirrorState(rested(refresh, 3_600_000, NOW));
}

test("mirror status: without a server it tells the last state of each upstream and since when, and ends with 75", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  await makeStore(data);
  const none = await program(["mirror", "status", "--data", data]);
  assert.deepEqual([none.code, none.out], [75, `No server holds "${data}" for writing, so no mirror runs.\n`]);

  await mirrorStateFile(data, URL).save(lastState());
  await mirrorStateFile(data, "https://other.example").save(writeMirrorState(NEW_MIRROR));
  const { code, out } = await program(["mirror", "status", "--data", data]);
  assert.equal(code, 75);
  assert.match(out, /so no mirror runs\. The last one had done this:\n/);
  for (const line of [/^upstream +prices\.example_8443_market$/m, /^last request +2026-11-22T20:00:00\.000Z$/m, /^units +1 spent on 2026-11-22$/m, /^no requests before +2026-11-22T21:00:00\.000Z$/m, /^last refresh +2026-11-22T20:00:00\.000Z$/m, /^attribution +required$/m, /^ +USD_RLS +- +- +- +0 +not asked yet$/m, /^upstream +other\.example$/m, /^last request +never$/m]) {
    assert.match(out, line);
  }
  assert.doesNotMatch(out, /\bnext\b/, "a mirror that does not run has no next act");

  const { last } = JSON.parse((await program(["mirror", "status", "--data", data, "--json"])).out) as { last: { upstream: string; units: object | null }[] };
  assert.deepEqual(last.map(({ upstream, units }) => [upstream, units]), [["other.example", null], ["prices.example_8443_market", { day: "2026-11-22", used: 1 }]]);
});

test("mirror status: a damaged state is told with what to do", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  await makeStore(data);
  await mirrorStateFile(data, "https://other.example").save(writeMirrorState(NEW_MIRROR));
  await writeFile(join(data, "mirror", "other.example.json"), "{}");
  const { code, err } = await program(["mirror", "status", "--data", data]);
  assert.equal(code, 65);
  assert.match(err, /is damaged.*Or remove it/);
});
