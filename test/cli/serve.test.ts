import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { LogEntry } from "../../adapters/server/monitoring/log_entry.ts";
import { runUntilStopped } from "../../adapters/server/run_until_stopped.ts";
import { StoreError } from "../../adapters/stores/json_files/mod.ts";
import { childProgram } from "../support/child_program.ts";
import {
  makeStore,
  mazaneh,
  serving,
  servingChild,
  spawned,
  started,
  temporaryDirectory,
  temporaryStore,
} from "../support/cli.ts";
import { until } from "../support/wait_until.ts";

const ASSET = "/api/v1/assets/USD_RLS";

/** Runs `serve`, stops it, and returns the lines that it printed. */
async function printed(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const server = started(["serve", "--port", "0", "--log-format", "json", ...args], { env, input: Readable.from([]) });
  await until("it listens", () => /^Listening on /m.test(server.texts.out));
  server.stop();
  assert.equal(await server.ended, 0);
  return server.texts.out.trimEnd().split("\n");
}

test("serve --sample: prints the settings with their sources, and a curl line with the demo key", async () => {
  const lines = await printed(["--sample"], { MAZANEH_APPLICATION: "prices", MAZANEH_DATA: "elsewhere" });
  assert.match(lines[0]!, /^Mazaneh \d+\.\d+\.\d+/);
  const text = lines.join("\n");
  assert.match(text, /^ {2}application +prices +MAZANEH_APPLICATION$/m);
  assert.match(text, /^ {2}marketTimeZone +Asia\/Tehran +default$/m);
  assert.doesNotMatch(text, /elsewhere/);
  assert.match(
    text,
    /^All prices here are made up, and are in memory only\. To serve your own: {2}mazaneh import FILE --init {2}and then {2}mazaneh serve$/m,
  );
  const [, url] = /^Listening on (http:\/\/127\.0\.0\.1:\d+)$/m.exec(text) ?? [];
  const [, key] =
    new RegExp(`^ {2}curl -H "X-API-Key: (mz_live_\\w+)" ${url}/api/v1/assets/USD_RLS$`, "m").exec(text) ?? [];
  assert.ok(lines.includes(`  ${key}`), text);
  assert.ok(
    lines.includes(
      "Key of account demo, plan SAMPLE (5,000 units a day). The page gives it to all visitors; the next start makes another.",
    ),
    text,
  );
  assert.ok(lines.includes(`The page for people: ${url}/docs`), text);
});

test("serve: a new store gets hints and no key; a store with keys gets a hint for another key", async (t) => {
  const data = join(await temporaryDirectory(t), "my data");
  const first = (await printed(["--init"], { MAZANEH_DATA: data })).join("\n");
  assert.match(first, /^There are no records yet\. Import some: {2}.* import FILE --data '.*my data'$/m);
  assert.match(first, /^There are no keys yet\. Make one: {2}.* keys create NAME --data '.*my data'$/m);
  assert.doesNotMatch(first, /mz_live_/);
  assert.equal((await mazaneh(["keys", "create", "me", "--data", data])).code, 0);
  const second = await printed(["--data", data]);
  assert.match(
    second.at(-1)!,
    /^A key made earlier cannot be shown again\. Make another: {2}.* keys create NAME --data '.*my data'$/,
  );
});

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

test("serve: the data directory is ./data unless another is set", async (t) => {
  const cwd = await temporaryDirectory(t);
  assert.equal((await spawned(["keys", "create", "me", "--init"], { cwd })).code, 0);
  assert.deepEqual(await readdir(cwd), ["data"]);
});

test("serve: a directory that another server owns is refused: 69", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  const server = await servingChild(t, ["--data", data]);
  const { code, out, err } = await mazaneh(["serve", "--port", "0", "--data", data]);
  assert.deepEqual([code, out], [69, ""]);
  assert.match(err, new RegExp(`^mazaneh: .* is in use by process ${server.child.pid} on host .*\\n$`));
});

test("serve: a port that is in use is refused with 70, and the directory is released", async (t) => {
  const directory = await temporaryDirectory(t);
  const server = await serving(t, ["--data", join(directory, "a")]);
  const { port } = new URL(server.url);
  const data = await makeStore(join(directory, "b"));
  const { code, out, err } = await mazaneh(["serve", "--port", port, "--data", data]);
  assert.deepEqual([code, out], [70, ""]);
  assert.equal(
    err,
    `mazaneh: listen EADDRINUSE: address already in use 127.0.0.1:${port}; another program listens there: choose another port with --port or --admin-port\n`,
  );
  assert.equal((await mazaneh(["repair", "--data", data])).code, 0);
});

test("serve: an address that the machine does not have, and an invalid name, are refused by name: 78", async (t) => {
  const data = await makeStore(join(await temporaryDirectory(t), "data"));
  for (const host of ["192.0.2.1", "no-such-host.invalid"]) {
    const { code, err } = await mazaneh(["serve", "--port", "0", "--host", host, "--data", data]);
    assert.equal(code, 78, err);
    assert.match(err, new RegExp(`^mazaneh: [^\n]*${host}[^\n]*\n$`));
    // On a machine without 127.0.0.1, the failed address may belong to the admin listener.
    if (host === "192.0.2.1") assert.match(err, /another with --host; --admin-port needs 127\.0\.0\.1\n$/);
  }
});

test("serve: a directory that everybody may write to is refused: 78", async (t) => {
  const data = await temporaryStore(t);
  await chmod(data, 0o777);
  const { code, err } = await mazaneh(["serve", "--port", "0", "--data", data]);
  assert.equal(code, 78);
  assert.match(err, /^mazaneh: .*chmod o-w\n$/);
});

test("serve: a signal waits for open requests, and counts once if repeated immediately; a later one stops at once, with 1", async (t) => {
  const data = await temporaryStore(t);
  const { key } = (await mazaneh(["keys", "create", "me", "--json", "--data", data])).json();
  const server = await servingChild(t, ["--data", data]);
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  // Without its body, the request stays open. When the server asks for the body, it has received the request.
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
  server.child.kill("SIGTERM");
  assert.deepEqual(await closed, [1, null]);
  const again = await serving(t, ["--data", data]);
  assert.equal((await again.get("/api/v1/access", String(key))).status, 200);
});

test("serve: ends with the shell in which npm started it, which does not forward signals", async (t) => {
  const data = await temporaryStore(t);
  const command = [process.execPath, childProgram("adapters/cli/main.ts"), "serve", "--port", "0", "--data", data];
  const shell = spawn("sh", ["-c", '"$@"; true', "sh", ...command], { env: { ...process.env, npm_command: "exec" } });
  t.after(() => shell.kill("SIGKILL"));
  let out = "";
  shell.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  await until("it listens", () => /^Listening on /m.test(out));
  const closed = once(shell.stdout, "close");
  shell.kill("SIGTERM");
  await closed; // The server has the same output, so the server has ended as well.
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

test("serve: an uncaught error ends the program with 70", async () => {
  const standalone = pathToFileURL(childProgram("adapters/server/run_until_stopped.ts")).href;
  const program = `import { stopSignal } from "${standalone}"; stopSignal((entry) => console.error(JSON.stringify(entry))); setTimeout(() => { throw new Error("a mistake"); });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  assert.deepEqual(await once(child, "close"), [70, null]);
  const { event, stack, exitCode } = JSON.parse(err) as LogEntry;
  assert.deepEqual([event, exitCode], ["crashed", 70]);
  assert.match(String(stack), /^Error: a mistake\n/);
});
