import assert from "node:assert/strict";
import { mkdir, rename, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { nodeSystem } from "../../../adapters/http/node/mod.ts";
import { systemClock } from "../../../adapters/http/web_system.ts";
import { createAccessLog } from "../../../adapters/server/monitoring/access_log.ts";
import type { Store } from "../../../adapters/stores/shared/store.ts";
import { createIngest, createKey, type UtcMillis } from "../../../core/mod.ts";
import type { Json } from "../../support/api_under_test.ts";
import { temporaryDirectory } from "../../support/cli.ts";
import { program } from "../../support/cli_program.ts";
import { readExposition } from "../../support/prometheus.ts";
import { connectRaw, rawRequest } from "../../support/raw_http.ts";
import { until } from "../../support/wait_until.ts";
import { logStream, watched } from "../../support/watched_server.ts";

const STATUS = "/api/v1/status";
const ASSET = "/api/v1/assets/USD_RLS";

async function dataDirectory(t: TestContext): Promise<string> {
  return join(await temporaryDirectory(t), "data");
}

async function store(store: Store, at: Date): Promise<void> {
  await createIngest({ ...nodeSystem, ...store })([{ code: "USD_RLS", value: 1, businessTime: at }], {
    refused: "throw",
  });
}

/** The output of `mazaneh status` for a data directory, and its exit code. */
async function statusOf(data: string): Promise<{ code: number; json: Json }> {
  const { code, out } = await program(["status", "--json", "--data", data]);
  return { code, json: JSON.parse(out) as Json };
}

/** The output of `mazaneh status` for a server that is ready, or becomes ready when the machine is less busy. */
async function readyStatus(data: string): Promise<Json> {
  let status = await statusOf(data);
  await until("exit code 0", async () => status.code === 0 || (status = await statusOf(data)).code === 0);
  return status.json;
}

// Concurrent, because these tests mostly wait for the periodic checks of their servers.
describe("a server that is watched", { concurrency: 8 }, () => {
  test("readiness: the admin listener and mazaneh status report a running server as ready", async (t) => {
    const data = await dataDirectory(t);
    const server = await watched(t, { data });
    assert.equal((await server.untilReasons()).status, 200);
    assert.equal((await fetch(`${server.adminUrl}/livez`)).status, 200);
    const { running, ready, reasons, url, adminUrl, pid, newestRecord } = await readyStatus(data);
    assert.deepEqual([running, ready, reasons, newestRecord], [true, true, [], null]);
    assert.deepEqual([url, adminUrl, pid], [server.url, server.adminUrl, process.pid]);
    await server.stop();
    const after = await statusOf(data);
    assert.deepEqual([after.code, after.json["running"], after.json["ready"]], [75, false, false]);
  });

  test("readiness and metrics: pushed values are counted by outcome; pending values are reported, but the server stays ready", async (t) => {
    const data = await dataDirectory(t);
    const server = await watched(t, { data, ingest: true });
    const key = await createKey(server.store.accounts, nodeSystem, "collector", { may: "write" });
    const body = [1_900_000, 190_000].map((value, i) => {
      return { code: "USD_RLS", value, businessTime: new Date(Date.now() - i * 1_000) };
    });
    const headers = { "X-API-Key": key, "Content-Type": "application/json" };
    const answer = await fetch(`${server.url}/ingest`, { method: "POST", headers, body: JSON.stringify(body) });
    assert.deepEqual(await answer.json(), { stored: 2, refused: 0, refusals: [] });
    const readyz = async () => (await (await fetch(`${server.adminUrl}/readyz`)).json()) as Record<string, unknown>;
    let answered = await readyz();
    const isSo = async () => (answered = await readyz())["pending"] === 1 && answered["ready"] === true;
    await until("/readyz reports the value", isSo, 50);
    assert.deepEqual(answered, { ready: true, reasons: [], pending: 1, damages: 0 });
    assert.equal((await statusOf(data)).json["pending"], 1);
    const metrics = readExposition(await (await fetch(`${server.adminUrl}/metrics`)).text());
    for (const series of [
      'mazaneh_pending_values{asset="USD_RLS"}',
      'mazaneh_feed_values_total{asset="USD_RLS",outcome="accepted"}',
      'mazaneh_feed_values_total{asset="USD_RLS",outcome="pending"}',
    ])
      assert.equal(metrics.get(series.split("{")[0]!)?.series.get(series), 1, series);
  });

  test("readiness: without an admin port there is no listener, but mazaneh status still works", async (t) => {
    const data = await dataDirectory(t);
    assert.equal((await watched(t, { data, adminPort: "none" })).adminUrl, "undefined");
    const { adminUrl, requests } = await readyStatus(data);
    assert.deepEqual([adminUrl, requests], [null, null]);
  });

  for (const folder of ["obs", "."]) {
    test(`readiness: if the folder ${folder} is moved away, answers 503 within seconds, and 200 when it is back; logs each change once`, async (t) => {
      const data = await dataDirectory(t);
      const server = await watched(t, { data });
      const path = join(data, folder);
      await rename(path, `${data}.away`);
      const answer = await server.untilReasons("data-folder");
      assert.equal(answer.status, 503);
      assert.ok(answer.reasons[0]?.message.includes(path), answer.reasons[0]?.message);
      if (folder !== ".") {
        // Not tested for `.`: if the whole directory is replaced by one without the lock, the server exits.
        assert.equal((await statusOf(data)).code, 75);
        await mkdir(path);
        await server.untilMessage(`The folder "${path}" was replaced since the start: put the old folder back`);
        await rmdir(path);
      }
      await rename(`${data}.away`, path);
      assert.equal((await server.untilReasons()).status, 200);
      await server.stop();
      const lines = server.log().filter((line) => String(line["code"]) === "data-folder");
      const events = lines.map(({ event, level, count }) => `${event} ${level} ${count}`);
      assert.deepEqual(events, ["not-ready warn undefined", "recovered info undefined"]);
    });
  }

  test("readiness: a feed is stale after the set time without new records, and fresh after a new record", async (t) => {
    const server = await watched(t, { data: await dataDirectory(t), feedMaxAgeMinutes: 60 });
    assert.equal((await server.readyz()).reasons[0]?.code, "stale-feed");
    const old = new Date(Date.now() - 61 * 60_000);
    await store(server.store, old);
    const { status, reasons } = await server.untilMessage(
      `The newest record is from ${old.toISOString()}, more than 60 minutes ago`,
    );
    assert.deepEqual([status, reasons.map(({ code }) => code)], [503, ["stale-feed"]]);
    assert.equal((await server.get(STATUS)).json["status"], "OK", "stored records are served");
    await store(server.store, new Date(Date.now() - 30 * 60_000));
    assert.equal((await server.untilReasons()).status, 200);
  });

  test("readiness: reports a clock that is 40 days behind the newest price, without negative ages", async (t) => {
    const data = await dataDirectory(t);
    const server = await watched(t, { data });
    const later = Date.now() + 40.5 * 86_400_000;
    await createIngest({ ...server.store, clock: () => later as UtcMillis })([
      { code: "USD_RLS", value: 1, businessTime: new Date(later) },
    ]);
    assert.equal((await server.untilReasons("clock-behind")).status, 503);
    assert.equal((await statusOf(data)).json["newestRecordAgeSeconds"], 0);
    const admin = async (path: string): Promise<string> => (await fetch(server.adminUrl + path)).text();
    const metrics = readExposition(await admin("/metrics"));
    for (const series of ["observation_age_seconds", 'asset_observation_age_seconds{code="USD_RLS"}'])
      assert.equal(metrics.get(series.split("{")[0]!)?.series.get(series), 0, series);
    assert.match(await admin("/"), />USD_RLS<\/bdi><\/th><td><time [^>]*>(?:now|\d min ago), /);
  });

  test("readiness: the admin listener reports draining while a stop waits for an open request", async (t) => {
    const data = await dataDirectory(t);
    const server = await watched(t, { data });
    const connection = connectRaw(server.url);
    t.after(() => connection.destroy());
    const request = rawRequest({ target: STATUS });
    connection.send(request);
    await connection.reply();
    connection.send(request.subarray(0, 10));
    await server.get(STATUS); // When this answer arrives, the server has also read the ten bytes.
    const stopped = server.stop();
    assert.equal((await server.untilReasons("draining")).status, 503);
    connection.send(request.subarray(10));
    assert.equal((await connection.reply()).status, 200);
    await stopped;
    // On a busy machine, the log may also report an overload.
    for (const { code } of server.log()) assert.notEqual(code, "draining", "a stop is not a change of readiness");
  });

  test("readiness: the server exits with 71 if its data directory is replaced by another one", async (t) => {
    const data = await dataDirectory(t);
    const server = await watched(t, { data });
    await rename(data, `${data}.away`);
    await mkdir(data);
    assert.equal((await server.failed).exitCode, 71);
  });

  test("metrics and access log: every answer is counted and logged with its caller and route, but without text from the client", async (t) => {
    const { stream, lines } = logStream();
    const server = await watched(t, {
      data: await dataDirectory(t),
      accessLog: createAccessLog(stream, { format: "json", clock: systemClock }),
    });
    await store(server.store, new Date(Date.now() - 60_000));
    const key = await createKey(server.store.accounts, nodeSystem, "alice");
    const trace = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" };
    const wrong = `ApiKey ${key.slice(0, -1)}${key.endsWith("x") ? "y" : "x"}`;
    const asked: readonly (readonly [target: string, init: RequestInit])[] = [
      [`${ASSET}?secret=canary-query`, { headers: { "X-API-Key": key, "User-Agent": "canary-agent", ...trace } }],
      [`/canary-path?${key}`, { method: "DELETE", headers: { Cookie: "canary-cookie" } }],
      ["/api/v1/assets", { headers: { Authorization: wrong } }],
      [STATUS, { method: "HEAD" }],
    ];
    const answers: Response[] = [];
    for (const [target, init] of asked) answers.push(await fetch(server.url + target, init));
    const bytes = Buffer.byteLength(await answers[0]!.text());
    const answer = await fetch(`${server.adminUrl}/metrics`);
    assert.equal(answer.headers.get("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
    const metrics = await answer.text();
    await server.stop();

    const read = readExposition(metrics);
    const counts = [...read.get("http_server_requests_total")!.series.values()];
    const one = (name: string): number => read.get(name)?.series.get(name) ?? -1;
    assert.deepEqual(counts, [1, 1, 1, 1]);
    assert.deepEqual(["mazaneh_ready", "observations", "store_writable", "store_damages"].map(one), [1, 1, 1, 0]);
    assert.ok(one("observation_age_seconds") >= 60 && one("store_log_bytes") > 100, metrics);
    assert.ok(one("process_open_fds") > 5 && one("store_syncs_total") > 0, metrics);

    assert.deepEqual(
      lines().map(({ requestId, status }) => [requestId, status]),
      [200, 404, 401, 200].map((status, i) => [answers[i]!.headers.get("X-Request-Id"), status]),
    );
    assert.deepEqual(
      lines().map(({ method, route, accountId }) => `${method} ${route} ${accountId}`),
      [
        "GET /api/v1/assets/{assetName} alice",
        "_OTHER unmatched undefined",
        "GET /api/v1/assets undefined",
        "HEAD /api/v1/status undefined",
      ],
    );
    const [first = {}, , , fourth = {}] = lines();
    assert.deepEqual([first["traceId"], first["address"]], ["4bf92f3577b34da6a3ce929d0e0e4736", "127.0.0.1"]);
    assert.deepEqual([first["bytes"], fourth["bytes"]], [bytes, 0]);
    const published = [metrics, JSON.stringify([lines(), server.log()])].join();
    assert.equal(/canary/.test(published) || published.includes(key), false, published);
  });
});
