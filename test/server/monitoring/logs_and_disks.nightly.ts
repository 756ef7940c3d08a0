// Runs servers as separate processes, with logs or disks that are full, frozen or gone.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import type { Json } from "../../support/api_under_test.ts";
import { servingChild, temporaryDirectory } from "../../support/cli.ts";
import { program } from "../../support/cli_program.ts";
import { until } from "../../support/wait_until.ts";
import { readyzOf } from "../../support/watched_server.ts";
import { fillStore, mountable, mountedFolder, run } from "./mounts.ts";

const STATUS = "/api/v1/status";
const ASSET = "/api/v1/assets/USD_RLS";
const noTmpfs = await mountable("tmpfs");

/** Starts a server with an admin listener in a separate process. */
async function start(t: TestContext, data: string, args: readonly string[] = []) {
  const server = await servingChild(t, ["--data", data, "--admin-port", "0", ...args]);
  const adminUrl = String(server.state["adminUrl"]);
  return {
    ...server,
    /** Waits until the reasons have exactly these codes. */
    async untilReasons(...codes: string[]): Promise<number> {
      let answer = await readyzOf(adminUrl);
      await until(`the reasons ${codes.join()}`, async () => {
        answer = await readyzOf(adminUrl);
        const now = answer.reasons.map(({ code }) => code);
        return now.length === codes.length && codes.every((code) => now.includes(code));
      });
      return answer.status;
    },
    status: async (path: string, key?: string): Promise<number> => (await server.get(path, key)).status,
    log: (): readonly Json[] =>
      server
        .errors()
        .split("\n")
        .filter((text) => text.startsWith("{"))
        .map((text) => JSON.parse(text) as Json),
  };
}

async function linesLost(data: string): Promise<number> {
  return Number((JSON.parse(await run(["status", "--json", "--data", data])) as Json)["linesLost"]);
}

/** Makes a disk of 8 MB, with functions that fill it and free it. */
function smallDisk(t: TestContext) {
  const mount = mountedFolder(t, (folder) => {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", folder], { stdio: "pipe" });
  });
  const filler = join(mount, "filler");
  return {
    data: join(mount, "data"),
    fill: () => writeFile(filler, Buffer.alloc(16 << 20)).catch(() => undefined),
    free: () => rm(filler),
  };
}

async function prepared(data: string): Promise<string> {
  const key = await fillStore(data);
  // On a small plan, the store writes a line to the disk for each unit.
  await run(["plans", "set", "SMALL", "--daily-units", "399", "--attribution", "no", "--data", data]);
  await run(["accounts", "set", "alice", "--plan", "SMALL", "--data", data]);
  return key;
}

describe("logs of a program", () => {
  test("access log: the server continues when the log's reader exits, and stops cleanly even if nothing reads the log", async (t) => {
    const data = join(await temporaryDirectory(t), "data");
    const server = await start(t, data, ["--access-log"]);
    server.child.stdout.destroy();
    await until("lost lines", async () => (await server.status(STATUS)) === 200 && (await linesLost(data)) > 0);
    server.child.stderr.destroy();
    assert.equal(await server.stop(), 0);
  });

  test("mazaneh status: a server that hangs is not ready", async (t) => {
    const data = join(await temporaryDirectory(t), "data");
    const server = await start(t, data);
    server.child.kill("SIGSTOP");
    const { code, err } = await program(["status", "--json", "--data", data]);
    server.child.kill("SIGCONT");
    assert.deepEqual([code, err], [75, "mazaneh: The server has not answered for 5 seconds\n"]);
    assert.equal(await server.stop(), 0);
  });
});

describe("a disk that is full", { skip: noTmpfs }, () => {
  test("a running server answers 503 and UNAVAILABLE, logs few lines under any load, and recovers when there is room", async (t) => {
    const { data, fill, free } = smallDisk(t);
    const server = await start(t, data);
    const key = await prepared(data);
    assert.equal(await server.status(ASSET, key), 200);
    await fill();
    assert.equal(await server.untilReasons("disk-full"), 503, "a full disk is noticed even if nothing is written");
    let refused = 0;
    await until("a hundred refusals", async () => {
      if ((await server.status(ASSET, key)) === 503) refused++;
      return refused > 100;
    });
    await server.untilReasons("disk-full", "writes-failing");
    const { status } = (await (await fetch(server.url + STATUS)).json()) as Json;
    assert.equal(status, "UNAVAILABLE");
    const events = server
      .log()
      .map(({ event }) => String(event))
      .filter((event) => event !== "changed"); // Leaves out the changes that `prepared` has made.
    assert.deepEqual(events.sort(), ["not-ready", "not-ready", "requests-unavailable", "started"]);
    await free();
    assert.equal(await server.untilReasons(), 200, "the server recovers without any request that writes");
    await until("a request that is served", async () => (await server.status(ASSET, key)) === 200);
    for (const name of await readdir(data)) assert.doesNotMatch(name, /\.tmp$/);
    assert.equal(await server.stop(), 0);
  });

  test("a server that starts on a full disk fails with an error that names the file, and starts when there is room", async (t) => {
    const { data, fill, free } = smallDisk(t);
    assert.equal(await (await start(t, data)).stop(), 0);
    await fill();
    const { code, err } = await program(["serve", "--port", "0", "--data", data]);
    assert.equal(code, 70, err);
    assert.match(err, /ENOSPC: no space left on device/);
    await free();
    const server = await start(t, data);
    assert.equal(await server.untilReasons(), 200);
    assert.equal(await server.stop(), 0);
  });
});
