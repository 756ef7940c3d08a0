// A misspelt directory never becomes a new store unless `--init` is given.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { test } from "node:test";
import { readJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import { mazaneh, temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

const RECORD = "code,value,businessTime\nUSD_RLS,1,2026-08-21T16:30:00Z\n";

/** Commands that make a store with `--init`. */
const MAKERS = [
  ["keys", "create", "me"],
  ["plans", "set", "PRO", "--daily-units", "5", "--attribution", "no"],
  ["import", "-"],
];
/** Commands that write to an existing store. */
const WRITERS = [
  ["keys", "revoke", "3kT9xQ2a"],
  ["keys", "roll", "3kT9xQ2a"],
  ["accounts", "set", "me", "--status", "ACTIVE"],
  ["backup", "copy"],
  ["repair"],
];

for (const [state, make] of [
  ["missing", false],
  ["empty", true],
] as const) {
  test(`without --init, each command that writes refuses a directory that is ${state}, names it, and creates nothing: 64`, async (t) => {
    const directory = await temporaryDirectory(t);
    const data = join(directory, "date");
    if (make) await mkdir(data);
    for (const command of [...MAKERS, ...WRITERS]) {
      const { code, out, err } = await program([...command, "--data", relative(process.cwd(), data)], {
        input: [RECORD],
      });
      assert.deepEqual([code, out], [64, ""], command.join(" "));
      const advice = MAKERS.includes(command)
        ? "check --data, or make a new store with --init"
        : "check --data, or mount it";
      assert.equal(err, `mazaneh: There is no store in "${data}"; ${advice}\n`);
    }
    assert.deepEqual(await readdir(directory), make ? ["date"] : []);
    if (make) assert.deepEqual(await readdir(data), []);
  });
}

test("with --init, a command that creates a store prints its absolute path; on an existing store, --init has no effect", async (t) => {
  const directory = await temporaryDirectory(t);
  for (const [at, command] of MAKERS.entries()) {
    const data = join(directory, `data${at}`);
    const run = () => program([...command, "--init", "--data", relative(process.cwd(), data)], { input: [RECORD] });
    const first = await run();
    assert.equal(first.err.split("\n")[0], `Making a new store in "${data}".`);
    const storeId = async (): Promise<string> => (await readJsonFiles(data)).storeId;
    const made = await storeId();
    const again = await run();
    assert.doesNotMatch(again.err, /new store/);
    assert.equal(await storeId(), made);
  }
});

test("a store without its manifest is not taken for a new one, even with --init: 65", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  assert.equal((await program(["keys", "create", "me", "--init", "--data", data])).code, 0);
  await rm(join(data, "MANIFEST.json"));
  const { code, err } = await program(["keys", "create", "me", "--init", "--data", data]);
  assert.equal(code, 65, err);
  assert.match(err, /^mazaneh: .*MANIFEST\.json" is missing, but the directory has data of a store/);
  assert.equal(existsSync(join(data, "MANIFEST.json")), false);
});

test("serve and keys create refuse a store without `obs/` with 65 and advice, and create no empty one", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  assert.equal((await program(["import", "-", "--init", "--data", data], { input: [RECORD] })).code, 0);
  await rm(join(data, "obs"), { recursive: true });
  for (const command of [
    ["serve", "--init", "--port", "0"],
    ["keys", "create", "me", "--init"],
  ]) {
    const { code, out, err } = await mazaneh([...command, "--data", data]);
    assert.deepEqual([code, out], [65, ""]);
    assert.match(
      err,
      /^mazaneh: Cannot open the store because ".*\/obs" is missing\. Nothing was changed\. Put the directory back or restore a backup; the repair command .*\n$/,
    );
  }
  assert.equal(existsSync(join(data, "obs")), false);
});
