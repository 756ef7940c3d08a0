// Mirrors in processes of their own, in front of an upstream in another one.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { mazaneh, serving, temporaryDirectory } from "../../support/cli.ts";
import { mirrorOf, startUpstream } from "../../support/mirror_kills.ts";
import { until } from "../../support/until.ts";

test("mirror process: a mirror of a mirror serves the prices, and the plans of both require attribution", async (t) => {
  const { url, key } = await startUpstream(t);
  const folder = await temporaryDirectory(t);
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  const keyOf = async (data: string): Promise<string> => {
    await mazaneh(["plans", "set", "OWN", "--daily-units", "unlimited", "--attribution", "no", "--init", "--data", data]);
    return String((await mazaneh(["keys", "create", "next", "--plan", "OWN", "--data", data, "--json"])).json()["key"]);
  };
  const [keyOfMiddle, keyOfEnd] = await Promise.all([keyOf(first), keyOf(second)]);
  const middle = await serving(t, ...mirrorOf(url, key, first));
  const required = async () => (await middle.get("/api/v1/access", keyOfMiddle)).json;
  await until("attribution is passed on", async () => String((await required())["attributionRequired"]) === "true");
  // A mirror that asks before there is anything waits up to a minute to ask again.
  await until("the dollar is in the middle", async () => (await middle.get("/api/v1/assets/USD_RLS", keyOfMiddle)).status === 200);
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

test("mirror process: with a key that is refused it says so in the log, in readiness and in its status, and serves on", async (t) => {
  const { url } = await startUpstream(t);
  const data = join(await temporaryDirectory(t), "data");
  const [args, env] = mirrorOf(url, "mz_live_a_wrong_one", data);
  const { errors, get, state } = await serving(t, [...args, "--admin-port", "0"], env);
  await until("it stops", async () => errors().includes('"code":"stopped"'));
  await until("it is not ready", async () => (await (await fetch(`${String(state["adminUrl"])}/readyz`)).text()).includes("mirror-stopped"));
  const status = await mazaneh(["mirror", "status", "--data", data]);
  assert.equal(status.code, 75);
  assert.match(status.out, /^Stopped: the upstream refuses the key \(401/);
  assert.equal((await get("/api/v1/status")).status, 200);
  assert.doesNotMatch(errors() + status.out, /a_wrong_one/);
});

test("mirror process: with a damaged ledger it does not start, says what to do, and spends nothing", async (t) => {
  const { url, key } = await startUpstream(t);
  const data = join(await temporaryDirectory(t), "data");
  await mazaneh(["keys", "create", "alice", "--init", "--data", data]);
  await mkdir(join(data, "mirror"));
  await writeFile(join(data, "mirror", `${new URL(url).host.replace(":", "_")}.json`), '{"kind":"mirror","schema":1,"state":{}}');
  const [args, env] = mirrorOf(url, key, data);
  const { code, err } = await mazaneh(["serve", "--port", "0", ...args], { env });
  assert.equal(code, 65, err);
  assert.match(err, /is damaged.*Put it back from a backup\. Or remove it/);
  const { headers } = await fetch(`${url}/api/v1/access`, { headers: { "X-API-Key": key } });
  assert.equal(headers.get("X-RateLimit-Remaining"), headers.get("X-RateLimit-Limit"));
});
