import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { formatEntry } from "../../../adapters/operations/log_entry.ts";
import { mountable } from "../../faults/mounts.ts";
import { childProgram } from "../../support/child_program.ts";
import { mazaneh, temporaryDirectory } from "../../support/cli.ts";
import { until } from "../../support/node_stub.ts";
import { watched } from "../../support/watched.ts";
import type { ReadyAnswer, Watched } from "../../support/watched.ts";

const STATUS = "/api/v1/status";
const noTmpfs = await mountable("tmpfs");
const noScript = spawnSync("script", ["--version"]).error === undefined ? false : "SKIPPED: a terminal takes the program script";
const program = childProgram("adapters/cli/main.ts");

/** Sends requests until the readiness has this reason, for at most so long. */
async function askUntil(server: Pick<Watched, "url" | "readyz">, code: string | undefined, forMs: number): Promise<ReadyAnswer> {
  for (const end = performance.now() + forMs; ; ) {
    for (const one of await Promise.all(Array.from({ length: 50 }, () => fetch(server.url + STATUS)))) {
      assert.equal(one.status, 200);
      await one.arrayBuffer();
    }
    const answer = await server.readyz();
    if (answer.reasons[0]?.code === code || performance.now() > end) return answer;
  }
}

/** Starts a server whose standard streams are these; resolves when its port answers. */
async function started(t: TestContext, stdio: ("ignore" | "pipe" | number)[], args: readonly string[]): Promise<Pick<Watched, "url" | "readyz"> & { child: ChildProcess }> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const data = join(await temporaryDirectory(t), "data");
  const child = spawn(process.execPath, [program, "serve", "--init", "--data", data, "--port", String(port), "--admin-port", String(adminPort), ...args], { stdio });
  t.after(() => child.kill("SIGKILL"));
  const readyz = (): Promise<ReadyAnswer> => readyzOf(adminPort);
  for (let tries = 0; ; tries++) {
    try {
      await readyz();
      return { child, url: `http://127.0.0.1:${port}`, readyz };
    } catch (error) {
      if (tries > 100) throw error;
      await delay(100);
    }
  }
}

async function readyzOf(adminPort: number): Promise<ReadyAnswer> {
  const answer = await fetch(`http://127.0.0.1:${adminPort}/readyz`);
  return { status: answer.status, reasons: ((await answer.json()) as ReadyAnswer).reasons };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}

function linesOf(text: string): readonly Readonly<Record<string, unknown>>[] {
  return text.trim().split("\n").map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("logs of a real server", { concurrency: 4 }, () => {
  test("access log: a line for each answer, with who asked for what and how it went, and none of the client's own words", async (t) => {
    const data = join(await temporaryDirectory(t), "data");
    const server = await watched(t, ["--data", data, "--access-log"]);
    let out = "";
    server.child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    const { key } = (await mazaneh(["keys", "create", "alice", "--json", "--data", data])).json();
    const trace = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" };
    const headers = { "X-API-Key": String(key), "User-Agent": "canary-agent", ...trace };
    const missing = await fetch(`${server.url}/api/v1/assets/USD_RLS?secret=canary-query`, { headers });
    const unknown = await fetch(`${server.url}/canary-path?${String(key)}`, { method: "DELETE", headers: { Cookie: "canary-cookie" } });
    const wrong = await fetch(`${server.url}/api/v1/assets`, { headers: { Authorization: `ApiKey ${String(key).slice(0, -1)}${String(key).endsWith("x") ? "y" : "x"}` } });
    const head = await fetch(server.url + STATUS, { method: "HEAD" });
    const all = [missing, unknown, wrong, head];
    assert.deepEqual(all.map(({ status }) => status), [404, 404, 401, 200]);
    const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
    const status = await mazaneh(["status", "--json", "--data", data]);
    assert.equal(await server.stop(), 0);
    const lines = linesOf(out);
    assert.deepEqual(lines.map(({ requestId }) => requestId), all.map((one) => one.headers.get("X-Request-Id")));
    const [first, second, third, fourth] = lines;
    assert.deepEqual(Object.keys(first!), ["time", "requestId", "method", "route", "status", "code", "bytes", "ms", "accountId", "keyId", "address", "traceId"]);
    assert.deepEqual([first!["route"], first!["accountId"], first!["code"]], ["/api/v1/assets/{assetName}", "alice", "ASSET_NOT_FOUND"]);
    assert.deepEqual([first!["traceId"], first!["address"], first!["bytes"]], ["4bf92f3577b34da6a3ce929d0e0e4736", "127.0.0.1", Number(missing.headers.get("Content-Length"))]);
    assert.deepEqual([second!["method"], second!["route"], "accountId" in second!], ["_OTHER", "unmatched", false]);
    assert.deepEqual([third!["status"], "accountId" in third!], [401, false]);
    assert.deepEqual([fourth!["method"], fourth!["bytes"]], ["HEAD", 0]);
    for (const text of [out, server.errors(), metrics, status.out]) assert.ok(!/canary/.test(text) && !text.includes(String(key)), text);
  });

  test("log: what looks like a key is masked, and nothing ends a line or moves the cursor", () => {
    const key = "mz_live_3kT9xQ2a_V1StGXR8Z5jdHi6BmyTz0123456789abcdefghi";
    for (const format of ["json", "text"] as const) {
      const line = formatEntry({ level: "warn", event: "not-ready", message: `The folder "/${key}/obs" is missing`, stack: key }, 0 as never, format);
      assert.ok(!line.includes(key.slice(17)), line);
      assert.equal(line.split("\n").length, format === "json" ? 1 : 2);
    }
    assert.ok(!formatEntry({ level: "info", event: "recovered", message: "a\nb\u2028c\u001b[2J" }, 0 as never, "text").match(/[\n\u2028\u001b]/));
  });

  test("access log: a reader that is stuck holds up nobody: not ready within five seconds, lines are lost and counted, then all goes on", async (t) => {
    const data = join(await temporaryDirectory(t), "data");
    const server = await watched(t, ["--data", data, "--access-log"]);
    server.child.stdout.pause();
    const answer = await askUntil(server, "log-failing", 20_000);
    assert.deepEqual([answer.status, answer.reasons[0]?.message], [503, "The access log takes no more lines, as its reader is stuck"]);
    for (let lost = 0; lost === 0; ) {
      await askUntil(server, "no such reason", 500);
      lost = Number((await mazaneh(["status", "--json", "--data", data])).json()["linesLost"]);
    }
    let out = "";
    server.child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    server.child.stdout.resume();
    assert.deepEqual(await server.untilReasons(), { status: 200, reasons: [] });
    await fetch(server.url + STATUS);
    assert.equal(await server.stop(), 0);
    const lost = linesOf(out).filter((line) => "linesLost" in line);
    assert.ok(Number(lost[0]?.["linesLost"]) > 0 && out.length < 4 << 20, String(out.length));
  });

  test("access log: a reader that has gone ends nothing, and readiness says so; the stop is clean", async (t) => {
    const data = join(await temporaryDirectory(t), "data");
    const server = await watched(t, ["--data", data, "--access-log"]);
    server.child.stdout.destroy();
    const begun = performance.now();
    const { status, reasons } = await askUntil(server, "log-failing", 5_000);
    assert.deepEqual([status, reasons[0]?.message], [503, "The access log cannot be written: EPIPE"]);
    assert.ok(performance.now() - begun < 5_000);
    assert.equal(await server.stop(), 0);
    assert.ok(server.log().some(({ event, code }) => event === "not-ready" && code === "log-failing"));
  });

  test("log: standard output and standard error both closed at the start: the server serves and stops cleanly", async (t) => {
    const server = await started(t, ["ignore", "pipe", "pipe"], []);
    server.child.stdout!.destroy();
    server.child.stderr!.destroy();
    assert.equal((await fetch(server.url + STATUS)).status, 200);
    server.child.kill("SIGTERM");
    assert.deepEqual(await once(server.child, "exit"), [0, null]);
  });

  test("serve: a reader of the report that leaves at once does not end the server", async (t) => {
    const folder = await temporaryDirectory(t);
    const port = await freePort();
    // A shell whose pipe nobody reads any more when the report comes.
    const command = `"${process.execPath}" "${program}" serve --init --data "${join(folder, "data")}" --port ${port} & echo $! >&2; wait`;
    const child = spawn("sh", ["-c", `{ ${command}; } | true`], { stdio: ["ignore", "ignore", "pipe"] });
    t.after(() => child.kill("SIGKILL"));
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
    await until(() => errors.includes('"event":"started"'), 30_000);
    const pid = Number(/^\d+$/m.exec(errors)?.[0]);
    t.after(() => {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has stopped.
      }
    });
    assert.equal((await fetch(`http://127.0.0.1:${port}${STATUS}`)).status, 200);
    process.kill(pid, "SIGTERM");
    // After `exit` there may be lines that were not read yet.
    await once(child, "close");
    assert.match(errors, /"event":"stopped"/);
  });

  test("log: a terminal that is stuck, as after Ctrl+S, holds up neither the server nor its stop", { skip: noScript }, async (t) => {
    const data = join(await temporaryDirectory(t), "data");
    const [port, adminPort] = [await freePort(), await freePort()];
    const command = `"${process.execPath}" "${program}" serve --init --data "${data}" --port ${port} --admin-port ${adminPort} --access-log`;
    const child = spawn("script", ["-qfc", command, "/dev/null"], { stdio: ["ignore", "pipe", "ignore"] });
    t.after(() => child.kill("SIGKILL"));
    await once(child.stdout, "readable"); // Nothing is read, so that script stops reading from the terminal.
    const server = { url: `http://127.0.0.1:${port}`, readyz: () => readyzOf(adminPort) };
    await delay(1_000);
    assert.equal((await askUntil(server, "log-failing", 60_000)).reasons[0]?.code, "log-failing");
    const pid = Number((await mazaneh(["status", "--json", "--data", data])).json()["pid"]);
    process.kill(pid, "SIGTERM");
    // Z: it has ended, and script, which is stuck, has not noticed.
    const state = async (): Promise<string> => (await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") Z")).split(") ")[1]![0]!;
    for (let tries = 0; tries < 50 && (await state()) !== "Z"; tries++) await delay(100);
    const last = await state();
    if (last !== "Z") process.kill(pid, "SIGKILL");
    assert.equal(last, "Z", "it has ended within five seconds");
  });

  test("log: standard error on a full disk: not ready with the reason, and again ready when there is room", { skip: noTmpfs }, async (t) => {
    const mount = await mkdtemp(join(tmpdir(), "mazaneh-disk-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", mount], { stdio: "pipe" });
    t.after(async () => {
      execFileSync("umount", ["-l", mount], { stdio: "pipe" });
      await rmdir(mount);
    });
    await writeFile(join(mount, "filler"), Buffer.alloc(1 << 20)).catch(() => undefined);
    const log = openSync(join(mount, "log"), "a");
    const server = await started(t, ["ignore", "ignore", log], []);
    closeSync(log);
    const answer = await askUntil(server, "log-failing", 5_000);
    assert.deepEqual([answer.status, answer.reasons.map(({ message }) => message)], [503, ["The log cannot be written: ENOSPC"]]);
    await rm(join(mount, "filler"));
    const again = await askUntil(server, undefined, 5_000);
    assert.deepEqual(again, { status: 200, reasons: [] });
    server.child.kill("SIGTERM");
    assert.deepEqual(await once(server.child, "exit"), [0, null]);
    const events = linesOf(await readFile(join(mount, "log"), "utf8")).map(({ event }) => event);
    assert.deepEqual(events.slice(0, 2), ["started", "not-ready"], "nothing is lost that was held");
  });
});
