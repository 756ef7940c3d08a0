import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { StoreError } from "../../../adapters/json_files/mod.ts";
import type { LogEntry } from "../../../adapters/operations/log_entry.ts";
import { serveUntil } from "../../../adapters/serve_until.ts";
import { ASSETS } from "../../../core/mod.ts";
import { LOADER, makeStore, mazaneh, serving, startMazaneh, startSources, temporaryDirectory, temporaryStore } from "../../support/cli.ts";
import type { Json } from "../../support/world.ts";

const ASSET = "/api/v1/assets/USD_RLS";
const DAY = 86_400_000;

function dayBefore(days: number): string {
  return new Date(Date.now() - days * DAY).toISOString().slice(0, 10);
}

function countOf(list: Json): number {
  return (list as unknown as readonly Json[]).length;
}

function keyOf(state: Json): string {
  return String(state["demoKey"]?.["key"]);
}

test("serve --sample on an empty directory: every route answers with the printed key", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  const server = await serving(t, ["--sample", "--data", data]);
  const { state } = server;
  assert.equal(Number(state["sampleRecords"]) > 140_000, true);
  assert.equal(state["records"]?.["assets"], ASSETS.length);
  const key = keyOf(state);

  const all = await server.get("/api/v1/assets", key);
  assert.deepEqual([all.status, countOf(all.json)], [200, ASSETS.length]);
  const supported = await server.get("/api/v1/assets/supported", key);
  assert.equal(supported.status, 200);
  assert.ok((supported.json["assets"] as unknown as { stale: boolean; providers: string[] }[]).every(({ stale, providers }) => !stale && providers[0] === "SAMPLE"));
  const latest = await server.get(ASSET, key);
  assert.deepEqual([latest.status, latest.json["code"]], [200, "USD_RLS"]);
  const onDate = await server.get(`${ASSET}/${dayBefore(3)}`, key);
  assert.equal(onDate.status, 200);
  const history = await server.get(`${ASSET}/history?from=${dayBefore(30)}&to=${dayBefore(1)}`, key);
  assert.deepEqual([history.status, countOf(history.json)], [200, 30]);
  const ohlc = await server.get(`${ASSET}/ohlc?interval=1h&from=${dayBefore(2)}T00:00:00Z&to=${dayBefore(1)}T00:00:00Z`, key);
  assert.deepEqual([ohlc.status, countOf(ohlc.json["candles"]!)], [200, 24]);
  const posted = await fetch(server.url + ASSET, {
    method: "POST",
    headers: { Authorization: `ApiKey ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ fromDate: dayBefore(30), toDate: dayBefore(1) }),
  });
  assert.deepEqual([posted.status, await posted.json()], [200, history.json]);
  const status = await server.get("/api/v1/status");
  assert.deepEqual([status.status, status.json["application"]], [200, "mazaneh"]);
  const access = await server.get("/api/v1/access", key);
  assert.deepEqual([access.status, access.json["accessType"]], [200, "SAMPLE"]);
  assert.equal((await server.get(ASSET)).status, 401);
  assert.equal(await server.stop(), 0);

  const again = await serving(t, ["--sample", "--data", data]);
  assert.deepEqual([again.state["demoKey"], again.state["keys"]], [state["demoKey"], 1]);
  // Where a quarter of an hour has begun meanwhile, each asset has one record more.
  const isSameQuarter = state["records"]?.["to"] === again.state["records"]?.["to"];
  assert.equal(again.state["sampleRecords"], isSameQuarter ? 0 : ASSETS.length);
  if (isSameQuarter) assert.deepEqual((await again.get(ASSET, key)).json, latest.json);
  else await again.get(ASSET, key);
  const usage = await fetch(`${again.url}/api/v1/access`, { headers: { "X-API-Key": key } });
  assert.equal(usage.headers.get("X-RateLimit-Remaining"), String(5_000 - 8), "a clean stop forgets no unit and charges none");
  assert.equal(await again.stop(), 0);
});

test("serve --fast-start: a stop leaves a snapshot, and the next start serves the same from it; without it none is made", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  const snapshot = join(data, "obs", "obs.snapshot");
  const first = await serving(t, ["--sample", "--data", data]);
  const key = keyOf(first.state);
  assert.equal(first.state["settings"]?.["fastStart"], false);
  const paths = [ASSET, `${ASSET}/${dayBefore(3)}`, `${ASSET}/history?from=${dayBefore(30)}&to=${dayBefore(1)}`, "/api/v1/assets"];
  const before = await Promise.all(paths.map((path) => first.get(path, key)));
  assert.equal(await first.stop(), 0);
  assert.equal(existsSync(snapshot), false);

  for (const [env, isThere] of [[{ MAZANEH_FAST_START: "1" }, false], [{ MAZANEH_FAST_START: "true" }, true]] as const) {
    assert.equal(existsSync(snapshot), isThere);
    const server = await serving(t, ["--data", data], env);
    assert.deepEqual([server.state["settings"]?.["fastStart"], server.state["records"]], [true, first.state["records"]]);
    assert.deepEqual(await Promise.all(paths.map((path) => server.get(path, key))), before);
    assert.equal(await server.stop(), 0);
  }
  const flagged = await serving(t, ["--fast-start", "--data", data]);
  assert.equal(flagged.state["settings"]?.["fastStart"], true);
});

test("serve --sample: a first start that was ended while loading is made good by the next", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  const time = new Date(Date.now() - 60_000).toISOString();
  const part = `code,value,businessTime,provider\nUSD_RLS,1,${time},SAMPLE\n`;
  assert.equal((await mazaneh(["import", "--init", "--data", data, "-"], { input: part })).code, 0);
  const server = await serving(t, ["--sample", "--data", data]);
  assert.equal(server.state["records"]?.["assets"], ASSETS.length);
});

test("serve --sample: records of one's own are left alone, and a key is made all the same, which nobody else gets", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  const input = "code,value,businessTime\nUSD_RLS,1905000,2026-08-21T16:30:00Z\n";
  await mazaneh(["import", "--init", "--data", data, "-"], { input });
  const server = await serving(t, ["--sample", "--data", data]);
  assert.deepEqual([server.state["sampleRecords"], server.state["records"]?.["assets"]], [0, 1]);
  assert.equal((await server.get(ASSET, keyOf(server.state))).json["value"], 1_905_000);
  assert.equal((await server.get("/api/v1/access", keyOf(server.state))).json["accessType"], "FREE_STARTER");
  assert.ok(!(await (await fetch(`${server.url}/docs`)).text()).includes("mz_live_"));
  assert.ok(!(await readdir(data)).includes("demo-key"));
});

/** What `serve` prints for people until it is told to stop. */
async function printed(args: readonly string[], env?: Readonly<Record<string, string>>, start = startMazaneh): Promise<string[]> {
  const child = start(["serve", "--port", "0", ...args], env);
  const lines: string[] = [];
  const closed = once(child, "close");
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    // By then all but the key and the hints is printed, in one piece with them.
    if (line.startsWith("Listening on ")) setTimeout(() => child.kill("SIGTERM"), 50);
  }
  assert.deepEqual(await closed, [0, null]);
  return lines;
}

test("serve --sample: prints the settings with where they come from, and at each start a curl line with the demo key; serve, how to make another", async (t) => {
  const data = join(await temporaryDirectory(t), "my data");
  const first = await printed(["--sample", "--data", data], { MAZANEH_APPLICATION: "prices" });
  assert.match(first[0]!, /^Mazaneh \d+\.\d+\.\d+/);
  assert.ok(first.includes(`  data                   ${data}  --data`));
  assert.ok(first.some((line) => /^ {2}application +prices +MAZANEH_APPLICATION$/.test(line)));
  assert.ok(first.some((line) => /^ {2}marketTimeZone +Asia\/Tehran +default$/.test(line)));
  assert.ok(first.some((line) => /^Loaded the sample archive: 14\d,\d{3} records, made up, provider SAMPLE\.$/.test(line)));
  const url = first.find((line) => line.startsWith("Listening on "))!.slice("Listening on ".length);
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
  const curl = first.find((line) => line.includes("curl"))!;
  assert.match(curl, new RegExp(`^ {2}curl -H "X-API-Key: mz_live_\\w+" ${url}/api/v1/assets/USD_RLS$`));
  const key = /mz_live_\w+/.exec(curl)![0];

  assert.ok(first.some((line) => line.trim() === key));
  assert.ok(first.includes(`Key of account demo, plan SAMPLE (5,000 units a day). It is kept in ${join(data, "demo-key")}, and the page gives it to all who open it.`));
  assert.ok(first.includes(`The page for people: ${url}/docs`));

  const second = await printed(["--sample", "--data", data], {}, startSources);
  assert.equal(/mz_live_\w+/.exec(second.find((line) => line.includes("curl"))!)![0], key);

  const third = await printed(["--data", data], {}, startSources);
  assert.ok(third.every((line) => !line.includes("mz_live_")));
  assert.match(third.at(-1)!, /^A key made earlier cannot be shown again\. Make another: {2}npx tsx .*main\.ts keys create NAME --data '.*my data'$/);
});

test("serve: with --init and without --sample, a new store gets hints and no key", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  const lines = await printed(["--init"], { MAZANEH_DATA: data });
  assert.ok(lines.some((line) => /^There are no records yet\. Import some: {2}.* import FILE --data /.test(line)));
  assert.ok(lines.some((line) => /^There are no keys yet\. Make one: {2}.* keys create NAME --data /.test(line)));
  assert.ok(lines.every((line) => !line.includes("mz_live_")));
});

test("serve: the settings reach the API", async (t) => {
  const directory = await temporaryDirectory(t);
  const config = join(directory, "config.json");
  await writeFile(config, JSON.stringify({ application: "from the file", staleThresholdMinutes: 5, cors: ["https://a.example"] }));
  const env = { MAZANEH_CONFIG: config, MAZANEH_STALE_THRESHOLD_MINUTES: "6", MAZANEH_DATA: join(directory, "data") };
  const server = await serving(t, ["--sample", "--stale-threshold-minutes", "7", "--documentation-url", "/guide"], env);
  const status = await fetch(`${server.url}/api/v1/status`, { headers: { Origin: "https://a.example" } });
  const { application, documentationUrl } = (await status.json()) as { application: string; documentationUrl: string };
  assert.deepEqual([application, documentationUrl], ["from the file", `${server.url}/guide`]);
  assert.equal(status.headers.get("Access-Control-Allow-Origin"), "https://a.example");
  const { json } = await server.get("/api/v1/assets/supported", keyOf(server.state));
  assert.equal(json["staleThresholdMinutes"], 7);
  assert.deepEqual((await readdir(directory)).sort(), ["config.json", "data"]);
});

test("serve: the data directory is ./data unless set, and never another", async (t) => {
  const cwd = await temporaryDirectory(t);
  assert.equal((await mazaneh(["keys", "create", "me", "--init"], { cwd })).code, 0);
  assert.deepEqual(await readdir(cwd), ["data"]);
});

test("serve: a directory that another server holds is refused: 69", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  const server = await serving(t, ["--data", data]);
  const { code, out, err } = await mazaneh(["serve", "--port", "0", "--data", data]);
  assert.deepEqual([code, out], [69, ""]);
  assert.match(err, new RegExp(`^mazaneh: .* pid ${server.child.pid} .*\\n$`));
});

test("serve: a port that is in use is refused: 70, and the directory is let go", async (t) => {
  const directory = await temporaryDirectory(t);
  const server = await serving(t, ["--data", join(directory, "a")]);
  const { port } = new URL(server.url);
  const { code, out, err } = await mazaneh(["serve", "--port", port, "--sample", "--data", await makeStore(join(directory, "b"))]);
  assert.deepEqual([code, out], [70, ""]);
  assert.equal(err, `mazaneh: Cannot listen on 127.0.0.1, port ${port}, as another program does. Choose another with --port\n`);
  assert.equal((await mazaneh(["keys", "list", "--data", join(directory, "b")])).out, "There are no keys.\n");
});

test("serve: an address that the machine does not have, and a name that is none, are refused by name: 78", async (t) => {
  const data = await makeStore(join(await temporaryDirectory(t), "data"));
  for (const host of ["192.0.2.1", "no-such-host.invalid"]) {
    const { code, err } = await mazaneh(["serve", "--port", "0", "--host", host, "--data", data]);
    assert.equal(code, 78, err);
    assert.match(err, new RegExp(`^mazaneh: Cannot listen on ${host}, as (this machine does not have that address|there is no such name|that name cannot be looked up)\\. Choose another with --host\n$`));
  }
});

test("serve: a directory that everybody may write to is refused: 78", async (t) => {
  const data = await temporaryStore(t);
  await chmod(data, 0o777);
  const { code, err } = await mazaneh(["serve", "--port", "0", "--data", data]);
  assert.equal(code, 78);
  assert.match(err, /^mazaneh: .*chmod o-w\n$/);
});

test("serve: a signal waits for open requests; the same one twice at once counts once; a second one stops at once, with 1", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  const server = await serving(t, ["--sample", "--data", data]);
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  // A request whose body does not come: it stays open. The server has it once it asks for the body.
  socket.write(`POST ${ASSET} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${keyOf(server.state)}\r\nContent-Type: application/json\r\nContent-Length: 50\r\nExpect: 100-continue\r\n\r\n`);
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
  assert.equal((await again.get(ASSET, keyOf(server.state))).status, 200);
});

test("serve: a signal while the sample is being loaded is a clean stop, too", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  const child = startMazaneh(["serve", "--sample", "--port", "0", "--data", data]);
  t.after(() => child.kill("SIGKILL"));
  const closed = once(child, "close");
  while (!existsSync(join(data, "MANIFEST.json")) && child.exitCode === null) await delay(10);
  child.kill("SIGTERM");
  assert.deepEqual(await closed, [0, null]);
});

test("serve: a store that must not go on ends the program with its exit code, after the open requests", async () => {
  const told: LogEntry[] = [];
  let stopped = false;
  const server = {
    failed: Promise.resolve(new StoreError("Another process has taken the store over", 71)),
    stop: async () => void (stopped = true),
  };
  const exitCode = await serveUntil(new Promise(() => undefined), server, (entry) => told.push(entry));
  assert.deepEqual([exitCode, stopped], [71, true]);
  assert.deepEqual(told, [{ level: "error", event: "store-failed", message: "Another process has taken the store over", exitCode: 71 }]);
});

test("serve: what nobody has caught ends the program with 70", async () => {
  const standalone = new URL("../../../adapters/serve_until.ts", import.meta.url).href;
  const program = `import { stopSignal } from "${standalone}"; stopSignal((entry) => console.error(JSON.stringify(entry))); setTimeout(() => { throw new Error("a mistake"); });`;
  const child = spawn(process.execPath, [...LOADER, "--input-type=module", "--eval", program]);
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  assert.deepEqual(await once(child, "close"), [70, null]);
  const { event, stack, exitCode } = JSON.parse(err) as LogEntry;
  assert.deepEqual([event, exitCode], ["crashed", 70]);
  assert.match(String(stack), /^Error: a mistake\n/);
});

test("serve: warns of a data directory that others may enter, as text and as JSON", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  await mkdir(data);
  await chmod(data, 0o755);
  const { state, stop } = await serving(t, ["--data", data]);
  const [warning] = state["warnings"] as unknown as readonly string[];
  assert.match(String(warning), /may enter|others/);
  assert.equal(await stop(), 0);
  const child = startMazaneh(["serve", "--port", "0", "--data", data]);
  t.after(() => child.kill("SIGKILL"));
  let text = "";
  for await (const chunk of child.stdout) if ((text += String(chunk)).includes("Listening on")) break;
  assert.ok(text.includes(`Warning: ${warning}`), text);
});
