// Tests nginx and Caddy, configured as in fixtures/deploy, in front of a real server. Some clients are attackers.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { NAME } from "../support/attacks.ts";
import { mazaneh, servingChild as serving, spawned, temporaryDirectory } from "../support/cli.ts";
import { hasCommand } from "../support/has_command.ts";
import { type Reply, rawRequest, sendRaw } from "../support/raw_http.ts";
import { startListener } from "../support/serve_listener.ts";
import { until } from "../support/wait_until.ts";
import { startCaddy } from "./caddy.ts";
import { startNginx } from "./nginx.ts";
import { type Changes, freePort, type Proxy } from "./proxy.ts";

/** A proxy program, and how its tests differ. */
interface Kind {
  readonly name: "nginx" | "Caddy";
  readonly start: (t: TestContext, upstreamPort: number, changes?: Changes) => Promise<Proxy>;
  /** The change that makes the proxy wait only a second for the answer of the server. */
  readonly patience: Changes[number];
  /** Matches the possible answers to malformed requests. Caddy answers 503 if a body breaks off. */
  readonly refusals: RegExp;
  /** Additional settings of the server. */
  readonly settings: Readonly<Record<string, string>>;
}
const NGINX: Kind = {
  ...{ name: "nginx", start: startNginx, patience: [/proxy_read_timeout 35s/, "proxy_read_timeout 1s"] },
  refusals: /^(HTTP\/1\.1 (200|400|405|413|501) |$)/,
  settings: {},
};
const CADDY: Kind = {
  ...{ name: "Caddy", start: startCaddy, patience: [/response_header_timeout 35s/, "response_header_timeout 1s"] },
  refusals: /^(HTTP\/1\.1 (200|400|405|413|501|503) |$)/,
  settings: { MAZANEH_ADDRESS_RATE: "50/s:100" },
};

const INNER = `GET /smuggled HTTP/1.1\r\nHost: ${NAME}\r\n\r\n`;
const shapes: readonly (readonly [string, readonly string[], string])[] = [
  ["both a length and chunks", ["Content-Length: 5", "Transfer-Encoding: chunked"], `0\r\n\r\n${INNER}`],
  ["an unknown coding", ["Transfer-Encoding: xchunked"], `0\r\n\r\n${INNER}`],
  ["a space before the colon", ["Transfer-Encoding : chunked"], `0\r\n\r\n${INNER}`],
  ["a folded line", ["Transfer-Encoding:\r\n chunked"], `0\r\n\r\n${INNER}`],
  ["two lengths", ["Content-Length: 0", `Content-Length: ${INNER.length}`], INNER],
  ["a chunk with an invalid size", ["Transfer-Encoding: chunked"], `0x0\r\n\r\n${INNER}`],
  ["a chunk that is longer than its size", ["Transfer-Encoding: chunked"], `1\r\nab\r\n0\r\n\r\n${INNER}`],
];

function missingFor({ name }: Kind): string | false {
  const missing = [name.toLowerCase(), "openssl"].filter((command) => !hasCommand(command));
  return missing.length > 0 && `there is no ${missing.join(" and no ")}`;
}

for (const kind of [NGINX, CADDY]) {
  const skip = missingFor(kind);
  const { name } = kind;
  test(`${name}: doctor finds nothing wrong with the deployment`, { skip }, async (t) => {
    const local: Changes = [[new RegExp(`(server_name|^)( ?)${NAME}(;| \\{)`, "gm"), "$1$2localhost$3"]];
    const { proxy, key } = await startBoth(t, kind, local);
    const certificate = join(await temporaryDirectory(t), "ca.pem");
    writeFileSync(certificate, proxy.ca);
    const env = { MAZANEH_KEY: key, NODE_EXTRA_CA_CERTS: certificate };
    const { json } = await spawned(["doctor", `https://localhost:${proxy.port}`, "--json"], { env });
    const findings = json()["findings"] as unknown as { name: string; is: string }[];
    assert.deepEqual(
      findings.filter(({ is }) => is === "wrong"),
      [],
    );
  });

  test(`${name}: forged X-Forwarded-* fields do not reach the server`, { skip }, async (t) => {
    const { proxy, requests } = await startEcho(t, kind);
    const claims = [
      "X-Forwarded-For: 203.0.113.9",
      "X-Forwarded-Proto: gopher",
      "X-Forwarded-Host: other.example.org",
      "X-Forwarded-For: 198.51.100.1",
    ];
    assert.match(await answerTo(proxy, closing("/docs", claims), "127.0.0.77"), /^HTTP\/1\.1 200 /);
    const [{ headers }] = requests as [Echoed];
    const fields = ["host", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"].map((field) => headers[field]);
    assert.deepEqual(fields, [NAME, "127.0.0.77", "https", NAME]);
  });

  test(`${name}: targets arrive as they were sent`, { skip }, async (t) => {
    const { proxy, requests } = await startEcho(t, kind);
    const targets = ["/a%2Fb", "//a", "/a/../b", "/a?codes=USD_RLS,BTC_USD&x=%D8%A7", "/a;b=1"];
    for (const target of targets) await answerTo(proxy, closing(target));
    const urls = requests.map(({ url }) => url);
    assert.deepEqual(urls, targets);
  });

  test(`${name}: no malformed request smuggles a second one to the server`, { skip }, async (t) => {
    const { proxy, requests } = await startEcho(t, kind);
    for (const [shape, headers, body] of shapes) {
      const lines = ["POST /first HTTP/1.1", `Host: ${NAME}`, "Connection: close", ...headers, "", body];
      const answer = await answerTo(proxy, lines.join("\r\n"));
      assert.match(answer, kind.refusals, `${shape}: ${answer.slice(0, 100)}`);
      assert.ok((answer.match(/HTTP\/1\.1 /g) ?? []).length <= 1, `${shape}: ${answer}`);
    }
    assert.deepEqual(
      requests.filter(({ url }) => url !== "/first").map(({ url }) => url),
      [],
    );
  });

  test(`${name}: a POST is not sent again when the server fails while handling the POST`, { skip }, async (t) => {
    const { proxy, requests } = await startEcho(t, kind, { failsOn: "/fail" });
    await answerTo(proxy, closing("/first")); // Opens a connection.
    const answer = await answerTo(proxy, closing("/fail", [], "{}"));
    assert.match(answer, /^HTTP\/1\.1 503 [\s\S]*Retry-After: 5\r\n[\s\S]*"code":"UNAVAILABLE"/);
    assert.equal(requests.filter(({ url }) => url === "/fail").length, 1);
  });

  test(`${name}: its own error answers have the API's error body and Retry-After`, { skip }, async (t) => {
    const { proxy } = await startEcho(t, kind, { failsOn: "/fail?a=%22b", hangsOn: "/hang", changes: [kind.patience] });
    const gone = await kind.start(t, await freePort());
    const large = (target: string, bytes: number): Buffer =>
      closing(target, ["Content-Type: application/json"], " ".repeat(bytes));
    const cases: readonly (readonly [at: Proxy, request: Buffer, status: number, code: string, path: string])[] = [
      [gone, closing("/api/v1/status?a=b"), 503, "UNAVAILABLE", "/api/v1/status"],
      [proxy, closing("/fail?a=%22b"), 503, "UNAVAILABLE", "/fail"],
      [proxy, closing("/hang"), 503, "UNAVAILABLE", "/hang"],
      [gone, closing(`/api/v1/mz_live_${"x".repeat(58)}`), 503, "UNAVAILABLE", ""],
      [gone, closing("/%22,%22a%22:%22"), 503, "UNAVAILABLE", ""],
      [proxy, large("/api/v1/assets/USD_RLS", 20_000), 413, "BODY_TOO_LARGE", "/api/v1/assets/USD_RLS"],
      [proxy, large("/ingest", (1 << 20) + 1), 413, "BODY_TOO_LARGE", "/ingest"],
    ];
    for (const [at, request, status, code, path] of cases)
      assertOwn(await answerTo(at, request), { status, code, path });
    assert.match(await answerTo(proxy, large("/ingest", 1 << 20)), /^HTTP\/1\.1 200 /, "1 MB reaches the server");
  });

  test(`${name}: over plain HTTP, the API and requests with a key get 403, and everything else is redirected to TLS; no log contains queries or keys`, {
    skip,
  }, async (t) => {
    const { proxy, key } = await startBoth(t, kind);
    const plain = (path: string, ...headers: readonly string[]): Promise<Reply> =>
      sendRaw(`http://127.0.0.1:${proxy.plainPort}`, { target: path, headers: [`Host: ${NAME}`, ...headers] });
    for (const path of ["/api/v1/status", "/ingest"]) assert.equal((await plain(path)).status, 403, path);
    for (const field of [`X-API-Key: ${key}`, `x-api-key: ${key}`, `Authorization: Bearer ${key}`]) {
      for (const path of ["/docs/market", "/ingest", "/docs", "/"])
        assert.equal((await plain(path, field)).status, 403, `${path} with ${field.split(":")[0]}`);
    }
    const { status, headers } = await plain("/docs?a=b");
    assert.deepEqual([status, headers.get("location")], [308, `https://${NAME}/docs?a=b`]);
    const withKeys = closing(`/api/v1/status?api_key=${key}`, [`X-API-Key: ${key}`]);
    assert.match(await answerTo(proxy, withKeys), /^HTTP\/1\.1 200 /);
    await until("the request is in the access log", () => proxy.logs().access.includes("/api/v1/status"));
    const { access, errors } = proxy.logs();
    assert.ok(!`${access}${errors}`.includes(key), `${access}${errors}`);
  });
}

test("nginx: an address above its rate gets 429, while other addresses are served; the access log names address and request", {
  skip: missingFor(NGINX),
}, async (t) => {
  const { proxy, key } = await startBoth(t, NGINX);
  const headers = [`Host: ${NAME}`, `X-API-Key: ${key}`];
  const request = rawRequest({ target: `/api/v1/status?api_key=${key}`, headers });
  const socket = openTls(proxy, "127.0.0.5");
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
  socket.write(Buffer.concat(Array<Buffer>(300).fill(request)));
  while ((text.match(/HTTP\/1\.1 /g) ?? []).length < 300) await wait(20);
  socket.destroy();
  assert.match(text, /HTTP\/1\.1 200 /);
  assertOwn(/HTTP\/1\.1 429 [^]*?\r\n\r\n\{[^]*?\}/.exec(text)?.[0] ?? "", {
    status: 429,
    code: "RATE_LIMITED",
    path: "/api/v1/status",
  });
  assert.match(await answerTo(proxy, closing("/api/v1/status")), /^HTTP\/1\.1 200 /);
  assert.match(proxy.logs().access, /127\.0\.0\.5 \[.*\] "GET \/api\/v1\/status HTTP\/1\.1" 200 .* req_\w+$/m);
});

interface Echoed {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** Starts a proxy in front of a server that records requests and answers 200, except to `failsOn` and `hangsOn`. */
async function startEcho(
  t: TestContext,
  { start }: Kind,
  { failsOn, hangsOn, changes }: { failsOn?: string; hangsOn?: string; changes?: Changes } = {},
): Promise<{ proxy: Proxy; requests: Echoed[] }> {
  const requests: Echoed[] = [];
  const { origin, close } = await startListener((req, res) => {
    requests.push({ url: req.url!, headers: req.headers });
    if (req.url === failsOn) req.socket.destroy();
    else if (req.url !== hangsOn) req.resume().on("end", () => res.end("ok"));
  });
  t.after(close);
  return { proxy: await start(t, Number(new URL(origin).port), changes), requests };
}

/** A request that closes its connection. A request with a body is a POST. */
function closing(target: string, headers: readonly string[] = [], body?: string): Buffer {
  const fields = [`Host: ${NAME}`, "Connection: close", ...headers];
  return rawRequest({ target, headers: fields, ...(body !== undefined && { method: "POST", body }) });
}

/** Asserts that an answer of the proxy itself has the same form as an answer of the server. */
function assertOwn(
  answer: string,
  { status, code, path }: { readonly status: number; readonly code: string; readonly path: string },
): void {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
  assert.match(head, /^Content-Type: application\/json; charset=utf-8$/im);
  assert.equal(/^Retry-After: [1-9]\d*$/im.test(head), status !== 413);
  const { message, timestamp, requestId, ...rest } = JSON.parse(body) as Record<string, unknown>;
  assert.deepEqual(rest, { status, code, path });
  assert.equal(requestId, /^X-Request-Id: (\S+)$/im.exec(head)?.[1]);
  assert.ok(typeof message === "string" && message.length > 20, String(message));
  assert.ok(Math.abs(Date.parse(String(timestamp)) - Date.now()) < 60_000, String(timestamp));
}

async function startBoth(
  t: TestContext,
  { start, settings }: Kind,
  changes: Changes = [],
): Promise<{ proxy: Proxy; key: string }> {
  const data = await temporaryDirectory(t);
  const input = `code,value,businessTime\nUSD_RLS,1905000,${new Date(Date.now() - 60_000).toISOString()}\n`;
  await done(mazaneh(["import", "-", "--init", "--data", data], { input }));
  await done(mazaneh(["plans", "set", "PRO", "--daily-units", "1000000", "--attribution", "no", "--data", data]));
  const { key } = (await done(mazaneh(["keys", "create", "alice", "--plan", "PRO", "--json", "--data", data]))).json();
  const server = await serving(t, ["--data", data], { MAZANEH_BEHIND_PROXY: "127.0.0.1", ...settings });
  return { proxy: await start(t, Number(new URL(server.url).port), changes), key: String(key) };

  async function done(running: ReturnType<typeof mazaneh>): ReturnType<typeof mazaneh> {
    const run = await running;
    assert.equal(run.code, 0, run.err);
    return run;
  }
}

function openTls({ port, ca }: Proxy, localAddress: string): TLSSocket {
  const options = { host: "127.0.0.1", port, ca, localAddress, servername: NAME, ALPNProtocols: ["http/1.1"] };
  return connectTls(options).on("error", () => undefined);
}

/** Sends bytes on a new connection. Returns everything that arrives until the other side closes the connection. */
async function answerTo(proxy: Proxy, bytes: string | Buffer, localAddress = "127.0.0.1"): Promise<string> {
  const socket = openTls(proxy, localAddress);
  let text = "";
  socket.setEncoding("latin1").on("data", (part: string) => (text += part));
  socket.write(bytes);
  await new Promise((done) => socket.once("close", done)); // A reset also closes the connection.
  return text;
}
