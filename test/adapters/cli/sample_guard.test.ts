import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { continueSample } from "../../../adapters/cli/sample.ts";
import { openJsonFiles } from "../../../adapters/json_files/mod.ts";
import { systemClock } from "../../../adapters/system.ts";
import { createIngest } from "../../../core/mod.ts";
import { mazaneh, serving, temporaryDirectory } from "../../support/cli.ts";
import { program } from "../../support/cli_program.ts";

const OWN = "code,value,businessTime\nUSD_RLS,1905000,2026-08-21T16:30:00Z\nEUR_RLS,2200000,2026-08-21T16:31:00Z\n";
const REFUSAL = /^mazaneh: ".*" holds made-up sample prices \(provider SAMPLE\), which would be served beside yours\. .*--data DIR, .*--drop-sample\n$/;

async function sample(t: TestContext): Promise<string> {
  const data = join(await temporaryDirectory(t), "data");
  const store = await openJsonFiles(data, { clock: systemClock });
  await continueSample(store.observations, systemClock(), () => undefined);
  // An embedder's ingest is not refused: at a business time of the sample, it takes that record's place.
  await createIngest({ clock: systemClock, observations: store.observations })([
    { code: "USD_RLS", value: 1_800_000, businessTime: "2026-08-01T16:30:00Z", provider: "embedder" },
  ]);
  await store.close();
  return data;
}

async function exported(data: string): Promise<string[]> {
  return (await program(["export", "--all-statuses", "--data", data])).out.split("\n").slice(1, -1);
}

test("import: into a store with sample records is refused, says what to do, and changes nothing: 64", async (t) => {
  const data = await sample(t);
  const before = await exported(data);
  const { code, out, err } = await mazaneh(["import", "--data", data, "-"], { input: OWN });
  assert.deepEqual([code, out], [64, ""]);
  assert.match(err, REFUSAL);
  assert.deepEqual(await exported(data), before);
});

test("import --drop-sample: takes the sample out and nothing else, then imports; keys stay; later imports need no option", async (t) => {
  const data = await sample(t);
  const { key } = (await mazaneh(["keys", "create", "me", "--json", "--data", data])).json();
  const { code, err } = await mazaneh(["import", "--drop-sample", "--data", data, "-"], { input: OWN });
  assert.equal(code, 0, err);
  assert.match(err, /^Took 14\d,\d{3} made-up records out of ".*"\.$/m);
  const wanted = [
    "USD_RLS,1800000,2026-08-01T16:30:00.000Z,,embedder,ACCEPTED,",
    "USD_RLS,1905000,2026-08-21T16:30:00.000Z,,,ACCEPTED,",
    "EUR_RLS,2200000,2026-08-21T16:31:00.000Z,,,ACCEPTED,",
  ];
  assert.deepEqual(await exported(data), wanted);
  assert.equal((await mazaneh(["import", "--data", data, "-"], { input: OWN })).code, 0);
  const again = await program(["import", "--drop-sample", "--data", data]);
  assert.deepEqual([again.code, again.err], [0, `There are no made-up records in "${data}".\n`]);
  assert.equal((await program(["verify", "--data", data])).code, 0);

  const server = await serving(t, ["--sample", "--data", data]);
  assert.deepEqual([server.state["sample"], server.state["sampleRecords"], server.state["warnings"]], ["none", 0, []]);
  assert.equal((await server.get("/api/v1/assets/USD_RLS", String(key))).json["value"], 1_905_000);
  assert.equal((await server.get("/api/v1/assets/BTC_USD", String(key))).status, 404);
});

test("import: beside a running server, the sample is refused and taken out as well, and the server answers without it at once", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  const server = await serving(t, ["--sample", "--data", data]);
  const key = String((await mazaneh(["keys", "create", "me", "--json", "--data", data])).json()["key"]);
  const demoKey = String(server.state["demoKey"]?.["key"]);
  assert.equal((await server.get("/api/v1/assets/USD_RLS", demoKey)).status, 200);
  const refused = await mazaneh(["import", "--data", data, "-"], { input: OWN });
  assert.equal(refused.code, 64);
  assert.match(refused.err, REFUSAL);
  assert.notEqual((await server.get("/api/v1/assets/USD_RLS", key)).json["value"], 1_905_000);
  const { code, err } = await mazaneh(["import", "--drop-sample", "--data", data, "-"], { input: OWN });
  assert.equal(code, 0, err);
  assert.equal((await server.get("/api/v1/assets/USD_RLS", key)).json["value"], 1_905_000);
  assert.equal((await server.get("/api/v1/assets/BTC_USD", key)).status, 404);
  const page = await (await fetch(`${server.url}/docs`)).text();
  assert.match(page, /"isSample":false/);
  assert.ok(!page.includes("mz_live_"));
  assert.equal((await server.get("/api/v1/assets/USD_RLS", demoKey)).status, 401, "the key that the page gave to everybody reads none of these prices");
  assert.equal(await server.stop(), 0);
  assert.equal((await exported(data)).length, 2);
});

test("import --drop-sample without a file: only takes the sample out; --json stays one document", async (t) => {
  const data = await sample(t);
  const { code, out, err } = await mazaneh(["import", "--drop-sample", "--json", "--data", data]);
  assert.equal(code, 0, err);
  assert.deepEqual((JSON.parse(out) as { accepted: number }).accepted, 0);
  assert.equal((await exported(data)).length, 1);
});
