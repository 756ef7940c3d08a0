import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { mazaneh, serving, temporaryDirectory } from "../support/cli.ts";

const DAYS = ["--from", "2026-01-01", "--to", "2026-02-20"];

test("mirror again: without a mirror it explains that a running server is needed and how to start it: exit code 75", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  await mazaneh(["keys", "create", "alice", "--init", "--data", data]);
  const again = async () => mazaneh(["mirror", "again", "USD_RLS", ...DAYS, "--data", data]);
  const alone = await again();
  assert.equal(alone.code, 75);
  assert.match(
    alone.err,
    /No server owns ".*", and only the mirror of a running server can request days: start it with "mazaneh serve --mirror URL", then repeat this command/,
  );
  await serving(t, ["--data", data]);
  const other = await again();
  assert.equal(other.code, 75);
  assert.match(other.err, /is not a mirror: start it with/);
});
