// The same answers in every runtime, byte for byte; the same for the client; and the example for the edge.
import assert from "node:assert/strict";
import { test } from "node:test";
import { IS_NIGHTLY } from "../support/suite_size.ts";
import { clientOutcomes, clientOutcomesIn } from "./client.ts";
import { compareRuntimes } from "./compare.ts";
import { checkEdgeExample } from "./edge.ts";
import { fetchRuntime } from "./fetch_runtimes.mjs";

const programs = new Map<string, string>();
for (const name of ["bun", "deno", "workerd", ...(IS_NIGHTLY ? ["node22", "node24", "node26"] : [])]) {
  const program = fetchRuntime(name);
  if (program === undefined) test(`NOT TESTED: ${name}`, { skip: "it cannot be fetched" });
  else programs.set(name, program);
}

test(`every runtime answers as node:http does: ${[...programs.keys()].join(", ")}`, async () => {
  assert.deepEqual(await compareRuntimes(programs), []);
});

for (const [name, program] of programs) {
  test(`a client in ${name} gets what a client on Node gets`, async () => {
    assert.deepEqual(await clientOutcomesIn(name, program), await clientOutcomes());
  });
}

const miniflare = fetchRuntime("miniflare");
test("the example for the edge, in miniflare: the last units are granted once, however many callers want them", {
  skip: !miniflare && "it cannot be fetched",
}, async () => {
  await checkEdgeExample(miniflare!);
});
