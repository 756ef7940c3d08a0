// The same answers in every runtime, byte for byte; the same for the client; and the example for the edge.
import assert from "node:assert/strict";
import { test } from "node:test";
import { IS_NIGHTLY } from "../support/size.ts";
import { compareClients } from "./client.ts";
import { compareRuntimes } from "./compare.ts";
import { checkEdgeExample } from "./edge.ts";
import { fetchRuntime } from "./fetch_runtimes.mjs";

const names = ["bun", "deno", "workerd", ...(IS_NIGHTLY ? ["node22", "node24", "node26"] : [])];
const programs = new Map(names.map((name) => [name, fetchRuntime(name)]));
const missing = [...programs].flatMap(([name, program]) => (program === undefined ? [name] : []));

for (const name of missing) test(`NOT TESTED: ${name}`, { skip: "it cannot be fetched" });

test("every runtime answers as node:http does", async () => {
  assert.equal(await compareRuntimes(programs), true);
});

test("a client in every runtime gets what a client on Node gets", async () => {
  assert.equal(await compareClients(programs), true);
});

const miniflare = fetchRuntime("miniflare");
test("the example for the edge, in miniflare: the last units are granted once, however many callers want them", { skip: !miniflare && "it cannot be fetched" }, async () => {
  await checkEdgeExample(miniflare!);
});
