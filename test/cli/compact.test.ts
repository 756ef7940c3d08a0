import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { mazaneh, serving, temporaryDirectory } from "../support/cli.ts";

const HEADER = "code,value,businessTime,provider\n";

/** A CSV file with one value for each of `count` minutes. */
function prices(count: number, value: number): string {
  const rows = Array.from(
    { length: count },
    (_, i) => `USD_RLS,${value + i},${new Date(Date.UTC(2026, 7, 1) + i * 60_000).toISOString()},OURS`,
  );
  return `${HEADER}${rows.join("\n")}\n`;
}

test("compact: export writes the same bytes before and after, and the store is smaller", async (t) => {
  const directory = await temporaryDirectory(t);
  const [data, file] = [join(directory, "data"), join(directory, "prices.csv")];
  for (const value of [100, 200, 300]) {
    await writeFile(file, prices(500, value));
    assert.equal((await mazaneh(["import", "--init", "--yes", "--data", data, file])).code, 0);
  }
  const before = await mazaneh(["export", "--all-statuses", "--data", data]);
  const { code, out, err } = await mazaneh(["compact", "--data", data]);
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /^The log holds 500 records in [\d,]+ bytes; [\d,]+ bytes were freed\.\n$/);
  assert.equal((await mazaneh(["export", "--all-statuses", "--data", data])).out, before.out);
  assert.equal(before.out.split("\n").length, 500 + 2);
  const again = (await mazaneh(["compact", "--json", "--data", data])).json();
  assert.deepEqual([again["records"], again["freed"]], [500, 0]);
});

test("compact: a running server does it, and keeps answering", async (t) => {
  const directory = await temporaryDirectory(t);
  const [data, file] = [join(directory, "data"), join(directory, "prices.csv")];
  const server = await serving(t, ["--data", data]);
  for (const value of [100, 200, 300]) {
    await writeFile(file, prices(500, value));
    assert.equal((await mazaneh(["import", "--yes", "--data", data, file])).code, 0);
  }
  const key = String((await mazaneh(["keys", "create", "me", "--json", "--data", data])).json()["key"]);
  const ask = async (): Promise<unknown> => (await server.get("/api/v1/assets/USD_RLS", key)).json;
  const before = await ask();
  const result = (await mazaneh(["compact", "--json", "--data", data])).json();
  assert.equal(Number(result["records"]), 500);
  assert.deepEqual(await ask(), before);
  assert.equal(await server.stop(), 0);
  assert.deepEqual((await readdir(join(data, "obs"))).map((name) => name.slice(0, 4)).sort(), ["base", "obs-"]);
  assert.equal((await mazaneh(["verify", "--data", data])).code, 0);
});
