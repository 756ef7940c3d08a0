import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { nodeSystem } from "../../adapters/http/node/mod.ts";
import { type StandaloneOptions, startStandalone } from "../../adapters/server/standalone.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import type { Store } from "../../adapters/stores/shared/store.ts";
import { createKey } from "../../core/mod.ts";
import { LOADER, temporaryDirectory } from "../support/cli.ts";
import { connectRaw, rawRequest, sendRaw } from "../support/raw_http.ts";
import { IS_NIGHTLY } from "../support/suite_size.ts";
import { until } from "../support/wait_until.ts";

const PROGRAM = `
import { runUntilStopped, stopSignal } from "${new URL("../../adapters/server/run_until_stopped.ts", import.meta.url).href}";
import { startStandalone } from "${new URL("../../adapters/server/standalone.ts", import.meta.url).href}";
const signal = stopSignal(console.error);
const server = await startStandalone({ data: process.env.DATA, host: "127.0.0.1", port: 0 });
console.log("http://127.0.0.1:" + server.address.port);
process.exitCode = await runUntilStopped(signal, server, console.error);
`;

for (const signal of IS_NIGHTLY ? (["SIGTERM", "SIGINT"] as const) : (["SIGTERM"] as const)) {
  test(`SIGHUP is ignored with a line; ${signal} stops a server cleanly: open requests are answered, the exit code is 0`, async (t) => {
    const data = await temporaryDirectory(t);
    const child = spawn(process.execPath, [...LOADER, "--input-type=module", "--eval", PROGRAM], {
      env: { ...process.env, DATA: data },
    });
    t.after(() => child.kill("SIGKILL"));
    const closed = once(child, "close");
    const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    const connection = connectRaw(line.trim());
    t.after(() => connection.destroy());
    const request = rawRequest({ target: "/api/v1/status" });
    connection.send(request);
    await connection.reply();
    // A request on its way when the signal comes.
    connection.send(request.subarray(0, 10));
    await new Promise((resolve) => setTimeout(resolve, 50));
    let printed = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (printed += text));
    child.kill("SIGHUP");
    await until("the server to say that it ignores this one", () => printed.includes("SIGHUP is ignored"));
    child.kill(signal);
    await until("the server to say that it stops", () => printed.includes("stopping"));
    connection.send(request.subarray(10));
    const reply = await connection.reply();
    assert.deepEqual([reply.status, reply.headers.get("connection")], [200, "close"]);
    assert.deepEqual(await closed, [0, null]);
  });
}

test("a standalone server takes limits", async (t) => {
  const { origin } = await start(t, { limits: { connectionsPerAddress: 1 } });
  const first = connectRaw(origin);
  t.after(() => first.destroy());
  first.send(rawRequest({ target: "/api/v1/status" }));
  assert.equal((await first.reply()).status, 200);
  await assert.rejects(sendRaw(origin, { target: "/api/v1/status" }));
});

test("a standalone server takes proxies, and rates for addresses and keys", async (t) => {
  const { origin, store } = await start(t, { behindProxy: ["127.0.0.1"], addressRate: "2/h", keyRate: "1/h" });
  const key = await createKey(store.accounts, nodeSystem, "me");
  const ask = async (...headers: readonly string[]): Promise<number> =>
    (await sendRaw(origin, { target: "/api/v1/access", headers })).status;
  const from = (address: string): string => `X-Forwarded-For: ${address}`;
  assert.deepEqual(
    [
      await ask(from("192.0.2.1")),
      await ask(from("192.0.2.1")),
      await ask(from("192.0.2.1")),
      await ask(from("192.0.2.2")),
    ],
    [401, 401, 429, 401],
  );
  assert.deepEqual(
    [await ask(from("192.0.2.3"), `X-API-Key: ${key}`), await ask(from("192.0.2.4"), `X-API-Key: ${key}`)],
    [200, 429],
  );
});

test("while a store hangs and no request with a key is let in any more, the page, its files, OpenAPI and the status are answered: 200", async (t) => {
  let hangs = false;
  const hanging = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(_, name) {
        const act: unknown = Reflect.get(port, name);
        return typeof act !== "function"
          ? act
          : (...args: unknown[]): unknown => (hangs ? new Promise(() => {}) : Reflect.apply(act, port, args));
      },
    });
  const { observations, accounts, quota } = createMemoryStore();
  const key = await createKey(accounts, nodeSystem, "me");
  const memory: Store = {
    ...{
      observations: hanging(observations),
      accounts: hanging(accounts),
      quota: hanging(quota),
      warnings: [],
      watcher: { troubles: () => [] },
    },
    ...{
      info: async () => ({ storeId: "1", version: "1", records: 0, pending: 0, damages: 0 }),
      failed: new Promise(() => {}),
      metrics: () => [],
      close: async () => {},
    },
  };
  const { origin } = await start(t, { store: async () => memory, limits: { requests: 4, drainMs: 1 } });
  hangs = true;
  const stuck = Array.from({ length: 4 }, () => connectRaw(origin));
  t.after(() => stuck.forEach((one) => one.destroy()));
  for (const one of stuck) one.send(rawRequest({ target: "/api/v1/assets", headers: [`X-API-Key: ${key}`] }));
  await until("others are refused", async () => (await sendRaw(origin, { target: "/api/v1/access" })).status === 503);
  const page = (await sendRaw(origin, { target: "/docs" })).body.toString();
  const file = /docs\/[\w-]+\.js/.exec(page)?.[0] ?? assert.fail("the page has no script");
  for (const target of ["/docs", `/${file}`, "/docs.md", "/llms.txt", "/openapi.json", "/api/v1/status"])
    assert.equal((await sendRaw(origin, { target })).status, 200, target);
});

async function start(t: TestContext, options: Partial<StandaloneOptions>): Promise<{ origin: string; store: Store }> {
  const { address, store, stop } = await startStandalone({
    data: await temporaryDirectory(t),
    host: "127.0.0.1",
    port: 0,
    ...options,
  });
  t.after(() => stop());
  return { origin: `http://127.0.0.1:${address.port}`, store };
}
