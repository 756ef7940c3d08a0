import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { describe, test } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { openJsonFiles } from "../../../adapters/json_files/mod.ts";
import { systemClock } from "../../../adapters/system.ts";
import { mountable } from "../../faults/mounts.ts";
import { mazaneh, serving, temporaryDirectory } from "../../support/cli.ts";
import { readExposition } from "../../support/prometheus.ts";
import { connectRaw, rawRequest } from "../../support/raw_http.ts";
import { exitOf, statusOf, watched } from "../../support/watched.ts";

const STATUS = "/api/v1/status";
const ASSET = "/api/v1/assets/USD_RLS";
const noTmpfs = await mountable("tmpfs");

/** A disk of 8 MB. */
async function smallDisk(t: TestContext): Promise<string> {
  const mount = await mkdtemp(join(tmpdir(), "mazaneh-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", mount], { stdio: "pipe" });
  t.after(async () => {
    execFileSync("umount", ["-l", mount], { stdio: "pipe" });
    await rmdir(mount);
  });
  return mount;
}

async function keyFor(data: string): Promise<string> {
  const { json } = await mazaneh(["keys", "create", "alice", "--json", "--data", data]);
  return String(json()["key"]);
}

async function importRecord(data: string, at: Date): Promise<void> {
  const { code, err } = await mazaneh(["import", "-", "--data", data], { input: `code,value,businessTime\nUSD_RLS,1,${at.toISOString()}\n` });
  assert.equal(code, 0, err);
}

// They wait for the sweeps of their servers most of the time.
describe("a real server", { concurrency: 6 }, () => {
  test("readiness: a server that serves is ready, on the admin listener and for mazaneh status", async (t) => {
    const data = join(await temporaryDirectory(t), "data");
    const server = await watched(t, ["--data", data]);
    assert.deepEqual(await server.readyz(), { status: 200, reasons: [] });
    assert.equal((await fetch(`${server.adminUrl}/livez`)).status, 200);
    const run = await statusOf(data);
    assert.equal(run.code, 0);
    const { running, ready, reasons, url, adminUrl, pid, newestRecord } = run.json();
    assert.deepEqual([running, ready, reasons, url, adminUrl, pid, newestRecord], [true, true, [], server.url, server.adminUrl, server.child.pid, null]);
    assert.match((await mazaneh(["status", "--data", data])).out, /^Ready\.\n/);
    assert.equal(await server.stop(), 0);
    const after = await statusOf(data);
    assert.deepEqual([after.code, after.json()["running"], after.json()["ready"]], [75, false, false]);
    assert.match((await mazaneh(["status", "--data", data])).out, /^No server holds /);
  });

  test("readiness: without --admin-port there is no listener, and mazaneh status works all the same", async (t) => {
    const data = join(await temporaryDirectory(t), "data");
    const { state } = await serving(t, ["--data", data]);
    assert.equal(state["adminUrl"], null);
    const run = await statusOf(data);
    assert.deepEqual([run.code, run.json()["adminUrl"], run.json()["requests"]], [0, null, null]);
  });

  test("readiness: an admin port that is taken ends the start with a sentence about --admin-port", async (t) => {
    const folder = await temporaryDirectory(t);
    const { adminUrl } = await watched(t, ["--data", join(folder, "one")]);
    const run = await mazaneh(["serve", "--init", "--port", "0", "--data", join(folder, "two"), "--admin-port", new URL(adminUrl).port]);
    assert.deepEqual([run.code, run.err.includes("--admin-port")], [70, true]);
  });

  for (const folder of ["obs", "accounts", "quota", "."]) {
    test(`readiness: the folder ${folder} moved away: 503 within five seconds, and 200 when it is back`, async (t) => {
      const data = join(await temporaryDirectory(t), "data");
      const server = await watched(t, ["--data", data]);
      const path = join(data, folder);
      await rename(path, `${data}.away`);
      const answer = await server.untilReasons("data-folder");
      assert.deepEqual([answer.status, answer.reasons.map(({ message }) => message)], [503, [`The folder "${path}" is missing: put it back`]]);
      if (folder !== ".") assert.equal((await statusOf(data)).code, 75);
      if (folder !== ".") { // A directory without its lock counts as taken over, which ends the server.
        await mkdir(path);
        const other = `The folder "${path}" is not the one that was there at the start: put that one back`;
        assert.equal((await server.untilMessage(other)).reasons[0]?.message, other);
        await rmdir(path);
      }
      await rename(`${data}.away`, path);
      assert.deepEqual(await server.untilReasons(), { status: 200, reasons: [] });
      const events = (): ReturnType<typeof server.log> => server.log().filter(({ code }) => code === "data-folder");
      // Lines of the log and answers of /readyz come in any order. What is not written at once comes after a minute.
      for (let tries = 0; tries < 50 && events().length < 2; tries++) await delay(100);
      assert.deepEqual(events().map(({ event, level }) => [event, level]), [["not-ready", "warn"], ["recovered", "info"]], "both at once");
      assert.equal(await server.stop(), 0);
      assert.deepEqual(events().map(({ event, count }) => [event, count]), [["not-ready", undefined], ["recovered", undefined]], "once each");
    });
  }

  test("readiness: a feed without new records is stale after the time that is set, and not after a new record", async (t) => {
    const data = join(await temporaryDirectory(t), "data");
    const server = await watched(t, ["--data", data, "--feed-max-age-minutes", "60"]);
    assert.deepEqual((await server.readyz()).reasons.map(({ message }) => message), ["There are no records"]);
    const old = new Date(Date.now() - 61 * 60_000);
    await importRecord(data, old);
    const stale = `The newest record is of ${old.toISOString()}, more than 60 minutes ago`;
    const { status, reasons } = await server.untilMessage(stale);
    assert.deepEqual([status, reasons.map(({ code, message }) => [code, message])], [503, [["stale-feed", stale]]]);
    assert.equal((await server.get(STATUS)).json["status"], "OK", "what is there is served");
    await importRecord(data, new Date(Date.now() - 59 * 60_000));
    assert.deepEqual(await server.untilReasons(), { status: 200, reasons: [] });
  });

  test("readiness: while a stop waits for an open request, the admin listener says that it drains", async (t) => {
    const data = join(await temporaryDirectory(t), "data");
    const server = await watched(t, ["--data", data]);
    const connection = connectRaw(server.url);
    t.after(() => connection.destroy());
    const request = rawRequest({ target: STATUS });
    connection.send(request);
    await connection.reply();
    connection.send(request.subarray(0, 10));
    await delay(50);
    server.child.kill("SIGTERM");
    const { status, reasons } = await server.untilReasons("draining");
    assert.deepEqual([status, reasons[0]?.code], [503, "draining"]);
    assert.equal((await statusOf(data)).json()["reasons"]?.[0]?.["code"], "draining");
    connection.send(request.subarray(10));
    assert.equal((await connection.reply()).status, 200);
    assert.equal(await exitOf(server), 0);
    assert.deepEqual(server.log().map(({ event }) => event), ["started", "stopping", "stopped"]);
  });

  test("readiness: a data directory that another one has replaced ends the server with 71, and the log says why", async (t) => {
    const data = join(await temporaryDirectory(t), "data");
    const server = await watched(t, ["--data", data]);
    await rename(data, `${data}.away`);
    await mkdir(data);
    assert.equal(await exitOf(server), 71);
    const told = server.log().find(({ event }) => event === "store-failed");
    assert.deepEqual([told?.["level"], told?.["exitCode"]], ["error", 71]);
    assert.equal(server.log().at(-1)?.["event"], "stopped");
  });

  test("metrics: of a real server, whatever it is sent, they can be read, count each answer and are few", async (t) => {
    const data = join(await temporaryDirectory(t), "data");
    const server = await watched(t, ["--data", data]);
    await importRecord(data, new Date(Date.now() - 60_000));
    const key = await keyFor(data);
    const methods = ["GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PROPFIND", "M-SEARCH", "PATCH"];
    const targets = ["/api/v1/assets", ASSET, `${ASSET}/2026-01-01`, `${ASSET}/history`, `${ASSET}/ohlc`, STATUS, "/api/v1/access", "/docs", "/%00", "//x", "/a?b=c"];
    let sent = 0;
    for (const method of methods) {
      for (const target of [...targets, `/${method}/${Math.random()}`]) {
        for (const credential of [key, "wrong"]) {
          await (await fetch(server.url + target, { method, headers: { "X-API-Key": credential } })).arrayBuffer();
          sent++;
        }
      }
    }
    const answer = await fetch(`${server.adminUrl}/metrics`);
    assert.equal(answer.headers.get("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
    const read = readExposition(await answer.text());
    const requests = [...read.get("http_server_requests_total")!.series.values()];
    assert.equal(requests.reduce((sum, count) => sum + count, 0), sent);
    assert.ok([...read.values()].reduce((sum, { series }) => sum + series.size, 0) <= 400);
    const one = (name: string): number | undefined => read.get(name)?.series.get(name);
    assert.deepEqual([one("mazaneh_ready"), one("observations"), one("store_writable"), one("store_damages")], [1, 1, 1, 0]);
    assert.ok(one("observation_age_seconds")! >= 60 && one("store_log_bytes")! > 100 && one("process_open_fds")! > 5 && one("store_syncs_total")! > 0);
  });

  test("mazaneh status: a server that hangs is not ready, and a command that holds the directory is no server", async (t) => {
    const data = join(await temporaryDirectory(t), "data");
    const server = await watched(t, ["--data", data]);
    server.child.kill("SIGSTOP");
    const run = await statusOf(data);
    server.child.kill("SIGCONT");
    assert.deepEqual([run.code, run.err], [75, "mazaneh: The server has not answered for 5 seconds\n"]);
    assert.equal(await server.stop(), 0);
    const store = await openJsonFiles(data, { clock: systemClock });
    t.after(() => store.close());
    assert.deepEqual([(await statusOf(data)).code, (await statusOf(data)).json()["running"]], [75, false]);
  });

  test("readiness: a full disk: 503 and UNAVAILABLE, few lines whatever the load, and all is well when there is room", { skip: noTmpfs }, async (t) => {
    const mount = await smallDisk(t);
    const data = join(mount, "data");
    const server = await watched(t, ["--data", data]);
    const key = await keyFor(data);
    // Of a small plan, each unit takes a line on the disk.
    assert.equal((await mazaneh(["plans", "set", "SMALL", "--daily-units", "399", "--attribution", "no", "--data", data])).code, 0);
    assert.equal((await mazaneh(["accounts", "set", "alice", "--plan", "SMALL", "--data", data])).code, 0);
    await importRecord(data, new Date(Date.now() - 60_000));
    assert.equal((await server.get(ASSET, key)).status, 200);

    await writeFile(join(mount, "filler"), Buffer.alloc(16 << 20)).catch(() => undefined);
    const idle = await server.untilReasons("disk-full");
    assert.deepEqual([idle.status, idle.reasons.map(({ code }) => code)], [503, ["disk-full"]], "also when nothing is written");
    let refused = 0;
    // For three seconds, and on a slow machine for as long as a hundred refusals take.
    for (const begun = performance.now(); performance.now() - begun < (refused > 100 ? 3_000 : 60_000); ) if ((await server.get(ASSET, key)).status === 503) refused++;
    assert.ok(refused > 100, String(refused));
    assert.deepEqual((await server.untilReasons("disk-full", "writes-failing")).reasons.map(({ code }) => code).sort(), ["disk-full", "writes-failing"]);
    const publicStatus = await server.get(STATUS);
    assert.deepEqual([publicStatus.status, publicStatus.json["status"]], [200, "UNAVAILABLE"]);
    assert.equal((await statusOf(data)).code, 75);
    assert.deepEqual(server.log().map(({ event, code }) => [event, code]), [
      ["started", undefined],
      ["not-ready", "disk-full"],
      ["not-ready", "writes-failing"],
    ]);

    await rm(join(mount, "filler"));
    assert.deepEqual(await server.untilReasons(), { status: 200, reasons: [] }, "without any request that writes");
    assert.equal((await server.get(STATUS)).json["status"], "OK");
    await delay(2_000); // The store tries no write for five seconds after a refused one.
    assert.equal((await server.get(ASSET, key)).status, 200);
    assert.deepEqual((await readdir(data)).filter((name) => name.endsWith(".tmp")), [], "no trace of the tries");
    assert.equal(await server.stop(), 0);
    const counted = server.log().find(({ event }) => event === "requests-unavailable");
    assert.equal(counted?.["count"], refused);
    assert.match(String(counted?.["requestId"]), /^req_/);
  });

  test("readiness: a store opened on a full disk is read-only and says so, and is opened anew when there is room", { skip: noTmpfs }, async (t) => {
    const mount = await smallDisk(t);
    const data = join(mount, "data");
    const first = await watched(t, ["--data", data]);
    const key = await keyFor(data);
    await importRecord(data, new Date(Date.now() - 60_000));
    assert.equal(await first.stop(), 0);
    await writeFile(join(mount, "filler"), Buffer.alloc(16 << 20)).catch(() => undefined);
    const server = await watched(t, ["--data", data]);
    const { status, reasons } = await server.readyz();
    assert.deepEqual([status, reasons.map(({ code }) => code)], [503, ["disk-full", "store-read-only"]]);
    assert.equal((await server.get(STATUS)).json["status"], "UNAVAILABLE");
    assert.equal((await server.get(ASSET, key)).status, 503);
    const asked = await statusOf(data);
    assert.equal(asked.code, 75, "it holds no lock, so that it cannot be asked");
    assert.match(asked.out, /No server holds .* for writing; one that only reads, .* does not answer here: ask its admin listener \(\/readyz\)/);
    assert.match(String(server.state["warnings"]), /Once it can be written, serve opens it anew by itself, and an app of your own must do so$/);
    await rm(join(mount, "filler"));
    for (let tries = 0; tries < 50 && !server.log().some(({ event }) => event === "reopening"); tries++) await delay(100);
    for (let tries = 0; tries < 50 && (await statusOf(data)).code !== 0; tries++) await delay(100);
    assert.deepEqual(await server.readyz(), { status: 200, reasons: [] });
    assert.equal((await server.get(ASSET, key)).status, 200);
    assert.equal((await server.get(STATUS)).json["status"], "OK");
    const changes = server.log().filter(({ event, code }) => event === "reopening" || code === "store-read-only");
    assert.deepEqual(changes.map(({ event }) => event), ["not-ready", "reopening", "recovered"]);
    assert.equal(await server.stop(), 0);
  });
});
