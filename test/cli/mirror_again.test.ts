import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { mazaneh, serving, temporaryDirectory } from "../support/cli.ts";

const DAYS = ["--from", "2026-01-01", "--to", "2026-02-20"];

test("mirror again: without a mirror it explains how to start one: exit code 75", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  await mazaneh(["keys", "create", "alice", "--init", "--data", data]);
  const again = async () => mazaneh(["mirror", "again", "USD_RLS", ...DAYS, "--data", data]);
  const alone = await again();
  await serving(t, ["--data", data]);
  for (const { code, err } of [alone, await again()]) {
    assert.equal(code, 75);
    assert.match(err, /No running server is a mirror for ".*": start its server with --mirror URL/);
  }
});
