import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Json } from "../support/api_under_test.ts";
import { serving, temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

const CONFIG = {
  assets: { add: [{ code: "ZZZ_USD", category: "FX", nameEn: "Nobody's Krone", nameFa: "کرون هیچ‌کس" }] },
};
const env = { MAZANEH_APPLICATION: "Mine", MAZANEH_MAX_CANDLES: "77" };

test("openapi: the command writes the document that a server with the same settings serves", async (t) => {
  const folder = await temporaryDirectory(t);
  const config = join(folder, "config.json");
  await writeFile(config, JSON.stringify(CONFIG));
  const { code, out, err } = await program(["openapi", "--config", config], { env });
  assert.deepEqual([code, err], [0, ""]);
  const written = JSON.parse(out) as Json;
  assert.equal(written["info"]!["title"], "Mine");
  assert.match(out, /"ZZZ_USD"/);
  const server = await serving(t, ["--init", "--data", join(folder, "data"), "--config", config], env);
  const served = await fetch(`${server.url}/openapi.json`);
  assert.equal(served.status, 200);
  assert.deepEqual(await served.json(), written);
});

test("openapi --out: writes the file and says so, with --server in the document", async (t) => {
  const file = join(await temporaryDirectory(t), "openapi.json");
  const { code, out } = await program(["openapi", "--out", file, "--server", "https://prices.example/market/"]);
  assert.deepEqual([code, out], [0, `The document is in ${file}.\n`]);
  assert.deepEqual((JSON.parse(await readFile(file, "utf8")) as Json)["servers"], [
    { url: "https://prices.example/market" },
  ]);
  const again = await program(["openapi", "--out", file, "--json"]);
  assert.deepEqual(JSON.parse(again.out), { file, paths: 9 });
});
