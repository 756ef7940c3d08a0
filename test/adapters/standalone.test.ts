import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { startStandalone } from "../../adapters/standalone.ts";
import { LOADER, temporaryDirectory } from "../support/cli.ts";
import { connectRaw, rawRequest, sendRaw } from "../support/raw_http.ts";

const PROGRAM = `
import { serveUntil, startStandalone, stopSignal } from "${new URL("../../adapters/standalone.ts", import.meta.url).href}";
const signal = stopSignal(console.error);
const server = await startStandalone({ data: process.env.DATA, host: "127.0.0.1", port: 0 });
console.log("http://127.0.0.1:" + server.address.port);
process.exitCode = await serveUntil(signal, server, console.error);
`;

for (const signal of ["SIGHUP", "SIGTERM", "SIGINT"] as const) {
  test(`${signal} stops a server cleanly: open requests are answered, the exit code is 0`, async (t) => {
    const data = await temporaryDirectory(t);
    const child = spawn(process.execPath, [...LOADER, "--input-type=module", "--eval", PROGRAM], { env: { ...process.env, DATA: data } });
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
    child.kill(signal);
    await once(child.stderr, "data");
    connection.send(request.subarray(10));
    const reply = await connection.reply();
    assert.deepEqual([reply.status, reply.headers.get("connection")], [200, "close"]);
    assert.deepEqual(await closed, [0, null]);
  });
}

test("a standalone server takes limits", async (t) => {
  const origin = await start(t, { connectionsPerAddress: 1 });
  const first = connectRaw(origin);
  t.after(() => first.destroy());
  first.send(rawRequest({ target: "/api/v1/status" }));
  assert.equal((await first.reply()).status, 200);
  await assert.rejects(sendRaw(origin, { target: "/api/v1/status" }));
});

async function start(t: TestContext, limits: { connectionsPerAddress: number }): Promise<string> {
  const server = await startStandalone({ data: await temporaryDirectory(t), host: "127.0.0.1", port: 0, limits });
  t.after(() => server.stop());
  return `http://127.0.0.1:${server.address.port}`;
}
