// Each mirror and its upstream run in processes of their own.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Json } from "../../support/api_under_test.ts";
import { mazaneh, serving, servingChild, temporaryDirectory } from "../../support/cli.ts";
import { createRandom, SEED } from "../../support/seeded_random.ts";
import { runs } from "../../support/suite_size.ts";
import { MIRRORED, mirrorOf, startUpstream, UNITS } from "../../support/upstream_process.ts";
import { until } from "../../support/wait_until.ts";

test("mirror process: a mirror of a mirror serves the prices, and the plans of both require attribution", async (t) => {
  const { url, key } = await startUpstream(t);
  const folder = await temporaryDirectory(t);
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  const keyOf = async (data: string): Promise<string> => {
    const plan = "plans set OWN --daily-units unlimited --attribution no --init --data";
    await mazaneh([...plan.split(" "), data]);
    return String((await mazaneh(["keys", "create", "next", "--plan", "OWN", "--data", data, "--json"])).json()["key"]);
  };
  const [keyOfMiddle, keyOfEnd] = await Promise.all([keyOf(first), keyOf(second)]);
  const middle = await serving(t, ...mirrorOf(url, key, first));
  const required = async () => (await middle.get("/api/v1/access", keyOfMiddle)).json;
  await until("attribution is passed on", async () => String((await required())["attributionRequired"]) === "true");
  // Without values in the first mirror, the second one might wait up to a minute for its next request.
  await until(
    "the first mirror serves the dollar",
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
  const days = "mirror again USD_RLS --from 2026-01-01";
  const again = await mazaneh([...days.split(" "), "--to", "2026-02-20", "--data", data]);
  assert.deepEqual(
    [again.code, again.out],
    [0, "USD_RLS is requested again, in 2 requests: mirror status shows the progress.\n"],
  );
  assert.equal((await mazaneh([...days.split(" "), "--data", data])).code, 64);
});

test("mirror process: a mirror that is killed at any moment never spends more units than its ledger has recorded, and in the end has the upstream's records", async (t) => {
  const { url, key, data: upstreamData } = await startUpstream(t);
  const data = join(await temporaryDirectory(t), "mirror");
  const [args, env] = mirrorOf(url, key, data);
  const chance = createRandom(SEED).next;
  const spent = async (): Promise<number> => {
    const { headers } = await fetch(`${url}/api/v1/access`, { headers: { "X-API-Key": key } });
    return UNITS - Number(headers.get("X-RateLimit-Remaining"));
  };

  for (let kill = 0; kill < runs(5); kill++) {
    const { child } = await servingChild(t, args, env);
    await delay(chance() * 500);
    const closed = once(child, "close");
    child.kill("SIGKILL");
    await closed;
    const [name] = (await readdir(join(data, "mirror")).catch(() => [])).filter((one) => one.endsWith(".json"));
    const saved = name === undefined ? {} : (JSON.parse(await readFile(join(data, "mirror", name), "utf8")) as Json);
    const spans = Object.values(saved["state"]?.["ledger"]?.["spans"] ?? {});
    const written = spans.reduce((sum, span) => sum + Number(span["good"]) + Number(span["open"]), 0);
    assert.ok((await spent()) <= written, `kill ${kill}: ${await spent()} units spent, ${written} in the ledger`);
  }

  const last = await servingChild(t, args, env);
  await until(
    "it has all history",
    async () => {
      const { json } = await mazaneh(["mirror", "status", "--data", data, "--json"]);
      const archive = Object.values(json()["mirror"]?.["archive"] ?? {});
      return archive.length === MIRRORED.length && archive.every((one) => String(one["complete"]) === "true");
    },
    200,
  );
  assert.equal(await last.stop(), 0, last.errors());
  const recordsOf = async (directory: string): Promise<readonly string[]> => {
    const { out } = await mazaneh(["export", "--data", directory]);
    const rows = out
      .trim()
      .split("\n")
      .map((line) => line.split(",").slice(0, 3).join());
    return rows.sort();
  };
  assert.deepEqual(await recordsOf(data), await recordsOf(upstreamData));
});
