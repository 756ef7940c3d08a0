// Stops of the real program while clients ask again and again: nobody is reset, and it ends in time.
import assert from "node:assert/strict";
import { fork, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { newDirectory } from "../support/store_suite_files.ts";
import { bundle } from "./bundle.ts";
import type { Endings } from "./stop_clients.ts";
import { SCALE, rounds, tell } from "./scale.ts";

const MAX_STOP_MS = 10_000;
const CLIENTS = 16;
/** In every third round, the clients get no processor time for so long when the stop begins, as on a machine that is busy. */
const STALL_MS = 400;
/** Processes that take all processor time they get, on demand. */
const BUSY = SCALE >= 10 ? 2 : 0;

const [program, clientsPath] = await Promise.all([bundle("adapters/cli/main.ts"), bundle("test/faults/stop_clients.ts")]);

test(`stops: ${rounds(10)} by SIGTERM and SIGHUP under load, ${BUSY} busy processes: no client is reset, exit code 0 within 10 s`, async (t) => {
  const data = await newDirectory();
  const key = await makeKey(data);
  const total: Endings = { told: 0, reset: 0, answers: 0 };
  let worstMs = 0;
  const busy = Array.from({ length: BUSY }, () => spawn(process.execPath, ["-e", "const end = Date.now() + 600_000; while (Date.now() < end);"]));
  t.after(() => busy.forEach((child) => child.kill("SIGKILL")));
  for (let round = 0; round < rounds(10); round++) {
    const { child, url } = await startServer(t, data);
    const clients = fork(clientsPath, [url, key, String(CLIENTS)], { execArgv: [] });
    t.after(() => clients.kill("SIGKILL"));
    assert.deepEqual(await once(clients, "message"), ["started", undefined]);
    await delay(7 * (round % 30));
    const closed = once(child, "close");
    const ended = once(clients, "message");
    const since = performance.now();
    if (round % 3 === 0) clients.kill("SIGSTOP");
    child.kill(round % 2 === 0 ? "SIGTERM" : "SIGHUP");
    if (round % 3 === 0) await delay(STALL_MS);
    clients.kill("SIGCONT");
    assert.deepEqual(await closed, [0, null]);
    worstMs = Math.max(worstMs, performance.now() - since);
    const [endings] = (await ended) as [Endings];
    for (const name of ["told", "reset", "answers"] as const) total[name] += endings[name];
  }
  tell(t, { ...total, "worst ms": Math.round(worstMs) });
  assert.equal(total.reset, 0);
  assert.equal(total.told, rounds(10) * CLIENTS);
  assert.ok(worstMs < MAX_STOP_MS, `${worstMs} ms`);
});

async function makeKey(data: string): Promise<string> {
  const run = async (...args: string[]): Promise<string> => {
    const child = spawn(process.execPath, [program, ...args, "--init", "--json", "--data", data]);
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    assert.deepEqual(await once(child, "close"), [0, null]);
    return out;
  };
  await run("plans", "set", "LARGE", "--daily-units", "unlimited", "--attribution", "no");
  return (JSON.parse(await run("keys", "create", "client", "--plan", "LARGE")) as { key: string }).key;
}

async function startServer(t: TestContext, data: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [program, "serve", "--json", "--port", "0", "--data", data], { stdio: ["ignore", "pipe", "ignore"] });
  t.after(() => child.kill("SIGKILL"));
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  return { child, url: (JSON.parse(line) as { url: string }).url };
}
