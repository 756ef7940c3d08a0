// Runs every program in fixtures/examples with the installed tarball. Its command `mazaneh` makes the data and the key.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { run, start, until } from "./run_command.mjs";

/** The servers, each with the path of its API, and with its runtime unless that is Node. */
const SERVERS = {
  "node_http.mjs": {},
  "express.mjs": { mount: "/market", echoes: true },
  "fastify.mjs": { echoes: true },
  "koa.mjs": {},
  "hono_node.mjs": {},
  "hono_bun.mjs": { runtime: "node_modules/bun/bin/bun.exe" },
};
const PRINTED = {
  "in_process.mjs": `US Dollar / Iranian Rial: 1903500 at 2026-08-21T16:50:00.000Z
2026-08-21T16:50:00.000Z 1903500
2026-08-21T16:00:00.000Z 1905000 1903500 true
ASSET_NOT_FOUND There is no record for PAXG_RLS yet
no such code: usd
`,
  "own_store.mjs": "83125.4\n200\n",
};
const ROUTE_HANDLER = "next_route.mjs";

export async function runExamples(check, consumer, examples) {
  const names = readdirSync(examples).filter((name) => name.endsWith(".mjs"));
  await check("every example is run", () =>
    assert.deepEqual(names.sort(), [...Object.keys(SERVERS), ...Object.keys(PRINTED), ROUTE_HANDLER].sort()),
  );
  for (const name of names) cpSync(join(examples, name), join(consumer, name));
  const seeded = { consumer, ...(await seedData(consumer)) };

  for (const name of Object.keys(SERVERS)) await check(`example ${name}`, () => withServer(seeded, name));
  for (const [name, printed] of Object.entries(PRINTED)) {
    await check(`example ${name}`, async () => {
      const cwd = place(consumer, name);
      assert.equal(await run(process.execPath, [join(consumer, name)], { cwd }), printed);
    });
  }
  await check(`example ${ROUTE_HANDLER}`, () => callRouteHandler(seeded));
}

/** Runs the package's program to make a key and a data directory with one record. */
async function seedData(consumer) {
  const cwd = place(consumer, "seed");
  const mazaneh = join(consumer, "node_modules/.bin/mazaneh");
  writeFileSync(join(cwd, "prices.csv"), "code,value,businessTime\nUSD_RLS,1905000,2026-08-21T16:30:00Z\n");
  await run(mazaneh, ["import", "--init", "--yes", "--data", "data", "prices.csv"], { cwd });
  const { key } = JSON.parse(await run(mazaneh, ["keys", "create", "me", "--data", "data", "--json"], { cwd }));
  return { data: join(cwd, "data"), key };
}

function place(consumer, name) {
  const folder = join(consumer, `run_${basename(name, ".mjs")}`);
  mkdirSync(folder);
  return folder;
}

/** Calls a server. After SIGTERM, the server must end by itself. */
async function withServer({ consumer, data, key }, name) {
  const { runtime, ...options } = SERVERS[name];
  const cwd = place(consumer, name);
  cpSync(data, join(cwd, "data"), { recursive: true });
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = { ...process.env, PORT: String(port) };
  const program = runtime ? join(consumer, runtime) : process.execPath;
  const server = start(program, [join(consumer, name)], { cwd, env });
  try {
    await until(server, `an answer at ${origin}`, () =>
      fetch(origin)
        .then((answer) => answer.text())
        .catch(() => ""),
    );
    await callServer(origin, key, options);
  } finally {
    server.kill("SIGTERM");
    const late = setTimeout(() => server.kill("SIGKILL"), 60_000);
    const code = await server.exited;
    clearTimeout(late);
    assert.equal(code, 0, `the server must end by itself after SIGTERM: ${server.stderr()}`);
  }
}

async function callServer(origin, key, { mount = "", echoes = false }) {
  const base = `${origin}${mount}`;
  assert.equal(await (await fetch(`${origin}/`)).text(), "our own page");
  const { documentationUrl } = await (await fetch(`${base}/api/v1/status`)).json();
  assert.ok(documentationUrl.startsWith(base), documentationUrl);
  const page = await fetch(documentationUrl);
  assert.deepEqual([page.status, page.headers.get("content-type")], [200, "text/html; charset=utf-8"]);
  await callRoutes((path, init) => fetch(`${base}${path}`, init), key);
  if (!echoes) return;
  const headers = { "Content-Type": "application/json" };
  const echo = await fetch(`${origin}/echo`, { method: "POST", headers, body: '{"a":1}' });
  assert.equal(await echo.text(), '{"a":1}', "bodies for the app's own routes are parsed");
}

/** Sends requests that frameworks may treat differently: HEAD, OPTIONS, requests without a key or with a body. */
async function callRoutes(send, key) {
  const headers = { "X-API-Key": key };
  const asset = "/api/v1/assets/USD_RLS";
  const record = await (await send(asset, { headers })).json();
  assert.deepEqual([record.code, record.value], ["USD_RLS", 1905000]);
  assert.equal((await send(asset, {})).status, 401);
  assert.equal((await send(`${asset}/2026-02-30`, { headers })).status, 400);
  assert.equal((await send(asset, { method: "HEAD", headers })).status, 200);
  const preflight = await send(asset, {
    method: "OPTIONS",
    headers: { Origin: "https://page.example", "Access-Control-Request-Method": "POST" },
  });
  assert.deepEqual([preflight.status, preflight.headers.get("access-control-allow-origin")], [204, "*"]);
  const init = {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: '{"fromDate":"2026-08-01","toDate":"2026-08-30"}',
  };
  assert.deepEqual(await (await send(asset, init)).json(), [record]);
  assert.equal((await send(asset, { ...init, body: " ".repeat(9_000) })).status, 413);
}

async function callRouteHandler({ consumer, data, key }) {
  const cwd = place(consumer, ROUTE_HANDLER);
  cpSync(data, join(cwd, "data"), { recursive: true });
  const before = process.cwd();
  process.chdir(cwd);
  try {
    const module = await import(join(consumer, ROUTE_HANDLER));
    assert.deepEqual(Object.keys(module).sort(), ["GET", "HEAD", "OPTIONS", "POST", "dynamic", "runtime"]);
    const send = (path, init) => module[init.method ?? "GET"](new Request(`https://app.example${path}`, init));
    await callRoutes(send, key);
    await (await globalThis.mazanehStore).close();
  } finally {
    process.chdir(before);
  }
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}
