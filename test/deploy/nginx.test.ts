// nginx, as fixtures/deploy configures it, in front of a real server: what clients and attackers get.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { connect as connectHttp2, constants } from "node:http2";
import type { ClientHttp2Session } from "node:http2";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import type { TLSSocket } from "node:tls";
import { mazaneh, serving, temporaryDirectory } from "../support/cli.ts";
import type { Served } from "../support/cli.ts";
import { hasCommand } from "./machine.ts";
import { NAME, openSockets, startNginx } from "./nginx.ts";
import type { Nginx } from "./nginx.ts";
import { attack } from "./proxy_attacks.ts";
import type { Open } from "./proxy_attacks.ts";

const missing = ["nginx", "openssl"].filter((name) => !hasCommand(name));
const skip = missing.length > 0 && `there is no ${missing.join(" and no ")}`;
/** Idle connections to the server that nginx keeps, for each of its two workers. */
const KEPT = 2 * 32;

for (const way of ["through nginx", "past nginx"] as const) {
  test(`nginx: good requests are answered while hostile clients come ${way}; then no connection is left`, { skip }, async (t) => {
    const { nginx, server, key } = await startBoth(t);
    const before = { nginx: nginx.sockets(), server: openSockets(server.child.pid!) };
    const port = Number(new URL(server.url).port);
    const open: Open = (localAddress) => (way === "through nginx" ? openTls(nginx, localAddress) : connect({ host: "127.0.0.1", port, localAddress }));
    const attacked = attack(open, { count: 24, seconds: 8, key });
    const good = await askWhile(nginx, key, attacked);
    const seen = await attacked;
    t.diagnostic(JSON.stringify({ good, seen }));
    assert.ok(good["200"]! > 50, `good requests: ${JSON.stringify(good)}`);
    assert.deepEqual(Object.keys(good), ["200"]);
    const statuses = Object.values(seen).flatMap((found) => Object.keys(found));
    assert.ok(statuses.length >= 3, JSON.stringify(seen));
    assert.deepEqual(statuses.filter((status) => status.startsWith("5")), []);
    for (let tries = 0; tries < 100 && openSockets(server.child.pid!) > before.server + KEPT; tries++) await wait(200);
    const after = { nginx: nginx.sockets(), server: openSockets(server.child.pid!) };
    assert.ok(after.server <= before.server + KEPT && after.nginx <= before.nginx + KEPT, JSON.stringify({ before, after }));
  });
}

test("nginx: clients that send nothing more are cut after 10 seconds, and the server never saw them", { skip }, async (t) => {
  const { nginx, server } = await startBoth(t);
  const before = openSockets(server.child.pid!);
  const begun = [
    "",
    `GET /docs HTTP/1.1\r\nHost: ${NAME}\r\nX-A: `,
    `POST /api/v1/assets/USD_RLS HTTP/1.1\r\nHost: ${NAME}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"f`,
  ];
  const begunAt = performance.now();
  const sockets = begun.map((bytes) => {
    const socket = openTls(nginx, "127.0.0.1").resume();
    socket.write(bytes);
    return closeOf(socket);
  });
  await wait(500);
  assert.equal(openSockets(server.child.pid!), before);
  await Promise.all(sockets);
  // Six times as long without the limits of the configuration.
  assert.ok(performance.now() - begunAt < 40_000);
});

test("nginx: what a client claims about its address, scheme and host goes no further", { skip }, async (t) => {
  const { nginx, requests } = await startEcho(t);
  const claims = ["X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: gopher", "X-Forwarded-Host: other.example.org", "Forwarded: for=203.0.113.9;host=other.example.org", "X-Forwarded-For: 198.51.100.1"];
  const lines = [`GET /docs HTTP/1.1`, `Host: ${NAME}`, ...claims, "Connection: close", "", ""];
  assert.match(await answerTo(nginx, lines.join("\r\n"), "127.0.0.77"), /^HTTP\/1\.1 200 /);
  const [{ headers }] = requests as [Echoed];
  const { host, forwarded, "x-forwarded-for": address, "x-forwarded-proto": scheme, "x-forwarded-host": name } = headers;
  assert.deepEqual({ host, forwarded, address, scheme, name }, { host: NAME, forwarded: undefined, address: "127.0.0.77", scheme: "https", name: NAME });
});

test("nginx: targets arrive as they were sent", { skip }, async (t) => {
  const { nginx, requests } = await startEcho(t);
  const targets = ["/a%2Fb", "//a", "/a/../b", "/a?codes=USD_RLS,BTC_USD&x=%D8%A7", "/a;b=1"];
  for (const target of targets) await answerTo(nginx, `GET ${target} HTTP/1.1\r\nHost: ${NAME}\r\nConnection: close\r\n\r\n`);
  assert.deepEqual(requests.map(({ url }) => url), targets);
});

const INNER = `GET /smuggled HTTP/1.1\r\nHost: ${NAME}\r\n\r\n`;
const shapes: readonly (readonly [string, readonly string[], string])[] = [
  ["a length beside chunks", ["Content-Length: 5", "Transfer-Encoding: chunked"], `0\r\n\r\n${INNER}`],
  ["chunks beside a length that covers less", ["Transfer-Encoding: chunked", "Content-Length: 3"], `0\r\n\r\n${INNER}`],
  ["an unknown coding", ["Transfer-Encoding: xchunked"], `0\r\n\r\n${INNER}`],
  ["two codings", ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], `0\r\n\r\n${INNER}`],
  ["a blank before the colon", ["Transfer-Encoding : chunked"], `0\r\n\r\n${INNER}`],
  ["a folded line", ["Transfer-Encoding:\r\n chunked"], `0\r\n\r\n${INNER}`],
  ["two lengths", ["Content-Length: 0", `Content-Length: ${INNER.length}`], INNER],
  ["a list of lengths", [`Content-Length: 0, ${INNER.length}`], INNER],
  ["a length with a sign", ["Content-Length: +0"], INNER],
  ["a chunk of a bad size", ["Transfer-Encoding: chunked"], `0x0\r\n\r\n${INNER}`],
  ["a chunk that is longer than it says", ["Transfer-Encoding: chunked"], `1\r\nab\r\n0\r\n\r\n${INNER}`],
];
test("nginx: no shape of a request smuggles another one to the server", { skip }, async (t) => {
  const { nginx, requests } = await startEcho(t);
  for (const [shape, headers, body] of shapes) {
    const lines = ["POST /first HTTP/1.1", `Host: ${NAME}`, "Connection: close", ...headers, "", body];
    const answer = await answerTo(nginx, lines.join("\r\n"));
    assert.match(answer, /^(HTTP\/1\.1 (200|400|405|413|501) |$)/, `${shape}: ${answer.slice(0, 100)}`);
    assert.ok((answer.match(/HTTP\/1\.1 /g) ?? []).length <= 1, `${shape}: ${answer}`);
  }
  assert.deepEqual(requests.filter(({ url }) => url !== "/first").map(({ url }) => url), []);
});

test("nginx: a POST is not sent again when the server fails under it", { skip }, async (t) => {
  const { nginx, requests } = await startEcho(t, { failsOn: "/fail" });
  await answerTo(nginx, `GET /first HTTP/1.1\r\nHost: ${NAME}\r\nConnection: close\r\n\r\n`); // Leaves a kept connection.
  const answer = await answerTo(nginx, `POST /fail HTTP/1.1\r\nHost: ${NAME}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`);
  assert.match(answer, /^HTTP\/1\.1 503 [\s\S]*Retry-After: 5\r\n[\s\S]*"code":"UNAVAILABLE"/);
  assert.equal(requests.filter(({ url }) => url === "/fail").length, 1);
});

test("nginx: one address gets 429 beyond its rate, another is answered meanwhile; queries and keys are in no log", { skip }, async (t) => {
  const { nginx, key } = await startBoth(t);
  const pipelined = Array.from({ length: 300 }, () => `GET /api/v1/status?api_key=${key} HTTP/1.1\r\nHost: ${NAME}\r\nX-API-Key: ${key}\r\n\r\n`).join("");
  const socket = openTls(nginx, "127.0.0.5");
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
  socket.write(pipelined);
  while ((text.match(/HTTP\/1\.1 /g) ?? []).length < 300) await wait(20);
  socket.destroy();
  assert.ok(/HTTP\/1\.1 429 /.test(text) && /HTTP\/1\.1 200 /.test(text));
  assert.match(await answerTo(nginx, `GET /api/v1/status HTTP/1.1\r\nHost: ${NAME}\r\nConnection: close\r\n\r\n`), /^HTTP\/1\.1 200 /);
  const { access, errors } = nginx.logs();
  assert.match(access, /127\.0\.0\.5 \[.*\] "GET \/api\/v1\/status HTTP\/1\.1" 200 .* req_\w+$/m);
  assert.ok(!access.includes(key), "the access log");
  assert.ok(!errors.includes(key), "the error log");
});

interface Echoed {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** nginx before a server that notes what arrives, and answers everything with 200, or by closing the connection. */
async function startEcho(t: TestContext, { failsOn }: { readonly failsOn?: string } = {}): Promise<{ nginx: Nginx; requests: Echoed[] }> {
  const requests: Echoed[] = [];
  const server = createServer((req, res) => {
    requests.push({ url: req.url!, headers: req.headers });
    if (req.url === failsOn) req.socket.destroy();
    else req.resume().on("end", () => res.end("ok"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { nginx: await startNginx(t, (server.address() as AddressInfo).port), requests };
}

async function startBoth(t: TestContext): Promise<{ nginx: Nginx; server: Served; key: string }> {
  const data = await temporaryDirectory(t);
  const input = `code,value,businessTime\nUSD_RLS,1905000,2026-08-21T16:30:00Z\n`;
  await done(mazaneh(["import", "-", "--init", "--data", data], { input }));
  await done(mazaneh(["plans", "set", "PRO", "--daily-units", "1000000", "--attribution", "no", "--data", data]));
  const { key } = (await done(mazaneh(["keys", "create", "alice", "--plan", "PRO", "--json", "--data", data]))).json();
  const server = await serving(t, ["--data", data], { MAZANEH_BEHIND_PROXY: "127.0.0.1" });
  return { nginx: await startNginx(t, Number(new URL(server.url).port)), server, key: String(key) };

  async function done(running: ReturnType<typeof mazaneh>): ReturnType<typeof mazaneh> {
    const run = await running;
    assert.equal(run.code, 0, run.err);
    return run;
  }
}

function openTls({ port, ca }: Nginx, localAddress: string): TLSSocket {
  const options = { host: "127.0.0.1", port, ca, localAddress, servername: NAME, ALPNProtocols: ["http/1.1"] };
  return connectTls(options).on("error", () => undefined);
}

/** All that comes back on a connection of its own, which the other side has to close. */
async function answerTo(nginx: Nginx, bytes: string, localAddress = "127.0.0.1"): Promise<string> {
  const socket = openTls(nginx, localAddress);
  let text = "";
  socket.setEncoding("latin1").on("data", (part: string) => (text += part));
  socket.write(bytes, "latin1");
  await closeOf(socket);
  return text;
}

/** Settles when a connection is closed, also by a reset. */
function closeOf(socket: TLSSocket): Promise<void> {
  return new Promise((done) => void socket.once("close", () => done()));
}

/** Asks over HTTP/2, as clients do, until `end` settles. Counts the statuses. */
async function askWhile({ port, ca }: Nginx, key: string, end: Promise<unknown>): Promise<Record<string, number>> {
  let going = true;
  void end.finally(() => (going = false)).catch(() => undefined);
  const statuses: Record<string, number> = {};
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca, servername: NAME });
  session.on("error", () => undefined);
  const targets = ["/api/v1/status", "/api/v1/assets/USD_RLS", "/api/v1/access", "/api/v1/assets"];
  for (let i = 0; going; i++) {
    const status = await statusOf(session, targets[i % targets.length]!, key);
    statuses[status] = (statuses[status] ?? 0) + 1;
    await wait(25);
  }
  session.destroy();
  return statuses;
}

async function statusOf(session: ClientHttp2Session, path: string, key: string): Promise<string> {
  const { HTTP2_HEADER_PATH, HTTP2_HEADER_AUTHORITY } = constants;
  const stream = session.request({ [HTTP2_HEADER_PATH]: path, [HTTP2_HEADER_AUTHORITY]: NAME, "x-api-key": key });
  const answered = once(stream, "response") as Promise<[{ ":status": number }]>;
  stream.resume().end();
  return answered.then(([headers]) => String(headers[":status"]), (error: Error) => error.message);
}
