// Runs fixtures/deploy/mazaneh-backup with the real program. Checks which backups the script keeps and removes.
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { childProgram } from "../support/child_program.ts";
import { mazaneh, serving, temporaryDirectory } from "../support/cli.ts";
import { hasCommand } from "../support/has_command.ts";
import { startChild } from "../support/start_child.ts";

const skip = !hasCommand("flock") && "there is no flock (package util-linux)";
const OLD = ["2020-01-01T02-30-00Z", "2020-01-02T02-30-00Z", "2020-01-03T02-30-00Z"];
const NEW = /^20[2-9]\d-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

test("backup: the new backup is sound and is kept, and the oldest ones are removed", { skip }, async (t) => {
  const place = await newPlace(t, OLD);
  const { code, out } = await place.run({ MAZANEH_BACKUPS_KEPT: "2" });
  assert.equal(code, 0, out);
  const [oldest, newest, ...others] = place.backups();
  assert.deepEqual([oldest, others], [OLD[2], []]);
  assert.match(newest!, NEW);
  assert.equal((await mazaneh(["verify", "--data", join(place.folder, newest!)])).code, 0);
  assert.deepEqual(place.hidden(), [".lock"]);
});

test("backup: a running server continues, and all its records so far are in the backup", { skip }, async (t) => {
  const place = await newPlace(t, []);
  const server = await serving(t, ["--data", place.data]);
  assert.equal((await place.run()).code, 0);
  assert.equal((await server.get("/api/v1/status")).status, 200);
  const [name] = place.backups();
  const used = await mazaneh(["export", "--data", join(place.folder, name!)]);
  assert.match(used.err, /backup/, "a backup cannot be used as a data directory");
  const restored = join(place.data, "../restored");
  assert.equal((await mazaneh(["restore", join(place.folder, name!), restored])).code, 0);
  assert.match((await mazaneh(["export", "--data", restored])).out, /1905000/);
});

test("backup: a backup of damaged data has exit code 2 and replaces only earlier backups of damaged data; it never takes the place of a complete backup, even after the repair", {
  skip,
}, async (t) => {
  const place = await newPlace(t, OLD);
  const log = join(place.data, "obs/obs-00000001.ndjson");
  writeFileSync(log, readFileSync(log, "utf8").replace("1905000", "1905001"));
  for (let night = 1; night <= 3; night++) {
    await delay(1_000 - (Date.now() % 1_000)); // The name of a backup is its time in seconds.
    const { code, out } = await place.run({ MAZANEH_BACKUPS_KEPT: "1" });
    assert.equal(code, 2, out);
    assert.match(out, /the data are damaged.*run mazaneh repair/);
    assert.deepEqual(place.backups().slice(0, -1), OLD);
  }
  const [damaged] = place.backups().slice(-1);
  assert.equal((await mazaneh(["repair", "--yes", "--data", place.data])).code, 0);
  await delay(1_000 - (Date.now() % 1_000));
  const { code, out } = await place.run({ MAZANEH_BACKUPS_KEPT: "3" });
  assert.equal(code, 0, out);
  assert.deepEqual(place.backups().slice(0, -1), [...OLD.slice(1), damaged]);
});

test("backup: other directories, and backups of another store, are left alone", { skip }, async (t) => {
  const place = await newPlace(t, OLD);
  mkdirSync(join(place.folder, "2020-01-04T02-30-00Z")); // This directory has no BACKUP.json.
  cpSync(join(place.folder, OLD[0]!), join(place.folder, "kept-by-hand"), { recursive: true });
  rmSync(place.data, { recursive: true });
  await makeStore(place.data);
  assert.equal((await place.run({ MAZANEH_BACKUPS_KEPT: "1" })).code, 0);
  assert.deepEqual(
    place.backups().filter((name) => !NEW.test(name) || OLD.includes(name)),
    [...OLD, "kept-by-hand"],
  );
  assert.equal(existsSync(join(place.folder, "2020-01-04T02-30-00Z")), true);
});

test("backup: the next run removes the remains of an interrupted run", { skip }, async (t) => {
  const place = await newPlace(t, OLD);
  for (const name of [`.removed-${OLD[0]}`, "2020-01-05T02-30-00Z.0123456789abcdef.tmp"])
    cpSync(join(place.folder, OLD[0]!), join(place.folder, name), { recursive: true });
  assert.equal((await place.run()).code, 0);
  assert.deepEqual(place.hidden(), [".lock"]);
  assert.deepEqual(place.backups().slice(0, -1), OLD);
});

test("backup: with wrong settings (exit code 64), without room on the disk (70) or during another run (75), no backup is made or removed", {
  skip,
}, async (t) => {
  const place = await newPlace(t, OLD);
  const fails = async (wanted: number, environment: Readonly<Record<string, string>>): Promise<void> => {
    const { code, out } = await place.run(environment);
    assert.equal(code, wanted, out);
    assert.deepEqual(place.backups(), OLD);
  };
  await fails(64, { MAZANEH_BACKUPS_KEPT: "a few" });
  await fails(64, { MAZANEH_BACKUPS: "/nowhere/at/all" });
  const lock = [join(place.folder, ".lock"), "sh", "-c", "echo locked; read wait"];
  const locker = startChild("flock", lock, { hasInput: true });
  t.after(() => locker.end());
  await locker.printed(/locked/);
  await fails(75, { MAZANEH_BACKUPS_KEPT: "1" });
  await locker.end();
  const disk = "#!/bin/sh\necho Filesystem 1024-blocks Used Available\necho /dev/x 1000 995 5\n";
  writeFileSync(join(place.bin, "df"), disk, { mode: 0o755 });
  await fails(70, { MAZANEH_BACKUPS_KEPT: "1" });
});

/** Makes a store, and a directory with backups of the store under these names. */
async function newPlace(t: TestContext, names: readonly string[]) {
  const root = await temporaryDirectory(t);
  const [data, folder, bin] = ["data", "backups", "bin"].map((name) => join(root, name)) as [string, string, string];
  for (const path of [folder, bin]) mkdirSync(path);
  writeFileSync(
    join(bin, "mazaneh"),
    `#!/bin/sh\nexec "${process.execPath}" "${childProgram("adapters/cli/main.ts")}" "$@"\n`,
    { mode: 0o755 },
  );
  await makeStore(data);
  if (names.length > 0) assert.equal((await mazaneh(["backup", join(folder, names[0]!), "--data", data])).code, 0);
  for (const name of names.slice(1)) cpSync(join(folder, names[0]!), join(folder, name), { recursive: true });
  const list = (): string[] => readdirSync(folder).sort();
  return {
    /** `bin` is the first directory in `PATH`. */
    ...{ data, folder, bin },
    async run(environment: Readonly<Record<string, string>> = {}) {
      const env = {
        PATH: `${bin}:${process.env["PATH"]}`,
        MAZANEH_DATA: data,
        MAZANEH_BACKUPS: folder,
        ...environment,
      };
      const child = startChild(resolve("fixtures/deploy/mazaneh-backup"), [], { env });
      const code = await child.ended;
      return { code, out: child.out() + child.err() };
    },
    /** The sorted names in the directory of backups, without hidden names. */
    backups: () => list().filter((name) => !name.startsWith(".")),
    hidden: () => list().filter((name) => name.startsWith(".")),
  };
}

async function makeStore(data: string): Promise<void> {
  const input = "code,value,businessTime\nUSD_RLS,1905000,2026-08-21T16:30:00Z\nUSD_RLS,1906000,2026-08-22T16:30:00Z\n";
  const { code, err } = await mazaneh(["import", "-", "--init", "--data", data], { input });
  assert.equal(code, 0, err);
}
