// An import with the real program under a limit of the file size, which acts like a full disk.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { readJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import { childProgram } from "../support/child_program.ts";
import { makeStore, temporaryDirectory } from "../support/cli.ts";
import { ownEnvironment } from "../support/start_child.ts";

test("if the store fails during an import, the import ends with exit code 70, reports the stored records correctly, and reads no further file", async (t) => {
  const directory = await temporaryDirectory(t);
  const files = ["USD_RLS", "BTC_USD"].map((code) => join(directory, `${code}.csv`));
  for (const [at, code] of ["USD_RLS", "BTC_USD"].entries()) {
    const rows = Array.from(
      { length: 40_000 },
      (_, row) => `${code},${row + 1},${new Date(row * 60_000).toISOString()}\n`,
    );
    await writeFile(files[at]!, `code,value,businessTime\n${rows.join("")}`);
  }
  const data = await makeStore(join(directory, "data"));
  const main = childProgram("adapters/cli/main.ts");
  const args = ["import", "--yes", "--doubtful", "accept", "--json", ...files, "--data", data];
  // No file may grow beyond 400 KB.
  const line = ["-c", 'ulimit -f 400; exec "$@"', "bash", process.execPath, main, ...args];
  // Under the limit, Node could not write coverage, and would report that as an error.
  const env = { ...ownEnvironment(), NODE_V8_COVERAGE: "" };
  const { status, stdout, stderr } = spawnSync("bash", line, { env, encoding: "utf8" });
  assert.equal(status, 70, stderr);
  assert.match(stderr, /^mazaneh: [^\n]+\n$/);
  const stored = [...(await readJsonFiles(data)).observations.records()];
  assert.ok(stored.length > 0 && stored.length < 40_000, `${stored.length}`);
  assert.ok(
    stored.every(({ code }) => code === "USD_RLS"),
    "the next file is not imported",
  );
  const report = JSON.parse(stdout) as { accepted: number; files: readonly { accepted: number; failure: string }[] };
  assert.deepEqual([report.accepted, report.files.map(({ accepted }) => accepted)], [stored.length, [stored.length]]);
  assert.match(report.files[0]!.failure, /the store did not accept/);
});
