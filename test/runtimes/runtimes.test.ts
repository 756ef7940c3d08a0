// Compares servers and clients in every runtime, byte for byte, and tests the edge example.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { programOf, sourceOf } from "../readme/pages.ts";
import { IS_NIGHTLY } from "../support/suite_size.ts";
import { clientOutcomes, clientOutcomesIn } from "./client.ts";
import { compareRuntimes } from "./compare.ts";
import { checkEdgeExample } from "./edge.ts";
import { fetchRuntime } from "./fetch_runtimes.mjs";
import { startWorker } from "./workerd.ts";

const programs = new Map<string, string>();
for (const name of ["bun", "deno", "workerd", ...(IS_NIGHTLY ? ["node22", "node24", "node26"] : [])]) {
  const program = fetchRuntime(name);
  if (program === undefined) test(`NOT TESTED: ${name}`, { skip: "it cannot be fetched" });
  else programs.set(name, program);
}

test(`every runtime gives the same answers as node:http: ${[...programs.keys()].join(", ")}`, async () => {
  assert.deepEqual(await compareRuntimes(programs), []);
});

for (const [name, program] of programs) {
  test(`a client in ${name} gets the same results as on Node`, async () => {
    assert.deepEqual(await clientOutcomesIn(name, program), await clientOutcomes());
  });
}

const workerd = programs.get("workerd");
test("the README's fetch handler runs in workerd unchanged", {
  skip: !workerd && "it cannot be fetched",
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "mazaneh-readme-"));
  t.after(() => rm(folder, { recursive: true }));
  const program = programOf("README.md", { language: "ts", file: "worker.ts" });
  const file = join(folder, "worker.ts");
  await writeFile(
    file,
    program.replace(/from "(mazaneh[^"]*)"/g, (_, name: string) => `from "${sourceOf(name)}"`),
  );
  const { origin, close } = await startWorker("workerd", workerd!, { worker: pathToFileURL(file).href });
  t.after(close);
  assert.equal((await fetch(`${origin}/api/v1/status`)).status, 200);
  assert.equal((await fetch(`${origin}/api/v1/assets`)).status, 401);
});

const miniflare = fetchRuntime("miniflare");
test("the edge example in miniflare grants the last units once, however many callers want them", {
  skip: !miniflare && "it cannot be fetched",
}, async () => {
  await checkEdgeExample(miniflare!);
});
