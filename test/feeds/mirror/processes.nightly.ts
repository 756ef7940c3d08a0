// Each mirror and its upstream run in processes of their own.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Json } from "../../support/api_under_test.ts";
import { mazaneh, serving, temporaryDirectory } from "../../support/cli.ts";
import { mirrorOf, startUpstream } from "../../support/upstream_process.ts";
import { until } from "../../support/wait_until.ts";

test("mirror process: a mirror of a mirror serves the prices, and the plans of both require attribution", async (t) => {
  const { url, key } = await startUpstream(t);
  const folder = await temporaryDirectory(t);
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  const keyOf = async (data: string): Promise<string> => {
    await mazaneh([
      "plans",
      "set",
      "OWN",
      "--daily-units",
      "unlimited",
      "--attribution",
      "no",
      "--init",
      "--data",
      data,
    ]);
    return String((await mazaneh(["keys", "create", "next", "--plan", "OWN", "--data", data, "--json"])).json()["key"]);
  };
  const [keyOfMiddle, keyOfEnd] = await Promise.all([keyOf(first), keyOf(second)]);
  const middle = await serving(t, ...mirrorOf(url, key, first));
  const required = async () => (await middle.get("/api/v1/access", keyOfMiddle)).json;
  await until("attribution is passed on", async () => String((await required())["attributionRequired"]) === "true");
  // Otherwise the second mirror might find no values, and wait up to a minute for its next request.
  await until(
    "the dollar is in the middle",
    async () => (await middle.get("/api/v1/assets/USD_RLS", keyOfMiddle)).status === 200,
  );
  const end = await serving(t, ...mirrorOf(middle.url, keyOfMiddle, second));
  const theirs = await fetch(`${url}/api/v1/assets/USD_RLS`, { headers: { "X-API-Key": key } });
  const dollar: unknown = await theirs.json();
  await until("the dollar arrives", async () => {
    const { status, json } = await end.get("/api/v1/assets/USD_RLS", keyOfEnd);
    if (status === 200) assert.deepEqual(json, dollar);
    return status === 200;
  });
  const { code, out } = await mazaneh(["mirror", "status", "--data", second]);
  assert.equal(code, 0, out);
  assert.match(out, /attribution +required/);
  assert.equal(String((await end.get("/api/v1/access", keyOfEnd)).json["attributionRequired"]), "true");
});

test("mirror process: a refused key shows in log, readiness, metrics and status, and the server keeps serving; a command requests days again", async (t) => {
  const { url, key } = await startUpstream(t);
  const folder = await temporaryDirectory(t);
  const [data, file] = [join(folder, "data"), join(folder, "key")];
  await writeFile(file, "mz_live_a_wrong_one", { mode: 0o600 });
  const [args] = mirrorOf(url, key, data);
  const { errors, get, state } = await serving(t, [...args, "--mirror-key-file", file, "--admin-port", "0"]);
  const admin = async (path: string): Promise<string> => (await fetch(`${String(state["adminUrl"])}${path}`)).text();
  await until("it fails", async () => errors().includes('"code":"failing"'));
  await until("it is not ready", async () => (await admin("/readyz")).includes("mirror-failing"));
  assert.match(await admin("/metrics"), /^mirror_running 0$/m);
  const status = await mazaneh(["mirror", "status", "--data", data]);
  assert.equal(status.code, 75);
  assert.match(status.out, /^Failing: The upstream refuses the key \(401/);
  assert.equal((await get("/api/v1/status")).status, 200);
  assert.doesNotMatch(errors() + status.out, /a_wrong_one/);
  const again = await mazaneh([
    "mirror",
    "again",
    "USD_RLS",
    "--from",
    "2026-01-01",
    "--to",
    "2026-02-20",
    "--data",
    data,
  ]);
  assert.deepEqual(
    [again.code, again.out],
    [0, "USD_RLS is requested again, in 2 requests: mirror status shows the progress.\n"],
  );
  assert.equal((await mazaneh(["mirror", "again", "USD_RLS", "--from", "2026-01-01", "--data", data])).code, 64);
});

/** A proxy that lies about an upstream's units. If `isRough`, its first answers could crash a client. */
async function startFaultProxy(
  t: TestContext,
  to: string,
  isRough: boolean,
): Promise<{ readonly url: string; paid(): number }> {
  let paid = 0;
  const bomb = gzipSync(`[${"[],".repeat(20_000_000)}[]]`);
  const faults = [
    (answer: ServerResponse) =>
      answer.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": "gzip" }).end(bomb),
    (answer: ServerResponse) =>
      answer.writeHead(200, { "Content-Type": "application/json" }).end("[".repeat(3_000_000)),
    (answer: ServerResponse) => answer.writeHead(500).end(),
    (answer: ServerResponse) => answer.destroy(),
  ];
  const server = createServer(async (request, answer) => {
    const isPrices = request.url!.includes("/assets");
    const fault = isPrices && isRough ? faults.shift() : undefined;
    if (fault) return void fault(answer);
    const headers =
      request.headers["x-api-key"] === undefined ? {} : { "X-API-Key": String(request.headers["x-api-key"]) };
    const found = await fetch(`${to}${request.url}`, { headers });
    if (isPrices && found.status === 200) paid++;
    answer
      .writeHead(found.status, {
        "Content-Type": "application/json",
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
      })
      .end(await found.text());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paid: () => paid };
}

test("mirror process: behind a proxy with faults and lies it stays up, fills its store, and stays within its units", async (t) => {
  const { url, key } = await startUpstream(t);
  const folder = await temporaryDirectory(t);
  const rough = await startFaultProxy(t, url, true);
  const [args, env] = mirrorOf(rough.url, key, join(folder, "first"));
  const first = await serving(t, args, env);
  let slowest = 0;
  await until("it is filled", async () => {
    const since = performance.now();
    assert.equal((await first.get("/api/v1/status")).status, 200);
    slowest = Math.max(slowest, performance.now() - since);
    const { out } = await mazaneh(["mirror", "status", "--data", join(folder, "first"), "--json"]);
    return (JSON.parse(out) as Json)["mirror"]?.["archive"]?.["4"]?.["complete"] !== undefined && rough.paid() > 40;
  });
  t.diagnostic(`the longest answer meanwhile took ${Math.round(slowest)} ms`);

  const calm = await startFaultProxy(t, url, false);
  const [others, env2] = mirrorOf(calm.url, key, join(folder, "second"));
  await serving(t, [...others, "--mirror-units", "20"], env2);
  await until("it has asked", async () => calm.paid() >= 1);
  await new Promise((resolve) => setTimeout(resolve, 30_000));
  assert.ok(calm.paid() <= 20, `${calm.paid()} units`);
});

test("mirror process: with a damaged ledger it does not start, says what to do, and spends no units", async (t) => {
  const { url, key } = await startUpstream(t);
  const data = join(await temporaryDirectory(t), "data");
  await mazaneh(["keys", "create", "alice", "--init", "--data", data]);
  await mkdir(join(data, "mirror"));
  await writeFile(
    join(data, "mirror", `${new URL(url).host.replace(":", "_")}.json`),
    '{"kind":"mirror","schema":1,"state":{}}',
  );
  const [args, env] = mirrorOf(url, key, data);
  const { code, err } = await mazaneh(["serve", "--port", "0", ...args], { env });
  assert.equal(code, 65, err);
  assert.match(err, /is damaged.*Put it back from a backup\. Or remove it/);
  const { headers } = await fetch(`${url}/api/v1/access`, { headers: { "X-API-Key": key } });
  assert.equal(headers.get("X-RateLimit-Remaining"), headers.get("X-RateLimit-Limit"));
});
