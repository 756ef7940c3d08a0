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
import { runs } from "../support/size.ts";
import { bundle } from "./bundle.ts";
import type { Ending } from "../support/closing_load.ts";

const CLIENTS = 16;
/** In every third round, the clients get no processor time for so long when the stop begins, as on a machine that is busy. */
const STALL_MS = 400;
const ROUNDS = runs(4);

const [program, clientsPath] = await Promise.all([bundle("adapters/cli/main.ts"), bundle("test/faults/stop_clients.ts")]);

test(`stops: ${ROUNDS} by SIGTERM and SIGHUP under load: no client is reset, exit code 0`, async (t) => {
  const data = await newDirectory();
  const key = await makeKey(data);
  const endings: Ending[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { child, url } = await startServer(t, data);
    const clients = fork(clientsPath, [url, key, String(CLIENTS)], { execArgv: [] });
    t.after(() => clients.kill("SIGKILL"));
    assert.deepEqual(await once(clients, "message"), ["started", undefined]);
    await delay(7 * (round % 30));
    const closed = once(child, "close");
    const ended = once(clients, "message");
    if (round % 3 === 0) clients.kill("SIGSTOP");
    child.kill(round % 2 === 0 ? "SIGTERM" : "SIGHUP");
    if (round % 3 === 0) await delay(STALL_MS);
    clients.kill("SIGCONT");
    assert.deepEqual(await closed, [0, null]);
    endings.push(...((await ended) as [Ending[]])[0]);
  }
  assert.deepEqual(endings, Array.from({ length: ROUNDS * CLIENTS }, () => "told"));
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
