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

test("without --init, commands that write refuse a missing or empty directory with exit code 64: they print its path and create nothing", async (t) => {
  const directory = await temporaryDirectory(t);
  const data = join(directory, "date");
  for (const expected of [[], ["date"]]) {
    for (const command of [...MAKERS, ...WRITERS]) {
      const run = await program([...command, "--data", relative(process.cwd(), data)], { input: [RECORD] });
      assert.deepEqual([run.code, run.out], [64, ""], command.join(" "));
      assert.ok(run.err.includes(data) && run.err.includes("--init") === MAKERS.includes(command), run.err);
    }
    assert.deepEqual(await readdir(directory, { recursive: true }), expected);
    await mkdir(data, { recursive: true });
  }
});

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

test("a store without its manifest is not treated as a new store, even with --init: exit code 65", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  assert.equal((await program(["keys", "create", "me", "--init", "--data", data])).code, 0);
  await rm(join(data, "MANIFEST.json"));
  const { code, err } = await program(["keys", "create", "me", "--init", "--data", data]);
  assert.equal(code, 65, err);
  assert.match(err, /^mazaneh: .*MANIFEST\.json" is missing, but the directory has data of a store/);
  assert.equal(existsSync(join(data, "MANIFEST.json")), false);
});

test("serve and keys create refuse a store without `obs/` with exit code 65 and advice, and do not create an empty `obs/`", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  assert.equal((await program(["import", "-", "--init", "--data", data], { input: [RECORD] })).code, 0);
  await rm(join(data, "obs"), { recursive: true });
  for (const command of [
    ["serve", "--init", "--port", "0"],
    ["keys", "create", "me", "--init"],
  ]) {
    const { code, out, err } = await mazaneh([...command, "--data", data]);
    assert.deepEqual([code, out], [65, ""]);
    assert.match(err, /obs" is missing.* repair command/);
  }
  assert.equal(existsSync(join(data, "obs")), false);
});
