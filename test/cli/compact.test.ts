import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { mazaneh, serving, temporaryDirectory } from "../support/cli.ts";

/** A CSV file with one value for each of 500 minutes. */
function prices(value: number): string {
  const rows = Array.from({ length: 500 }, (_, i) => {
    return `USD_RLS,${value + i},${new Date(Date.UTC(2026, 7, 1) + i * 60_000).toISOString()},OURS\n`;
  });
  return `code,value,businessTime,provider\n${rows.join("")}`;
}

test("compact: a running server compacts its store and keeps answering; export writes the same bytes, and the store is smaller", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  const server = await serving(t, ["--data", data]);
  for (const value of [100, 200, 300])
    assert.equal((await mazaneh(["import", "-", "--yes", "--data", data], { input: prices(value) })).code, 0);
  const before = await mazaneh(["export", "--all-statuses", "--data", data]);
  assert.equal(before.out.split("\n").length, 500 + 2);
  const result = (await mazaneh(["compact", "--json", "--data", data])).json();
  assert.deepEqual([result["records"], Number(result["freed"]) > 0], [500, true]);
  assert.equal((await mazaneh(["export", "--all-statuses", "--data", data])).out, before.out);
  const { key } = (await mazaneh(["keys", "create", "me", "--json", "--data", data])).json();
  assert.equal((await server.get("/api/v1/assets/USD_RLS", String(key))).json["value"], 799);
  assert.equal(await server.stop(), 0);
  assert.deepEqual((await readdir(join(data, "obs"))).map((name) => name.slice(0, 4)).sort(), ["base", "obs-"]);
  assert.equal((await mazaneh(["verify", "--data", data])).code, 0);
  const again = (await mazaneh(["compact", "--json", "--data", data])).json();
  assert.deepEqual([again["records"], again["freed"]], [500, 0]);
});
