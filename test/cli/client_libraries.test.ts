// Runs the program without client libraries for databases, which a store of files does not need.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { bundle } from "../faults/bundle.ts";

/** Runs `mazaneh migrate` in a folder that has no node_modules. */
async function migrateWith(
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; out: string; err: string }> {
  const main = await bundle("adapters/cli/main.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, "migrate"], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], ...env },
  });
  return { code: status, out: stdout, err: stderr };
}

test("client libraries: a missing library is named in one line: exit code 78", async () => {
  assert.deepEqual(await migrateWith({ MAZANEH_STORE: "postgres://h/d" }), {
    code: 78,
    out: "",
    err: "mazaneh: The client library for PostgreSQL is not installed: npm install pg, beside mazaneh (with -g if you installed mazaneh with -g)\n",
  });
});
