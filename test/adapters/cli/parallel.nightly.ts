// Commands of the real program at once on one data directory, without a server.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { open, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { readAccountBook, readJsonFiles } from "../../../adapters/json_files/mod.ts";
import { childProgram } from "../../support/child_program.ts";
import { makeStore, temporaryDirectory } from "../../support/cli.ts";
import { program } from "../../support/cli_program.ts";
import type { Json } from "../../support/world.ts";

const PROGRAM = childProgram("adapters/cli/main.ts");

interface Done {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly done: Promise<Done>;
}

/** Starts the program as one file, which takes a quarter of the time of its sources. */
function start(t: TestContext, ...args: readonly string[]): Started {
  return startUnder(t, "true", ...args);
}

/** The same under limits that `ulimit` sets first. */
function startUnder(t: TestContext, limits: string, ...args: readonly string[]): Started {
  // Without coverage, for which the one file is of no use: it could not be written under the limits, and Node would say so.
  const env = { ...process.env, NODE_V8_COVERAGE: "" };
  const child = spawn("bash", ["-c", `${limits}; exec "$@"`, "bash", process.execPath, PROGRAM, ...args], { env });
  t.after(() => child.kill("SIGKILL"));
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const done = once(child, "close").then(([code]) => ({ code: code as number | null, out, err }));
  return { child, done };
}

/** A file of records of one asset, a minute apart. */
async function fileOf(directory: string, code: string, records: number): Promise<string> {
  const path = join(directory, `${code}.csv`);
  const rows = Array.from({ length: records }, (_, at) => `${code},${at + 1},${new Date(at * 60_000).toISOString()}\n`);
  await writeFile(path, `code,value,businessTime\n${rows.join("")}`);
  return path;
}

/** The last 64 KiB of a file: the lines of whoever has written last. Nothing where there is no file. */
async function endOf(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined);
  if (!file) return "";
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(65_536), position: Math.max(0, size - 65_536) });
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function countOf(data: string, code: string): Promise<number> {
  const { observations } = await readJsonFiles(data);
  let count = 0;
  for (const observation of observations.records()) if (observation.code === code) count++;
  return count;
}

test("20 keys create at once: each takes its turn, and all 20 keys are in the book", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  const started = Array.from({ length: 20 }, (_, at) => start(t, "keys", "create", `a${at % 7}`, "--init", "--json", "--data", data));
  const runs = await Promise.all(started.map(({ done }) => done));
  const failed = runs.filter(({ code }) => code !== 0);
  assert.deepEqual(failed, []);
  const ids = runs.map(({ out }) => String((JSON.parse(out) as Json)["id"]));
  const book = await readAccountBook(data);
  assert.deepEqual(book.keys.map(({ id }) => String(id)).sort(), ids.sort());
  assert.equal(book.accounts.length, 7);
  assert.deepEqual((await readdir(data)).filter((name) => name.startsWith("s.")), []);
});

test("two imports at once, and the owning one is killed: the other takes over, and takes all its records", async (t) => {
  const directory = await temporaryDirectory(t);
  const data = join(directory, "data");
  const one = start(t, "import", "--init", await fileOf(directory, "USD_RLS", 200_000), "--data", data);
  while ((await readdir(data).catch(() => [])).every((name) => !name.startsWith("lock."))) await delay(5);
  const other = start(t, "import", "--json", await fileOf(directory, "BTC_USD", 60_000), "--data", data);
  // Killed once records of the other have gone through it.
  const log = join(data, "obs/obs-00000001.ndjson");
  while (!(await endOf(log)).includes("BTC_USD")) await delay(10);
  one.child.kill("SIGKILL");
  assert.equal((await one.done).code, null);
  const { code, out, err } = await other.done;
  assert.equal(code, 0, err);
  const { accepted, replaced, unchanged, refused } = JSON.parse(out) as Record<string, number>;
  // A batch whose answer was lost was sent again: its records, if they were stored, count as replaced then.
  assert.deepEqual([accepted! + replaced! + unchanged!, refused], [60_000, 0]);
  assert.equal(await countOf(data, "BTC_USD"), 60_000);
  assert.equal((await program(["verify", "--data", data])).code <= 1, true);
});

test("an import that the store stops says how much was taken, as text and as JSON; what it says is stored: 70", async (t) => {
  const directory = await temporaryDirectory(t);
  const [usd, btc] = [await fileOf(directory, "USD_RLS", 20_000), await fileOf(directory, "BTC_USD", 10)];
  for (const json of [[], ["--json"]]) {
    const data = await makeStore(join(directory, `data${json.length}`));
    // No file may grow beyond 400 KB, as on a disk that is full then.
    const { code, out, err } = await startUnder(t, "ulimit -f 400", "import", ...json, usd, btc, "--data", data).done;
    assert.equal(code, 70, err);
    const stored = await countOf(data, "USD_RLS");
    assert.ok(stored > 0 && stored < 20_000, `${stored}`);
    if (json.length > 0) {
      const { accepted, files } = JSON.parse(out) as { accepted: number; files: readonly { accepted: number; failure: string }[] };
      assert.deepEqual([accepted, files.length, files[0]?.accepted, files[0]?.failure], [stored, 1, stored, "the store did not accept the other records"]);
      assert.match(err, /^mazaneh: [^\n]+\n$/);
    } else {
      assert.match(out, new RegExp(`USD_RLS\\.csv +${stored.toLocaleString("en-US")} +0 +0 +0  not read to its end\\nThis is import 1\\. To take it back: mazaneh imports undo 1 --data \\S+\\n$`));
      assert.match(err, /USD_RLS\.csv: not read to its end: the store did not accept the other records\nmazaneh: [^\n]+\n$/);
    }
    assert.equal(await countOf(data, "BTC_USD"), 0, "the next file is not begun");
  }
});

test("a command that may open no more files says so, and says nothing of another process: 70", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  assert.equal((await program(["keys", "create", "alice", "--init", "--data", data])).code, 0);
  const server = start(t, "serve", "--port", "0", "--json", "--data", data);
  await once(server.child.stdout, "data");
  let failed = 0;
  for (let limit = 16; limit <= 30; limit++) {
    const { code, err } = await startUnder(t, `ulimit -n ${limit}`, "keys", "create", "bob", "--data", data).done;
    assert.doesNotMatch(err, /has gone|is held by|another process/, `${limit} files: ${err}`);
    if (code === 0) break;
    if (/^mazaneh: /.test(err)) {
      failed++;
      assert.equal(code, 70);
      assert.match(err, /^mazaneh: This process may open no more files \(EMFILE[^\n]*\n$/, `${limit} files: ${err}`);
    }
  }
  t.diagnostic(`${failed} limits were too low for the command, but not for Node`);
  server.child.kill("SIGTERM");
  assert.equal((await server.done).code, 0);
});
