import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { LogEntry } from "../../adapters/server/monitoring/log_entry.ts";
import { runUntilStopped } from "../../adapters/server/run_until_stopped.ts";
import { StoreError } from "../../adapters/stores/json_files/mod.ts";
import { childProgram } from "../support/child_program.ts";
import { makeStore, mazaneh, serving, servingChild, temporaryDirectory, temporaryStore } from "../support/cli.ts";
import { ownEnvironment, startChild, startNode } from "../support/start_child.ts";
import { until } from "../support/wait_until.ts";

const ASSET = "/api/v1/assets/USD_RLS";

test("serve: the settings reach the API", async (t) => {
  const env = {
    MAZANEH_STALE_THRESHOLD_MINUTES: "6",
    MAZANEH_DATA: join(await temporaryDirectory(t), "data"),
    MAZANEH_CORS: "https://a.example",
  };
  const server = await serving(
    t,
    ["--stale-threshold-minutes", "7", "--documentation-url", "/guide", "--application", "ours"],
    env,
  );
  const status = await fetch(`${server.url}/api/v1/status`, { headers: { Origin: "https://a.example" } });
  const { application, documentationUrl } = (await status.json()) as { application: string; documentationUrl: string };
  assert.deepEqual([application, documentationUrl], ["ours", `${server.url}/guide`]);
  assert.equal(status.headers.get("Access-Control-Allow-Origin"), "https://a.example");
  assert.equal(server.state["settings"]?.["staleThresholdMinutes"], 7);
});

test("serve: a directory that another server owns is refused with exit code 69; if a port is in use, the command releases its directory and ends with exit code 70", async (t) => {
  const directory = await temporaryDirectory(t);
  const owned = join(directory, "a");
  const server = await serving(t, ["--data", owned]);
  const { port } = new URL(server.url);
  const data = await makeStore(join(directory, "b"));
  for (const [args, exitCode, word] of [
    [["--port", "0", "--data", owned], 69, `in use by process ${process.pid} on host`],
    [["--port", port, "--data", data], 70, "choose another port with --port or --admin-port"],
  ] as const) {
    const { code, out, err } = await mazaneh(["serve", ...args]);
    assert.deepEqual([code, out, err.includes(word)], [exitCode, "", true], err);
  }
  assert.equal((await mazaneh(["repair", "--data", data])).code, 0);
});

test("serve: an address that the machine does not have, and an invalid name, are named and refused: exit code 78", async (t) => {
  const data = await makeStore(join(await temporaryDirectory(t), "data"));
  for (const host of ["192.0.2.1", "no-such-host.invalid"]) {
    const { code, err } = await mazaneh(["serve", "--port", "0", "--host", host, "--data", data]);
    assert.equal(code, 78, err);
    assert.match(err, new RegExp(`^mazaneh: [^\n]*${host}[^\n]*\n$`));
    // On a machine without 127.0.0.1, the failed address may belong to the admin listener.
    if (host === "192.0.2.1") assert.match(err, /another with --host; --admin-port needs 127\.0\.0\.1\n$/);
  }
});

test("serve: a directory that everybody may write to is refused: exit code 78", async (t) => {
  const data = await temporaryStore(t);
  await chmod(data, 0o777);
  const { code, err } = await mazaneh(["serve", "--port", "0", "--data", data]);
  assert.deepEqual([code, err.includes("chmod o-w")], [78, true], err);
});

test("serve: after a signal, it finishes open requests and ignores an immediate repetition; a later signal stops it at once, with exit code 1", async (t) => {
  const data = await temporaryStore(t);
  const { key } = (await mazaneh(["keys", "create", "me", "--json", "--data", data])).json();
  const server = await servingChild(t, ["--data", data]);
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  // The request stays open until its body arrives. Once the server asks for the body, it has read the header fields.
  socket.write(
    `POST ${ASSET} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${String(key)}\r\nContent-Type: application/json\r\nContent-Length: 50\r\nExpect: 100-continue\r\n\r\n`,
  );
  const [asked] = (await once(socket.setEncoding("latin1"), "data")) as [string];
  assert.match(asked, /^HTTP\/1\.1 100 /);
  socket.write("{");
  const closed = once(server.child, "close");
  server.child.kill("SIGINT");
  server.child.kill("SIGINT");
  await delay(700);
  assert.equal(server.child.exitCode, null);
  // Repeated, because a busy server may have noticed the first signal less than half a second ago.
  await until("the server ends", () => server.child.exitCode !== null || !server.child.kill("SIGTERM"), 100);
  assert.deepEqual(await closed, [1, null]);
  const again = await serving(t, ["--data", data]);
  assert.equal((await again.get("/api/v1/access", String(key))).status, 200);
});

test("serve: ends when the shell in which npm started it ends, because that shell forwards no signals", async (t) => {
  const data = await temporaryStore(t);
  const command = [process.execPath, childProgram("adapters/cli/main.ts"), "serve", "--port", "0", "--data", data];
  const child = startChild("sh", ["-c", '"$@"; true', "sh", ...command], {
    env: { ...ownEnvironment(), npm_command: "exec" },
  });
  await child.printed(/^Listening on /m);
  await child.end("SIGTERM"); // Resolves once the server, too, has closed the shared output.
  assert.equal((await mazaneh(["repair", "--data", data])).code, 0);
});

test("serve: if the store fails, the program finishes open requests and ends with the store's exit code", async () => {
  const entries: LogEntry[] = [];
  let stopped = false;
  const server = {
    failed: Promise.resolve(new StoreError("Another process has taken the store over", 71)),
    stop: async () => void (stopped = true),
  };
  const exitCode = await runUntilStopped(new Promise(() => undefined), server, (entry) => entries.push(entry));
  assert.deepEqual([exitCode, stopped], [71, true]);
  assert.deepEqual(entries, [
    { level: "error", event: "store-failed", message: "Another process has taken the store over", exitCode: 71 },
  ]);
});

test("serve: an uncaught error ends the program with exit code 70", async () => {
  const standalone = pathToFileURL(childProgram("adapters/server/run_until_stopped.ts")).href;
  const program = `import { stopSignal } from "${standalone}"; stopSignal((entry) => console.error(JSON.stringify(entry))); setTimeout(() => { throw new Error("a mistake"); });`;
  const child = startNode(["--input-type=module", "--eval", program]);
  assert.equal(await child.ended, 70);
  const { event, stack, exitCode } = JSON.parse(child.err()) as LogEntry;
  assert.deepEqual([event, exitCode], ["crashed", 70]);
  assert.match(String(stack), /^Error: a mistake\n/);
});
