import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { mazaneh, serving, temporaryDirectory } from "../support/cli.ts";

const DAYS = ["--from", "2026-01-01", "--to", "2026-02-20"];

test("mirror again: without a mirror it says which server asks, and how to start it, with exit code 75", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  await mazaneh(["keys", "create", "alice", "--init", "--data", data]);
  const again = async () => mazaneh(["mirror", "again", "USD_RLS", ...DAYS, "--data", data]);
  const alone = await again();
  assert.equal(alone.code, 75);
  assert.match(
    alone.err,
    /No server owns ".*", and only the mirror of a running one asks: start it with "mazaneh serve --mirror URL", then repeat this command/,
  );
  await serving(t, ["--data", data]);
  const other = await again();
  assert.equal(other.code, 75);
  assert.match(other.err, /is no mirror: start it with/);
});

test("mirror again: a code that is none, and days that are none or in the wrong order, are wrong usage", async (t) => {
  const data = await temporaryDirectory(t);
  const days = (from: string, to: string) => ["USD_RLS", "--from", from, "--to", to];
  for (const wrong of [
    ["USD_RLX", ...DAYS],
    ["USD_RLS", "--from", "2026-01-01"],
    days("2026-02-30", "2026-03-01"),
    days("2026-02-02", "2026-02-01"),
    days("2025-01-01", "2026-01-02"),
    days("2199-01-01", "2199-01-02"),
    DAYS,
  ]) {
    assert.equal((await mazaneh(["mirror", "again", ...wrong, "--data", data])).code, 64, wrong.join(" "));
  }
});
