// Imports with the real program under a limit of the file size, which acts like a full disk.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { readJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import { childProgram } from "../support/child_program.ts";
import { makeStore, temporaryDirectory } from "../support/cli.ts";
import { ownEnvironment } from "../support/start_child.ts";

const PROGRAM = childProgram("adapters/cli/main.ts");

/** Runs `mazaneh import` after a `ulimit` command. */
function importUnder(
  limits: string,
  ...args: readonly string[]
): { readonly code: number | null; readonly out: string; readonly err: string } {
  // Under the limits, Node could not write coverage, and would report that as an error.
  const env = { ...ownEnvironment(), NODE_V8_COVERAGE: "" };
  const line = [process.execPath, PROGRAM, "import", "--yes", "--doubtful", "accept", ...args];
  const { status, stdout, stderr } = spawnSync("bash", ["-c", `${limits}; exec "$@"`, "bash", ...line], {
    env,
    encoding: "utf8",
  });
  return { code: status, out: stdout, err: stderr };
}

/** A file with records of one asset, a minute apart. */
async function fileOf(directory: string, code: string, records: number): Promise<string> {
  const path = join(directory, `${code}.csv`);
  const rows = Array.from({ length: records }, (_, at) => `${code},${at + 1},${new Date(at * 60_000).toISOString()}\n`);
  await writeFile(path, `code,value,businessTime\n${rows.join("")}`);
  return path;
}

async function countOf(data: string, code: string): Promise<number> {
  const { observations } = await readJsonFiles(data);
  let count = 0;
  for (const observation of observations.records()) if (observation.code === code) count++;
  return count;
}

test("an import that the store stops ends with 70, and reports the stored records correctly as text and JSON", async (t) => {
  const directory = await temporaryDirectory(t);
  const [usd, btc] = [await fileOf(directory, "USD_RLS", 20_000), await fileOf(directory, "BTC_USD", 10)];
  for (const json of [[], ["--json"]]) {
    const data = await makeStore(join(directory, `data${json.length}`));
    // No file may grow beyond 400 KB.
    const { code, out, err } = importUnder("ulimit -f 400", ...json, usd, btc, "--data", data);
    assert.equal(code, 70, err);
    const stored = await countOf(data, "USD_RLS");
    assert.ok(stored > 0 && stored < 20_000, `${stored}`);
    if (json.length > 0) {
      const { accepted, files } = JSON.parse(out) as {
        accepted: number;
        files: readonly { accepted: number; failure: string }[];
      };
      assert.deepEqual(
        [accepted, files.length, files[0]?.accepted, files[0]?.failure],
        [stored, 1, stored, "the store did not accept the other records"],
      );
      assert.match(err, /^mazaneh: [^\n]+\n$/);
    } else {
      assert.match(
        out,
        new RegExp(
          `USD_RLS\\.csv +${stored.toLocaleString("en-US")} +0 +0 +0  not read to its end\\nThis is import 1\\. To undo it: mazaneh imports undo 1 --data \\S+\\n$`,
        ),
      );
      assert.match(
        err,
        /USD_RLS\.csv: not read to its end: the store did not accept the other records\nmazaneh: [^\n]+\n$/,
      );
    }
    assert.equal(await countOf(data, "BTC_USD"), 0, "the next file is not imported");
  }
});
