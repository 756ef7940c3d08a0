import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { type AdminPages, startAdminServer } from "../../../adapters/server/monitoring/admin_server.ts";
import { until } from "../../support/wait_until.ts";

const READY: AdminPages = {
  readiness: () => ({ ready: true, reasons: [], pending: 2, damages: 0 }),
  metrics: async () => "up 1\n",
  overview: () => Promise.reject(new Error("not asked for")),
};

async function start(t: TestContext, pages: Partial<AdminPages> = {}): Promise<number> {
  const server = await startAdminServer(0, { ...READY, ...pages });
  t.after(() => server.close());
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  return Number(new URL(server.url).port);
}

function open(t: TestContext, port: number): Socket {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  t.after(() => socket.destroy());
  return socket;
}

/** Sends raw bytes. Resolves to everything that arrives until the connection ends. */
async function send(t: TestContext, port: number, text: string): Promise<string> {
  const socket = open(t, port);
  let answer = "";
  socket.setEncoding("latin1").on("data", (part: string) => (answer += part));
  socket.write(text);
  await new Promise((resolve) => socket.once("close", resolve)); // A reset also counts as the end.
  return answer;
}

function request(method: string, target: string, host = "localhost"): string {
  return `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
}

test("admin: every page answers GET and HEAD, and closes the connection", async (t) => {
  const port = await start(t);
  const ready = '{"ready":true,"reasons":[],"pending":2,"damages":0}\n';
  const pages = { "/livez": "alive\n", "/readyz": ready, "/metrics": "up 1\n", "/readyz?verbose": ready };
  for (const [target, body] of Object.entries(pages)) {
    const [head, ...rest] = (await send(t, port, request("GET", target))).split("\r\n\r\n");
    assert.match(head!, /^HTTP\/1\.1 200 [^]*\r\nConnection: close/i, target);
    assert.equal(rest.join(), body, target);
    assert.match(await send(t, port, request("HEAD", target)), /^HTTP\/1\.1 200 [^]*\r\n\r\n$/, target);
  }
});

test("admin: /readyz answers 503 with the reasons, and a page that fails answers 500", async (t) => {
  const reasons = [{ code: "disk-full", message: "m", since: "2026-01-01T00:00:00.000Z" }] as const;
  const metrics = async (): Promise<string> => Promise.reject(new Error("secret of the inside"));
  const port = await start(t, { readiness: () => ({ ready: false, reasons, pending: null, damages: null }), metrics });
  const answer = await send(t, port, request("GET", "/readyz"));
  assert.match(answer, /^HTTP\/1\.1 503 /);
  assert.deepEqual(JSON.parse(answer.split("\r\n\r\n")[1]!), { ready: false, reasons, pending: null, damages: null });
  const failed = await send(t, port, request("GET", "/metrics"));
  assert.match(failed, /^HTTP\/1\.1 500 /);
  assert.doesNotMatch(failed, /secret/);
});

test("admin: refuses other host names, methods and paths, and answers to all names of this machine", async (t) => {
  const port = await start(t);
  const cases: readonly (readonly [text: string, status: number])[] = [
    [request("GET", "/metrics", "evil.example"), 421], // The `Host` of a page that uses DNS rebinding.
    [request("GET", "/metrics", "localhost.evil.example"), 421],
    ["GET /metrics HTTP/1.1\r\n\r\n", 421],
    ["POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc", 405],
    [request("GET", "/other"), 404],
    [request("GET", "/", "evil.example"), 421],
    ...["localhost:1", "127.0.0.1:65535", "[::1]", "LOCALHOST"].map(
      (host) => [request("GET", "/livez", host), 200] as const,
    ),
  ];
  for (const [text, status] of cases)
    assert.match(await send(t, port, text), new RegExp(`^HTTP/1\\.1 ${status} `), text);
});

test("admin: closes the connection after invalid HTTP, endless fields, a pipeline or an unfinished body, and answers the next connection", async (t) => {
  const port = await start(t);
  const garbage = [
    "\x16\x03\x01\x02\x00\x01\x00",
    `GET /livez HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(100_000)}\r\n\r\n`,
    request("GET", "/livez").repeat(500),
    "POST /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nx",
  ];
  for (const text of garbage) {
    const answer = await send(t, port, text);
    assert.ok((answer.match(/HTTP\/1\.1 200 /g) ?? []).length <= 1, answer.slice(0, 200));
    assert.match(await send(t, port, request("GET", "/livez")), /^HTTP\/1\.1 200 /);
  }
});

test("admin: soon closes connections that send nothing, or only a byte now and then, so that others can connect", async (t) => {
  const port = await start(t);
  const silent = Array.from({ length: 60 }, () => open(t, port));
  const slow = open(t, port);
  const drip = setInterval(() => slow.write("G"), 200);
  t.after(() => clearInterval(drip));
  // A reset also counts as a closed connection.
  await Promise.all([...silent, slow].map((socket) => new Promise((closed) => socket.resume().on("close", closed))));
  assert.match(await send(t, port, request("GET", "/livez")), /^HTTP\/1\.1 200 /);
});

/** A listener whose metrics are made when `release` is called. */
async function startHeld(t: TestContext) {
  const held: (() => void)[] = [];
  const metrics = () => new Promise<string>((resolve) => held.push(() => resolve("up 1\n")));
  const port = await start(t, { metrics });
  return { port, held, release: () => held.forEach((make) => make()) };
}

test("admin: serves the page despite a hundred and twenty silent connections, and keeps connections that are being answered", async (t) => {
  const { port, held, release } = await startHeld(t);
  const answered = send(t, port, request("GET", "/metrics"));
  await until("the metrics are being made", () => held.length === 1);
  for (const count of [20, 100]) {
    const silent = Array.from({ length: count }, () => open(t, port));
    await Promise.all(silent.map((socket) => new Promise<void>((connected) => socket.once("connect", connected))));
    assert.match(await send(t, port, request("GET", "/livez")), /^HTTP\/1\.1 200 /, `beside ${count}`);
  }
  release();
  assert.match(await answered, /^HTTP\/1\.1 200 /);
});

test("admin: closes a further connection while it answers twenty requests", async (t) => {
  const { port, held, release } = await startHeld(t);
  const answers = Array.from({ length: 20 }, () => send(t, port, request("GET", "/metrics")));
  await until("twenty are being answered", () => held.length === 20);
  assert.equal(await send(t, port, request("GET", "/livez")), "");
  release();
  for (const answer of await Promise.all(answers)) assert.match(answer, /^HTTP\/1\.1 200 /);
});
